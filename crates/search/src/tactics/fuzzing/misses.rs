//! Inputs of runs that came to an open branch and went another way there: to change them is the shortest way to it.

use std::collections::BTreeMap;
use std::rc::Rc;

use covenant_concolic::run::Run;
use covenant_constraints::random::Rng;
use covenant_goals::ObjectiveId;
use rustc_hash::FxHashSet;

use super::mutate::Parent;
use crate::cfg::Edge;
use crate::lab::Lab;

/// Inputs that are kept for one branch; others take their places by lot.
const MOST: usize = 8; // not tuning: memory

/// By open branch.
#[derive(Debug, Default)]
pub(super) struct Misses {
    kept: BTreeMap<Edge, Vec<Parent>>,
    /// Branches that are open, and how many objectives were decided when they were looked up.
    open: Vec<Edge>,
    decided: Option<usize>,
}

impl Misses {
    /// A run may be one that missed something.
    pub(super) fn take(&mut self, lab: &Lab<'_>, run: &Run, rng: &mut Rng) {
        self.look_up(lab);
        let functions: FxHashSet<u32> = self.open.iter().map(|edge| edge.0).collect();
        let passed = functions.into_iter().flat_map(|f| run.edges[f as usize].keys().map(move |(pc, _)| (f, *pc)));
        let passed: FxHashSet<(u32, u32)> = passed.collect();
        for edge in self.open.iter().filter(|edge| passed.contains(&(edge.0, edge.1))) {
            if run.edges[edge.0 as usize].contains_key(&(edge.1, edge.2)) {
                continue;
            }
            let kept = self.kept.entry(*edge).or_default();
            let at = if kept.len() < MOST { kept.len() } else { rng.below(MOST * MOST) };
            if at < kept.len() {
                kept[at] = Parent::new(&lab.cx.terms, Rc::clone(&run.inputs));
            } else if at < MOST {
                kept.push(Parent::new(&lab.cx.terms, Rc::clone(&run.inputs)));
            }
        }
    }

    /// One of those of one of the branches.
    pub(super) fn pick(&self, rng: &mut Rng) -> Option<&Parent> {
        if self.kept.is_empty() {
            return None;
        }
        let kept = self.kept.values().nth(rng.below(self.kept.len()))?;
        kept.get(rng.below(kept.len().max(1)))
    }

    fn look_up(&mut self, lab: &Lab<'_>) {
        let decided = lab.ledger.decided();
        if self.decided == Some(decided) {
            return;
        }
        self.decided = Some(decided);
        let is_open = |ids: &Vec<ObjectiveId>| ids.iter().any(|&id| lab.ledger.is_open(id));
        self.open = lab.index.by_edge.iter().filter(|(_, ids)| is_open(ids)).map(|(edge, _)| *edge).collect();
        self.open.sort_unstable();
        self.kept.retain(|edge, _| self.open.binary_search(edge).is_ok());
    }
}
