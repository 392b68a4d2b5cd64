//! Tests of what C gives a meaning to.
//!
//! Machines add and shift whatever they are given; C does not say what comes of a sum that does not fit, or of a shift by too much, and
//! compilers make what they like of it. Nothing can be expected of such a test. So where other inputs on the same path do without, the
//! test gets these.

use std::rc::Rc;

use covenant_concolic::run::{Run, execute_in};
use covenant_concolic::symbolic::EventKind;
use covenant_constraints::solver::{self, Answer};
use covenant_constraints::{Model, TermId};
use covenant_goals::{TestCase, TestOutcome};

use super::Lab;
use super::elsewhere::{once_more, undefined};

/// Places of one path at which something does not fit, one after the other.
const MOST_PLACES: usize = 8; // not tuning: how long it takes
/// Instructions of the runs that are spent on all tests of a search.
const MOST_INSTRUCTIONS: u64 = 20_000_000; // not tuning: how long it takes

impl Lab<'_> {
    /// Makes tests better that are there. That takes little, and is done also where the time for the search is over.
    pub(crate) fn improve_tests(&mut self) {
        let (backend, tuning) = (self.settings.solver, self.settings.tuning);
        let options =
            solver::Options { backend, tuning, cancel: solver::Cancel::default(), ..solver::Options::default() };
        let hurried = std::mem::replace(&mut self.solver, solver::stack(&options));
        self.unhurried = true;
        self.make_tests_defined();
        self.make_tests_ordinary();
        self.unhurried = false;
        self.solver = hurried;
    }

    /// Gives tests other inputs where their own lead to something without a meaning.
    fn make_tests_defined(&mut self) {
        let (mut tests, mut inputs) = (std::mem::take(&mut self.tests), std::mem::take(&mut self.inputs));
        let mut spent = 0;
        for (test, inputs) in tests.iter_mut().zip(&mut inputs) {
            let Some((inputs, instructions)) = inputs else { continue };
            if !ends_well(test) || test.open.is_some() || spent > MOST_INSTRUCTIONS {
                continue;
            }
            spent += 2 * *instructions;
            if let Some(again) = self.defined(inputs, *instructions) {
                (*inputs, *instructions) = (Rc::clone(&again.inputs), again.instructions);
                *test = TestCase { name: std::mem::take(&mut test.name), ..again.case };
            }
        }
        (self.tests, self.inputs) = (tests, inputs);
        // These runs were told of all labels.
        self.want_labels();
    }

    /// A run with other inputs that takes the same path, reaches the same, and does nothing without a meaning. `None`: the run does
    /// nothing of that kind, or there is none.
    fn defined(&mut self, inputs: &Rc<Model>, instructions: u64) -> Option<Run> {
        let mut strict = self.run_to_the_letter(inputs, instructions);
        undefined(&strict.case)?;
        let (run, hit) = self.run_inputs(Rc::clone(inputs));
        let mut path: Vec<TermId> = run.events.iter().map(|event| event.constraint).collect();
        path.extend(run.labels.held.values());
        let steps = self.settings.solver_steps / self.tuning().paths_haste;
        // Those of a run that ended early have only what it read.
        let mut hint = Rc::clone(inputs);
        for _ in 0..MOST_PLACES {
            let (last, before) = strict.events.split_last()?;
            let &[(_, goal)] = last.others.as_slice() else { return None };
            path.extend(before.iter().filter(|event| event.kind == EventKind::Check).map(|event| event.constraint));
            let Answer::Sat(model) = self.ask(&path, goal, steps, Some(&hint)) else { return None };
            path.push(goal);
            let model = Rc::new(self.complete(model, &path, goal, &hint));
            hint = Rc::clone(&model);
            strict = self.run_to_the_letter(&model, instructions);
            if undefined(&strict.case).is_none() {
                let (again, reached) = self.run_inputs(model);
                let is_like = again.case.outcome == run.case.outcome && again.case.trap == run.case.trap;
                let is_like = is_like && again.defect.is_none() && !again.outside;
                let is_same = hit.iter().all(|id| reached.contains(id)) && again.local == run.local;
                return (is_like && is_same && !again.cut).then_some(again);
            }
        }
        None
    }

    /// What holds where a run does nothing without a meaning: what there fits, and is within its bounds.
    pub(super) fn fitting(&mut self, inputs: &Rc<Model>, instructions: u64) -> Vec<TermId> {
        let strict = self.run_to_the_letter(inputs, instructions);
        if undefined(&strict.case).is_some() {
            return Vec::new();
        }
        strict.events.iter().filter(|event| event.kind == EventKind::Check).map(|event| event.constraint).collect()
    }

    fn run_to_the_letter(&mut self, inputs: &Rc<Model>, instructions: u64) -> Run {
        let image = self.to_the_letter.get_or_insert_with(|| self.subject.image.to_the_letter());
        let limits = once_more(self.settings, instructions);
        let told = std::mem::take(&mut self.cx.limits);
        let run = execute_in(image, self.subject, limits, &mut self.cx, Rc::clone(inputs), None);
        self.cx.limits = told;
        run
    }
}

/// Whether a run returns, or ends with the call of a function that does not.
fn ends_well(test: &TestCase) -> bool {
    let is_called = || test.trap.as_ref().is_some_and(|trap| trap.undefined_function().is_some());
    test.outcome == TestOutcome::Returned || test.outcome == TestOutcome::Trapped && is_called()
}
