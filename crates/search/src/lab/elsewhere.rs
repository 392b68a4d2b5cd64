//! What tests may expect: what C determines.
//!
//! A run leaves values behind that C leaves open: numbers made of addresses, memory that nobody wrote, an order of objects.
//! Nothing in a value tells where it is from. So each test is run once more where all of that is otherwise, and what comes out
//! differently is not expected of anybody. Nothing is, behind what C gives no meaning to: there, that run ends.

use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

use covenant_concolic::run::{Run, execute_in};
use covenant_concolic::symbolic::{Limit, Seed};
use covenant_constraints::Model;
use covenant_goals::device::{are_like, keep_what_agrees};
use covenant_goals::test_case::{InputObject, Observed};
use covenant_goals::{ObjectiveId, TestCase, TestOutcome};
use covenant_interpreter::machine::Limits;

use super::decide::same_defect;
use super::{Lab, unwritten};
use crate::settings::Settings;

/// What the other run of a test may take, besides twice what the first took.
const MORE_STEPS: u64 = 100_000; // not tuning: where an endless run is ended

/// Errors that only a run to the letter of C ends with.
const MEANINGLESS: &[&str] = &["signed-overflow", "bad-shift", "array-index", "out-of-bounds"];

impl Lab<'_> {
    /// Looks at what each test leaves behind, here and elsewhere, and expects what is the same.
    pub(crate) fn observe_tests(&mut self) {
        let mut tests = std::mem::take(&mut self.tests);
        let inputs = std::mem::take(&mut self.inputs);
        for (test, inputs) in tests.iter_mut().zip(&inputs) {
            if let Some((inputs, instructions)) = inputs {
                self.observe(test, inputs, *instructions);
            }
        }
        (self.tests, self.inputs) = (tests, inputs);
    }

    /// The same for one test, of which the inputs are known and how many instructions it took.
    pub(crate) fn observe(&mut self, test: &mut TestCase, inputs: &Rc<Model>, instructions: u64) {
        let ended = self.subject.is_main && test.outcome == TestOutcome::Exited;
        if test.outcome != TestOutcome::Returned && !ended {
            return;
        }
        let image = self.to_the_letter.get_or_insert_with(|| self.subject.image.to_the_letter());
        let elsewhere = self.elsewhere.get_or_insert_with(|| self.subject.image.elsewhere());
        let limits = std::mem::take(&mut self.cx.limits);
        let observes = std::mem::replace(&mut self.cx.observes, true);
        let steps = once_more(self.settings, instructions);
        let mut run =
            |image| execute_in(image, self.subject, steps.clone(), &mut self.cx, Rc::clone(inputs), None).case;
        let here = run(&self.subject.image);
        if is_same(test, &here) {
            let there = run(image);
            for object in &mut test.objects {
                let seen = here.objects.iter().find(|seen| seen.id == object.id);
                object.used = seen.and_then(|seen| seen.used);
            }
            (test.bits, test.enumerators) = (here.bits, here.enumerators);
            test.observed = here.observed;
            let same = is_same(test, &there).then_some(&there);
            keep_what_agrees(&mut test.device, same.map(|there| there.device.as_slice()));
            match undefined(&there) {
                Some(words) => test.observed = Observed { undefined: Some(words), ..Observed::default() },
                None => {
                    // What nobody wrote is the other way round there.
                    let other = run(elsewhere);
                    let also = is_same(test, &other).then_some(&other);
                    test.strays = same.is_none() || also.is_none();
                    test.observed.keep_what_agrees(same.map(|there| &there.observed));
                    test.observed.keep_what_agrees(also.map(|there| &there.observed));
                    self.start_otherwise(test, &steps);
                }
            }
        }
        self.cx.observes = observes;
        self.cx.limits = limits;
    }

    /// Has what the run wrote without looking start with something else, if the run goes as before then.
    fn start_otherwise(&mut self, test: &mut TestCase, limits: &Limits) {
        let mut changed = test.clone();
        unwritten::start_otherwise(&mut changed);
        if changed.cells.len() == test.cells.len() {
            return;
        }
        let seed = self.cx.seed.replace(Seed::new(&changed));
        let inputs = Rc::new(Model::new());
        let run = execute_in(&self.subject.image, self.subject, limits.clone(), &mut self.cx, inputs, None).case;
        self.cx.seed = seed;
        if is_same(&changed, &run) && !test.observed.tells_from(&run.observed) {
            test.cells = changed.cells;
        }
    }

    /// A run may go otherwise elsewhere: addresses were compared, or numbers that each library has its own of. Only what it also
    /// does elsewhere is a claim about the code. Parts of addresses also come in unseen, by a union or a copy of bytes, so that
    /// each run that is to be kept is looked at.
    pub(super) fn keep_what_holds_elsewhere(&mut self, run: &mut Run, hit: &mut Vec<ObjectiveId>) {
        let is_known = run.limits.iter().any(|limit| limit.elsewhere);
        if !is_known && run.case.outcome == TestOutcome::StepLimit {
            return;
        }
        let image = self.elsewhere.get_or_insert_with(|| self.subject.image.elsewhere());
        let limits = once_more(self.settings, run.instructions);
        let seed = self.cx.seed.take();
        let there = execute_in(image, self.subject, limits, &mut self.cx, Rc::clone(&run.inputs), None);
        self.cx.seed = seed;
        let also = self.index.hits(&there);
        let before = hit.len();
        hit.retain(|id| also.contains(id));
        if !is_known && hit.len() < before {
            // Nothing says where: none of what this run comes to is proved by it.
            let words =
                "a run goes on by the number that an address is, and goes otherwise where it is another".to_owned();
            let limit = Limit { after: None, calls: false, size: false, elsewhere: true, words };
            run.limits.insert(limit.clone());
            self.limits.extend(&BTreeSet::from([limit]));
        }
        run.defect = run.defect.take().filter(|d| there.defect.as_ref().is_some_and(|other| same_defect(other, d)));
    }
}

