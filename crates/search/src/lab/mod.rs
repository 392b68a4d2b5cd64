//! The lab: what all tactics share, and all that they can do to the program.
//!
//! It runs the program, asks solvers, and keeps the ledger: what a run reached is covered, and what lemmas exclude is
//! infeasible once they are checked. (Beside that, path search refutes what its tree or the guards of a path exclude.) It
//! also has the tree of paths, the transition system with what is known of it, and what tactics found out that others go by.
//! It does not choose what to do next; that is up to the tactics and to the scheduler.

mod adopt;
mod beside;
mod blocked;
mod decide;
mod defined;
mod elsewhere;
mod explain;
mod index;
mod ordinary;
mod patience;
mod runs;
mod system;
mod tactic;
mod tell;
mod unwritten;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use covenant_concolic::Subject;
use covenant_concolic::symbolic::{Context, Want};
use covenant_concolic::tree::Tree;
use covenant_constraints::solver::{self, Answer, Query, Solver, Steps};
use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Model, TermId, VarId};
use covenant_goals::report::{Defect, Moment, Stats};
use covenant_goals::{Ledger, ObjectiveId, Reason, ReasonKind, Status, TestCase};
use covenant_interpreter::Image;
use covenant_transition::flow::{self, FlowOptions};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cfg::{Cfg, Edge};
use crate::limits;
use crate::observer::{Observer, Progress};
use crate::settings::Settings;
use crate::strategy::StrategyKind;

pub(crate) use adopt::{Found, Kept};
pub use decide::test_name;
pub(crate) use explain::Prefixes;
pub use explain::Unanswered;
pub(crate) use index::Index;
pub(crate) use system::System;
pub(crate) use tactic::{Budget, Others, Ran, Tactic, Turn};

pub(crate) use blocked::Blocked;
use patience::Patience;
pub(crate) use runs::keep_unread;

/// What all tactics share.
pub(crate) struct Lab<'s> {
    /// The program under test, and what is asked of it.
    pub(crate) subject: &'s Subject,
    /// What the user asked for.
    pub(crate) settings: &'s Settings,
    /// Who watches, and may end the campaign.
    pub(crate) observer: &'s mut dyn Observer,
    /// Shared by all solvers; counts what the clock ended.
    pub(crate) cancel: solver::Cancel,
    /// What is done now is small and done in any case.
    unhurried: bool,
    /// Symbolic execution: the terms, and what runs are told and tell.
    pub(crate) cx: Context,
    /// For questions about paths, which build on each other.
    pub(crate) solver: Box<dyn Solver>,
    /// For questions of provers, each of which is about another part of the program.
    pub(crate) judge: Box<dyn Solver>,
    /// The paths that runs took, and the ways that they left open.
    pub(crate) tree: Tree,
    /// The inputs of runs that took new paths.
    pub(crate) taken: Vec<Rc<Model>>,
    /// Ways out of blocks that some run took.
    pub(crate) edges_taken: FxHashSet<Edge>,
    /// Functions that some run called.
    pub(crate) entered: FxHashSet<u32>,
    /// The verdicts.
    pub(crate) ledger: Ledger,
    /// Which objectives an edge, an entry or a label reaches.
    pub(crate) index: Index,
    /// The transition system and what is known of it.
    pub(crate) system: System,
    /// What tactics found out that others go by.
    pub(crate) known: Known,
    /// What each test reaches that the campaign starts from.
    pub(crate) seeded: Vec<Vec<ObjectiveId>>,
    /// The tests that are kept.
    pub(crate) tests: Vec<TestCase>,
    /// The inputs of each of them, and the instructions that it took; `None`: another search did.
    pub(crate) inputs: Vec<Option<(Rc<Model>, u64)>>,
    /// The program where addresses are others, once somebody asked.
    elsewhere: Option<Image>,
    /// The same where runs also end at what C gives no meaning to.
    to_the_letter: Option<Image>,
    /// The defects that runs found.
    pub(crate) defects: Vec<Defect>,
    /// What was done so far, in numbers.
    pub(crate) stats: Stats,
    /// When what was decided.
    pub(crate) timeline: Vec<Moment>,
    /// Why the tree is not the set of all paths.
    pub(crate) gaps: BTreeSet<Reason>,
    /// Where runs met limits of ours.
    pub(crate) limits: limits::Met,
    /// Where pointers should point instead, as runs showed.
    pub(crate) wants: BTreeSet<Want>,
    /// The map of the program on which limits are looked up, once somebody asks.
    map: OnceCell<Cfg>,
    /// How provers ended for objectives that they did not decide, in words.
    pub(crate) unproved: BTreeMap<ObjectiveId, BTreeMap<&'static str, String>>,
    /// What provers could not do at all, in words.
    pub(crate) notes: BTreeSet<String>,
    /// For points that were reached: by which decisions, in words.
    pub(crate) ways: BTreeMap<ObjectiveId, String>,
    /// How long runs may take.
    patience: Patience,
    /// Work that neither instructions nor questions count.
    more_work: u64,
    /// What searches with larger objects took.
    pub(crate) aside: Stats,
    /// Instructions that are no work: of runs that only looked whether there is an end.
    uncounted: u64,
}

