//! `junit.xml`: the tests, and the objectives of each criterion, as test cases.
//!
//! A test that shows a defect has failed. An objective that is infeasible is skipped, with the reason; one that is open has
//! failed, since nobody has shown that it is covered.

use std::collections::BTreeMap;
use std::fmt::Write;

use covenant_goals::report::{ObjectiveEntry, TestEntry};
use covenant_goals::{Criterion, VerdictKind};

use crate::run_dir::{RunDir, says};
use crate::suite::xml::escape;

#[derive(Default)]
struct Suite {
    cases: String,
    tests: usize,
    failures: usize,
    skipped: usize,
}

enum Outcome<'a> {
    Passed,
    Failed { kind: &'a str, message: &'a str },
    Skipped(&'a str),
}

impl Suite {
    fn add(&mut self, class: &str, name: &str, outcome: &Outcome<'_>) {
        self.tests += 1;
        let head = format!("<testcase classname=\"{}\" name=\"{}\" time=\"0\"", escape(class), escape(name));
        let _ = match outcome {
            Outcome::Passed => writeln!(self.cases, "{head}/>"),
            Outcome::Failed { kind, message } => {
                self.failures += 1;
                let (kind, message) = (escape(kind), escape(message));
                writeln!(
                    self.cases,
                    "{head}><failure type=\"{kind}\" message=\"{message}\">{message}</failure></testcase>"
                )
            }
            Outcome::Skipped(message) => {
                self.skipped += 1;
                writeln!(self.cases, "{head}><skipped message=\"{}\"/></testcase>", escape(message))
            }
        };
    }

    fn write(&self, text: &mut String, name: &str) {
        let _ = write!(
            text,
            "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"0\">\n{}</testsuite>\n",
            escape(name),
            self.tests,
            self.failures,
            self.skipped,
            self.cases
        );
    }
}

pub(super) fn write(run: &RunDir) -> String {
    let function = &run.report.subject.function;
    let mut tests = Suite::default();
    for test in &run.report.tests {
        add_test(&mut tests, run, test);
    }
    let mut criteria: BTreeMap<Criterion, Suite> = BTreeMap::new();
    for o in run.shown_objectives() {
        add_objective(criteria.entry(o.criterion).or_default(), run, o);
    }
    let all = || criteria.values().chain([&tests]);
    let sum = |count: fn(&Suite) -> usize| all().map(count).sum::<usize>();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"covenant {}\" tests=\"{}\" failures=\"{}\" errors=\"0\" time=\"0\">\n",
        escape(function),
        sum(|s| s.tests),
        sum(|s| s.failures)
    );
    tests.write(&mut text, &format!("{function}: tests"));
    for (criterion, suite) in &criteria {
        suite.write(&mut text, &format!("{function}: {criterion} objectives"));
    }
    text + "</testsuites>\n"
}

fn add_test(suite: &mut Suite, run: &RunDir, test: &TestEntry) {
    let defect = run.report.defects.iter().find(|d| d.test == test.name);
    let trap = run.case(&test.name).and_then(|case| case.trap.as_ref());
    let message = match (defect, trap) {
        (Some(d), _) => Some((d.kind.clone(), format!("{}:{}: {}", run.shown(&d.file), d.line, d.message))),
        (None, Some(t)) => Some((t.kind.clone(), format!("{}:{}: {}", run.shown(&t.file), t.line, t.message))),
        (None, None) => None,
    };
    let outcome = match &message {
        Some((kind, message)) => Outcome::Failed { kind, message },
        None => Outcome::Passed,
    };
    suite.add(&run.report.subject.function, &test.name, &outcome);
}

fn add_objective(suite: &mut Suite, run: &RunDir, o: &ObjectiveEntry) {
    let reason = o.reason.as_deref().unwrap_or("no reason given");
    let skipped = format!("infeasible: {reason}");
    let outcome = match o.verdict {
        VerdictKind::Covered => Outcome::Passed,
        VerdictKind::Infeasible => Outcome::Skipped(&skipped),
        VerdictKind::Unknown => Outcome::Failed { kind: "open", message: reason },
    };
    let name = format!("{}:{}:{} {}", run.shown(&o.file), o.line, o.column, says(o));
    suite.add(&o.function, &name, &outcome);
}

#[cfg(test)]
mod tests {
    use super::super::facts::tests::small;

    #[test]
    fn cases_pass_fail_or_are_skipped() {
        let text = super::write(&small());
        assert!(text.contains("tests=\"6\" failures=\"3\" errors=\"0\""), "{text}");
        assert!(text.contains("<failure type=\"null-pointer\" message=\"a.c:3: read through NULL\">"), "{text}");
        assert!(text.contains("<skipped message=\"infeasible: because of &lt;this&gt; &amp; that\"/>"), "{text}");
    }
}
