//! From lemmas to an inductive invariant: what exactly a proof needs.
//!
//! Provers collect lemmas, formulas of which they believe that they hold whenever a run is at a location. [`check_lemmas`]
//! believes none of them: it starts from "this location is never reached" and, edge by edge, asks the solver which
//! lemmas of the place before make that true, and then the same of those. What comes out is an invariant in which every
//! implication was checked, and nothing that is not needed.

use covenant_constraints::solver::Steps;
use std::collections::{BTreeMap, BTreeSet};

use covenant_constraints::solver::{Answer, Query, Solver};
use covenant_constraints::{TermId, Terms};
use rustc_hash::FxHashMap;

use super::flow::{EdgeId, Flow, LocationId};

/// What is believed at each location.
pub type Lemmas = FxHashMap<LocationId, Vec<TermId>>;

/// Formulas that hold at locations; a location that is not listed has no condition.
pub type Invariant = BTreeMap<LocationId, Vec<TermId>>;

/// Why a lemma holds behind one step: what of the step's guards and of the lemmas before it is enough.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Support {
    /// The step.
    pub edge: EdgeId,
    /// Guards of it.
    pub guards: Vec<TermId>,
    /// Lemmas of where it begins.
    pub lemmas: Vec<TermId>,
}

/// An inductive invariant, with what each part of it follows from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// What holds where.
    pub invariant: Invariant,
    /// For each lemma of a location, each step that leads there.
    pub support: BTreeMap<(LocationId, TermId), Vec<Support>>,
}

/// Lemmas that one proof may need.
const MOST: usize = 20_000; // not tuning: keeps a certificate to a size that can be stored and checked

/// An inductive invariant under which no run is ever at `targets`, made of these lemmas. `Err`: why there is none.
pub fn check_lemmas(
    flow: &Flow,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    lemmas: &Lemmas,
    targets: &[LocationId],
    steps: Steps,
) -> Result<Checked, String> {
    let mut checked = Checked::default();
    let mut invariant = Invariant::new();
    let mut seen: BTreeSet<(LocationId, TermId)> = BTreeSet::new();
    let mut work: Vec<(LocationId, TermId)> = Vec::new();
    let never = terms.ff();
    work.extend(targets.iter().map(|&target| (target, never)));
    seen.extend(work.iter().copied());
    while let Some((at, lemma)) = work.pop() {
        if at == flow.root {
            return Err("it would need something to be true before the program starts".to_owned());
        }
        if seen.len() > MOST {
            return Err("the proof is too large".to_owned());
        }
        invariant.entry(at).or_default().push(lemma);
        for &edge in &flow.locations[at].into {
            let from = flow.edges[edge].from;
            let known = lemmas.get(&from).map_or(&[][..], Vec::as_slice);
            let support = implied(flow, terms, solver, known, edge, lemma, steps)?;
            for &needed in &support.lemmas {
                if seen.insert((from, needed)) {
                    work.push((from, needed));
                }
            }
            checked.support.entry((at, lemma)).or_default().push(support);
        }
    }
    for formulas in invariant.values_mut() {
        formulas.sort_unstable();
    }
    checked.invariant = invariant;
    Ok(checked)
}

/// What makes `after` hold behind an edge.
fn implied(
    flow: &Flow,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    known: &[TermId],
    edge: EdgeId,
    after: TermId,
    steps: Steps,
) -> Result<Support, String> {
    let goal = before(flow, terms, edge, after);
    let goal = terms.not(goal);
    if terms.as_bool(goal) == Some(false) {
        return Ok(Support { edge, guards: Vec::new(), lemmas: Vec::new() });
    }
    let mut path: Vec<TermId> = flow.edges[edge].guard.clone();
    let guards = path.len();
    path.extend(known);
    let query = Query { path: &path, goal, steps, hint: None };
    match solver.solve(terms, &query) {
        Answer::Unsat(core) => {
            let (conditions, lemmas) = core.path.iter().partition::<Vec<usize>, _>(|&&i| i < guards);
            let named = |indices: Vec<usize>| indices.into_iter().filter_map(|i| path.get(i).copied()).collect();
            Ok(Support { edge, guards: named(conditions), lemmas: named(lemmas) })
        }
        Answer::Sat(_) => Err("a lemma does not follow".to_owned()),
        Answer::Unknown(reason) => Err(format!("the solver gave no answer ({reason:?})")),
    }
}

/// The formula behind an edge, in terms of the state before it.
pub fn before(flow: &Flow, terms: &mut Terms, edge: EdgeId, formula: TermId) -> TermId {
    let map: FxHashMap<TermId, TermId> =
        flow.edges[edge].assign.iter().map(|&(var, term)| (terms.var_term(var), term)).collect();
    if map.is_empty() { formula } else { terms.substitute(formula, &map) }
}
