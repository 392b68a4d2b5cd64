//! What each feature of the functions has to do with, so that one that is absent is seen.

use super::generate::features::ALL;
use super::tally::Tally;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The sums of all functions that have a feature.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Row {
    functions: usize,
    objectives: usize,
    covered: usize,
    infeasible: usize,
    unknown: usize,
    never_taken: usize,
    proved: usize,
    contradictions: usize,
}

#[derive(Debug, Default)]
pub(crate) struct ByFeature(BTreeMap<&'static str, Row>);

impl ByFeature {
    /// Counts one function with these features.
    pub(crate) fn add(&mut self, features: &[&'static str], one: &Tally) {
        for feature in features {
            let row = self.0.entry(feature).or_default();
            row.functions += one.functions;
            row.objectives += one.objectives;
            row.covered += one.covered;
            row.infeasible += one.infeasible;
            row.unknown += one.unknown;
            row.never_taken += one.never_taken;
            row.proved += one.proved.values().sum::<usize>();
            row.contradictions += one.contradictions.len();
        }
    }

    /// A table of all features, also of those that no function had.
    pub(crate) fn table(&self) -> String {
        let mut text =
            "| feature | functions | outcomes | covered | infeasible | unknown | never taken | proved | wrong |\n"
                .to_owned();
        text += "|---|--:|--:|--:|--:|--:|--:|--:|--:|\n";
        for feature in ALL {
            let Row { functions, objectives, covered, infeasible, unknown, never_taken, proved, contradictions } =
                self.0.get(feature.name).cloned().unwrap_or_default();
            let name = feature.name;
            // Writing to a text does not fail.
            let _ = writeln!(
                text,
                "| {name} | {functions} | {objectives} | {covered} | {infeasible} | {unknown} | {never_taken} | {proved} | \
                 {contradictions} |"
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_that_no_function_had_is_seen() {
        let mut sums = ByFeature::default();
        sums.add(&[ALL[0].name], &Tally { functions: 1, objectives: 4, covered: 4, ..Tally::default() });
        let table = sums.table();
        assert_eq!(table.lines().count(), ALL.len() + 2);
        assert!(table.contains(&format!("| {} | 1 | 4 | 4 | 0 | 0 | 0 | 0 | 0 |", ALL[0].name)), "{table}");
        assert!(table.contains(&format!("| {} | 0 | 0 |", ALL[1].name)), "{table}");
    }
}