/// What tactics found out that others go by.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// The program can take a way twice, or nobody looked.
    pub(crate) loops: bool,
    /// There are labels that path search has to come past.
    pub(crate) labels: bool,
    /// The solver gave no answer to some question, or was late too often.
    pub(crate) hard: bool,
    /// A bounded query left nothing out and did not find what is open: all paths come to an end.
    pub(crate) bounded: bool,
    /// How much the provers may spend when they are asked next: it doubles with each step.
    pub(crate) effort: u32,
    /// For each edge, how many direct flips failed.
    pub(crate) failed_flips: FxHashMap<Edge, u32>,
    /// For each label, how often its condition was asked for.
    pub(crate) label_tries: HashMap<u32, u32>,
}

impl<'s> Lab<'s> {
    /// A lab in which nothing was done yet.
    pub(crate) fn new(subject: &'s Subject, settings: &'s Settings, observer: &'s mut dyn Observer) -> Self {
        let cancel = solver::Cancel::new(Arc::clone(settings.ends_questions.as_ref().unwrap_or(&settings.cancel)));
        let options = solver::Options {
            backend: settings.solver,
            cancel: cancel.clone(),
            tuning: settings.tuning,
            alpha: settings.tuning.search_alpha_paths,
            ..solver::Options::default()
        };
        let judge = solver::Options {
            most_terms: Some(settings.tuning.search_judge_terms),
            alpha: settings.tuning.search_alpha_judged,
            ..options.clone()
        };
        let ledger = Ledger::new(subject.objectives.clone());
        let guided = settings.strategy.kind == StrategyKind::Guided;
        Lab {
            subject,
            settings,
            observer,
            cancel,
            unhurried: false,
            cx: Context::new(settings.inputs.clone(), &settings.tuning),
            solver: solver::stack(&options),
            judge: solver::stack(&judge),
            tree: Tree::new(),
            taken: Vec::new(),
            edges_taken: FxHashSet::default(),
            entered: FxHashSet::default(),
            index: Index::new(subject, &ledger, guided),
            ledger,
            system: System::default(),
            known: Known::default(),
            seeded: Vec::new(),
            tests: Vec::new(),
            elsewhere: None,
            to_the_letter: None,
            inputs: Vec::new(),
            defects: Vec::new(),
            stats: Stats::default(),
            timeline: Vec::new(),
            gaps: subject.fixed.iter().map(|why| Reason::new(ReasonKind::Model, why.as_str())).collect(),
            limits: limits::Met::default(),
            wants: BTreeSet::new(),
            map: OnceCell::new(),
            unproved: BTreeMap::new(),
            notes: BTreeSet::new(),
            ways: BTreeMap::new(),
            patience: Patience::new(settings.tuning.runs_first_turns, settings.tuning.runs_idle_turns),
            more_work: 0,
            aside: Stats::default(),
            uncounted: 0,
        }
    }

    /// Builds the transition system, if the strategy wants one and the program can be modelled.
    pub(crate) fn build_system(&mut self) {
        if !self.settings.strategy.model {
            return;
        }
        match System::build(self.subject, &self.settings.inputs, &mut self.cx.terms, &self.cancel) {
            Ok(system) => self.system = system,
            Err(why) => {
                self.notes.insert(why);
            }
        }
    }

    /// Whether the transition system would be a large one, if one is wanted.
    pub(crate) fn has_large_model(&self) -> bool {
        let options = FlowOptions::of(self.subject, &self.settings.inputs);
        let is_wanted = self.settings.strategy.model && !self.is_guided();
        is_wanted && flow::is_large(&self.subject.image, self.subject.entry, &options)
    }

    /// The limits of ours behind which objectives lie, for those that do: known paths decide nothing there.
    pub(crate) fn limited(&self, objectives: &[ObjectiveId]) -> BTreeMap<ObjectiveId, Reason> {
        if self.limits.is_empty() {
            return BTreeMap::new();
        }
        let map = self.map.get_or_init(|| limits::map(self.subject));
        let wanted: Vec<_> = objectives.iter().map(|&id| self.ledger.objective(id)).collect();
        let before = objectives.iter().zip(self.limits.before(self.subject, map, &wanted));
        let limited = before.filter(|(_, words)| !words.is_empty());
        limited.map(|(&id, words)| (id, Reason::new(ReasonKind::Model, limits::named(&words)))).collect()
    }

