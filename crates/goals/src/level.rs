//! Levels of standards, and the structural coverage that each asks for.
//!
//! What a standard highly recommends, or wants satisfied, is what its level stands for here. `branch` is finer than the decision
//! coverage of ISO 26262 and IEC 61508: it also has the outcomes of the conditions inside a decision. Decisions of one condition are
//! no part of `mcdc`, as llvm-cov counts; `decision` and `branch` have them, and nobody gets `mcdc` alone (a request adds them).

use serde::{Deserialize, Serialize};
use strum::{Display, EnumIter, EnumString, IntoEnumIterator, IntoStaticStr};

use crate::Criterion;

/// A level of a standard, under the name that users write behind `--level`.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Debug, Display, EnumIter, EnumString, IntoStaticStr, Serialize, Deserialize,
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Level {
    #[strum(serialize = "do178c-a")]
    #[serde(rename = "do178c-a")]
    Do178cA,
    #[strum(serialize = "do178c-b")]
    #[serde(rename = "do178c-b")]
    Do178cB,
    #[strum(serialize = "do178c-c")]
    #[serde(rename = "do178c-c")]
    Do178cC,
    #[strum(serialize = "iso26262-a")]
    #[serde(rename = "iso26262-a")]
    Iso26262A,
    #[strum(serialize = "iso26262-b")]
    #[serde(rename = "iso26262-b")]
    Iso26262B,
    #[strum(serialize = "iso26262-c")]
    #[serde(rename = "iso26262-c")]
    Iso26262C,
    #[strum(serialize = "iso26262-d")]
    #[serde(rename = "iso26262-d")]
    Iso26262D,
    #[strum(serialize = "iec61508-sil1")]
    #[serde(rename = "iec61508-sil1")]
    Iec61508Sil1,
    #[strum(serialize = "iec61508-sil2")]
    #[serde(rename = "iec61508-sil2")]
    Iec61508Sil2,
    #[strum(serialize = "iec61508-sil3")]
    #[serde(rename = "iec61508-sil3")]
    Iec61508Sil3,
    #[strum(serialize = "iec61508-sil4")]
    #[serde(rename = "iec61508-sil4")]
    Iec61508Sil4,
}

/// A criterion that a level asks for, with the place of the standard that says so.
pub type Demand = (Criterion, &'static str);

const STATEMENTS: Demand = (Criterion::Statement, "table A-7, objective 7: statement coverage");
const DECISIONS: Demand = (Criterion::Decision, "table A-7, objective 6: decision coverage");
const MCDC: Demand = (Criterion::Mcdc, "table A-7, objective 5: modified condition/decision coverage");
const ENTRIES: Demand = (Criterion::Function, "every point of entry is invoked");

const ISO_STATEMENTS: Demand = (Criterion::Statement, "part 6, table 9, 1a: statement coverage");
const ISO_BRANCHES: Demand = (Criterion::Branch, "part 6, table 9, 1b: branch coverage");
const ISO_MCDC: Demand = (Criterion::Mcdc, "part 6, table 9, 1c: MC/DC");

const IEC_ENTRIES: Demand = (Criterion::Function, "part 3, table B.2, 7a: entry points");
const IEC_STATEMENTS: Demand = (Criterion::Statement, "part 3, table B.2, 7b: statements");
const IEC_BRANCHES: Demand = (Criterion::Branch, "part 3, table B.2, 7c: branches");
const IEC_MCDC: Demand = (Criterion::Mcdc, "part 3, table B.2, 7d: conditions, MC/DC");

impl Level {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Level> {
        Level::iter()
    }

    /// As users write it.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// As auditors write it.
    pub fn title(self) -> &'static str {
        match self {
            Level::Do178cA => "DO-178C, level A",
            Level::Do178cB => "DO-178C, level B",
            Level::Do178cC => "DO-178C, level C",
            Level::Iso26262A => "ISO 26262, ASIL A",
            Level::Iso26262B => "ISO 26262, ASIL B",
            Level::Iso26262C => "ISO 26262, ASIL C",
            Level::Iso26262D => "ISO 26262, ASIL D",
            Level::Iec61508Sil1 => "IEC 61508, SIL 1",
            Level::Iec61508Sil2 => "IEC 61508, SIL 2",
            Level::Iec61508Sil3 => "IEC 61508, SIL 3",
            Level::Iec61508Sil4 => "IEC 61508, SIL 4",
        }
    }

    /// What it asks for.
    pub fn demands(self) -> &'static [Demand] {
        match self {
            Level::Do178cA => &[ENTRIES, STATEMENTS, DECISIONS, MCDC],
            Level::Do178cB => &[ENTRIES, STATEMENTS, DECISIONS],
            Level::Do178cC => &[STATEMENTS],
            Level::Iso26262A => &[ISO_STATEMENTS],
            Level::Iso26262B | Level::Iso26262C => &[ISO_STATEMENTS, ISO_BRANCHES],
            Level::Iso26262D => &[ISO_STATEMENTS, ISO_BRANCHES, ISO_MCDC],
            Level::Iec61508Sil1 => &[IEC_ENTRIES],
            Level::Iec61508Sil2 => &[IEC_ENTRIES, IEC_STATEMENTS],
            Level::Iec61508Sil3 => &[IEC_ENTRIES, IEC_STATEMENTS, IEC_BRANCHES],
            Level::Iec61508Sil4 => &[IEC_ENTRIES, IEC_STATEMENTS, IEC_BRANCHES, IEC_MCDC],
        }
    }

    /// The criteria that it asks for.
    pub fn criteria(self) -> Vec<Criterion> {
        self.demands().iter().map(|(criterion, _)| *criterion).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_written_alike() {
        for level in Level::all() {
            assert_eq!(level.name().parse(), Ok(level));
            assert_eq!(serde_json::to_string(&level).unwrap(), format!("\"{}\"", level.name()));
        }
    }

    #[test]
    fn higher_levels_ask_for_more_and_never_for_mcdc_alone() {
        use Level::*;
        for order in [
            vec![Do178cC, Do178cB, Do178cA],
            vec![Iso26262A, Iso26262B, Iso26262C, Iso26262D],
            vec![Iec61508Sil1, Iec61508Sil2, Iec61508Sil3, Iec61508Sil4],
        ] {
            for pair in order.windows(2) {
                let (low, high) = (pair[0].criteria(), pair[1].criteria());
                assert!(low.iter().all(|criterion| high.contains(criterion)), "{pair:?}");
            }
        }
        for criteria in Level::all().map(Level::criteria).filter(|all| all.contains(&Criterion::Mcdc)) {
            assert!(criteria.contains(&Criterion::Branch) || criteria.contains(&Criterion::Decision));
        }
    }
}
