//! Certificates: the one form that evidence for an infeasible objective has, whoever found it.
//!
//! # The form
//!
//! A certificate is an *inductive invariant* of the [`Flow`]: a formula over the variables of the state for some of the
//! locations. A location without one has `true`; `false` says that no run comes there. It proves that no input reaches
//! an objective if
//!
//! 1. the root, where a run begins with any state, has `true`;
//! 2. every edge into a location with a formula keeps it: where the formula of the edge's start and all guards hold, the
//!    formula of its end holds of the state after the step, whatever the choices of the step are;
//! 3. every location of the objective has `false`, and the flow shows all ways to the objective.
//!
//! By induction over the steps of a run the formula of a location holds whenever a run is there, so that no run is ever
//! where the objective is.
//!
//! # The file
//!
//! `proofs/OBJECTIVE.smt2` is an SMT-LIB 2 script that any solver can run and that a person can read ([`write()`]). It has
//!
//! * comments: the objective, who proved it, what is assumed of the inputs, what is not modelled exactly;
//! * `(set-info :covenant-certificate "2")`, the version of this form, and `(set-info :covenant-objective "ID")`;
//! * a constant for each variable that matters, with what it is in the source, and for each that a formula is about
//!   `(set-info :covenant-variable "WHAT NAME")`: what it is in the program ([`keys`]), so that whoever knows the IR alone can tell;
//! * each formula as a function: `(define-fun inv_2 ((|i| (_ BitVec 32))) Bool ...)`. The names of the parameters are those
//!   of the variables;
//! * for each location with that formula `(set-info :covenant-at "inv_2 KEY")`, where KEY names the location by the calls
//!   that lead to it and its place in the function ([`keys`]), with the source line in a comment;
//! * for each edge that condition 2 asks about, between `push` and `pop`, the start's formula, the guards and the negated
//!   formula of the end over the state after the step. The answer to each `check-sat` is `unsat`. Edges that change
//!   nothing in the formula and start where it holds already are left out.
//!
//! Who checks it (`crates/check`) takes from such a file only the formulas, the places and what the variables are. Everything
//! else, above all the questions to a solver, it makes anew from the program, and without this crate.

mod infix;
pub mod keys;
mod read;
mod reduce;
mod script;
#[cfg(test)]
mod tests;
mod verify;
mod words;
mod write;

use std::collections::BTreeMap;

use covenant_constraints::{Op, TermId, Terms, VarId};
use covenant_goals::ObjectiveId;
use rustc_hash::FxHashMap;

pub use keys::Index;
pub use read::{Unreadable, read};
pub use reduce::reduce;
pub use script::script;
pub use verify::verify;
pub use write::{Story, write};

use super::flow::{EdgeId, Flow, LocationId};

/// A formula for some locations. One that is not listed has `true`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Invariant(pub BTreeMap<LocationId, TermId>);

impl Invariant {
    /// Says nothing of any location.
    pub fn new() -> Invariant {
        Invariant::default()
    }

    /// The formula of a location: true where nothing is said.
    pub fn at(&self, terms: &Terms, location: LocationId) -> TermId {
        self.0.get(&location).copied().unwrap_or_else(|| terms.tt())
    }

    /// Says that a formula holds whenever a run is at a location; replaces what was said before.
    pub fn set(&mut self, location: LocationId, formula: TermId) {
        self.0.insert(location, formula);
    }
}

/// What must be unsatisfiable for one edge to keep the invariant: all assertions together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// The step that is to keep the invariant.
    pub edge: EdgeId,
    /// What holds before the step: conjuncts of the start's formula, then the guards.
    pub before: Vec<TermId>,
    /// That the end's formula fails after the step.
    pub broken: TermId,
}

/// Why an invariant proves nothing about an objective.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The flow does not show all ways to the objective, for this reason.
    #[error("the flow does not show all ways to the objective: {0}")]
    Beyond(String),
    /// Something is asked of the start, where anything may be.
    #[error("the formula of the root is not `true`")]
    Root,
    /// A location of the objective is not excluded.
    #[error("the formula of {0}, where the objective is, is not `false`")]
    Target(LocationId),
    /// The flow has no such location.
    #[error("there is no location {0}")]
    NoLocation(LocationId),
    /// What is said of a location is no formula.
    #[error("the formula of {0} is not Boolean")]
    NotBoolean(LocationId),
    /// A formula speaks of something that is no part of the state there.
    #[error("the formula of {location} is about {var}, which is no variable of the state")]
    NotState {
        /// Where it stands.
        location: LocationId,
        /// What it speaks of.
        var: VarId,
    },
    /// A step does not keep the invariant.
    #[error("{0} does not keep the invariant")]
    Broken(EdgeId),
    /// The solver does not know whether a step keeps the invariant.
    #[error("no answer on whether {edge} keeps the invariant ({reason})")]
    Unknown {
        /// The step.
        edge: EdgeId,
        /// Why it does not know.
        reason: String,
    },
}

