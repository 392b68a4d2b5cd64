//! A campaign: run, learn, flip, until every objective is decided or a limit is reached.

mod arc;
mod attempt;
mod chances;
mod conclude;
mod explain;
mod explore;
mod guide;
mod joined;
mod leap;
mod paths;
mod picture;
mod prove;
mod slices;
mod weaken;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use covenant_concolic::Subject;
use covenant_concolic::symbolic::Context;
use covenant_concolic::tree::Tree;
use covenant_constraints::solver::{self, Solver};
use covenant_constraints::{Model, TermId, Terms, VarId};
use covenant_goals::certificate::Paths;
use covenant_goals::report::{Defect, Moment, Stats};
use covenant_goals::{Contradiction, Ledger, ModelStep, ObjectiveId, Place, Reason, ReasonKind, Status, TestCase};
use covenant_prove::portfolio;
use covenant_prove::question::Prover;
use covenant_transition::flow::{self, FlowOptions};
use covenant_transition::justify::Invariant;
use rustc_hash::FxHashMap;

use crate::cfg::{Edge, LABEL, edge_of};
use crate::exhaustion;
use crate::guided::Guide;
use crate::limits;
use crate::settings::Settings;

/// Terms after which the provers' solver is made anew.
const JUDGE_TERMS: usize = 1_500;
/// What a question is worth in instructions, and what more if an SMT solver has to resolve it: those of paths build on each
/// other, those of provers do not.
const WORK_PER_QUESTION: u64 = 1_000;
const WORK_TO_RESOLVE: u64 = 4_000;
const WORK_TO_JUDGE: u64 = 20_000;

/// Why the seam exists: the engine reads no clock and prints nothing; whoever starts a campaign does.
pub trait Observer {
    /// Milliseconds since the start.
    fn elapsed(&mut self) -> u64;
    /// Microseconds since some fixed time, for what takes less than a millisecond.
    fn micros(&mut self) -> u64 {
        1000 * self.elapsed()
    }
    /// Called after every run and now and then between; `Some` ends the campaign with that status.
    fn progress(&mut self, progress: &Progress) -> Option<Status>;
    /// Whether [`Observer::model_changed`] is of use: describing the model takes time.
    fn wants_model(&self) -> bool {
        false
    }
    /// The model after each change that matters.
    fn model_changed(&mut self, _step: ModelStep) {}
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    pub covered: usize,
    pub infeasible: usize,
    pub open: usize,
    pub tests: usize,
    pub executions: u64,
}

#[derive(Debug)]
pub struct Findings {
    pub ledger: Ledger,
    pub tests: Vec<TestCase>,
    pub defects: Vec<Defect>,
    pub stats: Stats,
    pub status: Status,
    pub limits: BTreeSet<String>,
    pub timeline: Vec<Moment>,
    pub strategy: String,
    /// Queries that the solver gave no answer to.
    pub unanswered: Vec<Unanswered>,
    /// What proofs rest on.
    pub evidence: Option<Evidence>,
    /// What "all paths are known" rests on, if something was decided by it.
    pub paths: Option<Paths>,
    /// What each of the tests reaches that the campaign started from.
    pub seeded: Vec<Vec<ObjectiveId>>,
    /// For points that were reached: by which decisions, in words.
    pub ways: BTreeMap<ObjectiveId, String>,
}

/// A way of which it is not known whether it can be taken.
#[derive(Clone, Debug)]
pub struct Unanswered {
    pub name: String,
    /// The query as SMT-LIB, with the prefix of the path as a comment.
    pub script: String,
}

/// The flow of the program and what holds in it.
#[derive(Debug)]
pub struct Evidence {
    pub terms: Terms,
    pub flow: Rc<flow::Flow>,
    /// For each objective that was proved infeasible with it.
    pub invariants: BTreeMap<ObjectiveId, Invariant>,
}

/// Runs the campaign. `Err`: we contradicted ourselves.
pub fn run(subject: &Subject, settings: &Settings, observer: &mut dyn Observer) -> Result<Findings, Contradiction> {
    run_from(subject, settings, &[], observer)
}

