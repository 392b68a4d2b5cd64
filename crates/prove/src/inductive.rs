//! The search for invariants as a prover.

use covenant_transition::flow::LocationId;
use covenant_transition::lemma_check::Lemmas;

use super::invariants::{self, Budget, Method};
use super::question::{Claim, Findings, Prover, Question, add_lemmas};

/// Abstract interpretation, templates and k-induction; see [`invariants`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Inductive;

impl Prover for Inductive {
    fn name(&self) -> &'static str {
        "invariants"
    }

    fn prove(&mut self, question: &mut Question<'_>) -> Findings {
        prove_by(Method::Induction(u32::MAX), question)
    }
}

/// Only what ranges and comparisons of the program tell: one pass for many targets, with few questions. It says nothing of
/// what it does not prove.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ranges;

impl Prover for Ranges {
    fn name(&self) -> &'static str {
        "ranges"
    }

    fn prove(&mut self, question: &mut Question<'_>) -> Findings {
        Findings { failures: Default::default(), ..prove_by(Method::Forward, question) }
    }
}

fn prove_by(most: Method, question: &mut Question<'_>) -> Findings {
    let flow = question.flow;
    let places = question.objectives.iter().flat_map(|&id| &flow.target(id).locations);
    let targets: Vec<LocationId> = places.copied().collect();
    let cancel = &question.budget.cancel;
    let tuning = &question.budget.tuning;
    let all = (tuning.invariants_queries + tuning.invariants_queries_each * targets.len() as u64)
        << (2 * question.budget.effort);
    let queries = if question.budget.hasty { all / tuning.invariants_haste.max(1) } else { all };
    let budget = Budget { queries, steps: question.budget.steps, expired: &|| cancel.is_set(), tuning };
    let (terms, solver) = (&mut *question.terms, &mut *question.solver);
    let outcome = invariants::prove_by(most, flow, terms, solver, &targets, budget, question.hints);
    let mut findings = Findings::default();
    for (&location, &formula) in &outcome.invariant {
        add_lemmas(question.terms, &mut findings.facts, location, formula);
    }
    for &objective in question.objectives {
        let at = &flow.target(objective).locations;
        let proofs: Option<Vec<_>> = at.iter().map(|at| outcome.proofs.get(at)).collect();
        let Some(proofs) = proofs else {
            let why = if outcome.queries >= queries { "too many questions" } else { "none found" };
            findings.failures.insert(objective, why.to_owned());
            continue;
        };
        let mut lemmas = Lemmas::default();
        for (&location, &formula) in proofs.iter().flat_map(|proof| &proof.invariant) {
            add_lemmas(question.terms, &mut lemmas, location, formula);
        }
        let by = match proofs.iter().map(|proof| proof.method).max() {
            Some(Method::Induction(k)) => format!("{k}-induction"),
            _ => "invariants".to_owned(),
        };
        findings.claims.push(Claim { objective, lemmas, by });
    }
    findings
}
