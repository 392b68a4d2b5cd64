//! `justification.patch`: excludes infeasible branches from gcovr and lcov.
//!
//! Both tools exclude by a mark in the source, `LCOV_EXCL_BR_LINE`, and know nothing smaller than a line. The patch adds the
//! mark, with the reason, to each line whose uncovered branches are all proved infeasible; a line with an open branch is
//! named in the head and left alone, because the mark would hide it. Lines that no input runs get `LCOV_EXCL_LINE`.

use std::collections::BTreeMap;
use std::fmt::Write;

use covenant_goals::report::ObjectiveEntry;
use covenant_goals::{Criterion, VerdictKind};

use crate::dead;
use crate::run_dir::{RunDir, Source, says};

const MARK: &str = "LCOV_EXCL_BR_LINE";
const DEAD: &str = "/* LCOV_EXCL_LINE infeasible: no input runs it */";
/// Lines around a change.
const CONTEXT: usize = 3;

pub(super) fn write(run: &RunDir) -> String {
    let mut head = format!(
        "Branches of {} that no input takes, each with the reason. Apply with `git apply` or `patch -p1`:\n\
         gcovr and lcov then leave the branches of these lines out, and the lines that only these branches lead to.\n\n",
        run.report.subject.function
    );
    let mut patch = String::new();
    for (name, source) in &run.sources {
        let lines = infeasible(run, name);
        let mut marks: BTreeMap<usize, String> = BTreeMap::new();
        for (line, dead) in &lines {
            let open = run
                .report
                .objectives
                .iter()
                .any(|o| o.file == *name && o.line == *line && o.verdict == VerdictKind::Unknown);
            for o in dead {
                let why = o.reason.as_deref().unwrap_or("proved");
                let _ = writeln!(head, "{}:{line}: `{}` cannot be: {why}{}", source.shown, says(o), evidence(o));
            }
            if open {
                let _ = writeln!(head, "  the line has an open branch too, so it is not excluded");
            } else {
                marks.insert(*line as usize, mark(dead));
            }
        }
        for line in dead::lines(run, name) {
            let text = source.text.as_ref().and_then(|text| text.get((line as usize).checked_sub(1)?));
            // Braces are no code to gcov.
            if text.is_some_and(|text| text.contains(|c: char| c.is_alphanumeric())) {
                marks.insert(line as usize, DEAD.to_owned());
            }
        }
        patch.push_str(&diff(source, &marks));
    }
    if patch.is_empty() {
        head.push_str("Nothing to exclude.\n");
    }
    head + "\n" + &patch
}

fn infeasible<'a>(run: &'a RunDir, file: &str) -> BTreeMap<u32, Vec<&'a ObjectiveEntry>> {
    let mut lines: BTreeMap<u32, Vec<&ObjectiveEntry>> = BTreeMap::new();
    for o in &run.report.objectives {
        if o.file == file && o.criterion == Criterion::Branch && o.verdict == VerdictKind::Infeasible {
            lines.entry(o.line).or_default().push(o);
        }
    }
    lines
}

fn evidence(o: &ObjectiveEntry) -> String {
    let by = o.prover.as_ref().map(|p| format!("by {p}"));
    let parts: Vec<String> = by.into_iter().chain(o.proof.clone()).collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}

fn mark(dead: &[&ObjectiveEntry]) -> String {
    let what: Vec<String> = dead.iter().map(|o| says(o).replace("*/", "* /").replace("/*", "/ *")).collect();
    let what = what.join("; ").split_whitespace().collect::<Vec<_>>().join(" ");
    format!("/* {MARK} infeasible: {what} */")
}

/// A unified diff that adds the marks to their lines.
fn diff(source: &Source, marks: &BTreeMap<usize, String>) -> String {
    let Some(text) = source.text.as_ref().filter(|_| !source.changed) else { return String::new() };
    let marked: Vec<(usize, String)> = marks
        .iter()
        .filter_map(|(&line, mark)| {
            let old = text.get(line.checked_sub(1)?)?;
            (!old.contains("LCOV_EXCL_")).then(|| (line, with_mark(old, mark)))
        })
        .collect();
    if marked.is_empty() {
        return String::new();
    }
    let mut out = format!("--- a/{0}\n+++ b/{0}\n", source.shown);
    let mut rest = &marked[..];
    while let Some((first, _)) = rest.first() {
        // Changes whose surroundings touch are one piece.
        let mut end = 1;
        while end < rest.len() && rest[end].0 <= rest[end - 1].0 + 2 * CONTEXT {
            end += 1;
        }
        let from = first.saturating_sub(CONTEXT).max(1);
        let to = (rest[end - 1].0 + CONTEXT).min(text.len());
        let count = to - from + 1;
        let _ = writeln!(out, "@@ -{from},{count} +{from},{count} @@");
        for line in from..=to {
            let old = &text[line - 1];
            match rest[..end].iter().find(|(at, _)| *at == line) {
                Some((_, new)) => {
                    let _ = writeln!(out, "-{old}\n+{new}");
                }
                None => {
                    let _ = writeln!(out, " {old}");
                }
            }
        }
        rest = &rest[end..];
    }
    out
}

/// At the end of the line, but before a backslash that continues it.
fn with_mark(line: &str, mark: &str) -> String {
    match line.trim_end().strip_suffix('\\') {
        Some(before) => format!("{} {mark} \\", before.trim_end()),
        None => format!("{} {mark}", line.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::facts::tests::small;
    use super::*;

    #[test]
    fn lines_get_a_mark() {
        let text = write(&small());
        assert!(text.contains("a.c:2: `x < \"1\", y is false` cannot be: because of <this> & that\n"), "{text}");
        assert!(
            text.contains(
                "--- a/a.c\n+++ b/a.c\n@@ -1,5 +1,5 @@\n int f(int x)\n-{\n+{ /* LCOV_EXCL_BR_LINE infeasible: "
            ),
            "{text}"
        );
        let mut open = small();
        open.report.objectives[2].line = 2;
        assert!(!write(&open).contains("---"), "a line with an open branch stays");
    }

    #[test]
    fn a_continued_line_stays_one() {
        assert_eq!(with_mark("if (x) \\", "/* m */"), "if (x) /* m */ \\");
    }
}