/// Limits of another run of the same inputs. Whatever ended the search: this is not a part of it, and short.
pub(super) fn once_more(settings: &Settings, instructions: u64) -> Limits {
    let steps = instructions.saturating_mul(2).saturating_add(MORE_STEPS);
    Limits { steps, cancel: None, ..settings.limits() }
}

/// What ended a run that holds to the letter of C, if C gives no meaning to it though machines do.
pub(super) fn undefined(case: &TestCase) -> Option<String> {
    let trap = case.trap.as_ref().filter(|_| case.outcome == TestOutcome::Trapped)?;
    let file = Path::new(&trap.file).file_name().map_or(trap.file.clone(), |name| name.to_string_lossy().into_owned());
    MEANINGLESS.contains(&trap.kind.as_str()).then(|| format!("{} ({file}:{})", trap.message, trap.line))
}

/// Whether another run of a test had its inputs and returned. The run that found the test may have looked at more: labels look at
/// what the program itself does not read, as long as somebody asks for them.
fn is_same(test: &TestCase, other: &TestCase) -> bool {
    let cells = other.cells.iter().all(|cell| test.cells.contains(cell));
    let object = |seen: &InputObject| {
        let same = |own: &&InputObject| (own.id, &own.name, own.count) == (seen.id, &seen.name, seen.count);
        test.objects.iter().any(|own| same(&own))
    };
    let ended = matches!(other.outcome, TestOutcome::Returned | TestOutcome::Exited) && test.outcome == other.outcome;
    let outside = test.calls == other.calls && are_like(&test.device, &other.device);
    ended && cells && outside && other.objects.iter().all(object)
}

#[cfg(test)]
mod tests {
    use covenant_goals::test_case::{Cell, Root, Value};

    use super::*;

    #[test]
    fn a_run_may_look_at_less_than_the_one_that_found_the_test() {
        let value = Value::Int { bits: "1".into(), size: 4, signed: true };
        let cell = |offset| Cell { root: Root::Param(0), offset, path: "p".into(), value: value.clone() };
        let test = TestCase { cells: vec![cell(0), cell(4)], ..TestCase::default() };
        let less = TestCase { cells: vec![cell(4)], ..TestCase::default() };
        assert!(is_same(&test, &less) && is_same(&test, &test));
        assert!(!is_same(&less, &test), "what the test does not say may be anything");
        let object = InputObject { id: 1, ..InputObject::default() };
        assert!(!is_same(&test, &TestCase { objects: vec![object], ..less }));
    }
}
