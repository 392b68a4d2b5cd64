//! Z3's Spacer as a prover: the part of the flow before one target as constrained Horn clauses.
//!
//! `collapse` leaves few places of that part, `clauses` makes a relation of each. Arrays are not modelled: what is
//! read from them may be any value. Invariants that Spacer finds are spread over the locations that were left out; as with
//! every prover nothing of it is believed before it is checked.

mod clauses;
mod collapse;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use covenant_constraints::solver::{Reason, Steps};
use covenant_constraints::tuning::Tuning;
use covenant_goals::ObjectiveId;
use covenant_horn::{self as horn, HornAnswer, HornOptions, Mode};
use covenant_transition::lemma_check::Lemmas;

use super::question::{Claim, Findings, Prover, Question};

/// Horn clauses of the flow, solved for one objective at a time.
#[derive(Debug, Default)]
pub struct Spacer {
    /// How often it was asked about an objective in vain.
    asked: BTreeMap<ObjectiveId, u32>,
    /// Where the clauses do not exclude the target, exactly: asking again is of no use.
    hopeless: BTreeSet<ObjectiveId>,
}

/// How it ended for one objective.
#[derive(Debug)]
enum End {
    Proved(Lemmas),
    /// As far as the clauses go, there is a way.
    Reached,
    Failed(String),
}

impl Prover for Spacer {
    fn name(&self) -> &'static str {
        "Spacer"
    }

    fn prove(&mut self, question: &mut Question<'_>) -> Findings {
        let mut findings = Findings::default();
        let mut open: Vec<ObjectiveId> =
            question.objectives.iter().copied().filter(|id| !self.hopeless.contains(id)).collect();
        open.sort_by_key(|id| (self.asked.get(id).copied().unwrap_or_default(), *id));
        open.truncate(question.budget.tuning.spacer_objectives);
        let count = u32::try_from(open.len()).unwrap_or(u32::MAX);
        for objective in open {
            if question.budget.cancel.is_set() {
                break;
            }
            *self.asked.entry(objective).or_default() += 1;
            let why = match prove_one(question, objective, count) {
                End::Proved(lemmas) => {
                    findings.claims.push(Claim { objective, lemmas, by: "Spacer".to_owned() });
                    continue;
                }
                End::Reached => {
                    self.hopeless.insert(objective);
                    "its clauses do not exclude it".to_owned()
                }
                End::Failed(why) => why,
            };
            findings.failures.insert(objective, why);
        }
        findings
    }
}

fn prove_one(question: &mut Question<'_>, objective: ObjectiveId, count: u32) -> End {
    let targets = &question.flow.target(objective).locations;
    let terms = &mut *question.terms;
    let part = match collapse::collapse(question.flow, terms, targets, question.budget.tuning.spacer_edges) {
        Ok(part) => part,
        Err(why) => return End::Failed(why),
    };
    let clauses = match clauses::clauses(terms, &part, question.known, &question.budget.tuning) {
        Ok(clauses) => clauses,
        Err(why) => return End::Failed(why),
    };
    let mut why = String::new();
    for (mode, steps) in shares(&question.budget.tuning, question.budget.effort, count) {
        let options =
            HornOptions { steps, cancel: question.budget.cancel.clone(), mode, tuning: question.budget.tuning };
        match horn::solve(terms, &clauses.horn, &options) {
            HornAnswer::Proved(invariants) => {
                let mut lemmas = clauses.lemmas(terms, &part, &invariants);
                lemmas.extend(targets.iter().map(|&at| (at, vec![terms.ff()])));
                add_known(&mut lemmas, question.known);
                return End::Proved(lemmas);
            }
            HornAnswer::Reached if mode == Mode::Bits => return End::Reached,
            HornAnswer::Reached => why = "integers do not exclude it".to_owned(),
            HornAnswer::Unknown(reason) if reason.is_limit() => why = "its time was up".to_owned(),
            HornAnswer::Unknown(Reason::Cancelled) => why = "ended early".to_owned(),
            HornAnswer::Unknown(_) => why = "gave up".to_owned(),
        }
    }
    End::Failed(why)
}

/// The modes in which Spacer is asked, and what each may cost.
fn shares(tuning: &Tuning, effort: u32, count: u32) -> [(Mode, Steps); 2] {
    let longer = 1 << effort.min(8);
    let share = (Steps(tuning.spacer_in_all) * longer / count.max(1)).max(Steps(tuning.spacer_least));
    let (bits, integers) = (Steps(tuning.spacer_bits), Steps(tuning.spacer_integers) * longer);
    [(Mode::Bits, bits.min(share / 4)), (Mode::Integers, integers.min(share * 3 / 4))]
}

/// The clauses were made with what was known, so the proof rests on it too.
fn add_known(lemmas: &mut Lemmas, known: &Lemmas) {
    for (at, facts) in known {
        let all = lemmas.entry(*at).or_default();
        let fresh: Vec<_> = facts.iter().copied().filter(|fact| !all.contains(fact)).collect();
        all.extend(fresh);
    }
}
