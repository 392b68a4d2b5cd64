//! Strong mutation: tests in which a change of the program shows.
//!
//! The label of a mutant says that the changed expression has another value. Whether anybody sees that is another question: the run
//! may end as before, or with an error. So mutants run beside the program, on the same inputs. As long as a mutant leaves behind what
//! the program does, other ways are tried from the place on where the two differ: those of the mutant, which the program need not
//! take, and those of the program. Nothing is decided here: what a mutant does is no evidence about the program.

mod numbers;
mod unchanged;

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use covenant_concolic::Subject;
use covenant_concolic::run::Run;
use covenant_constraints::solver::Answer;
use covenant_constraints::{Model, TermId};
use covenant_goals::test_case::{Cell, Observed};
use covenant_goals::{Criterion, Ledger, Mutated, ObjectiveId, Place, TestCase, TestOutcome, Verdict};
use covenant_interpreter::Image;
use rustc_hash::FxHashSet;

use crate::lab::{Lab, keep_unread};
use crate::observer::Observer;
use crate::settings::Settings;
use numbers::{other_numbers, usual_numbers};
pub use unchanged::expect_unchanged;

/// Questions to the solver about one mutant: a few about each, then more about those that are alive.
const MOST_QUESTIONS: [usize; 2] = [24, 160]; // not tuning: how long it takes
/// Runs for one mutant.
const MOST_RUNS: usize = 60; // not tuning: how long it takes
/// Ways beside a run that are tried, half of them next to where the mutant differs and half of them next to the end.
const MOST_WAYS: usize = 12; // not tuning: how long it takes
/// Runs beside which other numbers are tried.
const MOST_VARIED: usize = 4; // not tuning: how long it takes
/// Runs of which one number is replaced by such as people try, if they are no longer than that.
const MOST_USUAL: usize = 2; // not tuning: how long it takes
const SHORT: u64 = 20_000; // not tuning: how long it takes
/// Tests that are asked to differ on the way that they take.
const MOST_TESTS: usize = 8; // not tuning: how long it takes

/// Errors that end a native run too, whatever was compiled into it.
const FATAL: &[&str] = &["null-pointer", "wild-pointer", "division-by-zero", "assertion", "abort", "stack-overflow"];

/// Errors that a native run may survive, and that sanitizers tell of.
const SANITIZED: &[&str] = &[
    "out-of-bounds",
    "use-after-free",
    "double-free",
    "invalid-free",
    "write-to-constant",
    "division-overflow",
    "signed-overflow",
    "bad-shift",
    "array-index",
    "unreachable",
    "bad-call",
];

/// What came of it.
#[derive(Debug, Default)]
pub struct Strong {
    /// New tests, each with the mutants that it notices and no test before it does.
    pub made: Vec<(TestCase, Vec<ObjectiveId>)>,
    /// Names of tests that were there and notice a mutant.
    pub needed: BTreeSet<String>,
    /// What such tests are to expect besides, with their names: see [`expect_unchanged`].
    pub unchanged: Vec<(String, Cell)>,
    /// Whether all mutants were looked at.
    pub complete: bool,
}

/// Looks for tests that notice the mutants which no test of these does.
pub fn tests(
    subject: &Subject,
    settings: &Settings,
    (ledger, tests): (&Ledger, &[TestCase]),
    observer: &mut dyn Observer,
) -> Strong {
    let mutants = ledger.iter().filter(|(_, objective, verdict)| {
        let is_asked = !objective.measured && !objective.passing && objective.criterion == Criterion::Mutation;
        is_asked && !matches!(verdict, Verdict::Infeasible(_))
    });
    let lab = Lab::new(subject, settings, observer);
    let mut search = Search { lab, seen: Vec::new(), found: Strong::default(), in_need: Vec::new() };
    for test in tests.iter().filter(|test| test.open.is_none() && test.expected_by.is_none()) {
        search.see(test);
    }
    tracing::info!(target: "strong", tests = tests.len(), seen = search.seen.len(), "tests run again");
    let mut alive: Vec<(ObjectiveId, &Mutated)> =
        mutants.filter_map(|(id, objective, _)| Some((id, objective.mutated.as_deref()?))).collect();
    for most in MOST_QUESTIONS {
        for (id, mutated) in std::mem::take(&mut alive) {
            if search.lab.is_ended() {
                search.take_what_sanitizers_notice();
                return search.found;
            }
            if search.look_for(id, mutated, most) {
                alive.push((id, mutated));
            }
        }
        // Which tests are needed is known when all were looked at once.
        search.found.complete = true;
    }
    search.take_what_sanitizers_notice();
    search.found
}