/// Whether the invariant has the form that a proof of the objective needs: conditions 1 and 3, and formulas of the state.
pub fn check_form(terms: &Terms, flow: &Flow, invariant: &Invariant, objective: ObjectiveId) -> Result<(), Refusal> {
    let target = flow.target(objective);
    if let Some(why) = &target.beyond {
        return Err(Refusal::Beyond(why.clone()));
    }
    for (&location, &formula) in &invariant.0 {
        if !flow.locations.is_valid(location) {
            return Err(Refusal::NoLocation(location));
        }
        if terms.sort(formula) != covenant_constraints::Sort::Bool {
            return Err(Refusal::NotBoolean(location));
        }
        if let Some(var) = terms.variables(&[formula]).into_iter().find(|&v| !flow.is_state(v)) {
            return Err(Refusal::NotState { location, var });
        }
    }
    if invariant.at(terms, flow.root) != terms.tt() {
        return Err(Refusal::Root);
    }
    match target.locations.iter().find(|&&l| invariant.at(terms, l) != terms.ff()) {
        Some(&open) => Err(Refusal::Target(open)),
        None => Ok(()),
    }
}

/// The edges that the invariant says something about, in the order of the flow.
fn edges<'a>(
    terms: &'a Terms,
    flow: &'a Flow,
    invariant: &'a Invariant,
) -> impl Iterator<Item = (EdgeId, TermId, TermId)> + 'a {
    let mut ids: Vec<EdgeId> = Vec::new();
    for (&location, &formula) in &invariant.0 {
        if formula != terms.tt() {
            ids.extend(&flow.locations[location].into);
        }
    }
    ids.sort_unstable();
    ids.dedup();
    ids.into_iter().filter_map(move |id| {
        let edge = &flow.edges[id];
        let (from, to) = (invariant.at(terms, edge.from), invariant.at(terms, edge.to));
        (from != terms.ff() && !is_carried(terms, flow, id, from, to)).then_some((id, from, to))
    })
}

/// Whether all that the end's formula says is said by the start's formula, about variables that do not change.
fn is_carried(terms: &Terms, flow: &Flow, edge: EdgeId, from: TermId, to: TermId) -> bool {
    let known = conjuncts(terms, from);
    let changed = |var: VarId| flow.edges[edge].assign.iter().any(|(v, _)| *v == var);
    conjuncts(terms, to).iter().all(|c| known.contains(c) && !terms.variables(&[*c]).into_iter().any(changed))
}

/// What must be shown for condition 2, without what is plain to see.
pub fn obligations(terms: &mut Terms, flow: &Flow, invariant: &Invariant) -> Vec<Obligation> {
    let edges: Vec<_> = edges(terms, flow, invariant).collect();
    let mut result = Vec::new();
    for (id, from, to) in edges {
        let after = after(terms, flow, id, to);
        let broken = terms.not(after);
        let mut before = conjuncts(terms, from);
        before.extend(&flow.edges[id].guard);
        let impossible = broken == terms.ff() || before.contains(&terms.ff());
        if !impossible && !before.contains(&after) {
            result.push(Obligation { edge: id, before, broken });
        }
    }
    result
}

/// A formula about the state after the step, over the state before it.
fn after(terms: &mut Terms, flow: &Flow, edge: EdgeId, formula: TermId) -> TermId {
    let assign = &flow.edges[edge].assign;
    let map: FxHashMap<TermId, TermId> = assign.iter().map(|&(v, t)| (terms.var_term(v), t)).collect();
    terms.substitute(formula, &map)
}

/// The parts of a conjunction, each once, in the order of their making. `true` has none.
fn conjuncts(terms: &Terms, formula: TermId) -> Vec<TermId> {
    let (mut parts, mut stack) = (Vec::new(), vec![formula]);
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        match terms.op(t) {
            Op::True => {}
            Op::And => stack.extend(terms.node(t).args.iter()),
            _ => parts.push(t),
        }
    }
    parts.sort_unstable();
    parts
}