/// Runs the campaign from tests that are there: what they reach need not be searched for.
pub fn run_from(
    subject: &Subject,
    settings: &Settings,
    tests: &[TestCase],
    observer: &mut dyn Observer,
) -> Result<Findings, Contradiction> {
    let mut campaign = Campaign::new(subject, settings);
    campaign.start_from(tests, observer)?;
    let status = campaign.search(observer)?;
    tracing::info!(target: "turn", %status, runs = campaign.stats.executions, "search ended");
    campaign.conclude(status)?;
    let unanswered = campaign.unanswered();
    let paths = exhaustion::certificate(&campaign.ledger, &campaign.cx.terms, &campaign.taken);
    let (stats, more) = (campaign.solver.stats(), campaign.judge.stats());
    let mut totals = campaign.stats;
    totals.choosing_ms = campaign.pilot.spent / 1000;
    totals.solver_calls = stats.calls + more.calls;
    totals.smt_calls = stats.resolved() + more.resolved();
    totals.solver_sat = stats.sat + more.sat;
    totals.solver_unsat = stats.unsat + more.unsat;
    totals.solver_unknown = stats.unknown + more.unknown;
    totals.solver_ms = (stats.time + more.time).as_millis() as u64;
    totals.tests = campaign.tests.len() as u64;
    if let Some(arc) = &campaign.arc {
        totals.refinements = arc.model.size.refinements;
        totals.coarsenings = arc.model.size.coarsenings;
        totals.model_nodes_peak = arc.model.size.nodes_peak as u64;
        totals.predicate_peak = arc.model.size.predicate_peak as u64;
    }
    let (terms, limits) = (campaign.cx.terms, campaign.cx.limits);
    let evidence = campaign.arc.map(|arc| Evidence { terms, flow: arc.flow, invariants: arc.invariants });
    Ok(Findings {
        evidence,
        paths,
        seeded: campaign.seeded,
        ledger: campaign.ledger,
        tests: campaign.tests,
        defects: campaign.defects,
        stats: totals,
        status,
        limits,
        timeline: campaign.timeline,
        strategy: settings.strategy.name(),
        unanswered,
        ways: campaign.ways,
    })
}

struct Campaign<'s> {
    subject: &'s Subject,
    settings: &'s Settings,
    cx: Context,
    solver: Box<dyn Solver>,
    /// For questions of provers, each of which is about another part of the program.
    judge: Box<dyn Solver>,
    tree: Tree,
    /// The inputs of runs that took new paths.
    taken: Vec<Rc<Model>>,
    pilot: paths::Pilot,
    guide: Guide,
    ledger: Ledger,
    /// Open objectives by the edge that reaches them.
    wanted: HashMap<Edge, Vec<ObjectiveId>>,
    by_entry: HashMap<u32, Vec<ObjectiveId>>,
    chances: chances::Chances,
    /// What each test reaches that the campaign starts from.
    seeded: Vec<Vec<ObjectiveId>>,
    tests: Vec<TestCase>,
    defects: Vec<Defect>,
    stats: Stats,
    timeline: Vec<Moment>,
    /// Why the tree is not the set of all paths.
    gaps: BTreeSet<Reason>,
    /// Where runs met limits of ours.
    limits: limits::Met,
    patience: explore::Patience,
    leaps: leap::Leaps,
    arc: Option<arc::Arc>,
    /// Paths of runs, by their numbers.
    records: FxHashMap<u32, attempt::Record>,
    clock: u64,
    /// Rounds of the model since the last verdict.
    quiet: u32,
    /// What paths tried in vain since something was decided, in turns that are over.
    in_vain: u64,
    /// Whether the provers had a first look at what is open.
    looked: bool,
    /// How often in a row it was of no use to do the same for inputs of the same kind.
    vain: u32,
    /// The model has no frontier to try.
    idle: bool,
    /// The solver gave no answer about the model.
    hard: bool,
    /// How much the provers may spend when they are asked next.
    effort: u32,
    /// In the order in which they are asked.
    provers: Vec<Box<dyn Prover>>,
    /// How provers ended for objectives that they did not decide, in words.
    tried: BTreeMap<ObjectiveId, BTreeMap<&'static str, String>>,
    /// What provers could not do at all, in words.
    notes: BTreeSet<String>,
    /// For points that were reached: by which decisions, in words.
    ways: BTreeMap<ObjectiveId, String>,
}

impl<'s> Campaign<'s> {
    fn new(subject: &'s Subject, settings: &'s Settings) -> Self {
        let options = solver::Options {
            backend: settings.solver,
            cancel: solver::Cancel::new(Arc::clone(&settings.cancel)),
            alike: 5_000,
            ..solver::Options::default()
        };
        let mut campaign = Campaign {
            subject,
            settings,
            cx: Context::new(settings.inputs.clone()),
            solver: solver::stack(&options),
            judge: solver::stack(&solver::Options { most_terms: JUDGE_TERMS, alike: 20_000, ..options.clone() }),
            tree: Tree::new(),
            taken: Vec::new(),
            pilot: paths::Pilot::default(),
            guide: Guide::default(),
            ledger: Ledger::new(subject.objectives.clone()),
            wanted: HashMap::new(),
            by_entry: HashMap::new(),
            chances: chances::Chances::default(),
            seeded: Vec::new(),
            tests: Vec::new(),
            defects: Vec::new(),
            stats: Stats::default(),
            timeline: Vec::new(),
            gaps: subject.fixed.iter().map(|why| Reason::new(ReasonKind::Model, why.as_str())).collect(),
            limits: limits::Met::default(),
            patience: explore::Patience::default(),
            leaps: leap::Leaps::default(),
            arc: None,
            records: FxHashMap::default(),
            clock: 0,
            quiet: 0,
            in_vain: 0,
            looked: false,
            vain: 0,
            idle: false,
            hard: false,
            effort: 0,
            provers: portfolio::provers(),
            tried: BTreeMap::new(),
            notes: BTreeSet::new(),
            ways: BTreeMap::new(),
        };
        campaign.index_objectives();
        campaign.make_guide();
        campaign.make_pilot();
        campaign.make_model();
        campaign
    }

