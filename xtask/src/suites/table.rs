//! What is told of the suites.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::Row;
use super::build::{Cell, Outcome};

/// One function, while the others are still to come.
pub(super) fn line(row: &Row) -> String {
    let name = format!("{} {} {}", row.group, row.file, row.function);
    if let Some(why) = &row.failed {
        return format!("{name}: {why}");
    }
    let bad: Vec<&Cell> = row.cells.iter().filter(|cell| !cell.is_good()).collect();
    match bad.first() {
        None => format!("{name}: good"),
        Some(cell) => format!("{name}: {} of {} bad: {}", bad.len(), row.cells.len(), words(cell)),
    }
}

fn words(cell: &Cell) -> String {
    let what = match &cell.outcome {
        Outcome::Passed => "passes".to_owned(),
        Outcome::NotApplicable => "the code is no such C".to_owned(),
        Outcome::NoCompile(why) => format!("does not compile: {why}"),
        Outcome::Fails(why) => format!("fails: {why}"),
    };
    format!("{}, {}: {what}", cell.format, cell.variant)
}

/// Functions by group and format of which each way to build the suite is good; then all that is not.
pub(super) fn write(rows: &[Row], formats: &[&str], variants: &[String]) -> String {
    let groups: BTreeSet<&str> = rows.iter().map(|row| row.group.as_str()).collect();
    let mut text = format!(
        "Each suite is built by {} with `-Wall -Wextra -Werror` and with what gcc 14 takes for errors, and run. A cell has the \
         functions whose suite compiles and passes in all of these ways in which the code under test itself compiles.\n\n\
         | group | functions | gen fails | {} |\n|---|---:|---:|{}\n",
        variants.join(", "),
        formats.join(" | "),
        "---:|".repeat(formats.len())
    );
    for group in groups.into_iter().map(Some).chain([None]) {
        let own: Vec<&Row> = rows.iter().filter(|row| group.is_none_or(|group| row.group == group)).collect();
        let failed = own.iter().filter(|row| row.failed.is_some()).count();
        let good = |format: &str| {
            let all = |row: &&&Row| {
                row.failed.is_none() && row.cells.iter().filter(|c| c.format == format).all(Cell::is_good)
            };
            own.iter().filter(all).count().to_string()
        };
        let cells: Vec<String> = formats.iter().map(|format| good(format)).collect();
        let _ = writeln!(text, "| {} | {} | {failed} | {} |", group.unwrap_or("**all**"), own.len(), cells.join(" | "));
    }
    let mut bad: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in rows {
        let name = format!("{} `{}`", row.file, row.function);
        if let Some(why) = &row.failed {
            bad.entry(name.clone()).or_default().push(why.clone());
        }
        bad.entry(name).or_default().extend(row.cells.iter().filter(|cell| !cell.is_good()).map(words));
    }
    bad.retain(|_, all| !all.is_empty());
    if !bad.is_empty() {
        text.push_str("\nWhat is not good:\n\n");
    }
    for (name, all) in bad {
        let more = if all.len() > 1 { format!(" (and {} more)", all.len() - 1) } else { String::new() };
        let _ = writeln!(text, "- {name}: {}{more}", all[0]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_counts_where_all_ways_are_good() {
        let cell =
            |format: &str, outcome: Outcome| Cell { format: format.into(), variant: "gcc gnu99".into(), outcome };
        let row = |function: &str, cells: Vec<Cell>| Row {
            group: "g".into(),
            file: "f.c".into(),
            function: function.into(),
            failed: None,
            cells,
        };
        let rows = [
            row("a", vec![cell("c", Outcome::Passed), cell("unity", Outcome::NoCompile("error: x".into()))]),
            row("b", vec![cell("c", Outcome::Passed), cell("unity", Outcome::NotApplicable)]),
        ];
        let text = write(&rows, &["c", "unity"], &["gcc gnu99".to_owned()]);
        assert!(text.contains("| g | 2 | 0 | 2 | 1 |"), "{text}");
        assert!(text.contains("- f.c `a`: unity, gcc gnu99: does not compile: error: x\n"), "{text}");
    }
}
