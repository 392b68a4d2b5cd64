//! The page of a project.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

use covenant_goals::report::Totals;

use super::{FunctionRun, Index};
use crate::suite::xml::escape;

const STYLE: &[&str] = &[include_str!("../html/style.css"), include_str!("index.css")];
const SCRIPT: &str = include_str!("index.js");

pub(super) fn page(index: &Index<'_>) -> String {
    let wrong: String = index
        .contradictions
        .iter()
        .map(|clash| format!("<p class=\"bad\">Covenant contradicts itself: {}</p>\n", escape(&clash.to_string())))
        .collect();
    let style = STYLE.concat();
    let name = if index.head.project.is_empty() { "all functions" } else { &index.head.project };
    let name = escape(name);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{name} - Covenant</title>\n<style>\n{style}</style>\n</head>\n<body>\n\
         <header class=\"top\"><div class=\"brand\"><span class=\"mark\" aria-hidden=\"true\"></span><h1>{name}</h1>\
         <span class=\"faint\">{}</span></div>\n\
         <div class=\"tools\"><button id=\"theme\" title=\"light or dark\" aria-label=\"light or dark\">&#9680;</button></div></header>\n\
         <main class=\"index\">\n{wrong}<div class=\"cards\">\n{}</div>\n\
         <div class=\"filters\"><input id=\"find\" type=\"search\" placeholder=\"find a function or file\" aria-label=\"find\"></div>\n\
         {}{}</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        escape(&about(index)),
        cards(index),
        files(index.functions),
        functions(index.functions),
    )
}

