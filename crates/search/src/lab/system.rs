//! The transition system of the program, and what runs and proofs showed of it.

use std::collections::BTreeMap;
use std::rc::Rc;

use covenant_concolic::Subject;
use covenant_concolic::run::Run;
use covenant_concolic::symbolic::InputOptions;
use covenant_constraints::solver::Cancel;
use covenant_constraints::{Model, TermId, Terms};
use covenant_goals::ObjectiveId;
use covenant_transition::compiled::Compiled;
use covenant_transition::flow::{self, Flow, FlowOptions, LocationId};
use covenant_transition::lemma_check::{Checked, Lemmas};
use covenant_transition::trace::{Questions, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

/// The transition system and what is known of it.
#[derive(Debug, Default)]
pub(crate) struct System {
    /// `None`: the strategy wants none, or the program cannot be modelled.
    pub(crate) flow: Option<Rc<Flow>>,
    /// What runs are asked at the locations that they pass.
    pub(super) questions: Questions,
    /// The inputs of runs, by their numbers.
    pub(crate) runs: Vec<Rc<Model>>,
    /// Whether they were ended early.
    cut: Vec<bool>,
    /// Locations where runs have been.
    visited: FxHashSet<LocationId>,
    /// What holds at locations, from provers that look at the whole program. Proofs check it again.
    pub(crate) facts: Lemmas,
    /// For each objective that was proved infeasible: what excludes it.
    pub(crate) invariants: BTreeMap<ObjectiveId, Checked>,
    /// The objectives that a run reaches by being at a location.
    pub(crate) objectives_at: FxHashMap<LocationId, Vec<ObjectiveId>>,
}

impl System {
    /// `Err`: why the program cannot be modelled.
    pub(super) fn build(
        subject: &Subject,
        inputs: &InputOptions,
        terms: &mut Terms,
        stop: &Cancel,
    ) -> Result<System, String> {
        let options = FlowOptions { stop: stop.clone(), ..FlowOptions::of(subject, inputs) };
        let flow = flow::build(terms, &subject.image, subject.entry, &subject.objectives, &options)?;
        let mut objectives_at: FxHashMap<LocationId, Vec<ObjectiveId>> = FxHashMap::default();
        for id in (0..subject.objectives.len() as u32).map(ObjectiveId) {
            for &location in &flow.target(id).locations {
                objectives_at.entry(location).or_default().push(id);
            }
        }
        let visited = FxHashSet::from_iter([flow.root]);
        let questions = Questions { conformance: Some(Rc::default()), ..Questions::default() };
        Ok(System { flow: Some(Rc::new(flow)), questions, objectives_at, visited, ..System::default() })
    }

    /// The program was run.
    pub(super) fn learn(&mut self, run: &Run, trace: &Trace) {
        if self.flow.is_none() {
            return;
        }
        self.visited.extend(trace.visits.keys().map(|(location, _)| *location));
        self.runs.push(Rc::clone(&run.inputs));
        self.cut.push(run.cut || run.gap.is_some());
    }

    /// Whether some run was at one of the locations.
    pub(crate) fn visited(&self, locations: &[LocationId]) -> bool {
        locations.iter().any(|location| self.visited.contains(location))
    }

    /// So many of these visits, the latest first, but those of runs that were ended early last.
    pub(crate) fn handy(&self, visits: &[(u32, u32)], most: usize) -> Vec<(u32, u32)> {
        let mut visits: Vec<(u32, u32)> = visits.iter().rev().copied().collect();
        visits.sort_by_key(|&(run, _)| self.cut[run as usize]);
        visits.truncate(most);
        visits
    }

    /// Has runs tell which of these formulas hold at a location.
    pub(crate) fn watch(&mut self, terms: &Terms, location: LocationId, formulas: Vec<TermId>) {
        if formulas.is_empty() {
            self.questions.watched.remove(&location);
        } else {
            self.questions.watched.insert(location, Compiled::new(terms, formulas));
        }
    }

    /// The formulas that runs are asked about at a location, in the order of their answers.
    pub(crate) fn watched(&self, location: LocationId) -> &[TermId] {
        self.questions.watched.get(&location).map_or(&[][..], |watched| &watched.formulas)
    }

    /// The locations where runs are asked something.
    pub(crate) fn watched_locations(&self) -> Vec<LocationId> {
        self.questions.watched.keys().copied().collect()
    }
}
