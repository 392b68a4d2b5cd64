//! What is known of each objective. Only the campaign writes here, and only with evidence.

use crate::objective::{Objective, ObjectiveId};
use crate::words::{Reason, ReasonKind, VerdictKind};

/// What is known of an objective, with the evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Tests that reach it, by their number.
    Covered(Vec<u32>),
    /// No input reaches it.
    Infeasible(Proof),
    /// Neither is known, for this reason.
    Unknown(Reason),
}

impl Verdict {
    /// The verdict without its evidence.
    pub fn kind(&self) -> VerdictKind {
        match self {
            Verdict::Covered(_) => VerdictKind::Covered,
            Verdict::Infeasible(_) => VerdictKind::Infeasible,
            Verdict::Unknown(_) => VerdictKind::Unknown,
        }
    }

    /// Whether it is open because of a limit of ours.
    pub fn is_limited(&self) -> bool {
        matches!(self, Verdict::Unknown(reason) if reason.kind == ReasonKind::Model)
    }
}

/// Why no input reaches an objective.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Who decided it, e.g. `exhaustion`.
    pub by: String,
    /// The certificate's file, below the output directory.
    pub file: Option<String>,
    /// What the proof says, for people.
    pub words: String,
}

/// What Covenant says cannot all be true: a bug of ours, exit code 3.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Contradiction {
    /// Something is reached that was proved unreachable.
    #[error("objective {objective} was proved infeasible ({proof}), but test {test} reaches it")]
    Reached {
        /// The objective's name.
        objective: String,
        /// Who proved that nothing reaches it.
        proof: String,
        /// The test that does, by its number.
        test: u32,
    },
    /// A run does what proofs take for impossible.
    #[error("what proofs are about is not the program: {0}")]
    Departure(String),
}

/// All objectives with what is known of them. What is decided stays decided.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    objectives: Vec<Objective>,
    verdicts: Vec<Verdict>,
    /// Of which objectives each is a part.
    wholes: Vec<Vec<ObjectiveId>>,
}

impl Ledger {
    /// Nothing is known yet.
    pub fn new(objectives: Vec<Objective>) -> Ledger {
        let open = Verdict::Unknown(Reason::new(ReasonKind::Time, "not reached yet"));
        let verdicts = vec![open; objectives.len()];
        let mut wholes = vec![Vec::new(); objectives.len()];
        for (whole, objective) in objectives.iter().enumerate() {
            let whole = ObjectiveId(whole as u32);
            for part in objective.parts.iter().flatten().flatten() {
                let of: &mut Vec<ObjectiveId> = &mut wholes[part.0 as usize];
                if of.last() != Some(&whole) {
                    of.push(whole);
                }
            }
        }
        Ledger { objectives, verdicts, wholes }
    }

    /// Whether it matters only for what it is a part of.
    pub fn is_part(&self, id: ObjectiveId) -> bool {
        !self.wholes[id.0 as usize].is_empty()
    }

    /// Whether an answer would decide something: a part of what is decided already is of no use any more.
    fn is_needed(&self, id: ObjectiveId) -> bool {
        let unknown = |id: &ObjectiveId| matches!(self.verdict(*id), Verdict::Unknown(_));
        let useful = |whole: &ObjectiveId| {
            let alternatives = self.objectives[whole.0 as usize].parts.iter().flatten();
            let possible = |parts: &[ObjectiveId]| !parts.iter().any(|p| self.is_infeasible(*p));
            let searched = !self.objectives[whole.0 as usize].measured;
            searched && unknown(whole) && alternatives.into_iter().any(|parts| parts.contains(&id) && possible(parts))
        };
        !self.is_part(id) || self.wholes[id.0 as usize].iter().any(useful)
    }

    fn is_infeasible(&self, id: ObjectiveId) -> bool {
        matches!(self.verdict(id), Verdict::Infeasible(_))
    }

    /// Decides what is made of parts, as far as these are decided.
    fn settle(&mut self, part: ObjectiveId) -> Result<(), Contradiction> {
        for whole in self.wholes[part.0 as usize].clone() {
            let alternatives = self.objectives[whole.0 as usize].parts.clone().unwrap_or_default();
            let tests = |parts: &Vec<ObjectiveId>| -> Option<Vec<u32>> {
                let first = |id: &ObjectiveId| match self.verdict(*id) {
                    Verdict::Covered(tests) => tests.first().copied(),
                    _ => None,
                };
                parts.iter().map(first).collect()
            };
            if let Some(tests) = alternatives.iter().find_map(tests) {
                let decided = matches!(self.verdict(whole), Verdict::Covered(_));
                for test in tests.into_iter().filter(|_| !decided) {
                    self.cover(whole, test)?;
                }
            } else if alternatives.iter().all(|parts| parts.iter().any(|p| self.is_infeasible(*p)))
                && !self.is_infeasible(whole)
            {
                let words = "each way to reach it has a part that no input reaches".to_owned();
                self.refute(whole, Proof { by: "parts".to_owned(), file: None, words })?;
            }
        }
        Ok(())
    }