/// `12 functions, 1a2b3c, 2024-05-01 12:00`
fn about(index: &Index<'_>) -> String {
    let count = index.functions.len();
    let functions = format!("{count} {}", if count == 1 { "function" } else { "functions" });
    let parts = [functions, index.head.commit.clone(), index.head.date.clone()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

fn cards(index: &Index<'_>) -> String {
    let mut text = String::new();
    let last = index.before.as_ref();
    match index.criteria.len() {
        0 => text.push_str(&card("objectives", &index.totals, None)),
        1 => {
            for (name, totals) in &index.criteria {
                text.push_str(&card(name.noun(2), totals, last.map(|b| (&b.totals, b.head.date.as_str()))));
            }
        }
        _ => {
            text.push_str(&card("all objectives", &index.totals, last.map(|b| (&b.totals, b.head.date.as_str()))));
            for (name, totals) in &index.criteria {
                text.push_str(&card(name.noun(2), totals, None));
            }
        }
    }
    let tests: usize = index.functions.iter().map(|r| r.tests).sum();
    let defects: usize = index.functions.iter().map(|r| r.defects).sum();
    let bad = if defects > 0 { " class=\"bad\"" } else { "" };
    let noun = if defects == 1 { "defect" } else { "defects" };
    let _ = writeln!(
        text,
        "<div class=\"card\"><div class=\"head\"><h3>tests</h3></div><div class=\"big\">{tests}</div>\
         <div class=\"legend\"><span{bad}><b>{defects}</b> {noun}</span></div></div>"
    );
    text
}

fn card(name: &str, t: &Totals, before: Option<(&Totals, &str)>) -> String {
    let change = before.map_or_else(String::new, |(before, date)| {
        let decided = |t: &Totals| i64::from(t.covered) + i64::from(t.infeasible);
        match decided(t) - decided(before) {
            0 => String::new(),
            change => format!("<span class=\"faint small\"> {change:+} since {}</span>", escape(date)),
        }
    });
    format!(
        "<div class=\"card\"><div class=\"head\"><h3>{}</h3><span class=\"faint\">{}</span></div>\
         <div class=\"big\">{:.1}%<span class=\"faint small\"> decided</span>{change}</div>{}\
         <div class=\"legend\"><span><span class=\"dot v0\"></span><b>{}</b> covered</span><span><span class=\"dot v1\"></span>\
         <b>{}</b> infeasible</span><span><span class=\"dot v2\"></span><b>{}</b> open</span></div></div>\n",
        escape(name),
        t.objectives,
        decided(t),
        bar(t),
        t.covered,
        t.infeasible,
        t.unknown,
    )
}

fn decided(t: &Totals) -> f64 {
    match t.objectives {
        0 => 100.0,
        all => 100.0 * f64::from(t.covered + t.infeasible) / f64::from(all),
    }
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

/// A column that the script sorts by.
fn head(columns: &[(&str, bool)]) -> String {
    let cell = |&(name, number): &(&str, bool)| match (name, number) {
        ("", _) => "<th></th>".to_owned(),
        (name, true) => format!("<th class=\"n\"><button class=\"sort\">{name}</button></th>"),
        (name, false) => format!("<th><button class=\"sort\">{name}</button></th>"),
    };
    format!("<thead><tr>{}</tr></thead>\n", columns.iter().map(cell).collect::<String>())
}

const COUNTS: [(&str, bool); 6] =
    [("", false), ("covered", true), ("infeasible", true), ("open", true), ("tests", true), ("defects", true)];

/// The files, worst first; none for a single one.
fn files(runs: &[FunctionRun]) -> String {
    let mut files: BTreeMap<&str, (usize, FunctionRun)> = BTreeMap::new();
    for run in runs {
        let (count, sum) = files.entry(&run.file).or_default();
        *count += 1;
        sum.totals = sum.totals.plus(run.totals);
        sum.tests += run.tests;
        sum.defects += run.defects;
        sum.wall_ms += run.wall_ms;
    }
    if files.len() < 2 {
        return String::new();
    }
    let mut files: Vec<(&str, (usize, FunctionRun))> = files.into_iter().collect();
    files.sort_by_key(|(name, (_, sum))| (Reverse(sum.defects), Reverse(sum.totals.unknown), *name));
    let row = |(name, (count, sum)): &(&str, (usize, FunctionRun))| {
        format!(
            "<tr><td><button class=\"file\">{}</button></td><td class=\"n\">{count}</td>{}</tr>\n",
            escape(name),
            counts(sum)
        )
    };
    let rows: String = files.iter().map(row).collect();
    let columns = [&[("File", false), ("functions", true)][..], &COUNTS, &[("time", true)]].concat();
    format!("<div class=\"wrap\"><table id=\"files\">{}<tbody>\n{rows}</tbody></table></div>\n", head(&columns))
}

fn functions(runs: &[FunctionRun]) -> String {
    let mut rows: Vec<&FunctionRun> = runs.iter().collect();
    // What needs a look comes first.
    rows.sort_by_key(|r| (r.error.is_empty(), Reverse(r.defects), Reverse(r.totals.unknown), &r.file, &r.name));
    let rows: String = rows.iter().map(|run| row(run)).collect();
    let columns = [&[("Function", false), ("File", false)][..], &COUNTS, &[("time", true)]].concat();
    // The rows behind the first screens are laid out when the page is there.
    let always = "<noscript><style>#functions tbody tr { display: table-row !important; }</style></noscript>";
    format!(
        "<div class=\"wrap\"><table id=\"functions\" class=\"later\">{}<tbody>\n{rows}</tbody></table></div>\n{always}\n",
        head(&columns)
    )
}

fn row(run: &FunctionRun) -> String {
    let (name, file) = (escape(&run.name), escape(&run.file));
    if !run.error.is_empty() {
        return format!(
            "<tr><td><code>{name}</code></td><td>{file}</td><td colspan=\"7\" class=\"bad\">{}</td></tr>\n",
            escape(&run.error)
        );
    }
    let folder = escape(&run.folder);
    format!(
        "<tr><td><a href=\"{folder}/report.html\"><code>{name}</code></a></td><td>{file}</td>{}</tr>\n",
        counts(run)
    )
}

fn counts(run: &FunctionRun) -> String {
    let t = &run.totals;
    let shade = |count: usize, class: &'static str| if count > 0 { class } else { "faint" };
    format!(
        "<td class=\"bars\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n {}\">{}</td>\
         <td class=\"n\">{}</td><td class=\"n {}\">{}</td><td class=\"n faint\">{:.1} s</td>",
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
