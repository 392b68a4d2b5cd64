//! `junit.xml`: the tests, and the objectives of each criterion, as test cases.
//!
//! A test that shows a defect has failed. An objective that is infeasible is skipped, with the reason; one that is open has
//! failed, since nobody has shown that it is covered.

use std::collections::BTreeMap;

use covenant_goals::report::{ObjectiveEntry, TestEntry};
use covenant_goals::{Criterion, VerdictKind};

use crate::run_dir::{RunDir, says};
use crate::suite::xml::Document;

#[derive(Default)]
struct Suite {
    cases: Vec<Case>,
}

struct Case {
    class: String,
    name: String,
    outcome: Outcome,
}

enum Outcome {
    Passed,
    Failed { kind: String, message: String },
    Skipped(String),
}

impl Suite {
    fn add(&mut self, class: &str, name: String, outcome: Outcome) {
        self.cases.push(Case { class: class.to_owned(), name, outcome });
    }

    fn failures(&self) -> usize {
        self.cases.iter().filter(|case| matches!(case.outcome, Outcome::Failed { .. })).count()
    }

    fn skipped(&self) -> usize {
        self.cases.iter().filter(|case| matches!(case.outcome, Outcome::Skipped(_))).count()
    }

    fn write(&self, xml: &mut Document, name: &str) {
        let attributes: [(&str, &str); 6] = [
            ("name", name),
            ("tests", &self.cases.len().to_string()),
            ("failures", &self.failures().to_string()),
            ("errors", "0"),
            ("skipped", &self.skipped().to_string()),
            ("time", "0"),
        ];
        xml.within("testsuite", &attributes, |xml| self.cases.iter().for_each(|case| case.write(xml)));
    }
}

impl Case {
    fn write(&self, xml: &mut Document) {
        let attributes: [(&str, &str); 3] = [("classname", self.class.as_str()), ("name", &self.name), ("time", "0")];
        match &self.outcome {
            Outcome::Passed => xml.empty("testcase", &attributes),
            Outcome::Failed { kind, message } => xml.within("testcase", &attributes, |xml| {
                xml.text("failure", &[("type", kind), ("message", message)], message);
            }),
            Outcome::Skipped(message) => {
                xml.within("testcase", &attributes, |xml| xml.empty("skipped", &[("message", message)]));
            }
        }
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
    let attributes = [
        ("name", format!("covenant {function}")),
        ("tests", all().map(|suite| suite.cases.len()).sum::<usize>().to_string()),
        ("failures", all().map(Suite::failures).sum::<usize>().to_string()),
    ];
    let attributes = attributes.iter().map(|(name, value)| (*name, value.as_str()));
    let attributes: Vec<(&str, &str)> = attributes.chain([("errors", "0"), ("time", "0")]).collect();
    let mut xml = Document::new(None, None);
    xml.within("testsuites", &attributes, |xml| {
        tests.write(xml, &format!("{function}: tests"));
        for (criterion, suite) in &criteria {
            suite.write(xml, &format!("{function}: {criterion} objectives"));
        }
    });
    xml.finish()
}

fn add_test(suite: &mut Suite, run: &RunDir, test: &TestEntry) {
    let defect = run.report.defects.iter().find(|d| d.test == test.name);
    let trap = run.case(&test.name).and_then(|case| case.trap.as_ref());
    let message = match (defect, trap) {
        (Some(d), _) => Some((d.kind.clone(), format!("{}:{}: {}", run.shown(&d.file), d.line, d.message))),
        (None, Some(t)) => Some((t.kind.clone(), format!("{}:{}: {}", run.shown(&t.file), t.line, t.message))),
        (None, None) => None,
    };
    let outcome = match message {
        Some((kind, message)) => Outcome::Failed { kind, message },
        None => Outcome::Passed,
    };
    suite.add(&run.report.subject.function, test.name.clone(), outcome);
}

fn add_objective(suite: &mut Suite, run: &RunDir, o: &ObjectiveEntry) {
    let reason = o.reason.as_deref().unwrap_or("no reason given");
    let outcome = match o.verdict {
        VerdictKind::Covered => Outcome::Passed,
        VerdictKind::Infeasible => Outcome::Skipped(format!("infeasible: {reason}")),
        VerdictKind::Unknown => Outcome::Failed { kind: "open".to_owned(), message: reason.to_owned() },
    };
    let name = format!("{}:{}:{} {}", run.shown(&o.file), o.line, o.column, says(o));
    suite.add(&o.function, name, outcome);
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
