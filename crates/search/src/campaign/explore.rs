//! Runs: how long they may take, and what is learned from each.

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use covenant_concolic::run::Run;
use covenant_concolic::symbolic::Seed;
use covenant_concolic::tree::{NodeId, State};
use covenant_constraints::{Model, VarId};
use covenant_goals::report::{Defect, Moment};
use covenant_goals::{Contradiction, ObjectiveId, Reason, ReasonKind, TestCase};
use covenant_transition::trace::{self, Trace};

use super::{Campaign, Observer};

/// Turns of a loop after which runs are cut, at first.
const FIRST_TURNS: u32 = 200;
/// What a decision of a run costs: terms, and its place in the tree.
const WORK_PER_EVENT: u64 = 160;
/// How much longer runs may be each time.
const LONGER: u32 = 2;
/// Times in a row that doing the same for inputs of the same kind was of no use, after which it is left.
const MOST_VAIN: u32 = 8;

/// How long runs may take while shorter ones may do. Most of what a program can do shows in few turns of its loops, and
/// the solver likes large bounds.
#[derive(Debug, Default)]
pub(super) struct Patience {
    /// Visits of one location; `None`: as many as it takes, or not known before the first run.
    turns: Option<u32>,
    /// Inputs whose runs were cut. They are tried again before anyone says that all paths are known.
    postponed: VecDeque<Rc<Model>>,
}

impl Patience {
    pub(super) fn has_postponed(&self) -> bool {
        !self.postponed.is_empty()
    }
}