/// A run of the program.
struct Seen {
    run: Rc<Run>,
    hit: Vec<ObjectiveId>,
    /// The test, which may say more than the run asked for.
    test: TestCase,
    /// What it expects; `None`: it ends with an error.
    expected: Option<Observed>,
    /// Which of the new tests it is.
    made: Option<usize>,
}

/// Inputs that are asked for: what is to hold on the way, and at its end.
struct Question {
    path: Vec<TermId>,
    goal: TermId,
    hint: Rc<Model>,
}

/// A test in which only sanitizers notice a mutant.
enum InNeed {
    There(String),
    New(Box<TestCase>),
}

struct Search<'s> {
    lab: Lab<'s>,
    seen: Vec<Seen>,
    found: Strong,
    /// For mutants that no test was found for: the first of each.
    in_need: Vec<(ObjectiveId, InNeed)>,
}

impl Search<'_> {
    /// Runs a test that is there.
    fn see(&mut self, test: &TestCase) {
        let (run, hit) = self.lab.run_test(test);
        if run.outside || run.cut || run.case.outcome != test.outcome {
            return;
        }
        let mut expected = (test.outcome == TestOutcome::Returned).then(|| test.observed.clone());
        // What is expected to be as before is told of no run.
        expected.iter_mut().for_each(|e| e.written.retain(|cell| run.case.observed.written.contains(cell)));
        self.seen.push(Seen { run: Rc::new(run), hit, test: test.clone(), expected, made: None });
    }

    /// Looks for a test that notices a mutant, unless there is one. Says whether there is more to ask than that.
    fn look_for(&mut self, id: ObjectiveId, mutated: &Mutated, most: usize) -> bool {
        let labels: Vec<u32> = self.lab.ledger.objective(id).places.iter().filter_map(label).collect();
        let mut differs: Vec<usize> = (0..self.seen.len()).filter(|&at| self.seen[at].hit.contains(&id)).collect();
        // Tests that stay anyway first.
        differs
            .sort_by_key(|&at| self.seen[at].made.is_none() && !self.found.needed.contains(&self.seen[at].test.name));
        let passes = |seen: &Seen| seen.run.labels.obligations.iter().any(|o| labels.contains(&o.label));
        if differs.is_empty() && !self.seen.iter().any(passes) {
            return false;
        }
        let image = self.lab.subject.image.changed(|program| mutated.apply(program));
        let mut questions = Questions::default();
        let mut later = Vec::new();
        for at in differs {
            let (own, changed) = (Rc::clone(&self.seen[at].run), self.run_changed(&image, at));
            if self.notices(at, &changed) {
                match self.seen[at].made {
                    Some(made) => self.found.made[made].1.push(id),
                    None => _ = self.found.needed.insert(self.seen[at].test.name.clone()),
                }
                return self.is_done(id);
            }
            if self.seen[at].expected.is_some() && self.seen[at].made.is_none() && is_sanitized(&changed) {
                let name = self.seen[at].test.name.clone();
                self.note_in_need(id, || InNeed::There(name));
            }
            later.push((own, changed));
        }
        for (own, changed) in later.iter().take(MOST_VARIED) {
            if self.vary((id, &labels), &image, own, changed) {
                return self.is_done(id);
            }
        }
        let plain: Vec<Rc<Run>> = later.iter().take(MOST_USUAL).map(|(own, _)| Rc::clone(own)).collect();
        for own in plain.iter().filter(|own| own.instructions <= SHORT) {
            let models = usual_numbers(&self.lab.cx.terms, &own.inputs);
            if self.is_shown(id, &image, models.into_iter()) {
                return self.is_done(id);
            }
        }
        questions.on_the_way(&self.seen, &labels);
        for (own, changed) in later {
            questions.beyond(&own, &changed, &labels);
        }
        self.ask((id, &labels), &image, questions, most)
    }

    /// Whether a test notices a mutant that did that; it may be told to expect more for it.
    fn notices(&mut self, at: usize, changed: &Run) -> bool {
        let Seen { expected: Some(expected), test, made, .. } = &self.seen[at] else { return false };
        if is_noticed(test, expected, changed) {
            return true;
        }
        let Some(cell) = unchanged::left_alone(test, expected, &changed.case) else { return false };
        match *made {
            Some(made) => expect_unchanged(&mut self.found.made[made].0, cell),
            None => self.found.unchanged.push((test.name.clone(), cell)),
        }
        true
    }

    fn run_changed(&mut self, image: &Image, at: usize) -> Run {
        let Seen { run, test, .. } = &self.seen[at];
        self.lab.run_changed(image, (Rc::clone(&run.inputs), Some(test)), run.instructions)
    }

    /// Whether there is more to ask.
    fn ask(
        &mut self,
        (id, labels): (ObjectiveId, &[u32]),
        image: &Image,
        mut questions: Questions,
        most: usize,
    ) -> bool {
        let steps = self.lab.settings.solver_steps / self.lab.tuning().paths_haste;
        tracing::info!(target: "strong", objective = %self.lab.ledger.objective(id).id, ways = questions.waiting.len(), "alive");
        let mut runs = 0;
        for number in 0..most {
            let Some(Question { path, goal, hint }) = questions.next(number) else { return false };
            if runs == MOST_RUNS || self.lab.is_ended() {
                return false;
            }
            let Answer::Sat(model) = self.lab.ask(&path, goal, steps, Some(&hint)) else { continue };
            let inputs = Rc::new(self.lab.complete(model, &path, goal, &hint));
            let (run, hit) = self.lab.run_inputs(Rc::clone(&inputs));
            runs += 1;
            if run.outside || run.cut || !hit.contains(&id) {
                continue;
            }
            let changed = self.lab.run_changed(image, (inputs, None), run.instructions);
            questions.beyond(&run, &changed, labels);
            let varied = (runs <= MOST_VARIED).then(|| other_numbers(&self.lab.cx.terms, &run, &changed, labels));
            if self.keep(id, run, hit, &changed) || self.is_shown(id, image, varied.into_iter().flatten()) {
                tracing::info!(target: "strong", objective = %self.lab.ledger.objective(id).id, runs, "noticed");
                return self.is_done(id);
            }
        }
        true
    }

    /// Tries other numbers on the way that a run takes: a mutant may compute something else and take the same ways.
    fn vary(&mut self, (id, labels): (ObjectiveId, &[u32]), image: &Image, own: &Run, changed: &Run) -> bool {
        let models = other_numbers(&self.lab.cx.terms, own, changed, labels);
        self.is_shown(id, image, models.into_iter())
    }

    /// Whether the mutant shows in a run with some of these inputs, which then is a test.
    fn is_shown(&mut self, id: ObjectiveId, image: &Image, models: impl Iterator<Item = Model>) -> bool {
        for model in models {
            let inputs = Rc::new(model);
            let (run, hit) = self.lab.run_inputs(Rc::clone(&inputs));
            if run.outside || run.cut || !hit.contains(&id) {
                continue;
            }
            let changed = self.lab.run_changed(image, (inputs, None), run.instructions);
            if self.keep(id, run, hit, &changed) {
                return true;
            }
        }
        false
    }

    /// Nothing more is to be done about a mutant: what was noted of it is of no use.
    fn is_done(&mut self, id: ObjectiveId) -> bool {
        self.in_need.retain(|(other, _)| *other != id);
        false
    }

    fn note_in_need(&mut self, id: ObjectiveId, test: impl FnOnce() -> InNeed) {
        if !self.in_need.iter().any(|(other, _)| *other == id) {
            self.in_need.push((id, test()));
        }
    }

    /// Who builds the suite with sanitizers notices mutants that nobody else does: these tests are there for that.
    fn take_what_sanitizers_notice(&mut self) {
        for (id, test) in std::mem::take(&mut self.in_need) {
            match test {
                InNeed::There(name) => _ = self.found.needed.insert(name),
                InNeed::New(test) => match self.found.made.iter_mut().find(|(made, _)| made.has_same_inputs(&test)) {
                    Some((_, mutants)) => mutants.push(id),
                    None => self.found.made.push((*test, vec![id])),
                },
            }
        }
    }

    /// Keeps a run as a test if it returns and its test notices the mutant.
    fn keep(&mut self, id: ObjectiveId, run: Run, hit: Vec<ObjectiveId>, changed: &Run) -> bool {
        let elsewhere = run.limits.iter().any(|limit| limit.elsewhere);
        let returns = run.case.outcome == TestOutcome::Returned && run.defect.is_none();
        let in_need = is_sanitized(changed);
        let more = || unchanged::left_alone(&run.case, &run.case.observed, &changed.case);
        if elsewhere || !returns || !in_need && !is_noticed(&run.case, &run.case.observed, changed) && more().is_none()
        {
            return false;
        }
        let mut test = TestCase { observed: Observed::default(), ..run.case.clone() };
        // What the mutant alone reads is what makes it show.
        keep_unread(&mut test, &changed.case);
        self.lab.observe(&mut test, &run.inputs, run.instructions);
        if in_need {
            self.note_in_need(id, || InNeed::New(Box::new(test)));
            return false;
        }
        let expected = test.observed.clone();
        if !is_noticed(&test, &expected, changed) {
            let Some(cell) = unchanged::left_alone(&test, &test.observed, &changed.case) else { return false };
            expect_unchanged(&mut test, cell);
        }
        let (expected, made) = (Some(expected), Some(self.found.made.len()));
        self.seen.push(Seen { run: Rc::new(run), hit, test: test.clone(), expected, made });
        self.found.made.push((test, vec![id]));
        true
    }
}

