//! What tests may expect: what C determines.
//!
//! A run leaves values behind that C leaves open: numbers made of addresses, memory that nobody wrote, an order of objects.
//! Nothing in a value tells where it is from. So each test is run once more where all of that is otherwise, and what comes out
//! differently is not expected of anybody.

use std::rc::Rc;

use covenant_concolic::run::execute_in;
use covenant_goals::{TestCase, TestOutcome};
use covenant_interpreter::machine::Limits;

use super::Lab;

/// What the other run of a test may take, besides twice what the first took.
const MORE_STEPS: u64 = 100_000; // not tuning: where an endless run is ended

impl Lab<'_> {
    /// Runs each test elsewhere and forgets what it left behind that is not the same there.
    pub(crate) fn leave_open_what_differs(&mut self) {
        let image = self.subject.image.elsewhere();
        let limits = std::mem::take(&mut self.cx.limits);
        for (test, (inputs, instructions)) in self.tests.iter_mut().zip(&self.inputs) {
            if test.outcome != TestOutcome::Returned {
                continue;
            }
            // Whatever ended the search: this is not a part of it, and short.
            let steps = instructions.saturating_mul(2).saturating_add(MORE_STEPS);
            let limits = Limits { steps, cancel: None, ..self.settings.limits() };
            let other = execute_in(&image, self.subject, limits, &mut self.cx, Rc::clone(inputs), None);
            test.observed.keep_what_agrees(has_same_inputs(test, &other.case).then_some(&other.case.observed));
        }
        self.cx.limits = limits;
    }
}

fn has_same_inputs(a: &TestCase, b: &TestCase) -> bool {
    b.outcome == TestOutcome::Returned && a.cells == b.cells && a.calls == b.calls && a.objects == b.objects
}
