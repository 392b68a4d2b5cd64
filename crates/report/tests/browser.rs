//! `report.html` in a real browser: headless Chromium opens the page, a script clicks through it as a person would and
//! leaves what it saw in the document, which the browser prints.

// Helpers of tests are tests.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Stdio};

use covenant_goals::report::{
    Decision, Defect, Details, Evaluation, Moment, Mutant, ObjectiveEntry, Since, TestEntry, Totals,
};
use covenant_goals::test_case::{Cell, Root, Value};
use covenant_goals::{Criterion, Outcome, Status, TestOutcome, VerdictKind};
use covenant_goals::{Report, TestCase};
use covenant_report::index::{Before, FunctionRun, Head, Index};
use covenant_report::subject::{SubjectFile, SubjectInfo};
use covenant_report::{files, write_html, write_report, write_tests};

const SCRIPT: &str = include_str!("browser.js");
const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// Objectives of a page that must still be quick.
const MANY: usize = 10_000;

#[test]
fn a_person_finds_their_way() {
    let dir = tempfile::tempdir().unwrap();
    write_run(dir.path(), 6);
    check(dir.path(), "walk");
}

#[test]
fn ten_thousand_objectives_are_shown_as_one_scrolls() {
    let dir = tempfile::tempdir().unwrap();
    write_run(dir.path(), MANY);
    check(dir.path(), "many");
}

/// On a telephone: the page in a frame of that width.
#[test]
fn nothing_sticks_out_of_a_narrow_window() {
    let dir = tempfile::tempdir().unwrap();
    write_run(dir.path(), 6);
    let Some(browser) = browser() else { return };
    write_html(dir.path()).unwrap();
    let page = std::fs::read_to_string(dir.path().join("report.html")).unwrap();
    std::fs::write(dir.path().join("inner.html"), with_walk(&page, "narrow")).unwrap();
    look(browser, dir.path(), &framed(400));
}

/// A page around `inner.html`, which is told what that has seen.
fn framed(width: u32) -> String {
    let listen = "addEventListener('message', (e) => document.body.insertAdjacentHTML('beforeend', e.data));";
    let frame = format!("<iframe width=\"{width}\" height=\"800\" src=\"inner.html\"></iframe>");
    format!("<!DOCTYPE html><body><script>{listen}</script>{frame}</body>")
}

/// The page of a project, as wide as a screen and as a telephone.
#[test]
fn a_project_has_a_page() {
    let dir = tempfile::tempdir().unwrap();
    let Some(browser) = browser() else { return };
    let run = |name: &str, file: &str, covered: u32, error: &str| FunctionRun {
        name: name.into(),
        file: file.into(),
        folder: name.into(),
        totals: Totals { objectives: 6, covered, infeasible: 0, unknown: 6 - covered },
        tests: covered as usize,
        error: error.into(),
        ..FunctionRun::default()
    };
    let runs =
        [run("good", "src/a.c", 6, ""), run("open", "src/b.c", 4, ""), run("broken", "src/a.c", 0, "clang says <no>")];
    let mut whole = Report::default();
    whole.totals.insert(Criterion::Branch, Totals { objectives: 12, covered: 7, infeasible: 1, unknown: 4 });
    let head = |date: &str| Head { project: "parts".into(), commit: "1a2b3c".into(), date: date.into() };
    let totals = Totals { objectives: 12, covered: 6, infeasible: 1, unknown: 5 };
    let last = Before { head: head("2024-04-30 09:00"), totals };
    let page = Index::new(head("2024-05-01 12:00"), Some(last), &runs, &whole).write(dir.path()).unwrap();
    let page = std::fs::read_to_string(page).unwrap();
    look(browser, dir.path(), &with_walk(&page, "project"));
    std::fs::write(dir.path().join("inner.html"), with_walk(&page, "projectFits")).unwrap();
    look(browser, dir.path(), &framed(420));
}

