//! Tests that notice mutants, where mutants are asked for.
//!
//! That a mutant changes a state is what the criterion asks for. A suite is of more use if the change also shows in what its tests
//! expect, so such tests are added where they are found.

use std::collections::BTreeSet;

use covenant_concolic::Subject;
use covenant_goals::{Contradiction, Criterion, ModelStep, Objective, Status, TestCase, Verdict};
use covenant_search::campaign::{Findings, Observer, Progress, test_name};
use covenant_search::{Settings, strong};

/// Of the time that there is, such tests get what is left after so many hundredths, should the search take all of it.
const SEARCH_SHARE: u64 = 60; // not tuning: how the time of a user is shared out

/// Whether such tests are looked for: whole programs expect little, and who names a number of tests wants no more.
pub(crate) fn is_asked(subject: &Subject, settings: &Settings) -> bool {
    let is_mutant = |o: &Objective| o.criterion == Criterion::Mutation && !o.measured && !o.passing;
    !subject.is_main && settings.max_tests.is_none() && subject.objectives.iter().any(is_mutant)
}

/// Ends a search before the time is over.
pub(crate) struct Hurried<'o> {
    observer: &'o mut dyn Observer,
    until: Option<u64>,
}

impl<'o> Hurried<'o> {
    /// `hurries`: time is to be left.
    pub(crate) fn new(observer: &'o mut dyn Observer, hurries: bool) -> Hurried<'o> {
        let now = observer.elapsed();
        let share = |end: u64| now + end.saturating_sub(now) * SEARCH_SHARE / 100;
        let until = observer.ends_at().filter(|_| hurries).map(share);
        Hurried { observer, until }
    }
}

impl Observer for Hurried<'_> {
    fn elapsed(&mut self) -> u64 {
        self.observer.elapsed()
    }

    fn micros(&mut self) -> u64 {
        self.observer.micros()
    }

    fn ends_at(&self) -> Option<u64> {
        self.until.or(self.observer.ends_at())
    }

    fn progress(&mut self, progress: &Progress) -> Option<Status> {
        let over = self.until.is_some_and(|until| self.observer.elapsed() >= until);
        self.observer.progress(progress).or(over.then_some(Status::Timeout))
    }

    fn wants_model(&self) -> bool {
        self.observer.wants_model()
    }

    fn model_changed(&mut self, step: ModelStep) {
        self.observer.model_changed(step);
    }

    fn kept(&mut self, test: &TestCase) {
        self.observer.kept(test);
    }
}

/// Adds tests that notice mutants which no test does. Verdicts stay as they are. Names the tests that notice some mutant; `None`: not all
/// mutants were looked at.
pub(crate) fn add(
    findings: &mut Findings,
    subject: &Subject,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<Option<BTreeSet<String>>, Contradiction> {
    let found = strong::tests(subject, settings, (&findings.ledger, &findings.tests), observer);
    let mut needed = found.needed;
    for (mut test, mutants) in found.made {
        let number = findings.tests.len();
        test.name = test_name(number);
        needed.insert(test.name.clone());
        findings.tests.push(test);
        for id in mutants {
            if matches!(findings.ledger.verdict(id), Verdict::Covered(_)) {
                findings.ledger.cover(id, number as u32)?;
            }
        }
    }
    findings.stats.tests = findings.tests.len() as u64;
    Ok(found.complete.then_some(needed))
}
