//! Objectives: a place of the program plus, where the criterion needs it, a condition on the values there.

use covenant_program::ir::insert::Inserter;
use covenant_program::ir::{BinaryOp, Block, FuncId, Inst, Op, Program, Terminator, Value};
use serde::{Deserialize, Serialize};

use crate::criteria::Criterion;
use crate::words::Reason;

/// The number of an objective; its place in the list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectiveId(pub u32);

/// Which way control goes.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub enum Outcome {
    /// The condition holds.
    #[default]
    True,
    /// It does not.
    False,
    /// As the source writes it.
    Case(String),
    /// No label of the switch fits.
    Default,
    /// MC/DC: the condition was shown to change the decision on its own.
    Independent,
    /// What is true there, or what happens, in words.
    Holds(String),
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::True => f.write_str("true"),
            Outcome::False => f.write_str("false"),
            Outcome::Case(value) => write!(f, "case {value}"),
            Outcome::Default => f.write_str("default"),
            Outcome::Independent => f.write_str("independent"),
            Outcome::Holds(what) => f.write_str(what),
        }
    }
}

impl From<Outcome> for String {
    fn from(outcome: Outcome) -> String {
        outcome.to_string()
    }
}

/// Reads what [`Outcome`] displays; what is none of the fixed words is said in words.
impl From<&str> for Outcome {
    fn from(text: &str) -> Outcome {
        match (text, text.strip_prefix("case ")) {
            ("true", _) => Outcome::True,
            ("false", _) => Outcome::False,
            ("default", _) => Outcome::Default,
            ("independent", _) => Outcome::Independent,
            (_, Some(value)) => Outcome::Case(value.to_owned()),
            _ => Outcome::Holds(text.to_owned()),
        }
    }
}

impl From<String> for Outcome {
    fn from(text: String) -> Outcome {
        text.as_str().into()
    }
}

/// Where in the IR an objective is reached.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// An edge out of the block's terminator, by its index in `Terminator::edges()`.
    Edge(FuncId, Block, u32),
    /// Calling the function is enough.
    Entry(FuncId),
    /// A label in the code: the instruction, and the label's number, which no other label of the program has.
    Label(FuncId, Inst, u32),
}

/// One thing to reach.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Objective {
    /// Unique and stable: `FUNCTION:LINE:COLUMN:OUTCOME`, with a number behind it where that is not enough.
    pub id: String,
    /// What asks for it.
    pub criterion: Criterion,
    /// The function that it is in, by its name in the source.
    pub function: String,
    /// As the coverage mapping names it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in bytes.
    pub column: u32,
    /// The function and the counters of clang's that count it and nothing else, where it has no edges of its own.
    pub counted: Option<(FuncId, Vec<u32>)>,
    /// The condition as the source has it.
    pub text: String,
    /// What is to happen there.
    pub outcome: Outcome,
    /// All places that reach it: more than one where the compiler made several branches of one condition.
    pub places: Vec<Place>,
    /// Why the objective has no place in the program, if it has none.
    pub unmapped: Option<Reason>,
    /// Which of the function's branch regions it is, as llvm-cov counts them.
    pub region: Option<u32>,
    /// For MC/DC: the decision among those of the function, as llvm-cov lists them, and the condition in it.
    pub decision: Option<(u32, u32)>,
    /// It is not searched for: what tests for others reach of it is counted.
    pub measured: bool,
    /// It is outside of the scope: told apart where a test takes it in passing.
    pub passing: bool,
    /// The file of coverage that says that a suite which is there covers it.
    pub existing: Option<String>,
    /// Where it is not reached at one place: each list names objectives that together reach it.
    pub parts: Option<Vec<Vec<ObjectiveId>>>,
    /// The path that a local path is.
    pub path: Option<Box<LocalPath>>,
    /// What the mutant that it asks about changes in the program.
    pub mutated: Option<Box<Mutated>>,
}

/// What a mutant changes in the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mutated {
    /// An instruction is another one.
    Inst(FuncId, Inst, Op),
    /// Branches go the other way where a value holds, one that is computed before the label of the objective.
    Ways(FuncId, Vec<(Block, Value)>),
}

impl Mutated {
    /// Makes the mutant of the program. Runs of it must be told that somebody asks for the labels: what they ask for decides ways.
    pub fn apply(&self, program: &mut Program) {
        match self {
            Mutated::Inst(function, inst, op) => {
                if let Some(body) = &mut program.functions[*function].body {
                    body.insts[*inst].op = op.clone();
                }
            }
            Mutated::Ways(function, ways) => {
                let Some(body) = &mut program.functions[*function].body else { return };
                let mut inserter = Inserter::new(body);
                for &(block, infected) in ways {
                    let Terminator::Branch { cond, .. } = inserter.body().blocks[block].term else { continue };
                    let turned = inserter.binary(BinaryOp::Xor, cond, infected);
                    if let Terminator::Branch { cond, .. } = &mut inserter.body_mut().blocks[block].term {
                        *cond = turned;
                    }
                    inserter.finish_shared((block, None));
                }
                inserter.finish();
            }
        }
    }
}

/// The local path of an objective.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LocalPath {
    /// The function, by its number in the program.
    pub function: u32,
    /// What remembers it at its end.
    pub code: u128,
    /// The outcomes on it, in their order.
    pub steps: Vec<PathStep>,
}

/// An outcome on a path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathStep {
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// The condition as the source has it.
    pub text: String,
    /// Which way it goes, in words.
    pub outcome: String,
    /// What it takes of the number that remembers the path.
    pub bits: u32,
}

impl PathStep {
    /// `a < b true`, `case 3`
    pub fn words(&self) -> String {
        let is_label = self.text.starts_with("case") || self.text.starts_with("default");
        if is_label { self.outcome.clone() } else { format!("{} {}", self.text, self.outcome) }
    }
}

impl Objective {
    /// Whether there is code for it, its own or that of its parts. Where there is none, no input and no assumption matters.
    pub fn has_code(&self) -> bool {
        !self.places.is_empty() || self.parts.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_read_what_they_display() {
        let outcomes = [
            Outcome::True,
            Outcome::False,
            Outcome::Default,
            Outcome::Independent,
            Outcome::Case("'x'".to_owned()),
            Outcome::Holds("reached".to_owned()),
            Outcome::Holds(String::new()),
        ];
        for outcome in outcomes {
            assert_eq!(Outcome::from(outcome.to_string()), outcome);
        }
    }

    #[test]
    fn what_has_parts_has_their_code() {
        assert!(!Objective::default().has_code());
        assert!(Objective { parts: Some(vec![vec![ObjectiveId(1)]]), ..Objective::default() }.has_code());
    }
}
