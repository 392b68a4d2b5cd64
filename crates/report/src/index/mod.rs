//! `index.html` and `index.json`: all functions of a project on one page.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use covenant_goals::Report;
use covenant_goals::report::Totals;
use serde::Serialize;

use crate::Error;
use crate::against::Clash;
use crate::files::{write_file, write_json};
use crate::suite::xml::escape;

const STYLE: &[&str] = &[include_str!("../html/style.css"), include_str!("index.css")];
const SCRIPT: &str = include_str!("index.js");

/// What came of one function.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct FunctionRun {
    /// The function.
    pub name: String,
    /// The file that defines it, for people.
    pub file: String,
    /// Its results, below the directory of the index.
    pub folder: String,
    /// Of all criteria together.
    pub totals: Totals,
    /// How many of those that are covered only tests of other functions take.
    #[serde(skip_serializing_if = "is_zero")]
    pub elsewhere: u32,
    /// How many there are.
    pub tests: usize,
    /// How many were found.
    pub defects: usize,
    /// What the run took.
    pub wall_ms: u64,
    /// Why there are no results.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub error: String,
}

impl FunctionRun {
    /// Takes over what a report says.
    pub fn read(&mut self, report: &Report) {
        // What is only measured, or part of something else, is not what was asked for.
        let asked = |name: &covenant_goals::Criterion| report.criteria.is_empty() || report.criteria.contains(name);
        self.totals = sum(report.totals.iter().filter(|(name, _)| asked(name)).map(|(_, totals)| totals));
        self.tests = report.tests.len();
        self.defects = report.true_defects().count();
        self.wall_ms = report.stats.wall_ms;
    }

    /// So many of its open objectives are taken by tests of other functions.
    pub fn taken_elsewhere(&mut self, count: u32) {
        let count = count.min(self.totals.unknown);
        self.totals.unknown -= count;
        self.totals.covered += count;
        self.elsewhere = count;
    }

    /// Whether something is open, or wrong with the code.
    pub fn needs_a_look(&self) -> bool {
        self.defects > 0 || self.totals.unknown > 0 || !self.error.is_empty()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

fn sum<'a>(all: impl Iterator<Item = &'a Totals>) -> Totals {
    all.fold(Totals::default(), |a, b| Totals {
        objectives: a.objectives + b.objectives,
        covered: a.covered + b.covered,
        infeasible: a.infeasible + b.infeasible,
        unknown: a.unknown + b.unknown,
    })
}

/// Those of all functions together.
pub fn totals(runs: &[FunctionRun]) -> Totals {
    sum(runs.iter().map(|run| &run.totals))
}

#[derive(Serialize)]
struct Index<'a> {
    schema: u32,
    totals: Totals,
    functions: &'a [FunctionRun],
    #[serde(skip_serializing_if = "<[Clash]>::is_empty")]
    contradictions: &'a [Clash],
}

/// Writes both files; returns the page. `clashes` are results that contradict each other.
pub fn write(dir: &Path, runs: &[FunctionRun], clashes: &[Clash]) -> Result<PathBuf, Error> {
    let index = Index { schema: 1, totals: totals(runs), functions: runs, contradictions: clashes };
    write_json(&dir.join("index.json"), &index)?;
    let path = dir.join("index.html");
    write_file(&path, page(runs, clashes).as_bytes())?;
    Ok(path)
}

