//! Runs that nobody learns from: of a test that is there, and of a changed program on the same inputs.

use std::rc::Rc;

use covenant_concolic::run::{Run, execute_in};
use covenant_concolic::symbolic::Seed;
use covenant_constraints::Model;
use covenant_goals::{ObjectiveId, TestCase};
use covenant_interpreter::Image;
use covenant_interpreter::machine::Limits;

use super::Lab;

/// What a run of a changed program may take, besides ten times what the program itself took.
const MORE_STEPS: u64 = 100_000; // not tuning: where an endless run is ended

impl Lab<'_> {
    /// Whether somebody wants an end.
    pub(crate) fn is_ended(&mut self) -> bool {
        let progress = self.progress();
        self.is_cancelled() || self.observer.progress(&progress).is_some()
    }

    /// Runs the program on the inputs of a test. All labels are told.
    pub(crate) fn run_test(&mut self, test: &TestCase) -> (Run, Vec<ObjectiveId>) {
        self.cx.seed = Some(Seed::new(test));
        self.want_labels();
        let subject = self.subject;
        let run = self.run_observed(&subject.image, Rc::new(Model::new()), self.settings.limits());
        self.cx.seed = None;
        let hit = self.index.hits(&run);
        (run, hit)
    }

    /// Runs the program on these inputs. All labels are told.
    pub(crate) fn run_inputs(&mut self, inputs: Rc<Model>) -> (Run, Vec<ObjectiveId>) {
        self.want_all_labels();
        let subject = self.subject;
        let mut limits = self.settings.limits();
        limits.cancel = limits.cancel.filter(|_| !self.unhurried);
        let run = self.run_observed(&subject.image, inputs, limits);
        let hit = self.index.hits(&run);
        (run, hit)
    }

    /// Runs a changed program on inputs with which the program itself takes so many instructions. What these do not say, because
    /// the program did not ask, is as a test has it.
    pub(crate) fn run_changed(
        &mut self,
        image: &Image,
        (inputs, test): (Rc<Model>, Option<&TestCase>),
        instructions: u64,
    ) -> Run {
        self.want_all_labels();
        let most = instructions.saturating_mul(10).saturating_add(MORE_STEPS);
        let limits = Limits { steps: most.min(self.settings.max_steps), ..self.settings.limits() };
        self.cx.seed = test.map(Seed::new);
        let run = self.run_observed(image, inputs, limits);
        self.cx.seed = None;
        run
    }

    fn run_observed(&mut self, image: &Image, inputs: Rc<Model>, limits: Limits) -> Run {
        let told = std::mem::take(&mut self.cx.limits);
        self.cx.observes = true;
        let run = execute_in(image, self.subject, limits, &mut self.cx, inputs, None);
        self.cx.observes = false;
        self.cx.limits = told;
        run
    }
}
