//! What the paper of abstraction refinement and coarsening reports, and what other tools took here.

/// One row of its first or second table. Where a run did not end, it was stopped after 10,000 iterations.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) branches: u64,
    pub(crate) iterations: u64,
    pub(crate) tests: u64,
    pub(crate) covered: u64,
    pub(crate) infeasible: u64,
    /// Per cent of the branches that are not infeasible.
    pub(crate) coverage: u64,
}

const fn row(
    name: &'static str,
    branches: u64,
    iterations: u64,
    tests: u64,
    covered: u64,
    infeasible: u64,
    coverage: u64,
) -> Row {
    Row { name, branches, iterations, tests, covered, infeasible, coverage }
}

/// Of one copy the sequence and the nest are the same program, which the paper lists once.
pub(crate) const TABLE_1: &[Row] = &[
    row("scan1", 8, 11, 3, 6, 2, 100),
    row("scan2", 16, 23, 5, 12, 4, 100),
    row("scan5", 40, 59, 11, 30, 10, 100),
    row("scan10", 80, 119, 21, 60, 20, 100),
    row("scan20", 160, 239, 41, 120, 40, 100),
    row("scan50", 400, 599, 101, 300, 100, 100),
    row("scan100", 800, 1203, 200, 600, 200, 100),
    row("valves_rep1", 6, 29, 4, 6, 0, 100),
    row("valves_rep2", 12, 65, 7, 12, 0, 100),
    row("valves_rep5", 30, 161, 16, 30, 0, 100),
    row("valves_rep10", 60, 316, 31, 60, 0, 100),
    row("valves_rep20", 120, 633, 61, 120, 0, 100),
    row("valves_rep50", 300, 1594, 151, 300, 0, 100),
    row("valves_rep100", 600, 10_000, 300, 599, 0, 99),
    row("valves_nest1", 6, 29, 4, 6, 0, 100),
    row("valves_nest2", 12, 59, 7, 12, 0, 100),
    row("valves_nest5", 30, 149, 16, 30, 0, 100),
    row("valves_nest10", 60, 299, 31, 60, 0, 100),
    row("valves_nest20", 120, 599, 61, 120, 0, 100),
    row("valves_nest50", 300, 1499, 151, 300, 0, 100),
    row("valves_nest100", 600, 10_000, 217, 431, 0, 71),
];

/// The iterations are those after which the infeasible branches were known too. Its programs are others than ours, of
/// the same kind.
pub(crate) const TABLE_2: &[Row] = &[
    row("linear_search", 8, 3, 3, 8, 0, 100),
    row("binary_search", 12, 6, 4, 12, 0, 100),
    row("advisory", 106, 1185, 21, 99, 7, 100),
    row("week0", 58, 50, 15, 53, 3, 96),
    row("week1", 58, 65, 16, 53, 3, 96),
    row("week2", 56, 121, 17, 52, 4, 100),
    row("week3", 56, 108, 16, 52, 4, 100),
    row("week4", 58, 125, 16, 43, 13, 96),
    row("week5", 58, 90, 16, 53, 3, 96),
    row("week6", 56, 128, 18, 52, 4, 100),
    row("week7", 56, 139, 18, 52, 4, 100),
    row("week_any", 84, 135, 27, 81, 3, 100),
];

pub(crate) fn find(table: &'static [Row], name: &str) -> Option<&'static Row> {
    table.iter().find(|row| row.name == name)
}

/// CBMC on programs of this shape, arrays of eight: seconds for a hundred copies, and its memory at most.
pub(crate) const CBMC_SECONDS: &[(&str, f64)] =
    &[("scan100", 71.0), ("valves_rep100", 74.0), ("valves_nest100", 105.0)];
pub(crate) const CBMC_BYTES: u64 = 980_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arc::programs::Family;

    /// A digit read wrongly would show here: coverage is the share of covered among the feasible.
    #[test]
    fn the_columns_fit_each_other() {
        for row in TABLE_1 {
            assert_eq!(row.coverage, 100 * row.covered / (row.branches - row.infeasible), "{}", row.name);
            assert!(row.tests < row.iterations);
        }
        for row in TABLE_2 {
            let share = 100 * row.covered / (row.branches - row.infeasible);
            assert!(row.coverage.abs_diff(share) <= 1, "{}: {share}", row.name);
        }
        let sum = |field: fn(&Row) -> u64| TABLE_2.iter().map(field).sum::<u64>();
        assert_eq!((sum(|r| r.branches), sum(|r| r.tests)), (666, 187));
    }

    #[test]
    fn our_programs_have_the_papers_branches() {
        for row in TABLE_1 {
            let digits = row.name.trim_start_matches(|c: char| !c.is_ascii_digit());
            let copies: u64 = digits.parse().unwrap();
            let family = Family::ALL.into_iter().find(|f| row.name == format!("{}{copies}", f.name())).unwrap();
            let (covered, infeasible) = family.branches();
            assert_eq!(row.branches, copies * (covered + infeasible));
        }
    }
}