fn page(runs: &[FunctionRun], clashes: &[Clash]) -> String {
    let wrong: String = clashes
        .iter()
        .map(|clash| format!("<p class=\"bad\">Covenant contradicts itself: {}</p>\n", escape(&clash.to_string())))
        .collect();
    let (all, style) = (totals(runs), STYLE.concat());
    let tests: usize = runs.iter().map(|r| r.tests).sum();
    let defects: usize = runs.iter().map(|r| r.defects).sum();
    let decided = if all.objectives == 0 {
        100.0
    } else {
        100.0 * f64::from(all.covered + all.infeasible) / f64::from(all.objectives)
    };
    let mut rows: Vec<&FunctionRun> = runs.iter().collect();
    // What needs a look comes first.
    rows.sort_by_key(|r| {
        (r.error.is_empty(), std::cmp::Reverse(r.defects), std::cmp::Reverse(r.totals.unknown), &r.file, &r.name)
    });
    let rows: String = rows.iter().map(|run| row(run)).collect();
    let bad = if defects > 0 { " class=\"bad\"" } else { "" };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{} functions - Covenant</title>\n<style>\n{style}</style>\n</head>\n<body>\n\
         <header class=\"top\"><div class=\"brand\"><span class=\"mark\" aria-hidden=\"true\"></span><h1>{} functions</h1></div>\n\
         <div class=\"tools\"><button id=\"theme\" title=\"light or dark\" aria-label=\"light or dark\">&#9680;</button></div></header>\n\
         <main class=\"index\">\n{wrong}<div class=\"cards\">\n\
         <div class=\"card\"><div class=\"head\"><h3>objectives</h3><span class=\"faint\">{}</span></div>\
         <div class=\"big\">{decided:.1}%<span class=\"faint small\"> decided</span></div>{}\
         <div class=\"legend\"><span><span class=\"dot v0\"></span><b>{}</b> covered</span><span><span class=\"dot v1\"></span>\
         <b>{}</b> infeasible</span><span><span class=\"dot v2\"></span><b>{}</b> open</span></div></div>\n\
         <div class=\"card\"><div class=\"head\"><h3>tests</h3></div><div class=\"big\">{tests}</div>\
         <div class=\"legend\"><span{bad}><b>{defects}</b> defects</span></div></div>\n</div>\n\
         <div class=\"filters\"><input id=\"find\" type=\"search\" placeholder=\"find a function or file\" aria-label=\"find\"></div>\n\
         <div class=\"wrap\"><table><thead><tr><th>Function</th><th>File</th><th></th><th class=\"n\">covered</th>\
         <th class=\"n\">infeasible</th><th class=\"n\">open</th><th class=\"n\">tests</th><th class=\"n\">defects</th>\
         <th class=\"n\">time</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        runs.len(),
        runs.len(),
        all.objectives,
        bar(&all),
        all.covered,
        all.infeasible,
        all.unknown,
    )
}

fn bar(t: &Totals) -> String {
    let mut text = format!(
        "<span class=\"bar\" role=\"img\" aria-label=\"{} covered, {} infeasible, {} open\">",
        t.covered, t.infeasible, t.unknown
    );
    for (class, count) in [t.covered, t.infeasible, t.unknown].into_iter().enumerate().filter(|(_, n)| *n > 0) {
        let share = 100.0 * f64::from(count) / f64::from(t.objectives.max(1));
        let _ = write!(text, "<i class=\"v{class}\" style=\"width:{share:.2}%\"></i>");
    }
    text + "</span>"
}

fn row(run: &FunctionRun) -> String {
    let (name, file, t) = (escape(&run.name), escape(&run.file), &run.totals);
    if !run.error.is_empty() {
        return format!(
            "<tr><td><code>{name}</code></td><td>{file}</td><td colspan=\"7\" class=\"bad\">{}</td></tr>\n",
            escape(&run.error)
        );
    }
    let shade = |count: usize, class: &'static str| if count > 0 { class } else { "faint" };
    format!(
        "<tr><td><a href=\"{}/report.html\"><code>{name}</code></a></td><td>{file}</td><td class=\"bars\">{}</td>\
         <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n {}\">{}</td><td class=\"n\">{}</td>\
         <td class=\"n {}\">{}</td><td class=\"n faint\">{:.1} s</td></tr>\n",
        escape(&run.folder),
        bar(t),
        t.covered,
        t.infeasible,
        shade(t.unknown as usize, "v2"),
        t.unknown,
        run.tests,
        shade(run.defects, "bad"),
        run.defects,
        run.wall_ms as f64 / 1000.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_a_look_comes_first() {
        let run = |name: &str, unknown, error: &str| FunctionRun {
            name: name.into(),
            folder: name.into(),
            totals: Totals { objectives: 4, covered: 4 - unknown, infeasible: 0, unknown },
            error: error.into(),
            ..FunctionRun::default()
        };
        let runs = [run("good", 0, ""), run("open", 2, ""), run("broken<", 0, "no body")];
        let clash = Clash {
            objective: "f:1:2:true".into(),
            place: "a.c:1:2".into(),
            says: "x < 1 is true".into(),
            function: "good".into(),
            prover: "arc".into(),
            other: "open".into(),
            test: "test_001".into(),
        };
        let page = page(&runs, std::slice::from_ref(&clash));
        assert!(page.contains("`x &lt; 1 is true`"));
        let at = |text: &str| page.find(text).unwrap();
        assert!(at("broken&lt;") < at("open/report.html") && at("open/report.html") < at("good/report.html"));
        assert!(page.contains("83.3%"));
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), &runs, &[clash]).unwrap();
        let json: serde_json::Value = crate::files::read_json(&dir.path().join("index.json")).unwrap();
        assert_eq!(json["totals"]["unknown"], 2);
        assert_eq!(json["contradictions"][0]["other"], "open");
    }
}