/// Puts the script behind the page's own and reads its verdict.
#[track_caller]
fn check(dir: &Path, walk: &str) {
    let Some(browser) = browser() else { return };
    write_html(dir).unwrap();
    let page = std::fs::read_to_string(dir.join("report.html")).unwrap();
    look(browser, dir, &with_walk(&page, walk));
}

fn with_walk(page: &str, walk: &str) -> String {
    page.replace("</body>", &format!("<script>\n{SCRIPT}\nrunWalk({walk});\n</script></body>"))
}

fn browser() -> Option<&'static str> {
    let works = |name: &&&str| {
        Command::new(name)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
    };
    let found = BROWSERS.iter().find(works).copied();
    if found.is_none() {
        eprintln!("skipped: no Chromium here; `apt-get install chromium` has it");
    }
    found
}

/// Opens the page, waits for the script in it and reads what it says.
#[track_caller]
fn look(browser: &str, dir: &Path, page: &str) {
    let file = dir.join("tested.html");
    std::fs::write(&file, page).unwrap();
    let mut command = Command::new(browser);
    command.args([
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--window-size=1300,900",
    ]);
    command.arg(format!("--user-data-dir={}", dir.join("profile").display()));
    command.args(["--virtual-time-budget=20000", "--dump-dom"]).arg(format!("file://{}", file.display()));
    let output = command.stdin(Stdio::null()).output().unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    let result = dom.split("<output id=\"walked\">").nth(1).and_then(|rest| rest.split("</output>").next());
    assert_eq!(result, Some("passed"), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A run of a function with lines of two conditions: branches, a decision, a mutant, a proof, a defect.
fn write_run(dir: &Path, objectives: usize) {
    let rows = objectives / 2;
    let mut text = String::from("int f(int x, int y)\n{\n");
    text.extend((0..rows).map(|i| format!("    if (x > {i} && y) x--; /* <b>{i}</b> */\n")));
    text.push_str("    return x / y;\n}\n");
    let file = dir.join("f.c");
    std::fs::write(&file, &text).unwrap();
    let name = file.display().to_string();
    let mut report = Report { schema: 1, status: Status::Timeout, strategy: "arc".into(), ..Report::default() };
    report.subject.function = "f".into();
    for i in 0..rows {
        report.objectives.extend([branch(&name, i, "true"), branch(&name, i, "false")]);
    }
    report.objectives.push(condition(&name));
    report.objectives.push(mutant(&name));
    for o in &report.objectives {
        let totals = report.totals.entry(o.criterion).or_default();
        totals.objectives += 1;
        match o.verdict {
            VerdictKind::Covered => totals.covered += 1,
            VerdictKind::Infeasible => totals.infeasible += 1,
            _ => totals.unknown += 1,
        }
    }
    let end = rows as u32 + 3;
    let defect = Defect {
        kind: "division-by-zero".into(),
        file: name.clone(),
        line: end,
        column: 12,
        message: "division of 1 by zero".into(),
        test: "test_001".into(),
        ..Defect::default()
    };
    report.defects.push(defect);
    // Shorter runs have no plot.
    report.stats.wall_ms = 2500;
    report.timeline = vec![
        Moment { ms: 5, executions: 1, covered: 2, infeasible: 0 },
        Moment { ms: 9, executions: 2, covered: 3, infeasible: 1 },
    ];
    report.since = Some(Since {
        directory: "before".into(),
        kept: vec!["test_001".into()],
        failing: vec![("test_009".into(), "expected 1, found 2".into())],
        lost: vec!["f:0:true".into()],
        new: vec!["f:1:true".into()],
    });
    let tests = ["test_001", "test_002"].map(test);
    report.tests = tests
        .iter()
        .map(|t| TestEntry { name: t.name.clone(), file: format!("tests/{}.json", t.name), outcome: t.outcome })
        .collect();
    let subject = SubjectInfo {
        function: "f".into(),
        files: vec![SubjectFile { path: file, directory: dir.to_path_buf(), ..SubjectFile::default() }],
        ..SubjectInfo::default()
    };
    write_report(dir, &report).unwrap();
    write_tests(dir, &tests).unwrap();
    files::write_subject(dir, &subject).unwrap();
    let certificate = "; head\n(set-logic QF_BV)\n(declare-const |x!1| Bool) ; x on entry\n; f.c:4 in f: if\n\
         (set-info :covenant-at \"inv_1 f:bb1\")\n;   -1 < x!1\n";
    files::write_file(&dir.join("proofs/f.smt2"), certificate.as_bytes()).unwrap();
    let lines = format!(
        r#"{{"files":{{"{name}":[[1,{end}]]}},"tests":{{"test_001":{{"{name}":[[1,3]]}},"test_002":{{"{name}":[[1,2]]}}}}}}"#
    );
    files::write_file(&dir.join("coverage.json"), lines.as_bytes()).unwrap();
}

/// The first two lines have a test each, the next one is infeasible, then open ones alternate with covered ones.
fn branch(file: &str, row: usize, outcome: &str) -> ObjectiveEntry {
    let verdict = match row {
        0 => "covered",
        1 => "infeasible",
        n if n % 2 == 0 => "unknown",
        _ => "covered",
    };
    let (infeasible, covered) = (verdict == "infeasible", verdict == "covered");
    ObjectiveEntry {
        id: format!("f:{row}:{outcome}"),
        criterion: Criterion::Branch,
        function: format!("f{}", row / 100),
        file: file.into(),
        line: row as u32 + 3,
        column: 9,
        text: format!("x > {row}"),
        outcome: outcome.into(),
        verdict: verdict.parse().unwrap(),
        tests: if covered {
            vec![if outcome == "true" { "test_001".into() } else { "test_002".into() }]
        } else {
            Vec::new()
        },
        proof: infeasible.then(|| "proofs/f.smt2".into()),
        prover: infeasible.then(|| "arc".into()),
        reason: (!covered).then(|| {
            if infeasible {
                "the conditions exclude each other".into()
            } else {
                "not reached in the time given; see --timeout".to_owned()
            }
        }),
        ..ObjectiveEntry::default()
    }
}

fn condition(file: &str) -> ObjectiveEntry {
    let decision = Decision {
        id: "d".into(),
        // Longer than a narrow window.
        text: format!("x > 0 && y /* {} */", "as long as it takes ".repeat(5)),
        line: 3,
        column: 9,
        conditions: vec!["x > 0".into(), "y".into()],
    };
    let evaluation = |test: &str, x: bool, y: Option<bool>, result| Evaluation {
        test: test.into(),
        values: vec![Some(x), y],
        result,
    };
    let text = format!("x > 0 in {}", decision.text);
    let details = Details {
        decision: Some(decision),
        condition: Some(0),
        pair: vec![evaluation("test_001", true, Some(true), true), evaluation("test_002", false, None, false)],
        ..Details::default()
    };
    ObjectiveEntry {
        criterion: Criterion::Mcdc,
        id: "f:mcdc".into(),
        text,
        outcome: "".into(),
        details: Some(Box::new(details)),
        ..branch(file, 0, "true")
    }
}

fn mutant(file: &str) -> ObjectiveEntry {
    let mutant = Mutant { operator: "relation".into(), from: "x > 0".into(), to: "x >= 0".into() };
    let details = Details { mutant: Some(mutant), ..Details::default() };
    ObjectiveEntry {
        criterion: Criterion::Mutation,
        id: "f:mutant".into(),
        outcome: Outcome::Holds("killed".into()),
        details: Some(Box::new(details)),
        ..branch(file, 0, "true")
    }
}

fn test(name: &str) -> TestCase {
    let value = Value::Int { bits: if name == "test_001" { "1" } else { "0" }.into(), size: 4, signed: true };
    TestCase {
        name: name.into(),
        function: "f".into(),
        cells: vec![Cell { root: Root::Param(0), offset: 0, path: "x".into(), value }],
        outcome: if name == "test_001" { TestOutcome::Trapped } else { TestOutcome::Returned },
        ..TestCase::default()
    }
}
