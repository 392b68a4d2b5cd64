//! What is known of each objective. Only the campaign writes here, and only with evidence.

use crate::objective::{Objective, ObjectiveId};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Tests that reach it, by their number.
    Covered(Vec<u32>),
    Infeasible(Proof),
    Unknown(String),
}

/// Why no input reaches an objective.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Who decided it, e.g. `exhaustion`.
    pub by: String,
    /// The certificate's file, below the output directory.
    pub file: Option<String>,
    pub words: String,
}

/// Covenant said both that something is reached and that it cannot be: a bug of ours, exit code 3.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("objective {objective} was proved infeasible ({proof}), but test {test} reaches it")]
pub struct Contradiction {
    pub objective: String,
    pub proof: String,
    pub test: u32,
}

#[derive(Clone, Debug, Default)]
pub struct Ledger {
    objectives: Vec<Objective>,
    verdicts: Vec<Verdict>,
}

impl Ledger {
    pub fn new(objectives: Vec<Objective>) -> Ledger {
        let verdicts = objectives.iter().map(|_| Verdict::Unknown("not reached yet".to_owned())).collect();
        Ledger { objectives, verdicts }
    }

    pub fn iter(&self) -> impl Iterator<Item = (ObjectiveId, &Objective, &Verdict)> {
        let pairs = self.objectives.iter().zip(&self.verdicts).enumerate();
        pairs.map(|(i, (objective, verdict))| (ObjectiveId(i as u32), objective, verdict))
    }

    pub fn objective(&self, id: ObjectiveId) -> &Objective {
        &self.objectives[id.0 as usize]
    }

    pub fn verdict(&self, id: ObjectiveId) -> &Verdict {
        &self.verdicts[id.0 as usize]
    }

    pub fn is_open(&self, id: ObjectiveId) -> bool {
        matches!(self.verdict(id), Verdict::Unknown(_))
    }

    /// Objectives that are neither covered nor infeasible.
    pub fn open(&self) -> impl Iterator<Item = ObjectiveId> + '_ {
        self.iter().filter(|(_, _, v)| matches!(v, Verdict::Unknown(_))).map(|(id, _, _)| id)
    }

    /// (covered, infeasible, unknown)
    pub fn counts(&self) -> (usize, usize, usize) {
        self.verdicts.iter().fold((0, 0, 0), |(c, i, u), verdict| match verdict {
            Verdict::Covered(_) => (c + 1, i, u),
            Verdict::Infeasible(_) => (c, i + 1, u),
            Verdict::Unknown(_) => (c, i, u + 1),
        })
    }

    pub fn cover(&mut self, id: ObjectiveId, test: u32) -> Result<(), Contradiction> {
        let name = &self.objectives[id.0 as usize].id;
        match &mut self.verdicts[id.0 as usize] {
            Verdict::Covered(tests) => {
                if !tests.contains(&test) {
                    tests.push(test);
                }
            }
            Verdict::Infeasible(proof) => {
                return Err(Contradiction { objective: name.clone(), proof: proof.by.clone(), test });
            }
            open => *open = Verdict::Covered(vec![test]),
        }
        Ok(())
    }

    pub fn refute(&mut self, id: ObjectiveId, proof: Proof) -> Result<(), Contradiction> {
        let name = &self.objectives[id.0 as usize].id;
        match &self.verdicts[id.0 as usize] {
            Verdict::Covered(tests) => {
                let test = tests.first().copied().unwrap_or(0);
                Err(Contradiction { objective: name.clone(), proof: proof.by, test })
            }
            _ => {
                self.verdicts[id.0 as usize] = Verdict::Infeasible(proof);
                Ok(())
            }
        }
    }

    /// Says why an open objective is open; decided ones stay as they are.
    pub fn explain(&mut self, id: ObjectiveId, reason: impl Into<String>) {
        if let Verdict::Unknown(why) = &mut self.verdicts[id.0 as usize] {
            *why = reason.into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objective::{Criterion, Outcome};

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
            untied: None,
            region: None,
        };
        Ledger::new(vec![objective])
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
        covered.explain(id, "never mind");
        assert_eq!(covered.counts(), (1, 0, 0));
        let mut refuted = ledger();
        refuted.refute(id, proof()).unwrap();
        assert!(refuted.cover(id, 1).is_err());
        assert_eq!(refuted.counts(), (0, 1, 0));
    }
}
