//! The demands of a level of a standard, and whether results meet them.

use covenant_goals::report::Totals;
use covenant_goals::{Criterion, Report};

/// One demand.
pub(crate) struct Row {
    /// The place of the standard.
    pub(crate) demand: &'static str,
    pub(crate) criterion: Criterion,
    pub(crate) totals: Totals,
    /// Each objective has a test or a proof. What was not searched for is not met.
    pub(crate) met: bool,
}

/// The demands of the level that the user named; none without one.
pub(crate) fn rows(report: &Report) -> Vec<Row> {
    let demands = report.level.map(covenant_goals::Level::demands).unwrap_or_default();
    let row = |&(criterion, demand): &(Criterion, &'static str)| {
        let totals = report.totals.get(&criterion).copied();
        let met = totals.is_some_and(|totals| totals.unknown == 0);
        Row { demand, criterion, totals: totals.unwrap_or_default(), met }
    };
    demands.iter().map(row).collect()
}
