//! The words of `report.json` that chores ask for. Chores read what the product writes as any script does and share no
//! code with it, so that they can judge it.

use serde_json::Value;
use strum::{Display, EnumString};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Display, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Verdict {
    Covered,
    Infeasible,
    #[default]
    Unknown,
}

impl Verdict {
    pub(crate) fn of(objective: &Value) -> Verdict {
        word(&objective["verdict"])
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Display, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Status {
    Complete,
    Timeout,
    Limit,
    /// Also what a report without a status has.
    #[default]
    Interrupted,
}

impl Status {
    pub(crate) fn of(report: &Value) -> Status {
        word(&report["status"])
    }
}

fn word<T: Default + std::str::FromStr>(value: &Value) -> T {
    value.as_str().and_then(|word| word.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_no_word_decides_nothing() {
        assert_eq!(Verdict::of(&json!({"verdict": "infeasible"})), Verdict::Infeasible);
        assert_eq!(Verdict::of(&json!({"verdict": "proved"})), Verdict::Unknown);
        assert_eq!(Status::of(&json!({})), Status::Interrupted);
    }
}
