//! Whether a run is a path of the flow.
//!
//! Proofs are about the flow, so each run must be one of its paths: from each location that a run passes there is a step to the next
//! one, whose guards hold and whose assignments give what the run then has. Where that is not so, the flow leaves out something that
//! the program does, and what was proved from it is worth nothing.
//!
//! That there is a step is asked at every visit. Guards and values are compared at the first visits of a location and then at those
//! whose numbers are powers of two, so that long loops cost little. That a step leaves all other cells alone is compared as often
//! as the visits pay for it: many cells are looked at now and then, and here as often as there. What is free in the flow is not compared, nor are arrays,
//! floats, and registers that a step leaves alone.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use covenant_constraints::{Sort, Terms, VarId};
use rustc_hash::FxHashMap;

use crate::compiled::{self, Compiled};
use crate::flow::{Edge, Flow, LocationId, Source, Spot};

/// Visits of a location in a run at which all is compared.
const FIRST: u32 = 8; // not tuning: any number will do, the search does not depend on it

/// Cells that may be looked at for each visit, and those that may be for nothing.
const CELLS: (u64, u64) = (8, 20_000); // not tuning: what a visit costs, the search does not depend on it

/// What is needed to compare runs with the flow, made where runs come by and kept for those that follow.
#[derive(Clone, Debug, Default)]
pub struct Conformance {
    steps: RefCell<FxHashMap<LocationId, Rc<Steps>>>,
    /// The variables that only steps change.
    cells: RefCell<Option<Rc<Vec<VarId>>>>,
    /// Cells that were looked at, and those that may be.
    looked: Cell<u64>,
    allowed: Cell<u64>,
}

/// The steps out of a location, ready to be evaluated.
#[derive(Debug)]
struct Steps {
    compiled: Compiled,
    edges: Vec<Step>,
}

#[derive(Debug)]
struct Step {
    to: LocationId,
    /// How many of the evaluated terms are its guards, and which variables get the others.
    guards: usize,
    assigned: Vec<VarId>,
    /// Other variables that it changes, in a way that is not compared.
    also: Vec<VarId>,
}

/// What must come after a visit of a location.
#[derive(Debug)]
pub(super) struct Expected {
    pub(super) from: LocationId,
    /// Nothing: only the step is asked for.
    values: Option<Values>,
}

/// The bits that a run has at a location.
#[derive(Debug)]
struct Values {
    /// Of the terms of all steps, one after the other.
    steps: Vec<Option<u128>>,
    /// Of what only steps change.
    cells: Vec<(VarId, u128)>,
}

impl Conformance {
    /// What may follow now that a run is at a location for the so manieth time.
    pub(super) fn expect(
        &self,
        (flow, terms): (&Flow, &Terms),
        from: LocationId,
        ordinal: u32,
        state: &mut dyn compiled::Source,
    ) -> Expected {
        if ordinal >= FIRST && !(ordinal + 1).is_power_of_two() {
            return Expected { from, values: None };
        }
        let steps = self.steps(flow, terms, from).compiled.bits(terms, state);
        let cells = self.cells(flow);
        let cells = if self.can_look_at(cells.len() as u64) { &cells[..] } else { &[] };
        let kept = cells.iter().filter_map(|&var| Some((var, state.variable(var)?.bits()?)));
        Expected { from, values: Some(Values { steps, cells: kept.collect() }) }
    }

    /// Whether the visits up to now pay for a look at so many cells, before a step and behind it.
    fn can_look_at(&self, cells: u64) -> bool {
        let allowed = self.allowed.get() + CELLS.0;
        self.allowed.set(allowed);
        let looked = self.looked.get() + 2 * cells;
        let can = looked <= allowed + CELLS.1;
        if can {
            self.looked.set(looked);
        }
        can
    }

