//! `report.md`: a summary for a pull request.

use std::fmt::Write;

use covenant_goals::VerdictKind;
use covenant_goals::report::ObjectiveEntry;

use crate::run_dir::{RunDir, says, verdict_word};
use crate::{advice, readable};

/// So many rows of a table are shown.
const ROWS: usize = 25;

pub(super) fn write(run: &RunDir) -> String {
    let report = &run.report;
    let mut text = format!("## Covenant: `{}`\n\n", plain(&report.subject.function));
    text.push_str("| criterion | objectives | covered | infeasible | open |\n|---|---:|---:|---:|---:|\n");
    for (criterion, t) in report.totals.iter().filter(|(name, _)| run.is_asked_for(**name)) {
        let _ = writeln!(text, "| {criterion} | {} | {} | {} | {} |", t.objectives, t.covered, t.infeasible, t.unknown);
    }
    audit(&mut text, run);
    let (tests, found) = (report.tests.len(), report.true_defects().count());
    let _ = writeln!(
        text,
        "\n{tests} {}, {found} {}, {:.1} s.",
        if tests == 1 { "test" } else { "tests" },
        if found == 1 { "defect" } else { "defects" },
        report.stats.wall_ms as f64 / 1000.0
    );
    defects(&mut text, run);
    changes(&mut text, run);
    let of = |verdict: VerdictKind| run.shown_objectives().filter(|o| o.verdict == verdict).collect::<Vec<_>>();
    objectives(&mut text, run, "Open", &of(VerdictKind::Unknown), |o| {
        let reason = o.reason.as_deref().unwrap_or_default();
        format!("{reason}. {}", advice::for_reason(reason, o.kind).join(" "))
    });
    objectives(&mut text, run, "Infeasible", &of(VerdictKind::Infeasible), |o| {
        let proof = o.proof.as_ref().map(|p| format!(" ({p})")).unwrap_or_default();
        let dead = if o.callers.is_empty() { "" } else { "dead in this program: " };
        format!("{dead}{}{proof}", o.reason.as_deref().unwrap_or_default())
    });
    if !report.assumptions.is_empty() {
        text.push_str("\n<details><summary>Assumptions</summary>\n\n");
        for assumption in &report.assumptions {
            let _ = writeln!(text, "* {}", cell(assumption));
        }
        text.push_str("\n</details>\n");
    }
    text
}

/// What an auditor asks for: each demand of the level, with what shows that it is met.
fn audit(text: &mut String, run: &RunDir) {
    let Some(level) = run.report.level else { return };
    let _ = write!(
        text,
        "\n### Structural coverage: {}\n\n| demand | criterion | covered by tests | justified by proof | open | met |\n\
         |---|---|---:|---:|---:|---|\n",
        level.title()
    );
    for row in crate::audit::rows(&run.report) {
        let met = if row.met { "yes" } else { "**no**" };
        let t = row.totals;
        let _ = writeln!(
            text,
            "| {} | {} | {} of {} | {} | {} | {met} |",
            row.demand, row.criterion, t.covered, t.objectives, t.infeasible, t.unknown
        );
    }
}

fn defects(text: &mut String, run: &RunDir) {
    if run.report.defects.is_empty() {
        return;
    }
    text.push_str("\n### Defects\n\n| place | what happens | inputs |\n|---|---|---|\n");
    for d in &run.report.defects {
        let inputs = run.case(&d.test).map(readable::brief).unwrap_or_default();
        let _ = writeln!(
            text,
            "| {}:{} | **{}**: {}{} | {} |",
            cell(run.shown(&d.file)),
            d.line,
            cell(&d.kind),
            cell(&d.message),
            d.contract.as_ref().map(|contract| format!(", unless {}", cell(contract))).unwrap_or_default(),
            code(&inputs)
        );
    }
}

