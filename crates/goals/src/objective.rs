//! Objectives: a place of the program plus, where the criterion needs it, a condition on the values there.

use covenant_program::ir::{Block, FuncId};
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString};

/// The number of an objective; its place in the list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectiveId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Display, EnumString, Serialize, Deserialize)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum Criterion {
    Branch,
}

/// Which way control goes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    True,
    False,
    /// As the source writes it.
    Case(String),
    Default,
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::True => f.write_str("true"),
            Outcome::False => f.write_str("false"),
            Outcome::Case(value) => write!(f, "case {value}"),
            Outcome::Default => f.write_str("default"),
        }
    }
}

/// Where in the IR an objective is reached.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// An edge out of the block's terminator, by its index in `Terminator::edges()`.
    Edge(FuncId, Block, u32),
    /// Calling the function is enough.
    Entry(FuncId),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Objective {
    /// Unique and stable: `FUNCTION:LINE:COLUMN:OUTCOME`, with a number behind it where that is not enough.
    pub id: String,
    pub criterion: Criterion,
    pub function: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// The condition as the source has it.
    pub text: String,
    pub outcome: Outcome,
    /// All places that reach it: more than one where the compiler made several branches of one condition.
    pub places: Vec<Place>,
    /// Why the objective has no place in the program, if it has none.
    pub untied: Option<String>,
    /// Which of the function's branch regions it is, as llvm-cov counts them.
    pub region: Option<u32>,
}
