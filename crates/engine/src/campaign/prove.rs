//! Asking the provers about what no run has reached.

use std::rc::Rc;

use covenant_constraints::solver::Cancel;
use covenant_goals::{Contradiction, ObjectiveId, Proof};

use super::Campaign;
use crate::prover::inductive::Inductive;
use crate::prover::justify::{Invariant, Lemmas, justify};
use crate::prover::question::{Budget, Findings, Prover, Question};
use crate::prover::spacer::Spacer;

/// Each time provers may spend more, up to so many times.
const MOST_EFFORT: u32 = 4;
/// Objectives that they are asked about at first.
const MOST_OBJECTIVES: usize = 40;

/// In the order of their cost.
pub(super) fn provers() -> Vec<Box<dyn Prover>> {
    vec![Box::new(Inductive), Box::new(Spacer::default())]
}

impl Campaign<'_> {
    /// Asks the provers, one after the other, about open objectives.
    pub(super) fn prove_open(&mut self) -> Result<(), Contradiction> {
        let budget = Budget {
            effort: self.effort,
            timeout: self.settings.solver_timeout,
            cancel: Cancel::new(std::sync::Arc::clone(&self.settings.cancel)),
        };
        let mut provers = std::mem::take(&mut self.provers);
        let mut result = Ok(());
        // The first is cheap; the others come in once it has had its chance.
        let count = if budget.effort == 0 { 1 } else { provers.len() };
        for prover in provers.iter_mut().take(count) {
            let mut open = self.provable();
            open.truncate(MOST_OBJECTIVES << budget.effort);
            if open.is_empty() || budget.cancel.is_set() {
                break;
            }
            self.effort = (budget.effort + 1).min(MOST_EFFORT);
            result = self.ask(&mut **prover, &open, &budget);
            if result.is_err() {
                break;
            }
        }
        self.provers = provers;
        result
    }

    /// Open objectives that a proof about the flow would decide, except where runs have been.
    fn provable(&self) -> Vec<ObjectiveId> {
        let Some(arc) = &self.arc else { return Vec::new() };
        let is_provable = |id: &ObjectiveId| {
            let target = arc.flow.target(*id);
            let objective = self.ledger.objective(*id);
            let tied = !objective.places.is_empty() && objective.untied.is_none();
            tied && target.beyond.is_none() && !target.locations.is_empty() && !arc.visited(&target.locations)
        };
        self.ledger.open().filter(is_provable).collect()
    }

    fn ask(
        &mut self,
        prover: &mut dyn Prover,
        objectives: &[ObjectiveId],
        budget: &Budget,
    ) -> Result<(), Contradiction> {
        let Some(arc) = &mut self.arc else { return Ok(()) };
        let flow = Rc::clone(&arc.flow);
        let mut question = Question {
            flow: &flow,
            terms: &mut self.cx.terms,
            solver: &mut *self.judge,
            objectives,
            known: &arc.facts,
            budget: budget.clone(),
        };
        let Findings { claims, facts, failures } = prover.prove(&mut question);
        for (location, facts) in facts {
            let known = arc.facts.entry(location).or_default();
            let fresh: Vec<_> = facts.into_iter().filter(|fact| !known.contains(fact)).collect();
            known.extend(fresh);
        }
        for (id, why) in failures {
            self.tried.entry(id).or_default().insert(prover.name(), why);
        }
        for claim in claims {
            if let Some(why) = self.refute_with(claim.objective, &claim.lemmas, claim.by)? {
                let why = format!("a proof that was not confirmed: {why}");
                self.tried.entry(claim.objective).or_default().insert(prover.name(), why);
            }
            if budget.cancel.is_set() {
                break;
            }
        }
        Ok(())
    }

    /// Refutes an objective if these lemmas are enough, or says why they are not.
    pub(super) fn refute_with(
        &mut self,
        id: ObjectiveId,
        lemmas: &Lemmas,
        by: String,
    ) -> Result<Option<String>, Contradiction> {
        let Some(arc) = &mut self.arc else { return Ok(None) };
        let target = arc.flow.target(id);
        let timeout = self.settings.solver_timeout;
        match justify(&arc.flow, &mut self.cx.terms, &mut *self.judge, lemmas, &target.locations, timeout) {
            Ok(invariant) => {
                let words = explain(&invariant, target.locations.len());
                arc.invariants.insert(id, invariant);
                let file = covenant_goals::certificate::file(&self.ledger.objective(id).id);
                let file = Some(file.display().to_string());
                self.ledger.refute(id, Proof { by, file, words })?;
                Ok(None)
            }
            Err(why) => Ok(Some(why)),
        }
    }
}

/// What a proof says, in words.
pub(super) fn explain(invariant: &Invariant, places: usize) -> String {
    match (places, invariant.len()) {
        (0, _) => "no path of the program leads there".to_owned(),
        (_, 1) => "the conditions on the last step exclude each other".to_owned(),
        (_, count) => format!("what holds at {count} places of the program excludes it"),
    }
}