/// What became of the tests of an earlier run.
fn changes(text: &mut String, run: &RunDir) {
    let Some(since) = &run.report.since else { return };
    let added = run.report.tests.len().saturating_sub(since.kept.len());
    let _ = writeln!(
        text,
        "\n### Since `{}`\n\n{} tests kept, {added} added.\n",
        plain(&since.directory),
        since.kept.len()
    );
    for (test, why) in since.failing.iter().take(ROWS) {
        let _ = writeln!(text, "* **{}** no longer passes: {}", cell(test), cell(why));
    }
    for (word, ids) in [("lost", &since.lost), ("new", &since.new)] {
        for o in run.shown_objectives().filter(|o| ids.contains(&o.id)).take(ROWS) {
            let now = o.tests.first().map_or_else(|| verdict_word(o.verdict).to_owned(), |test| format!("now {test}"));
            let place = format!("{}:{}", cell(run.shown(&o.file)), o.line);
            // No table, so a bar is a bar.
            let _ = writeln!(text, "* {word}: {place} {}: {}", code(&says(o)).replace("\\|", "|"), cell(&now));
        }
    }
}

fn objectives(
    text: &mut String,
    run: &RunDir,
    title: &str,
    list: &[&ObjectiveEntry],
    why: impl Fn(&ObjectiveEntry) -> String,
) {
    if list.is_empty() {
        return;
    }
    let _ = write!(text, "\n### {title}: {}\n\n| place | objective | why |\n|---|---|---|\n", list.len());
    for o in list.iter().take(ROWS) {
        let _ = writeln!(text, "| {}:{} | {} | {} |", cell(run.shown(&o.file)), o.line, code(&says(o)), cell(&why(o)));
    }
    if list.len() > ROWS {
        let _ = writeln!(text, "\nand {} more in `report.html`", list.len() - ROWS);
    }
}

/// Text of a cell: nothing in it is markup.
fn cell(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\n' | '\r' => out.push(' '),
            '<' => out.push_str("&lt;"),
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

/// Code in a cell. A bar ends the cell even inside code.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ").replace('|', "\\|");
    if text.is_empty() {
        String::new()
    } else if text.contains('`') {
        format!("`` {text} ``")
    } else {
        format!("`{text}`")
    }
}

fn plain(text: &str) -> String {
    text.replace('`', "'")
}

#[cfg(test)]
mod tests {
    use super::super::facts::tests::small;
    use super::*;

    #[test]
    fn a_summary() {
        let text = write(&small());
        assert!(text.contains("| branch | 4 | 1 | 1 | 2 |"), "{text}");
        assert!(text.contains("| a.c:3 | **null-pointer**: read through NULL |"), "{text}");
        assert!(text.contains("because of &lt;this> & that"), "{text}");
    }

    #[test]
    fn the_table_of_a_level() {
        let mut run = small();
        run.report.level = Some(covenant_goals::Level::Iso26262B);
        let text = write(&run);
        assert!(text.contains("### Structural coverage: ISO 26262, ASIL B\n"), "{text}");
        let row = "| part 6, table 9, 1b: branch coverage | branch | 1 of 4 | 1 | 2 | **no** |";
        assert!(text.contains(row), "{text}");
        assert!(
            text.contains("statement coverage | statement | 0 of 0 | 0 | 0 | **no** |"),
            "not searched for: {text}"
        );
    }

    #[test]
    fn what_a_change_left_uncovered() {
        let mut run = small();
        let kept = vec!["t1".into()];
        let failing = vec![("t2".into(), "expected 1, found 2".into())];
        let (lost, new) = (vec!["f:2:5:true".into()], vec!["f:4:5:true".into()]);
        let since = covenant_goals::report::Since { directory: "out".into(), kept, failing, new, lost };
        run.report.since = Some(since);
        let text = write(&run);
        assert!(
            text.contains("### Since `out`\n\n1 tests kept, 1 added.\n\n* **t2** no longer passes: expected 1"),
            "{text}"
        );
        assert!(text.contains("* lost: a.c:2 `x < \"1\", y is true`: now t1\n* new: a.c:4 "), "{text}");
    }

    #[test]
    fn bars_do_not_end_cells() {
        assert_eq!(code("a || b"), "`a \\|\\| b`");
        assert_eq!(cell("a_b | *c*"), "a\\_b \\| \\*c\\*");
    }
}
