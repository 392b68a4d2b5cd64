//! What is told of local paths and points.

use anstyle::{AnsiColor, Style};
use covenant::{Criterion, Report, VerdictKind};

const GREEN: Style = AnsiColor::Green.on_default().bold();

/// Paths that have a test; the others are listed with all that is not covered.
pub(crate) fn summary(report: &Report) {
    for o in report.objectives.iter().filter(|o| o.verdict == VerdictKind::Covered) {
        let tests = o.tests.join(", ");
        match o.criterion {
            Criterion::LocalPath => anstream::println!("  {GREEN}{}{GREEN:#} {}: {tests}", o.outcome, o.text),
            Criterion::Point => {
                let facts = o.details.iter().flat_map(|details| &details.facts);
                let path = facts.map(|(_, path)| format!(" by {path}")).collect::<String>();
                anstream::println!("  {GREEN}reached{GREEN:#} line {}{path}: {tests}", o.line);
            }
            _ => {}
        }
    }
}
