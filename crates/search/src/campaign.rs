//! A campaign: from a subject and settings to tests, verdicts, and what these rest on.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use covenant_concolic::Subject;
use covenant_concolic::symbolic::Want;
use covenant_constraints::Terms;
use covenant_goals::certificate::Paths;
use covenant_goals::report::{Defect, Moment, Stats};
use covenant_goals::{Contradiction, Ledger, ObjectiveId, Status, TestCase, TestOutcome};
use covenant_transition::flow;
use covenant_transition::lemma_check::Invariant;

use crate::exhaustion;
pub use crate::lab::test_name;
use crate::lab::{Found, Kept, Lab};
use crate::scheduler::{Aside, Scheduler};
use crate::settings::Settings;

pub use crate::lab::Unanswered;
pub use crate::observer::{Observer, Progress};

/// What came of a campaign.
#[derive(Debug)]
pub struct Findings {
    /// The verdicts.
    pub ledger: Ledger,
    /// The tests that are kept.
    pub tests: Vec<TestCase>,
    /// The defects that runs found.
    pub defects: Vec<Defect>,
    /// What was done, in numbers.
    pub stats: Stats,
    /// Why the campaign ended.
    pub status: Status,
    /// Whether runs ended at the size of an object that we chose.
    pub ended_by_size: bool,
    /// Where pointers should point instead, as runs showed.
    pub wants: BTreeSet<Want>,
    /// What was left out, in words.
    pub limits: BTreeSet<String>,
    /// When what was decided.
    pub timeline: Vec<Moment>,
    /// The name of the strategy.
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

impl Findings {
    /// Takes what another search covers and this one does not, and errors that only it found.
    pub fn take_tests(&mut self, further: &Findings) -> Result<(), Contradiction> {
        let Findings { ledger, tests, defects, .. } = self;
        Kept { ledger, tests, defects }.adopt(&further.found())?;
        self.stats.add(&further.stats);
        self.stats.tests = self.tests.len() as u64;
        Ok(())
    }

    /// Leaves out tests that reach nothing which others do not reach too. What shows a defect stays, and only tests that return and
    /// depend on nothing that C leaves open can stand in for others. `needed` are the names of tests that stay.
    pub fn leave_out_superfluous(&mut self, needed: &BTreeSet<String>) {
        let shows =
            |test: &TestCase| needed.contains(&test.name) || self.defects.iter().any(|defect| defect.test == test.name);
        let returns = |test: &TestCase| test.outcome == TestOutcome::Returned && test.open.is_none();
        let mut order: Vec<u32> = (0..self.tests.len() as u32).filter(|&at| !shows(&self.tests[at as usize])).collect();
        order.sort_by_key(|&at| returns(&self.tests[at as usize]));
        let stands = |at: u32| self.tests.get(at as usize).is_some_and(returns);
        let mut kept = self.ledger.useful(self.tests.len(), &order, &stands);
        // Where there is nothing to reach, one test is all there is to see.
        if !kept.contains(&true) {
            kept.iter_mut().take(1).for_each(|first| *first = true);
        }
        self.ledger.renumber(&kept);
        let mut renamed = BTreeMap::new();
        let tests = std::mem::take(&mut self.tests).into_iter().zip(kept).filter(|(_, kept)| *kept);
        for (number, (test, _)) in tests.enumerate() {
            renamed.insert(test.name.clone(), test_name(number));
            self.tests.push(TestCase { name: test_name(number), ..test });
        }
        for defect in &mut self.defects {
            if let Some(name) = renamed.get(&defect.test) {
                defect.test.clone_from(name);
            }
        }
        self.stats.tests = self.tests.len() as u64;
    }

    fn found(&self) -> Found<'_> {
        let Findings { ledger, tests, defects, limits, stats, .. } = self;
        Found { ledger, tests, defects, limits, stats }
    }
}

/// Runs the inputs of tests that somebody made up. Those that return are tests with what they do and reach; `is_wanted` says of
/// what a run reached whether it is of use.
pub fn take(
    subject: &Subject,
    settings: &Settings,
    tests: &[TestCase],
    is_wanted: &mut dyn FnMut(&Ledger, &[ObjectiveId]) -> bool,
    observer: &mut dyn Observer,
) -> Vec<(TestCase, Vec<ObjectiveId>)> {
    let mut lab = Lab::new(subject, settings, observer);
    let mut reached = Vec::new();
    for test in tests {
        let Some(hit) = lab.take(test) else { continue };
        if is_wanted(&lab.ledger, &hit) {
            reached.push(hit);
        } else {
            lab.tests.pop();
            lab.inputs.pop();
        }
    }
    lab.observe_tests();
    lab.tests.into_iter().zip(reached).collect()
}