    /// All objectives in their order.
    pub fn iter(&self) -> impl Iterator<Item = (ObjectiveId, &Objective, &Verdict)> {
        let pairs = self.objectives.iter().zip(&self.verdicts).enumerate();
        pairs.map(|(i, (objective, verdict))| (ObjectiveId(i as u32), objective, verdict))
    }

    /// An objective by its number.
    pub fn objective(&self, id: ObjectiveId) -> &Objective {
        &self.objectives[id.0 as usize]
    }

    /// What is known of an objective.
    pub fn verdict(&self, id: ObjectiveId) -> &Verdict {
        &self.verdicts[id.0 as usize]
    }

    /// Neither covered nor infeasible, and of use.
    pub fn is_open(&self, id: ObjectiveId) -> bool {
        let searched = !self.objectives[id.0 as usize].measured;
        searched && matches!(self.verdict(id), Verdict::Unknown(_)) && self.is_needed(id)
    }

    /// Objectives that are neither covered nor infeasible, parts of them too.
    pub fn open(&self) -> impl Iterator<Item = ObjectiveId> + '_ {
        (0..self.objectives.len() as u32).map(ObjectiveId).filter(|&id| self.is_open(id))
    }

    /// (covered, infeasible, unknown), parts and what is only measured not counted.
    pub fn counts(&self) -> (usize, usize, usize) {
        let wholes = self.iter().filter(|(id, objective, _)| !self.is_part(*id) && !objective.measured);
        wholes.fold((0, 0, 0), |(c, i, u), (_, _, verdict)| match verdict {
            Verdict::Covered(_) => (c + 1, i, u),
            Verdict::Infeasible(_) => (c, i + 1, u),
            Verdict::Unknown(_) => (c, i, u + 1),
        })
    }

    /// How much is decided, parts counted: it changes whenever something is learned.
    pub fn decided(&self) -> usize {
        self.verdicts.iter().filter(|v| !matches!(v, Verdict::Unknown(_))).count()
    }

    /// A test reaches the objective. `Err` if it was proved that nothing does.
    pub fn cover(&mut self, id: ObjectiveId, test: u32) -> Result<(), Contradiction> {
        let name = &self.objectives[id.0 as usize].id;
        match &mut self.verdicts[id.0 as usize] {
            Verdict::Covered(tests) => {
                if !tests.contains(&test) {
                    tests.push(test);
                }
            }
            Verdict::Infeasible(proof) => {
                return Err(Contradiction::Reached { objective: name.clone(), proof: proof.by.clone(), test });
            }
            open => {
                tracing::info!(target: "verdict", objective = %name, test, "covered");
                *open = Verdict::Covered(vec![test]);
                self.settle(id)?;
            }
        }
        Ok(())
    }

    /// It was proved that nothing reaches the objective. `Err` if a test does.
    pub fn refute(&mut self, id: ObjectiveId, proof: Proof) -> Result<(), Contradiction> {
        let name = &self.objectives[id.0 as usize].id;
        match &self.verdicts[id.0 as usize] {
            Verdict::Covered(tests) => {
                let test = tests.first().copied().unwrap_or(0);
                Err(Contradiction::Reached { objective: name.clone(), proof: proof.by, test })
            }
            _ => {
                tracing::info!(target: "verdict", objective = %name, by = %proof.by, "infeasible");
                self.verdicts[id.0 as usize] = Verdict::Infeasible(proof);
                self.settle(id)
            }
        }
    }

    /// Which tests are of use, one after the other as `order` has them left out where others reach all that they do. `stands` says of a
    /// test whether it can stand in for another; what is made of parts names its tests once and for all, and these stay.
    pub fn useful(&self, tests: usize, order: &[u32], stands: &dyn Fn(u32) -> bool) -> Vec<bool> {
        let mut kept = vec![true; tests];
        let mut reached: Vec<Vec<usize>> = vec![Vec::new(); tests];
        let mut standing = vec![0usize; self.verdicts.len()];
        for (at, verdict) in self.verdicts.iter().enumerate() {
            let Verdict::Covered(by) = verdict else { continue };
            for &test in by {
                if let Some(reached) = reached.get_mut(test as usize) {
                    reached.push(at);
                }
                standing[at] += usize::from(stands(test));
            }
        }
        let is_whole = |at: usize| self.objectives[at].parts.is_some();
        for &test in order {
            let Some(own) = reached.get(test as usize) else { continue };
            let others = |at: usize| standing[at] - usize::from(stands(test));
            if own.iter().all(|&at| !is_whole(at) && others(at) > 0) {
                kept[test as usize] = false;
                own.iter().for_each(|&at| standing[at] -= usize::from(stands(test)));
            }
        }
        kept
    }

    /// Forgets tests that are not kept, and gives the others new numbers. Each covered objective must have one that is kept.
    pub fn renumber(&mut self, kept: &[bool]) {
        let mut next = 0;
        let numbers: Vec<Option<u32>> = kept
            .iter()
            .map(|&kept| {
                let number = kept.then_some(next);
                next += u32::from(kept);
                number
            })
            .collect();
        for verdict in &mut self.verdicts {
            if let Verdict::Covered(tests) = verdict {
                *tests = tests.iter().filter_map(|&test| numbers.get(test as usize).copied().flatten()).collect();
            }
        }
    }

    /// Says better why an objective is infeasible; others stay as they are.
    pub fn retell(&mut self, id: ObjectiveId, words: String) {
        if let Verdict::Infeasible(proof) = &mut self.verdicts[id.0 as usize] {
            proof.words = words;
        }
    }

    /// Says why an open objective is open; decided ones stay as they are.
    pub fn explain(&mut self, id: ObjectiveId, reason: Reason) {
        if let Verdict::Unknown(why) = &mut self.verdicts[id.0 as usize] {
            *why = reason;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Criterion;
    use crate::objective::Outcome;

    fn ledger() -> Ledger {
        let objective = Objective {
            id: "f:1:2:true".into(),
            criterion: Criterion::Branch,
            function: "f".into(),
            file: "f.c".into(),
            line: 1,
            column: 2,
            text: "x".into(),
            outcome: Outcome::True,
            places: Vec::new(),
            ..Objective::default()
        };
        Ledger::new(vec![objective])
    }

    fn whole(parts: &[&[u32]]) -> Objective {
        let ids = |list: &&[u32]| list.iter().map(|&n| ObjectiveId(n)).collect();
        Objective { parts: Some(parts.iter().map(ids).collect()), ..Objective::default() }
    }

    #[test]
    fn what_has_parts_is_decided_by_them() {
        let part = Objective::default;
        let objectives = vec![part(), part(), part(), whole(&[&[0, 1], &[0, 2]]), whole(&[&[1, 2]])];
        let mut ledger = Ledger::new(objectives);
        assert_eq!(ledger.counts(), (0, 0, 2));
        ledger.cover(ObjectiveId(0), 1).unwrap();
        ledger.refute(ObjectiveId(1), proof()).unwrap();
        // The second has lost its only way, the first still has one.
        assert_eq!(ledger.counts(), (0, 1, 1));
        assert_eq!(ledger.open().collect::<Vec<_>>(), [ObjectiveId(2), ObjectiveId(3)]);
        ledger.cover(ObjectiveId(2), 5).unwrap();
        assert_eq!(ledger.verdict(ObjectiveId(3)), &Verdict::Covered(vec![1, 5]));
        assert_eq!(ledger.open().next(), None);
    }

    #[test]
    fn tests_that_others_make_superfluous_can_go() {
        let mut ledger = Ledger::new(vec![Objective::default(), Objective::default(), Objective::default()]);
        for (objective, tests) in [(0, &[0, 2][..]), (1, &[1, 2]), (2, &[1])] {
            tests.iter().for_each(|&test| ledger.cover(ObjectiveId(objective), test).unwrap());
        }
        let order = [0, 1, 2];
        assert_eq!(ledger.useful(3, &order, &|_| true), [false, true, true]);
        let standing = ledger.useful(3, &order, &|test| test != 2);
        assert_eq!(standing, [true, true, false], "who cannot stand in for others is of no use to them");
        ledger.renumber(&[false, true, true]);
        assert_eq!(ledger.verdict(ObjectiveId(0)), &Verdict::Covered(vec![1]));
        assert_eq!(ledger.verdict(ObjectiveId(1)), &Verdict::Covered(vec![0, 1]));
    }

    #[test]
    fn what_is_measured_is_never_open() {
        let measured = Objective { measured: true, ..Objective::default() };
        let mut ledger = Ledger::new(vec![measured, Objective::default()]);
        assert_eq!(ledger.open().collect::<Vec<_>>(), [ObjectiveId(1)]);
        ledger.cover(ObjectiveId(0), 1).unwrap();
        assert_eq!(ledger.counts(), (0, 0, 1));
    }

    #[test]
    fn parts_of_what_is_decided_are_no_longer_wanted() {
        let objectives = vec![Objective::default(), Objective::default(), whole(&[&[0], &[1]])];
        let mut ledger = Ledger::new(objectives);
        ledger.cover(ObjectiveId(1), 3).unwrap();
        assert!(!ledger.is_open(ObjectiveId(0)));
        assert!(ledger.refute(ObjectiveId(0), proof()).is_ok());
        assert_eq!(ledger.counts(), (1, 0, 0));
    }

    fn proof() -> Proof {
        Proof { by: "exhaustion".into(), file: None, words: String::new() }
    }

    #[test]
    fn a_verdict_is_never_taken_back() {
        let id = ObjectiveId(0);
        let mut covered = ledger();
        covered.cover(id, 1).unwrap();
        assert!(covered.refute(id, proof()).is_err());
        covered.explain(id, Reason::new(ReasonKind::Time, "never mind"));
        assert_eq!(covered.counts(), (1, 0, 0));
        let mut refuted = ledger();
        refuted.refute(id, proof()).unwrap();
        assert!(refuted.cover(id, 1).is_err());
        assert_eq!(refuted.counts(), (0, 1, 0));
    }
}
