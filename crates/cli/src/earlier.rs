//! What is told of an earlier run that a new one went on from.

use std::path::Path;

use anstyle::{AnsiColor, Style};
use covenant::{Report, VerdictKind};

use crate::diagnose::{counted, meaning, shown_from};

const YELLOW: Style = AnsiColor::Yellow.on_default().bold();

/// What the earlier tests no longer do.
pub(crate) fn summary(report: &Report, root: &Path) {
    let Some(since) = &report.since else { return };
    let added = report.tests.len() - since.kept.len();
    let kept = counted(since.kept.len(), "test", "tests");
    anstream::println!("  of {}: {kept} kept, {added} added", since.directory);
    for (test, why) in &since.failing {
        anstream::println!("  {YELLOW}changed{YELLOW:#} {test} does not pass any more: {why}");
    }
    for (word, ids) in [("lost", &since.lost), ("new", &since.new)] {
        for objective in
            report.objectives.iter().filter(|o| ids.contains(&o.id) && o.verdict != VerdictKind::Infeasible)
        {
            let now = objective.tests.first().map_or("open".to_owned(), |test| format!("now {test}"));
            let place = shown_from(root, &objective.file);
            anstream::println!("  {YELLOW}{word}{YELLOW:#} {place}:{}: {}: {now}", objective.line, meaning(objective));
        }
    }
}
