//! `report.html`: the report for people, in one file that needs nothing else.
//!
//! The data stands in the page as JSON and the script shows what is looked at, so that ten thousand objectives cost
//! nothing until somebody scrolls to them.

mod data;
mod decisions;

use std::path::Path;

use covenant_goals::Report;
use serde::Serialize;

use crate::Error;
use crate::files::write_file;
use crate::run_dir::RunDir;
use crate::suite::xml::escape;

const FILE: &str = "report.html";
const STYLE: &[&str] = &[include_str!("style.css"), include_str!("source.css")];
const BODY: &str = include_str!("body.html");
const SCRIPT: &[&str] = &[
    include_str!("state.js"),
    include_str!("parts.js"),
    include_str!("overview.js"),
    include_str!("source.js"),
    include_str!("lists.js"),
    include_str!("main.js"),
];

/// Writes `report.html` from what the directory holds: report, tests and, if they were replayed, the lines that ran.
pub fn write_html(dir: &Path) -> Result<(), Error> {
    write_file(&dir.join(FILE), page(&RunDir::read(dir)?).as_bytes())
}

/// The page of a run.
pub fn page(run: &RunDir) -> String {
    let title = escape(&run.report.subject.function);
    let (style, script) = (STYLE.concat(), SCRIPT.concat());
    let body = with_way_up(run);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} - Covenant</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}\
         <noscript>\n<p>This page needs JavaScript. In short:</p>\n{}</noscript>\n\
         <script>\n\"use strict\";\nconst D = {};\n{script}</script>\n</body>\n</html>\n",
        in_short(&run.report),
        literal(&data::page(run)),
    )
}

/// The page's frame, with a link to the project that the function is part of.
fn with_way_up(run: &RunDir) -> String {
    let is_part = run.dir.parent().is_some_and(|all| all.join(crate::index::FILE).is_file());
    match is_part {
        true => BODY.replacen(
            "<nav id",
            &format!("<a id=\"up\" href=\"../{}\">all functions</a>\n<nav id", crate::index::PAGE),
            1,
        ),
        false => BODY.to_owned(),
    }
}

fn in_short(report: &Report) -> String {
    let row = |(criterion, t): (&covenant_goals::Criterion, &covenant_goals::report::Totals)| {
        let criterion = criterion.name();
        format!(
            "<li>{criterion}: {} covered, {} infeasible, {} open of {}</li>\n",
            t.covered, t.infeasible, t.unknown, t.objectives
        )
    };
    format!("<ul>\n{}</ul>\n", report.totals.iter().map(row).collect::<String>())
}

/// As a literal of a script inside a page: no text can end the script.
pub(crate) fn literal(value: &impl Serialize) -> String {
    // Strings, numbers and lists always have a form in JSON.
    let text = serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned());
    text.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;
    use covenant_goals::report::ObjectiveEntry;

    #[test]
    fn a_function_of_a_project_leads_back_to_it() {
        let home = tempfile::tempdir().unwrap();
        let run = RunDir { dir: home.path().join("f"), ..RunDir::default() };
        assert!(!page(&run).contains("../index.html"));
        std::fs::write(home.path().join("index.json"), "{}").unwrap();
        assert!(page(&run).contains("<a id=\"up\" href=\"../index.html\">all functions</a>"));
    }

    #[test]
    fn nothing_ends_the_script_and_nothing_is_fetched() {
        let mut run = RunDir::default();
        run.report.subject.function = "f<g>".into();
        run.report.objectives.push(ObjectiveEntry {
            text: "</script><script>alert(1)".into(),
            verdict: covenant_goals::VerdictKind::Unknown,
            ..ObjectiveEntry::default()
        });
        let page = page(&run);
        assert_eq!(page.matches("</script>").count(), 1);
        assert!(page.contains("<title>f&lt;g&gt; - Covenant</title>"));
        let page = page.replace("http://www.w3.org/2000/svg", "");
        assert!(
            !page.contains("http:") && !page.contains("https:") && !page.contains("src=") && !page.contains("@import")
        );
    }
}
