//! `report.html`: the report for people, in one file that needs nothing else.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use covenant_goals::report::{Defect, ObjectiveEntry};
use covenant_goals::{Report, TestCase};

use crate::Error;
use crate::files::{file_stem, write_file};
use crate::suite::xml::escape;
use crate::value;

const STYLE: &str = include_str!("html/style.css");
const VERDICTS: [&str; 3] = ["covered", "infeasible", "unknown"];

/// Writes `report.html`. `tests` are those of the report; a test without its case is shown by name only.
pub fn write_html(dir: &Path, report: &Report, tests: &[TestCase]) -> Result<(), Error> {
    write_file(&dir.join("report.html"), page(report, tests).as_bytes())
}

fn page(report: &Report, tests: &[TestCase]) -> String {
    let function = escape(&report.subject.function);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{function} - Covenant</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1><code>{function}</code></h1>\n"
    );
    summary(&mut page, report);
    defects(&mut page, &report.defects);
    to_do(&mut page, report);
    objectives(&mut page, report);
    test_list(&mut page, report, tests);
    assumptions(&mut page, report);
    page.push_str("</body>\n</html>\n");
    page
}

fn summary(page: &mut String, report: &Report) {
    let files = report.subject.files.iter().map(|f| format!("<code>{}</code>", escape(f))).collect::<Vec<_>>();
    let status = match report.status.as_str() {
        "complete" => "The run is complete.",
        "timeout" => "The time was up before everything was decided.",
        "limit" => "A limit was reached before everything was decided.",
        "interrupted" => "The run was interrupted.",
        _ => "",
    };
    let _ = writeln!(
        page,
        "<p class=\"faint\">{} &middot; strategy {} &middot; seed {} &middot; {} {} &middot; {}</p>\n<p>{status}</p>",
        files.join(" "),
        escape(&report.strategy),
        report.seed,
        escape(&report.tool.name),
        escape(&report.tool.version),
        seconds(report.stats.wall_ms),
    );
    for (criterion, totals) in &report.totals {
        let counts = [totals.covered, totals.infeasible, totals.unknown];
        let _ = writeln!(page, "<h2>{}: {} objectives</h2>\n<div class=\"bar\">", escape(criterion), totals.objectives);
        for (verdict, count) in VERDICTS.iter().zip(counts) {
            let share = 100.0 * f64::from(count) / f64::from(totals.objectives.max(1));
            let _ = writeln!(page, "<i class=\"{verdict}\" style=\"width:{share:.2}%\"></i>");
        }
        page.push_str("</div>\n<div class=\"cards\">\n");
        for (verdict, count) in VERDICTS.iter().zip(counts) {
            let _ = writeln!(page, "<div class=\"card {verdict}\"><b>{count}</b>{verdict}</div>");
        }
        page.push_str("</div>\n");
    }
    let stats = [
        ("tests", report.tests.len() as u64),
        ("defects", report.defects.len() as u64),
        ("executions", report.stats.executions),
        ("solver calls", report.stats.solver_calls),
    ];
    page.push_str("<div class=\"cards\">\n");
    for (name, count) in stats {
        let bad = if name == "defects" && count > 0 { " bad" } else { "" };
        let _ = writeln!(page, "<div class=\"card{bad}\"><b>{count}</b>{name}</div>");
    }
    page.push_str("</div>\n");
}

fn seconds(ms: u64) -> String {
    format!("{:.1} s", ms as f64 / 1000.0)
}

fn defects(page: &mut String, defects: &[Defect]) {
    if defects.is_empty() {
        return;
    }
    page.push_str(
        "<h2>Defects</h2>\n<table>\n<tr><th>Place</th><th>Kind</th><th>What happens</th><th>Test</th></tr>\n",
    );
    for defect in defects {
        let _ = writeln!(
            page,
            "<tr><td class=\"place\"><code>{}:{}:{}</code></td><td class=\"bad\">{}</td><td>{}</td><td>{}</td></tr>",
            escape(&defect.file),
            defect.line,
            defect.column,
            escape(&defect.kind),
            escape(&defect.message),
            link(&defect.test),
        );
    }
    page.push_str("</table>\n");
}

/// What is open comes first: it is what somebody has to look at.
fn to_do(page: &mut String, report: &Report) {
    let open: Vec<&ObjectiveEntry> = report.objectives.iter().filter(|o| o.verdict == "unknown").collect();
    if !open.is_empty() {
        let _ = writeln!(page, "<h2>Open: {}</h2>", open.len());
        table(page, &open, true);
    }
}

