//! Tests that notice mutants, where mutants are asked for.
//!
//! That a mutant changes a state is what the criterion asks for. A suite is of more use if the change also shows in what its tests
//! expect, so such tests are added where they are found.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use covenant_concolic::Subject;
use covenant_goals::{Contradiction, Criterion, ModelStep, Objective, Status, TestCase, Verdict};
use covenant_search::campaign::{Findings, Observer, Progress, test_name};
use covenant_search::{Settings, strong};

/// Of the time that there is, such tests get what is left after so many hundredths, should the search take all of it.
pub(crate) const SEARCH_SHARE: u64 = 60; // not tuning: how the time of a user is shared out

/// Whether such tests are looked for: whole programs expect little, and who names a number of tests wants no more.
pub(crate) fn is_asked(subject: &Subject, settings: &Settings) -> bool {
    let is_mutant = |o: &Objective| o.criterion == Criterion::Mutation && !o.measured && !o.passing;
    !subject.is_main && settings.max_tests.is_none() && subject.objectives.iter().any(is_mutant)
}

/// Ends a search before the time is over.
pub(crate) struct Hurried<'o> {
    observer: &'o mut dyn Observer,
    until: Option<u64>,
    /// Whether the thread that waits for that moment is of use to nobody any more.
    over: Arc<AtomicBool>,
}

/// How soon somebody notices that an end is wanted.
const LOOK: Duration = Duration::from_millis(20); // not tuning: how soon an end is noticed

impl<'o> Hurried<'o> {
    /// `share`: so many hundredths of the time are there. Questions end then, too.
    pub(crate) fn new(observer: &'o mut dyn Observer, share: Option<u64>, settings: &mut Settings) -> Hurried<'o> {
        let now = observer.elapsed();
        let until = share.and_then(|share| Some(now + observer.ends_at()?.saturating_sub(now) * share / 100));
        let over: Arc<AtomicBool> = Arc::default();
        if let Some(until) = until {
            let ends: Arc<AtomicBool> = Arc::default();
            settings.ends_questions = Some(Arc::clone(&ends));
            let (over, cancel) = (Arc::clone(&over), Arc::clone(&settings.cancel));
            let begun = Instant::now();
            let left = Duration::from_millis(until.saturating_sub(now));
            std::thread::spawn(move || {
                while begun.elapsed() < left && !cancel.load(Ordering::Relaxed) && !over.load(Ordering::Relaxed) {
                    std::thread::sleep(LOOK.min(left.saturating_sub(begun.elapsed())));
                }
                ends.store(true, Ordering::Relaxed);
            });
        }
        Hurried { observer, until, over }
    }
}

impl Drop for Hurried<'_> {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
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
    let mut needed = BTreeSet::new();
    let mut complete = false;
    for settings in [Some(settings.clone()), larger(findings, settings)].into_iter().flatten() {
        let found = strong::tests(subject, &settings, (&findings.ledger, &findings.tests), observer);
        complete = found.complete;
        needed.extend(found.needed);
        for (name, cell) in found.unchanged {
            if let Some(test) = findings.tests.iter_mut().find(|test| test.name == name) {
                strong::expect_unchanged(test, cell);
            }
        }
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
    }
    findings.stats.tests = findings.tests.len() as u64;
    Ok(complete.then_some(needed))
}

/// Settings for objects as large as those of tests, if these are larger than usual.
pub(crate) fn larger(findings: &Findings, settings: &Settings) -> Option<Settings> {
    let most = findings.tests.iter().flat_map(|test| &test.objects).map(|object| object.count).max()?;
    let &(elements, nodes) = settings.larger.iter().find(|(elements, _)| *elements >= most)?;
    if most <= settings.inputs.array_len {
        return None;
    }
    let mut settings = settings.clone();
    settings.inputs.enlarged(elements, nodes);
    Some(settings)
}
