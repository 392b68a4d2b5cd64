//! Verdicts: what a run reached is covered, what checked lemmas exclude is infeasible.

use covenant_concolic::run::Run;
use covenant_goals::report::{Defect, Moment};
use covenant_goals::{Contradiction, Objective, ObjectiveId, Proof, TestOutcome, Verdict};
use covenant_transition::lemma_check::{Lemmas, check_lemmas};

use super::Lab;

/// The name of a test by its number, from 0.
pub fn test_name(number: usize) -> String {
    format!("test_{:03}", number + 1)
}

impl Lab<'_> {
    /// Keeps a run as a test if it is the first to reach something, or found a defect.
    pub(super) fn judge_run(&mut self, run: Run) -> Result<(), Contradiction> {
        let mut run = run;
        let mut hit = self.index.hits(&run);
        if let Some(seeded) = self.seeded.last_mut().filter(|_| self.cx.seed.is_some()) {
            seeded.clone_from(&hit);
        }
        let is_new = |lab: &Self, run: &Run, hit: &[ObjectiveId]| {
            let defect = run.defect.clone().filter(|d| !lab.defects.iter().any(|o| says_as_much(o, d)));
            let is_first = || lab.is_all_there_is_to_see(run);
            (hit.iter().any(|&id| lab.ledger.is_open(id)) || defect.is_some() || is_first()).then_some(defect)
        };
        if is_new(self, &run, &hit).is_none() {
            return Ok(());
        }
        self.keep_what_holds_elsewhere(&mut run, &mut hit);
        let Some(defect) = is_new(self, &run, &hit) else { return Ok(()) };
        self.keep(run, hit, defect)?;
        let (covered, infeasible, _) = self.ledger.counts();
        self.timeline.push(Moment {
            ms: self.observer.elapsed(),
            executions: self.stats.executions,
            covered: covered as u64,
            infeasible: infeasible as u64,
        });
        Ok(())
    }

    /// A function without an objective of its own gets one test all the same: a run that returns.
    fn is_all_there_is_to_see(&self, run: &Run) -> bool {
        let aside = |(_, objective, _): (ObjectiveId, &Objective, &Verdict)| {
            objective.existing.is_none() && (objective.passing || objective.measured)
        };
        self.tests.is_empty() && run.case.outcome == TestOutcome::Returned && self.ledger.iter().all(aside)
    }

    fn keep(&mut self, run: Run, hit: Vec<ObjectiveId>, defect: Option<Defect>) -> Result<(), Contradiction> {
        let number = self.tests.len() as u32;
        self.tell_ways(&run, &hit);
        let mut case = run.case;
        case.name = test_name(number as usize);
        let limit = run.limits.iter().find(|limit| limit.elsewhere).map(|limit| limit.words.clone());
        case.open = limit.or(case.open);
        if let Some(mut defect) = defect {
            defect.test = case.name.clone();
            self.defects.push(defect);
        }
        for id in hit {
            self.report_defect(id, &case.name);
            self.ledger.cover(id, number)?;
        }
        self.observer.kept(&case);
        self.tests.push(case);
        self.inputs.push(Some((run.inputs, run.instructions)));
        Ok(())
    }

    /// Some things are a defect wherever they are reached.
    fn report_defect(&mut self, id: ObjectiveId, test: &str) {
        let objective = self.ledger.objective(id);
        if !objective.criterion.is_defect() || !self.ledger.is_open(id) {
            return;
        }
        let defect = Defect {
            kind: objective.outcome.to_string(),
            file: objective.file.clone(),
            line: objective.line,
            column: objective.column,
            message: objective.text.clone(),
            test: test.to_owned(),
            ..Defect::default()
        };
        // The run may have ended there, which is known already and says more.
        let place = |d: &Defect| (d.line, d.column);
        if !self.defects.iter().any(|other| place(other) == place(&defect) && other.test == test) {
            self.defects.push(defect);
        }
    }

    /// Whether a proof about the transition system would decide an objective: it is open, and the system shows all places
    /// where it is reached.
    pub(crate) fn is_provable(&self, id: ObjectiveId) -> bool {
        let Some(flow) = &self.system.flow else { return false };
        let objective = self.ledger.objective(id);
        let mapped = !objective.places.is_empty() && objective.unmapped.is_none();
        self.ledger.is_open(id) && mapped && flow.target(id).beyond.is_none()
    }

    /// Refutes an objective if these lemmas are enough, or says why they are not. The lemmas may be wrong: each is checked.
    pub(crate) fn refute_with(
        &mut self,
        id: ObjectiveId,
        lemmas: &Lemmas,
        by: String,
    ) -> Result<Option<String>, Contradiction> {
        let Some(flow) = &self.system.flow else { return Ok(None) };
        let target = flow.target(id);
        let steps = self.settings.solver_steps;
        match check_lemmas(flow, &mut self.cx.terms, &mut *self.judge, lemmas, &target.locations, steps) {
            Ok(checked) => {
                // Told when the search is over.
                let words = String::new();
                self.system.invariants.insert(id, checked);
                let file = covenant_goals::certificate::file(&self.ledger.objective(id).id);
                let file = Some(file.display().to_string());
                self.ledger.refute(id, Proof { by, file, words })?;
                Ok(None)
            }
            Err(why) => Ok(Some(why)),
        }
    }
}

/// Whether what is known says all that a new one would: a contract that others break says nothing of who breaks it here.
pub(super) fn says_as_much(known: &Defect, new: &Defect) -> bool {
    same_defect(known, new) && (known.contract.is_none() || new.contract.is_some())
}

pub(super) fn same_defect(a: &Defect, b: &Defect) -> bool {
    (&a.kind, &a.file, a.line, a.column) == (&b.kind, &b.file, b.line, b.column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contract_does_not_hide_who_breaks_it() {
        let contract = Defect { line: 3, contract: Some("p is not NULL".to_owned()), ..Defect::default() };
        let defect = Defect { contract: None, ..contract.clone() };
        assert!(
            says_as_much(&defect, &contract) && says_as_much(&defect, &defect) && says_as_much(&contract, &contract)
        );
        assert!(!says_as_much(&contract, &defect));
        assert!(!says_as_much(&defect, &Defect { line: 4, ..defect.clone() }));
    }
}
