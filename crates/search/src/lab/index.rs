//! Which objectives a run reaches by what it does.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use covenant_concolic::Subject;
use covenant_concolic::run::Run;
use covenant_goals::{Criterion, Ledger, ObjectiveId, Place, Verdict};
use rustc_hash::FxHashSet;

use super::Lab;
use crate::cfg::{Edge, LABEL, edge_of};

/// The objectives by what reaches them.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// By the edge.
    pub(crate) by_edge: HashMap<Edge, Vec<ObjectiveId>>,
    /// By the function whose entry reaches them.
    pub(crate) by_entry: HashMap<u32, Vec<ObjectiveId>>,
    /// By the label.
    by_label: Vec<Vec<ObjectiveId>>,
    /// Labels that the map of the program shows.
    pub(crate) shown: FxHashSet<u32>,
    /// What was decided when runs were told which labels are wanted.
    told: Option<usize>,
}

impl Index {
    /// `guided`: the map of the program has to show labels.
    pub(super) fn new(subject: &Subject, ledger: &Ledger, guided: bool) -> Index {
        let mut index = Index::default();
        if guided {
            // All but those of local paths, of which prefixes tell more.
            let shown = ledger.iter().filter(|(_, objective, _)| objective.criterion != Criterion::LocalPath);
            index.shown = shown.flat_map(|(_, objective, _)| &objective.places).filter_map(label).collect();
        }
        for (id, objective, _) in ledger.iter() {
            for &place in &objective.places {
                index.add(subject, id, place);
            }
        }
        index
    }

    fn add(&mut self, subject: &Subject, id: ObjectiveId, place: Place) {
        match place {
            Place::Entry(function) => self.by_entry.entry(function.as_u32()).or_default().push(id),
            Place::Label(function, _, label) => {
                if self.by_label.len() <= label as usize {
                    self.by_label.resize(label as usize + 1, Vec::new());
                }
                self.by_label[label as usize].push(id);
                if self.shown.contains(&label) {
                    self.by_edge.entry((function.as_u32(), LABEL, label)).or_default().push(id);
                }
            }
            Place::Edge(..) => {
                if let Some(edge) = edge_of(&subject.image, place) {
                    self.by_edge.entry(edge).or_default().push(id);
                }
            }
        }
    }

    /// The objectives of a label.
    pub(crate) fn at_label(&self, label: u32) -> impl Iterator<Item = ObjectiveId> + '_ {
        self.by_label.get(label as usize).into_iter().flatten().copied()
    }

    /// Objectives that a run reached.
    pub(super) fn hits(&self, run: &Run) -> Vec<ObjectiveId> {
        let mut hit = BTreeSet::new();
        for (function, edges) in run.edges.iter().enumerate() {
            for &(pc, edge) in edges.keys() {
                hit.extend(self.by_edge.get(&(function as u32, pc, edge)).into_iter().flatten().copied());
            }
        }
        for (&function, ids) in &self.by_entry {
            if run.entered[function as usize] {
                hit.extend(ids.iter().copied());
            }
        }
        hit.extend(run.labels.reached.iter().flat_map(|&label| self.at_label(label)));
        hit.into_iter().collect()
    }
}

impl Lab<'_> {
    /// Tells runs that all labels are of interest.
    pub(super) fn want_all_labels(&mut self) {
        self.index.told = None;
        self.cx.wanted = Rc::new(vec![true; self.index.by_label.len()]);
    }

    /// Tells runs which labels are of interest: open ones, and those that no run may reach.
    pub(super) fn want_labels(&mut self) {
        if self.cx.seed.is_some() {
            // Of a test that is there all is told.
            return self.want_all_labels();
        }
        if self.index.told == Some(self.ledger.decided()) {
            return;
        }
        self.index.told = Some(self.ledger.decided());
        let ledger = &self.ledger;
        let wants = |&id: &ObjectiveId| match ledger.verdict(id) {
            Verdict::Covered(_) => false,
            Verdict::Infeasible(_) => true,
            Verdict::Unknown(_) => ledger.is_open(id) || ledger.objective(id).measured,
        };
        let wanted: Vec<bool> = self.index.by_label.iter().map(|ids| ids.iter().any(wants)).collect();
        self.cx.wanted = Rc::new(wanted);
    }

    /// Whether an objective of a label is open.
    pub(crate) fn is_label_open(&self, label: u32) -> bool {
        self.index.at_label(label).any(|id| self.ledger.is_open(id))
    }
}

/// The number of a label.
fn label(place: &Place) -> Option<u32> {
    match place {
        Place::Label(_, _, index) => Some(*index),
        _ => None,
    }
}
