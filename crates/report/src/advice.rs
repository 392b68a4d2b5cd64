//! What to try for an objective that is open, from the reason that the run gave.

use covenant_goals::ReasonKind;

/// A sign in the reason, and what may help.
const ADVICE: &[(&[&str], &str)] = &[
    (&["time given", "--timeout"], "Give the search more time: --timeout 10m."),
    (&["--max-tests", "--max-iterations"], "Raise --max-tests or --max-iterations, which ended the search."),
    (&["step limit", "--max-steps"], "Raise --max-steps, or bound the loop's input with --assume."),
    (
        &["solver gave no answer", "SolverTimeout"],
        "Give the solver more time (--solver-timeout 60s) or try --solver z3.",
    ),
    (&["interrupted"], "Let the search run to its end."),
    (
        &["not proved by", "growing predicates"],
        "If you know that it cannot happen, say why with --assume 'EXPR'; if it can, a larger --timeout may reach it.",
    ),
    (
        &["pinned", "concrete", "external"],
        "A value had to be fixed on the way: declare the callee with --stub NAME=any, or give its source.",
    ),
    (
        &["undefined function", "nothing defines"],
        "Give the source of the undefined function, or say what it does with --stub NAME=any.",
    ),
    (&["see --args", "see --stdin"], "Allow more arguments or input: --args N:LEN, --stdin LEN."),
    (&["not varied"], "Write a small function of your own that makes the value of others, and test that."),
    (&["--device"], "Say that there are device registers: --device ADDR:LEN."),
    (
        &["elements", "array-len", "object is too"],
        "Allow larger objects with --array-len N, or tie their size with --length PTR=EXPR.",
    ),
    (&["memory limit", "--memory"], "Raise --memory."),
];

/// At least one sentence, always: about what the reason names, or else about its kind.
pub(crate) fn for_reason(reason: &str, kind: Option<ReasonKind>) -> Vec<&'static str> {
    let mut found: Vec<&'static str> = ADVICE
        .iter()
        .filter(|(signs, _)| signs.iter().any(|sign| reason.contains(sign)))
        .map(|(_, what)| *what)
        .collect();
    if found.is_empty() {
        found.push(match kind {
            Some(ReasonKind::Unsupported) => {
                "Leave the construct out with a stub (--stub NAME=any), or test around it."
            }
            Some(ReasonKind::Model) => {
                "Covenant leaves such inputs out: a test by hand, or --assume 'EXPR', settles it."
            }
            Some(ReasonKind::Bound) => "Raise the bound that was set, or ask for the criterion itself.",
            Some(ReasonKind::Solver) => "Give the solver more time (--solver-timeout 60s) or try --solver z3.",
            Some(ReasonKind::Time) | None => {
                "Give the search more time (--timeout 10m), or say what you know of the inputs with --assume 'EXPR'."
            }
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_advice() {
        let advice = for_reason(
            "not reached in the time given; see --timeout; not proved by arc (gave up)",
            Some(ReasonKind::Time),
        );
        assert_eq!(advice.len(), 2, "{advice:?}");
        assert!(advice[0].contains("--timeout"));
        assert_eq!(for_reason("", None).len(), 1);
        assert!(for_reason("a computed goto", Some(ReasonKind::Unsupported))[0].contains("--stub"));
    }
}
