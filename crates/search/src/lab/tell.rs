//! Why what was decided to be infeasible is, in words: told when the search is over, so that nothing depends on it.

use std::collections::BTreeSet;

use covenant_constraints::solver::{self, Solver};
use covenant_goals::{ObjectiveId, Verdict};
use covenant_transition::account::Teller;

use super::Lab;

/// Of so many parts it is told why no input reaches them.
const MOST_PARTS: usize = 3; // not tuning: how much is told

impl Lab<'_> {
    /// A solver for what is told. What it was asked is no part of the search.
    pub(crate) fn tellers_solver(&self) -> Box<dyn Solver> {
        let options = solver::Options {
            backend: self.settings.solver,
            cancel: self.cancel.clone(),
            tuning: self.settings.tuning,
            most_terms: Some(self.settings.tuning.search_judge_terms),
            alpha: self.settings.tuning.search_alpha_judged,
            ..solver::Options::default()
        };
        solver::stack(&options)
    }

    /// Says of each objective that a proof excludes by what, and of each that its parts exclude by which.
    pub(crate) fn tell_proofs(&mut self) {
        self.tell_invariants();
        self.tell_parts();
    }

    fn tell_invariants(&mut self) {
        let Some(flow) = self.system.flow.clone() else { return };
        let mut solver = self.tellers_solver();
        let steps = self.settings.solver_steps / self.settings.tuning.guide_haste;
        for (&id, proof) in &self.system.invariants {
            let mut teller = Teller {
                terms: &mut self.cx.terms,
                solver: &mut *solver,
                steps,
                program: self.subject.image.program(),
                flow: &flow,
                written: &self.subject.written,
            };
            let words = teller.tell(self.ledger.objective(id), &flow.target(id).locations, proof);
            self.ledger.retell(id, words);
        }
    }

    /// What is made of parts is excluded by some of these, each for its own reason.
    fn tell_parts(&mut self) {
        let wholes = self
            .ledger
            .iter()
            .filter(|(_, objective, verdict)| objective.parts.is_some() && matches!(verdict, Verdict::Infeasible(_)));
        for whole in wholes.map(|(id, _, _)| id).collect::<Vec<ObjectiveId>>() {
            let objective = self.ledger.objective(whole);
            let alternatives = objective.parts.clone().unwrap_or_default();
            let excluded = |id: &ObjectiveId| match self.ledger.verdict(*id) {
                Verdict::Infeasible(proof) => Some((*id, proof.words.clone())),
                _ => None,
            };
            // The part that excludes most ways first, so that few have to be told.
            let mut open: Vec<Vec<(ObjectiveId, String)>> =
                alternatives.iter().map(|parts| parts.iter().filter_map(excluded).collect()).collect();
            let mut told: Vec<(ObjectiveId, String)> = Vec::new();
            while let Some((id, words)) = most_common(&open) {
                open.retain(|parts| !parts.iter().any(|(part, _)| *part == id));
                told.push((id, words));
            }
            let words = self.words_of_parts(whole, alternatives.len(), &told);
            self.ledger.retell(whole, words);
        }
    }

    fn words_of_parts(&self, whole: ObjectiveId, ways: usize, told: &[(ObjectiveId, String)]) -> String {
        let objective = self.ledger.objective(whole);
        let place = format!("line {} `{}`", objective.line, objective.text);
        if told.is_empty() {
            return format!("{place}: nothing that could show it is there");
        }
        let named = |(id, words): &(ObjectiveId, String)| format!("{}: {words}", self.ledger.objective(*id).id);
        let mut said: Vec<String> = told.iter().take(MOST_PARTS).map(named).collect();
        if told.len() > MOST_PARTS {
            said.push(format!("and {} more such parts", told.len() - MOST_PARTS));
        }
        format!(
            "{place}: each of the {ways} ways to show it needs something that no input reaches; {}",
            said.join("; ")
        )
    }
}

/// The part that most lists have; of several the first.
fn most_common(lists: &[Vec<(ObjectiveId, String)>]) -> Option<(ObjectiveId, String)> {
    let all: BTreeSet<ObjectiveId> = lists.iter().flatten().map(|(id, _)| *id).collect();
    let count = |id: &ObjectiveId| lists.iter().filter(|parts| parts.iter().any(|(part, _)| part == id)).count();
    let best = all.into_iter().rev().max_by_key(count)?;
    lists.iter().flatten().find(|(id, _)| *id == best).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_excludes_most_comes_first() {
        let part = |number: u32| (ObjectiveId(number), number.to_string());
        let lists = [vec![part(1), part(2)], vec![part(2)], vec![part(3)]];
        assert_eq!(most_common(&lists), Some(part(2)));
        assert_eq!(most_common(&lists[2..]), Some(part(3)));
        assert_eq!(most_common(&[]), None);
    }
}
