//! How the source writes the outcomes of branches: for words.

use std::collections::BTreeMap;

use covenant_program::ir::{Block, FuncId};

use crate::objective::{Objective, Outcome, Place};

/// A branch as the source has it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Branch {
    /// As the coverage mapping names it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// The condition.
    pub text: String,
    /// Which way it goes.
    pub outcome: Outcome,
}

impl Branch {
    /// Where it is: ``line 7 `x > 10` ``.
    pub fn place(&self) -> String {
        match &self.outcome {
            outcome @ (Outcome::Case(_) | Outcome::Default) => format!("line {} `{outcome}`", self.line),
            _ if self.text.is_empty() => format!("line {}", self.line),
            _ => format!("line {} `{}`", self.line, self.text),
        }
    }

    /// What it is where it goes this way: `true`, `taken`.
    pub fn outcome(&self) -> String {
        match &self.outcome {
            Outcome::Case(_) | Outcome::Default => "taken".to_owned(),
            outcome => outcome.to_string(),
        }
    }
}

/// The branches of a program by the edges that take them.
#[derive(Clone, Debug, Default)]
pub struct Written(BTreeMap<(u32, u32, u32), Branch>);

impl Written {
    /// Of these objectives of branches.
    pub fn new(branches: &[Objective]) -> Written {
        let mut written = Written::default();
        for objective in branches {
            for place in &objective.places {
                let &Place::Edge(function, block, way) = place else { continue };
                let branch = Branch {
                    file: objective.file.clone(),
                    line: objective.line,
                    column: objective.column,
                    text: objective.text.clone(),
                    outcome: objective.outcome.clone(),
                };
                written.0.entry((function.as_u32(), block.as_u32(), way)).or_insert(branch);
            }
        }
        written
    }

    /// The branch that takes a way out of a block.
    pub fn at(&self, function: FuncId, block: Block, way: u32) -> Option<&Branch> {
        self.0.get(&(function.as_u32(), block.as_u32(), way))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_are_found_by_their_edges() {
        let (function, block) = (FuncId::from_u32(3), Block::from_u32(1));
        let objective = Objective {
            line: 7,
            text: "x > 10".into(),
            outcome: Outcome::False,
            places: vec![Place::Edge(function, block, 1)],
            ..Objective::default()
        };
        let written = Written::new(&[objective]);
        let found = written.at(function, block, 1).unwrap();
        assert_eq!((found.place(), found.outcome()), ("line 7 `x > 10`".to_owned(), "false".to_owned()));
        assert!(written.at(function, block, 0).is_none());
    }
}