    fn index_objectives(&mut self) {
        let marks = self.marks();
        let places: Vec<(ObjectiveId, Place)> = self
            .ledger
            .iter()
            .flat_map(|(id, o, _)| o.places.iter().map(move |&p| (id, p)).collect::<Vec<_>>())
            .collect();
        for (id, place) in places {
            match place {
                Place::Entry(function) => self.by_entry.entry(function.as_u32()).or_default().push(id),
                Place::Label(function, _, index) => {
                    self.chances.know(index, id);
                    if marks.contains(&index) {
                        self.wanted.entry((function.as_u32(), LABEL, index)).or_default().push(id);
                    }
                }
                Place::Edge(..) => {
                    if let Some(edge) = edge_of(&self.subject.image, place) {
                        self.wanted.entry(edge).or_default().push(id);
                    }
                }
            }
        }
    }

    /// The model, if the strategy wants one and the program can be modelled.
    fn make_model(&mut self) {
        if !self.settings.strategy.model {
            return;
        }
        let options = FlowOptions::of(self.subject, &self.settings.inputs);
        let objectives = &self.subject.objectives;
        match flow::build(&mut self.cx.terms, &self.subject.image, self.subject.entry, objectives, &options) {
            Ok(flow) => self.arc = Some(arc::Arc::new(flow, objectives.len(), self.settings.coarsening)),
            Err(why) => {
                self.notes.insert(why);
            }
        }
    }

    fn search(&mut self, observer: &mut dyn Observer) -> Result<Status, Contradiction> {
        self.show(observer, &[], |_| "the model at first: one node for each place".to_owned());
        self.explore(Rc::new(Model::new()), None, observer)?;
        if self.arc.is_some() {
            for id in self.ledger.open().collect::<Vec<_>>() {
                self.try_refute(id)?;
                self.show_refuted(observer, &[id]);
            }
        }
        if self.arc.is_some() {
            return self.search_joined(observer);
        }
        self.pilot.leave_sure_ways();
        loop {
            if let Some(status) = self.search_paths(u64::MAX, u64::MAX, false, observer)? {
                return Ok(status);
            }
        }
    }

    /// What was done so far, in a measure that is the same each time: instructions, and what a question costs in these.
    fn work(&self) -> u64 {
        let (paths, judge) = (self.solver.stats(), self.judge.stats());
        let questions = WORK_PER_QUESTION * (paths.calls + judge.calls);
        let resolved = WORK_TO_RESOLVE * paths.resolved() + WORK_TO_JUDGE * judge.resolved();
        self.stats.instructions + questions + resolved + self.pilot.work
    }

    /// Why the campaign ends now, if it does.
    fn is_over(&mut self, observer: &mut dyn Observer) -> Option<Status> {
        if let Some(status) = observer.progress(&self.progress()) {
            return Some(status);
        }
        if self.ledger.open().next().is_none() {
            return Some(Status::Complete);
        }
        let tests = self.settings.max_tests.is_some_and(|most| self.tests.len() as u64 >= most);
        let flips = self.settings.max_iterations.is_some_and(|most| self.stats.iterations >= most);
        (tests || flips).then_some(Status::Limit)
    }

    fn progress(&self) -> Progress {
        let (covered, infeasible, open) = self.ledger.counts();
        Progress { covered, infeasible, open, tests: self.tests.len(), executions: self.stats.executions }
    }

    /// A variable that a model does not list is zero if the query has it, and else what it was: a run must not take its
    /// default instead.
    fn complete(&self, model: Model, path: &[TermId], goal: TermId, hint: &Model) -> Model {
        let mut model = self.settle(model, path, goal, hint);
        for (var, value) in hint.iter() {
            if model.get(var).is_none() {
                model.set(var, value.clone());
            }
        }
        model
    }

    /// The same for the variables of the query alone.
    fn settle(&self, mut model: Model, path: &[TermId], goal: TermId, hint: &Model) -> Model {
        let roots: Vec<TermId> = path.iter().copied().chain(std::iter::once(goal)).collect();
        for var in self.cx.terms.variables(&roots) {
            if model.get(var).is_none() {
                model.set(var, model.value(&self.cx.terms, var));
            }
        }
        let conditions = &roots;
        let changed: Vec<VarId> = self.cx.terms.variables(&[goal]);
        let same = |var: &VarId| hint.get(*var) == Some(&model.value(&self.cx.terms, *var));
        let changed: Vec<VarId> = changed.into_iter().filter(|var| !same(var)).collect();
        covenant_concolic::shrink::shrink(&self.cx.terms, &mut model, conditions, &changed);
        model
    }
}