    /// Why the run cannot have come to this location by the flow; nothing if it can.
    pub(super) fn departure(
        &self,
        (flow, terms): (&Flow, &Terms),
        expected: &Expected,
        to: LocationId,
        state: &mut dyn compiled::Source,
    ) -> Option<String> {
        let Some(Values { steps: bits, cells: kept }) = &expected.values else {
            let mut out = flow.locations[expected.from].out.iter().map(|&edge| flow.edges[edge].to);
            let known = out.any(|next| next == to || leads_silently(flow, next, to));
            return (!known).then(|| "there is no such step".to_owned());
        };
        let mut why = "there is no such step".to_owned();
        let mut first = 0;
        for step in &self.steps(flow, terms, expected.from).edges {
            let (guards, assigned) = bits[first..first + step.guards + step.assigned.len()].split_at(step.guards);
            first += guards.len() + assigned.len();
            let silently = leads_silently(flow, step.to, to);
            if step.to != to && !silently {
                continue;
            }
            if guards.contains(&Some(0)) {
                "the step is taken for impossible".clone_into(&mut why);
                continue;
            }
            if silently {
                return None;
            }
            match step.differs(terms, assigned, kept, state) {
                None => return None,
                Some(words) => why = words,
            }
        }
        Some(why)
    }

    fn steps(&self, flow: &Flow, terms: &Terms, from: LocationId) -> Rc<Steps> {
        Rc::clone(self.steps.borrow_mut().entry(from).or_insert_with(|| {
            let edges: Vec<&Edge> = flow.locations[from].out.iter().map(|&edge| &flow.edges[edge]).collect();
            let mut all = Vec::new();
            let steps = edges.iter().map(|edge| Step::new(terms, edge, &mut all)).collect();
            Rc::new(Steps { compiled: Compiled::new(terms, all), edges: steps })
        }))
    }

    fn cells(&self, flow: &Flow) -> Rc<Vec<VarId>> {
        let mut cells = self.cells.borrow_mut();
        let all = cells.get_or_insert_with(|| {
            let is_cell = |source: &Source| matches!(source, Source::Cell { .. });
            let cells = flow.variables.iter().filter(|(_, source)| is_cell(source));
            Rc::new(cells.map(|(var, _)| *var).collect())
        });
        Rc::clone(all)
    }
}

impl Step {
    fn new(terms: &Terms, edge: &Edge, all: &mut Vec<covenant_constraints::TermId>) -> Step {
        let is_compared = |sort: Sort| matches!(sort, Sort::Bool | Sort::Bv(_));
        let (compared, also): (Vec<_>, Vec<_>) =
            edge.assign.iter().copied().partition(|&(_, term)| is_compared(terms.sort(term)));
        all.extend(&edge.guard);
        all.extend(compared.iter().map(|&(_, term)| term));
        Step {
            to: edge.to,
            guards: edge.guard.len(),
            assigned: compared.into_iter().map(|(var, _)| var).collect(),
            also: also.into_iter().map(|(var, _)| var).collect(),
        }
    }

    /// A variable that is not what the step says, in words.
    fn differs(
        &self,
        terms: &Terms,
        assigned: &[Option<u128>],
        kept: &[(VarId, u128)],
        state: &mut dyn compiled::Source,
    ) -> Option<String> {
        let mut differs = |var: VarId, expected: u128| {
            let now = state.variable(var)?.bits()?;
            let name = terms.var_name(var);
            (now != expected).then(|| format!("{name} should be {expected} and is {now}"))
        };
        for (&var, expected) in self.assigned.iter().zip(assigned) {
            if let Some(words) = expected.and_then(|expected| differs(var, expected)) {
                return Some(words);
            }
        }
        let changed = |var: &VarId| self.assigned.contains(var) || self.also.contains(var);
        kept.iter().filter(|(var, _)| !changed(var)).find_map(|&(var, before)| differs(var, before))
    }
}

/// Whether a run that goes this way shows nothing in between.
fn leads_silently(flow: &Flow, over: LocationId, to: LocationId) -> bool {
    flow.silent.contains(&over) && flow.locations[over].out.iter().any(|&edge| flow.edges[edge].to == to)
}

/// Whether nothing leads on from a location: a run goes on from the one before.
pub(super) fn is_aside(flow: &Flow, location: LocationId) -> bool {
    matches!(flow.locations[location].spot, Spot::Label(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_looked_at_as_often_as_visits_pay_for_it() {
        let conformance = Conformance::default();
        let often = |cells: u64| (0..10_000).filter(|_| conformance.can_look_at(cells)).count();
        assert_eq!(often(1), 10_000, "few cells are always looked at");
        let many = often(400);
        assert!((90..=210).contains(&many), "{many}");
    }
}
