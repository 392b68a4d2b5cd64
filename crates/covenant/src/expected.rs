//! `--expect`: another function of the code says what is right.
//!
//! It gets the inputs of each test, natively and in a process of its own, and its result is held against the one that the test
//! recorded. So it may change what its arguments point to, and need not be in the file of the function under test.

use anyhow::{Context, Result, bail};
use covenant_goals::report::Defect;
use covenant_goals::test_case::{Observed, Root};
use covenant_goals::{Report, TestCase, TestOutcome};
use covenant_report::replay::{End, TestReplay, reached};
use covenant_report::{ReplayOptions, SubjectInfo};

use crate::subject::Loaded;

/// What differs, each as a finding of the test that shows it.
pub(crate) fn compare(
    loaded: &Loaded,
    function: &str,
    report: &Report,
    tests: &[TestCase],
    native: &ReplayOptions,
) -> Result<Vec<Defect>> {
    let subject = &loaded.info;
    let other = other(subject, function)?;
    let asked: Vec<TestCase> = tests.iter().filter(|test| returns(test)).map(|test| asked(test, function)).collect();
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let runs = reached(report, &other, &asked, native).with_context(|| format!("--expect {function}"))?;
    let program = loaded.subject.image.program();
    let place = program.definitions(&subject.function).next().map(|id| program.functions[id].loc);
    let file = place.and_then(|at| at.file()).map(|file| subject.name_of(&program.files[file].name));
    let finding = |run: TestReplay| Defect {
        kind: "unexpected-result".to_owned(),
        file: file.clone().unwrap_or_default(),
        line: place.map_or(0, |at| at.line),
        column: place.map_or(0, |at| at.column),
        message: words((&subject.function, function), &run.messages, &run.end),
        test: run.name,
        ..Defect::default()
    };
    Ok(runs.into_iter().map(|(run, _)| run).filter(|run| !run.passed).map(finding).collect())
}

/// The same program with the other function as the one under test.
fn other(subject: &SubjectInfo, function: &str) -> Result<SubjectInfo> {
    if subject.returns.is_none() {
        bail!("--expect {function}: `{}` returns nothing", subject.function);
    }
    let defines =
        |index: &usize| subject.files.get(*index).is_some_and(|file| file.content.functions.contains_key(function));
    let mut files = std::iter::once(subject.entry_file).chain(0..subject.files.len());
    let Some(entry_file) = files.find(defines) else { bail!("--expect {function}: there is no function of that name") };
    Ok(SubjectInfo { function: function.to_owned(), entry_file, ..subject.clone() })
}

fn returns(test: &TestCase) -> bool {
    let told = |observed: &Observed| observed.written.iter().any(|cell| cell.root == Root::Result);
    test.outcome == TestOutcome::Returned && (test.observed.returned.is_some() || told(&test.observed))
}

/// The test for the other function, of which the result alone is looked at.
fn asked(test: &TestCase, function: &str) -> TestCase {
    let mut written = test.observed.written.clone();
    written.retain(|cell| cell.root == Root::Result);
    let observed = Observed { returned: test.observed.returned.clone(), written, ..Observed::default() };
    TestCase { function: function.to_owned(), observed, expected_by: None, ..test.clone() }
}

/// `days returns 28 (0x1c), but reference returns 29 (0x1d)`
fn words((function, other): (&str, &str), messages: &[String], end: &End) -> String {
    let values = messages.iter().find_map(|message| {
        let (what, rest) = message.split_once(": expected ")?;
        let (own, others) = rest.split_once(", found ")?;
        Some((what.to_owned(), own.to_owned(), others.to_owned()))
    });
    match values {
        Some((what, own, others)) if what.starts_with("the returned value") => {
            format!("{function} returns {own}, but {other} returns {others}")
        }
        Some((what, own, others)) => format!("{what} of {function} is {own}, but of {other} {others}"),
        None => format!("{function} returns, but {other} {end}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_values_are_named() {
        let messages = ["the returned value: expected 28 (0x1c), found 29 (0x1d)".to_owned()];
        let told = words(("days", "reference"), &messages, &End::Returned(0));
        assert_eq!(told, "days returns 28 (0x1c), but reference returns 29 (0x1d)");
    }

    #[test]
    fn a_function_that_is_not_there_is_told() {
        let returns = Some(covenant_report::Declared::default());
        let subject = SubjectInfo { function: "days".to_owned(), returns, ..SubjectInfo::default() };
        let error = other(&subject, "nobody").unwrap_err().to_string();
        assert_eq!(error, "--expect nobody: there is no function of that name");
    }
}