    /// The numbers that the search goes by.
    pub(crate) fn tuning(&self) -> &'s Tuning {
        &self.settings.tuning
    }

    /// Whether only what agrees with traces that are asked for is tried.
    pub(crate) fn is_guided(&self) -> bool {
        self.settings.strategy.kind == StrategyKind::Guided
    }

    /// What was done so far, in a measure that is the same each time: instructions, and what a question costs in these.
    pub(crate) fn work(&self) -> u64 {
        let (paths, judge) = (self.solver.stats(), self.judge.stats());
        let tuning = self.tuning();
        let questions = tuning.search_work_per_question * (paths.calls + judge.calls);
        let resolved =
            tuning.search_work_to_resolve * paths.resolved() + tuning.search_work_to_judge * judge.resolved();
        self.stats.instructions - self.uncounted + questions + resolved + self.more_work
    }

    /// Whether a whole program is tested that is given arguments, input or files.
    pub(crate) fn is_given_process(&self) -> bool {
        let process = &self.settings.inputs.process;
        self.subject.is_main && (process.args > 0 || process.stdin > 0 || !process.named.is_empty())
    }

    /// Adds work that neither instructions nor questions count.
    pub(crate) fn add_work(&mut self, work: u64) {
        self.more_work += work;
    }

    /// Questions that all solvers were asked.
    pub(crate) fn questions(&self) -> u64 {
        self.solver.stats().calls + self.judge.stats().calls
    }

    /// How many objectives are open.
    pub(crate) fn open(&self) -> usize {
        self.ledger.counts().2
    }

    /// Why the campaign ends now, if it does.
    pub(crate) fn is_over(&mut self) -> Option<Status> {
        let progress = self.progress();
        if let Some(status) = self.observer.progress(&progress) {
            return Some(status);
        }
        if self.ledger.open().next().is_none() {
            return Some(Status::Complete);
        }
        if self.settings.reshapes && self.wants.iter().any(Want::is_urgent) {
            return Some(Status::Limit);
        }
        let tests = self.settings.max_tests.is_some_and(|most| self.tests.len() as u64 >= most);
        if self.settings.max_work.is_some_and(|most| self.work() >= most) {
            return Some(Status::Limit);
        }
        let flips = self.settings.max_iterations.is_some_and(|most| self.stats.iterations >= most);
        (tests || flips).then_some(Status::Limit)
    }

    /// Whether somebody wants an end soon.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.settings.cancel.load(Ordering::Relaxed)
    }

    fn progress(&self) -> Progress {
        let (covered, infeasible, open) = self.ledger.counts();
        Progress { covered, infeasible, open, tests: self.tests.len(), executions: self.stats.executions }
    }

    /// Asks a question about a path. What is not in the query is as the hint has it.
    pub(crate) fn ask(&mut self, path: &[TermId], goal: TermId, steps: Steps, hint: Option<&Model>) -> Answer {
        self.solver.solve(&mut self.cx.terms, &Query { path, goal, steps, hint })
    }

    /// Asks a question about states of the program, of whatever path.
    pub(crate) fn ask_judge(&mut self, path: &[TermId], goal: TermId, steps: Steps) -> Answer {
        self.judge.solve(&mut self.cx.terms, &Query { path, goal, steps, hint: None })
    }

    /// What one question about the model may cost: what is hard is left to the provers first.
    pub(crate) fn model_steps(&self) -> Steps {
        let patience = Steps(self.tuning().model_patience) * (1 << (2 * self.known.effort).min(8));
        self.settings.solver_steps.min(patience)
    }

    /// A variable that a model does not list is zero if the query has it, and else what it was: a run must not take its
    /// default instead.
    pub(crate) fn complete(&self, model: Model, path: &[TermId], goal: TermId, hint: &Model) -> Model {
        let mut model = self.settle(model, path, goal, hint);
        for (var, value) in hint.iter() {
            if model.get(var).is_none() {
                model.set(var, value.clone());
            }
        }
        model
    }

    /// The same for the variables of the query alone.
    pub(crate) fn settle(&self, mut model: Model, path: &[TermId], goal: TermId, hint: &Model) -> Model {
        let terms = &self.cx.terms;
        let conditions: Vec<TermId> = path.iter().copied().chain(std::iter::once(goal)).collect();
        for var in terms.variables(&conditions) {
            if model.get(var).is_none() {
                model.set(var, model.value(terms, var));
            }
        }
        let same = |var: &VarId| hint.get(*var) == Some(&model.value(terms, *var));
        let changed: Vec<VarId> = terms.variables(&[goal]).into_iter().filter(|var| !same(var)).collect();
        covenant_concolic::shrink::shrink(terms, &mut model, &conditions, &changed, &self.settings.tuning);
        model
    }
}
