//! What all provers have in common.
//!
//! A prover is asked about several objectives at once and says for each what it believes. None is trusted: the lemmas
//! that it gives have to pass the [lemma check](covenant_transition::lemma_check::check_lemmas), which checks each step with a solver.

use std::collections::BTreeMap;

use covenant_constraints::solver::{Cancel, Solver, Steps};
use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Op, TermId, Terms};
use covenant_goals::ObjectiveId;
use covenant_transition::flow::{Flow, LocationId};
use covenant_transition::lemma_check::Lemmas;
use rustc_hash::FxHashSet;

use super::invariants::Hints;

/// Why the seam exists: who asks goes through provers in the order of their cost, and must not know how they work.
pub trait Prover: std::fmt::Debug {
    /// As the reasons of open objectives call it.
    fn name(&self) -> &'static str;

    /// Looks for proofs within the budget. What it claims need not be true: others check it.
    fn prove(&mut self, question: &mut Question<'_>) -> Findings;
}

/// What a prover gets.
#[derive(Debug)]
pub struct Question<'a> {
    /// The program.
    pub flow: &'a Flow,
    /// The arena of all terms.
    pub terms: &'a mut Terms,
    /// Whom to ask.
    pub solver: &'a mut dyn Solver,
    /// The flow shows all ways to these.
    pub objectives: &'a [ObjectiveId],
    /// An inductive invariant: what provers found before.
    pub known: &'a Lemmas,
    /// States that runs were seen in, and what these suggest.
    pub hints: &'a Hints,
    /// What it may cost.
    pub budget: Budget,
}

/// How much a prover may spend. Each makes of it what suits it.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Grows by one with each call in which something stayed open.
    pub effort: u32,
    /// Whether it is a first look, after which all are asked again about the rest.
    pub hasty: bool,
    /// For one question to the solver.
    pub steps: Steps,
    /// Ends it from outside.
    pub cancel: Cancel,
    /// Numbers of the provers.
    pub tuning: Tuning,
}

/// What a prover found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// What it believes to be proved.
    pub claims: Vec<Claim>,
    /// What holds whatever the objectives are.
    pub facts: Lemmas,
    /// How it ended for objectives that it makes no claim about, in few words.
    pub failures: BTreeMap<ObjectiveId, String>,
}

/// That no run reaches an objective.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What no run reaches.
    pub objective: ObjectiveId,
    /// At every location where the proof needs one.
    pub lemmas: Lemmas,
    /// What the report names as the method.
    pub by: String,
}

/// Adds the conjuncts of a formula.
pub fn add_lemmas(terms: &Terms, lemmas: &mut Lemmas, location: LocationId, formula: TermId) {
    let known = lemmas.entry(location).or_default();
    let mut seen: FxHashSet<TermId> = known.iter().copied().collect();
    let mut work = vec![formula];
    while let Some(term) = work.pop() {
        if terms.op(term) == Op::And {
            work.extend([terms.arg(term, 1), terms.arg(term, 0)]);
        } else if terms.as_bool(term) != Some(true) && seen.insert(term) {
            known.push(term);
        }
    }
}