/// The flow of the program and what holds in it.
#[derive(Debug)]
pub struct Evidence {
    /// The terms that the others are made of.
    pub terms: Terms,
    /// The transition system.
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
    run_beside(subject, settings, tests, None, observer)
}

/// The same, where another search of this subject had larger objects: what it covers need not be searched for either.
pub fn run_beside(
    subject: &Subject,
    settings: &Settings,
    tests: &[TestCase],
    beside: Option<&Findings>,
    observer: &mut dyn Observer,
) -> Result<Findings, Contradiction> {
    let mut lab = Lab::new(subject, settings, observer);
    let mut scheduler = Scheduler::new(&mut lab)?;
    // Plain strategies are what their authors say they are.
    let plain = !settings.strategy.model || settings.max_iterations.is_some() || settings.max_tests.is_some();
    let grows = !subject.is_main || settings.inputs.process.grows;
    let looks_aside = !plain && !settings.larger.is_empty() && grows;
    scheduler.aside = looks_aside.then(|| Aside::new(look_aside));
    scheduler.start_from(&mut lab, tests)?;
    if let Some(beside) = beside {
        lab.adopt(&beside.found())?;
    }
    let status = scheduler.search(&mut lab)?;
    tracing::info!(target: "turn", %status, runs = lab.stats.executions, "search ended");
    scheduler.paths.conclude(&mut lab, status)?;
    lab.tell_proofs();
    // Tests that are there are people's own, and plain strategies are what they are.
    if (tests.is_empty() || settings.own_tests) && !plain {
        lab.improve_tests();
    }
    lab.observe_tests();
    let stats = totals(&lab, &scheduler);
    let mut limits = std::mem::take(&mut lab.cx.limits);
    if stats.solver_late > 0 {
        limits.insert(format!(
            "{} questions to solvers were ended by the clock; results may differ on another machine",
            stats.solver_late
        ));
    }
    let unanswered = lab.unanswered();
    let paths = exhaustion::certificate(&lab.ledger, &lab.cx.terms, &lab.taken);
    let terms = lab.cx.terms;
    let invariants = lab.system.invariants.into_iter().map(|(id, checked)| (id, checked.invariant)).collect();
    let evidence = lab.system.flow.map(|flow| Evidence { terms, flow, invariants });
    Ok(Findings {
        evidence,
        paths,
        seeded: lab.seeded,
        ledger: lab.ledger,
        tests: lab.tests,
        defects: lab.defects,
        stats,
        status,
        ended_by_size: lab.limits.has_size(),
        wants: lab.wants,
        limits,
        timeline: lab.timeline,
        strategy: settings.strategy.name(),
        unanswered,
        ways: lab.ways,
    })
}

/// What was done, with what solvers and tactics counted themselves.
fn totals(lab: &Lab<'_>, scheduler: &Scheduler) -> Stats {
    let (paths, judge) = (lab.solver.stats(), lab.judge.stats());
    let size = scheduler.model.as_ref().map(|model| *model.refinement.size()).unwrap_or_default();
    let mut sum = Stats {
        choosing_ms: scheduler.paths.choosing_ms(),
        solver_calls: paths.calls + judge.calls,
        smt_calls: paths.resolved() + judge.resolved(),
        solver_sat: paths.sat + judge.sat,
        solver_unsat: paths.unsat + judge.unsat,
        solver_unknown: paths.unknown + judge.unknown,
        solver_ms: (paths.time + judge.time).as_millis() as u64,
        solver_late: lab.cancel.late(),
        tests: lab.tests.len() as u64,
        refinements: size.refinements,
        coarsenings: size.coarsenings,
        model_nodes_peak: size.nodes_peak as u64,
        predicate_peak: size.predicate_peak as u64,
        ..lab.stats.clone()
    };
    sum.add(&lab.aside);
    sum
}

/// Searches with larger objects, the smallest of so many sizes first, each for so much work, and takes what they reach.
fn look_aside(lab: &mut Lab<'_>, sizes: usize, work: u64) -> Result<(), Contradiction> {
    for &(elements, nodes) in lab.settings.larger.iter().take(sizes) {
        let mut settings =
            Settings { larger: Vec::new(), reshapes: false, proves: false, own_tests: false, ..lab.settings.clone() };
        settings.max_work = Some(work);
        settings.inputs.enlarged(elements, nodes);
        let findings = run_from(lab.subject, &settings, &lab.tests.clone(), &mut *lab.observer)?;
        let found = lab.adopt(&findings.found())?;
        tracing::info!(target: "turn", elements, found, runs = findings.stats.executions, "aside");
        if lab.is_over().is_some() || !findings.ended_by_size {
            break;
        }
    }
    Ok(())
}