fn objectives(page: &mut String, report: &Report) {
    let mut functions: BTreeMap<(&str, &str), Vec<&ObjectiveEntry>> = BTreeMap::new();
    for objective in &report.objectives {
        functions.entry((&objective.file, &objective.function)).or_default().push(objective);
    }
    page.push_str("<h2>Objectives</h2>\n");
    let mut last_file = "";
    for ((file, function), mut list) in functions {
        if file != last_file {
            let _ = writeln!(page, "<h3><code>{}</code></h3>", escape(file));
            last_file = file;
        }
        list.sort_by_key(|o| (o.line, o.column));
        let decided = list.iter().filter(|o| o.verdict != "unknown").count();
        let open = if decided < list.len() { " open" } else { "" };
        let _ = writeln!(
            page,
            "<details{open}><summary><code>{}</code> <span class=\"faint\">{decided} of {} decided</span></summary>",
            escape(function),
            list.len()
        );
        table(page, &list, false);
        page.push_str("</details>\n");
    }
}

fn table(page: &mut String, objectives: &[&ObjectiveEntry], with_file: bool) {
    page.push_str(
        "<table>\n<tr><th>Place</th><th>Condition</th><th>Outcome</th><th>Verdict</th><th>Evidence</th></tr>\n",
    );
    for objective in objectives {
        let file = if with_file { format!("{}:", escape(&objective.file)) } else { String::new() };
        let verdict = VERDICTS.iter().find(|v| **v == objective.verdict).unwrap_or(&"unknown");
        let _ = writeln!(
            page,
            "<tr><td class=\"place\"><code>{file}{}:{}</code></td><td><code>{}</code></td><td><code>{}</code></td>\
             <td class=\"{verdict}\">{verdict}</td><td>{}</td></tr>",
            objective.line,
            objective.column,
            escape(&objective.text),
            escape(&objective.outcome),
            evidence(objective),
        );
    }
    page.push_str("</table>\n");
}

fn evidence(objective: &ObjectiveEntry) -> String {
    let mut parts: Vec<String> = objective.tests.iter().map(|test| link(test)).collect();
    parts.extend(objective.prover.iter().map(|p| format!("by {}", escape(p))));
    parts.extend(objective.proof.iter().map(|p| format!("<a href=\"{0}\">{0}</a>", escape(p))));
    parts.extend(objective.reason.iter().map(|r| escape(r)));
    parts.join(", ")
}

fn link(test: &str) -> String {
    format!("<a href=\"#test-{}\">{}</a>", file_stem(test), escape(test))
}

fn test_list(page: &mut String, report: &Report, tests: &[TestCase]) {
    page.push_str("<h2>Tests</h2>\n");
    for entry in &report.tests {
        let case = tests.iter().find(|t| t.name == entry.name);
        let class = if matches!(entry.outcome.as_str(), "returned" | "exited") { "faint" } else { "bad" };
        let _ = writeln!(
            page,
            "<details id=\"test-{}\"><summary>{} <span class=\"{class}\">{}</span></summary>\n<pre>{}</pre></details>",
            file_stem(&entry.name),
            escape(&entry.name),
            escape(&entry.outcome),
            escape(&case.map(inputs).unwrap_or_default()),
        );
    }
}

/// The inputs of a test and what it left, one a line.
fn inputs(test: &TestCase) -> String {
    let mut text = String::new();
    for object in &test.objects {
        let kind = if object.c_type.is_empty() { "byte" } else { &object.c_type };
        let _ = writeln!(text, "object {}: {} is {} x {kind}", object.id, object.name, object.count);
    }
    for cell in &test.cells {
        let _ = writeln!(text, "{} = {}", cell.path, value::words(&cell.value));
    }
    for call in &test.calls {
        let label = call.label.as_ref().map(|l| format!(" {l}")).unwrap_or_default();
        match (&call.value, &call.bytes) {
            (_, Some(bytes)) => {
                let _ = writeln!(text, "{}{label}: bytes {}", call.function, value::c_string(bytes));
            }
            (Some(value), None) => {
                let _ = writeln!(text, "{}(){label} = {}", call.function, value::words(value));
            }
            (None, None) => {}
        }
    }
    for (index, arg) in test.args.iter().enumerate() {
        let _ = writeln!(text, "argument {} = {}", index + 1, value::c_string(arg));
    }
    if !test.stdin.is_empty() {
        let _ = writeln!(text, "standard input = {}", value::c_string(&test.stdin));
    }
    if let Some(trap) = &test.trap {
        let _ = writeln!(text, "ends at {}:{}:{}: {} ({})", trap.file, trap.line, trap.column, trap.message, trap.kind);
    }
    if let Some(returned) = &test.observed.returned {
        let _ = writeln!(text, "returns {}", value::words(returned));
    }
    if let Some(status) = test.observed.exit_status {
        let _ = writeln!(text, "exits with {status}");
    }
    for cell in &test.observed.written {
        let _ = writeln!(text, "leaves {} = {}", cell.path, value::words(&cell.value));
    }
    text
}

fn assumptions(page: &mut String, report: &Report) {
    if report.assumptions.is_empty() {
        return;
    }
    page.push_str(
        "<h2>Assumptions</h2>\n<p class=\"faint\">Verdicts hold for the inputs that these allow.</p>\n<ul>\n",
    );
    for assumption in &report.assumptions {
        let _ = writeln!(page, "<li>{}</li>", escape(assumption));
    }
    page.push_str("</ul>\n");
}