impl Campaign<'_> {
    /// Runs the program, not for longer than it is worth.
    fn run_patiently(&mut self, model: Rc<Model>) -> (Run, Trace) {
        let first = self.stats.executions == 0;
        let (run, trace) = self.run_once(Rc::clone(&model));
        if first {
            self.patience.turns = Some(trace.turns.saturating_mul(LONGER).max(FIRST_TURNS));
        }
        if !run.cut {
            return (run, trace);
        }
        let hit = self.hits(&run);
        if !hit.iter().any(|&id| self.ledger.is_open(id)) {
            self.patience.postponed.push_back(model);
            return (Run { gap: None, ..run }, trace);
        }
        // It makes a test, which needs its end.
        let turns = self.patience.turns.take();
        let done = self.run_once(model);
        self.patience.turns = turns;
        done
    }

    fn run_once(&mut self, model: Rc<Model>) -> (Run, Trace) {
        if let Some(arc) = &mut self.arc {
            arc.questions.turns = self.patience.turns;
        }
        self.want_labels();
        let follow = self.arc.as_ref().map(|arc| (&*arc.flow, &arc.questions));
        let (run, trace) = trace::follow(self.subject, self.settings.limits(), &mut self.cx, model, follow);
        self.stats.executions += 1;
        self.stats.instructions += run.instructions;
        self.pilot.work += WORK_PER_EVENT * run.events.len() as u64;
        (run, trace)
    }

    /// Runs the program on the inputs of tests that are there, each to its end.
    pub(super) fn start_from(&mut self, tests: &[TestCase], observer: &mut dyn Observer) -> Result<(), Contradiction> {
        for test in tests {
            if self.is_over(observer).is_some() {
                break;
            }
            self.cx.seed = Some(Seed::new(test));
            self.seeded.push(Vec::new());
            let turns = self.patience.turns.take();
            let explored = self.explore(Rc::new(Model::new()), None, observer);
            self.patience.turns = turns.or(self.patience.turns);
            self.cx.seed = None;
            explored?;
        }
        Ok(())
    }

    /// Nothing moves: the way may be a longer one.
    pub(super) fn wait_longer(&mut self, observer: &mut dyn Observer) -> Result<(), Contradiction> {
        self.patience.turns = self.patience.turns.map(|turns| turns.saturating_mul(LONGER));
        match self.patience.postponed.pop_front() {
            Some(model) => self.explore(model, None, observer),
            None => Ok(()),
        }
    }

    /// No other way is left: runs that were cut are run to their end.
    pub(super) fn wait_as_long_as_it_takes(&mut self, observer: &mut dyn Observer) -> Result<(), Contradiction> {
        self.patience.turns = None;
        while let Some(model) = self.patience.postponed.pop_front() {
            if self.is_over(observer).is_some() {
                self.patience.postponed.push_back(model);
                break;
            }
            self.explore(model, None, observer)?;
        }
        Ok(())
    }

    /// Runs, and if that was of use, does the same for inputs of the same kind.
    pub(super) fn explore_kin(
        &mut self,
        inputs: Rc<Model>,
        target: Option<NodeId>,
        changed: &[VarId],
        observer: &mut dyn Observer,
    ) -> Result<(), Contradiction> {
        let covered = self.ledger.counts().0;
        self.explore(Rc::clone(&inputs), target, observer)?;
        if self.ledger.counts().0 == covered || self.vain > MOST_VAIN {
            return Ok(());
        }
        let spread = self.cx.spread(&inputs, changed);
        if spread.iter().all(|(var, value)| inputs.get(*var) == Some(value)) {
            return Ok(());
        }
        let mut inputs = (*inputs).clone();
        for (var, value) in spread {
            inputs.set(var, value);
        }
        let covered = self.ledger.counts().0;
        self.explore(Rc::new(inputs), None, observer)?;
        self.vain = if self.ledger.counts().0 == covered { self.vain + 1 } else { 0 };
        Ok(())
    }

    /// Runs the program on these inputs and learns from it.
    pub(super) fn explore(
        &mut self,
        model: Rc<Model>,
        target: Option<NodeId>,
        observer: &mut dyn Observer,
    ) -> Result<(), Contradiction> {
        let number = self.tests.len() as u32;
        let aims = if observer.wants_model() { self.frontiers() } else { Vec::new() };
        let (run, trace) = self.run_patiently(model);
        if let Some(arc) = &mut self.arc {
            let fresh = arc.learn(&run, &trace);
            self.show_run(observer, &aims, &fresh);
            self.coarsen(&fresh, observer);
        }
        tracing::trace!(target: "run", number = self.stats.executions, instructions = run.instructions, cut = run.cut, "done");
        self.gaps.extend(run.gap.clone());
        self.limits.extend(&run.limits);
        self.guide.took(run.local);
        match self.tree.insert(&self.cx.terms, &run.events, &run.inputs) {
            Some(trail) => {
                self.chances.only = false;
                if self.taken.is_empty() || trail.path.len() > trail.shared {
                    self.taken.push(Rc::clone(&run.inputs));
                }
                self.queue(&trail, &run, observer);
            }
            None => {
                let words = "a run took another way than the same inputs did before";
                self.gaps.insert(Reason::new(ReasonKind::Model, words));
            }
        }
        self.add_chances(&run);
        // A run that was cut may not have come to it yet.
        if let Some(id) = target.filter(|&id| self.tree.node(id).state == State::Open && !run.cut) {
            let words = "the run did not go the way that the solver's inputs should take";
            let why = Reason::new(ReasonKind::Model, words);
            self.gaps.insert(why.clone());
            self.tree.set(id, State::Unknown(why));
        }
        if run.outside {
            return Ok(());
        }
        let hit = self.hits(&run);
        if let Some(seeded) = self.seeded.last_mut().filter(|_| self.cx.seed.is_some()) {
            seeded.clone_from(&hit);
        }
        let new = hit.iter().any(|&id| self.ledger.is_open(id));
        let defect = run.defect.clone().filter(|d| !self.defects.iter().any(|o| same_defect(o, d)));
        if new || defect.is_some() {
            self.keep(run, hit, defect, number)?;
            let progress = self.progress();
            self.timeline.push(Moment {
                ms: observer.elapsed(),
                executions: self.stats.executions,
                covered: progress.covered as u64,
                infeasible: progress.infeasible as u64,
            });
        }
        Ok(())
    }

    /// Objectives that a run reached.
    fn hits(&self, run: &Run) -> Vec<ObjectiveId> {
        let mut hit = BTreeSet::new();
        for (function, edges) in run.edges.iter().enumerate() {
            for &(pc, edge) in edges {
                hit.extend(self.wanted.get(&(function as u32, pc, edge)).into_iter().flatten().copied());
            }
        }
        for (&function, ids) in &self.by_entry {
            if run.entered[function as usize] {
                hit.extend(ids.iter().copied());
            }
        }
        hit.extend(run.labels.reached.iter().flat_map(|&label| self.chances.objectives(label)));
        hit.into_iter().collect()
    }

    fn keep(
        &mut self,
        run: Run,
        hit: Vec<ObjectiveId>,
        defect: Option<Defect>,
        number: u32,
    ) -> Result<(), Contradiction> {
        self.tell_ways(&run, &hit);
        let mut case = run.case;
        case.name = format!("test_{:03}", number + 1);
        if let Some(mut defect) = defect {
            defect.test = case.name.clone();
            self.defects.push(defect);
        }
        for id in hit {
            self.report_defect(id, &case.name);
            self.ledger.cover(id, number)?;
        }
        self.tests.push(case);
        Ok(())
    }
}

fn same_defect(a: &Defect, b: &Defect) -> bool {
    (&a.kind, &a.file, a.line, a.column) == (&b.kind, &b.file, b.line, b.column)
}