/// What is to be asked about a mutant.
#[derive(Default)]
struct Questions {
    waiting: VecDeque<Question>,
    known: FxHashSet<(Vec<TermId>, TermId)>,
}

impl Questions {
    /// In turn the last way that was found, which may lead deep, and the first that is left.
    fn next(&mut self, number: usize) -> Option<Question> {
        if number.is_multiple_of(2) { self.waiting.pop_back() } else { self.waiting.pop_front() }
    }

    fn add(&mut self, path: Vec<TermId>, goal: TermId, hint: &Rc<Model>) {
        if self.known.insert((path.clone(), goal)) {
            self.waiting.push_back(Question { path, goal, hint: Rc::clone(hint) });
        }
    }

    /// Tests that return, with other inputs with which the mutant differs: on the way that they take up to there, and on all of it.
    fn on_the_way(&mut self, seen: &[Seen], labels: &[u32]) {
        let tests = seen.iter().filter(|seen| seen.expected.is_some());
        let passed = tests.filter_map(|seen| {
            let obligation = seen.run.labels.obligations.iter().find(|o| labels.contains(&o.label))?;
            Some((&seen.run, obligation))
        });
        let mut ways = FxHashSet::default();
        for (run, obligation) in passed {
            let path: Vec<TermId> = run.events.iter().map(|event| event.constraint).collect();
            let before = path[..obligation.events.min(path.len())].to_vec();
            // What was decided before may be what hides the mutant, so each way to the place is one to begin with.
            if ways.len() < MOST_TESTS && ways.insert(before.clone()) {
                self.add(path, obligation.cond, &run.inputs);
                self.add(before, obligation.cond, &run.inputs);
            }
        }
    }

    /// Ways beside those that the program and the mutant take after they differ.
    fn beyond(&mut self, own: &Run, changed: &Run, labels: &[u32]) {
        let first = labels.iter().filter_map(|label| Some((*own.labels.first.get(label)?, *label))).min();
        let Some((from, label)) = first else { return };
        let cond = own.labels.held.get(&label).copied();
        // What the mutant decided last is what hides it, more often than not.
        for run in [own, changed] {
            let (from, count) = (from.min(run.events.len()), run.events.len());
            let is_near = |at: &usize| at - from < MOST_WAYS / 2 || count - at <= MOST_WAYS / 2;
            for at in (from..count).filter(is_near) {
                let constraint = |at: usize| run.events[at].constraint;
                let before = (0..from).map(constraint).chain(cond).chain((from..at).map(constraint));
                let path: Vec<TermId> = before.collect();
                for &(_, other) in &run.events[at].others {
                    self.add(path.clone(), other, &run.inputs);
                }
            }
        }
    }
}

/// Whether a test that expects this fails with a mutant that did that.
fn is_noticed(test: &TestCase, expected: &Observed, changed: &Run) -> bool {
    match changed.case.outcome {
        TestOutcome::Returned => {
            let other = &changed.case.observed;
            unchanged::telling(test, expected, other).tells_from(other)
        }
        TestOutcome::Trapped => changed.case.trap.as_ref().is_some_and(|trap| FATAL.contains(&trap.kind.as_str())),
        _ => !changed.outside,
    }
}

/// Whether only sanitizers notice a mutant that did that.
fn is_sanitized(changed: &Run) -> bool {
    changed.case.trap.as_ref().is_some_and(|trap| SANITIZED.contains(&trap.kind.as_str()))
}

fn label(place: &Place) -> Option<u32> {
    match place {
        Place::Label(_, _, label) => Some(*label),
        _ => None,
    }
}
