//! The campaign along paths: a strategy names a way, the solver finds inputs for it, a run takes it.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use covenant_concolic::run::Run;
use covenant_concolic::tree::{NodeId, State, Trail};
use covenant_constraints::solver::{Answer, Query};
use covenant_constraints::{Model, VarId};
use covenant_goals::{Contradiction, Ledger, ObjectiveId, Reason, ReasonKind, Status};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Campaign, Observer};
use crate::around;
use crate::cfg::{self, Cfg, ENTRY, Edge};
use crate::route::{Route, roots};
use crate::strategy::{self, Next, Ran, Strategy, StrategyKind, View, Way};

/// The strategy, and what it is told.
#[derive(Debug, Default)]
pub(super) struct PathSearch {
    strategy: Option<Box<dyn Strategy>>,
    cfg: Rc<Cfg>,
    /// Whether the program can take a way twice, or nobody looked.
    pub(super) loops: bool,
    /// Edges that lead to an open objective at once, and entries of functions that do.
    open: FxHashSet<Edge>,
    /// Labels by the edges around them, which are open as long as they are.
    labels: HashMap<Edge, Vec<ObjectiveId>>,
    /// The verdicts that the strategy knows of.
    counts: (usize, usize, usize),
    /// Microseconds that choosing took.
    pub(super) spent: u64,
    /// What long paths add to the work of runs and questions.
    pub(super) work: u64,
    /// Questions without an answer, or with a late one.
    late: u32,
    /// Ways with more decisions before them wait.
    deepest: u32,
    waiting: Vec<(Way, u32)>,
    /// Ways that were to open branches when they were found, as long as they are tried before all else.
    sure: Option<VecDeque<NodeId>>,
    /// Branches to which some way cannot be taken, and how many were tried before leaps.
    failed: FxHashMap<Edge, u32>,
    /// Ways whose questions were too hard for the time they had at first.
    hard: VecDeque<NodeId>,
}

/// Objectives that a function's entry reaches, by the function.
type Entries = HashMap<u32, Vec<ObjectiveId>>;

/// How a try went.
enum Flip {
    /// Inputs, and the way that they should take.
    Found(Rc<Model>, Option<NodeId>),
    Failed,
    /// There is nothing to try.
    Done,
}

impl PathSearch {
    pub(super) fn cfg(&self) -> &Rc<Cfg> {
        &self.cfg
    }

    /// Objectives to which ways were tried that cannot be taken.
    pub(super) fn refuted(&self, wanted: &HashMap<Edge, Vec<ObjectiveId>>, most: u32) -> FxHashSet<ObjectiveId> {
        let refuted = self.failed.iter().filter(|(_, times)| **times >= most);
        refuted.filter_map(|(edge, _)| wanted.get(edge)).flatten().copied().collect()
    }

    /// From now on ways to open branches are for the strategy.
    pub(super) fn leave_direct_flips(&mut self) {
        self.sure = None;
    }

    /// The edges around labels.
    pub(super) fn label_edges(&self) -> impl Iterator<Item = &Edge> {
        self.labels.keys()
    }

    /// Tells the strategy what was decided since the last time.
    fn tell(&mut self, ledger: &Ledger, wanted: &HashMap<Edge, Vec<ObjectiveId>>, entries: &Entries) {
        let counts = ledger.counts();
        if counts == self.counts {
            return;
        }
        self.counts = counts;
        let objectives = |edge: &Edge| if edge.1 == ENTRY { entries.get(&edge.0) } else { wanted.get(edge) };
        let labels = &self.labels;
        let is_open = |edge: &Edge| {
            let mut all = objectives(edge).into_iter().chain(labels.get(edge)).flatten();
            all.any(|&id| ledger.is_open(id))
        };
        let mut closed: Vec<Edge> = self.open.iter().copied().filter(|edge| !is_open(edge)).collect();
        closed.sort_unstable();
        for edge in &closed {
            self.open.remove(edge);
        }
        if let Some(strategy) = &mut self.strategy
            && !closed.is_empty()
        {
            strategy.closed(&closed);
        }
    }
}

/// An answer without its model, for those who watch.
fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Sat(_) => "sat",
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(_) => "unknown",
    }
}

impl Campaign<'_> {
    /// The strategy, with a map of the program if it wants one.
    pub(super) fn make_path_search(&mut self) {
        let entries = self.by_entry.keys().map(|&function| (function, ENTRY, 0));
        let mut labels = around::edges_at_labels(self.subject);
        labels.values_mut().for_each(|ids| ids.retain(|&id| self.ledger.is_open(id)));
        labels.retain(|_, ids| !ids.is_empty());
        let edges = self.wanted.keys().chain(labels.keys()).copied();
        let open: FxHashSet<Edge> = edges.chain(entries).collect();
        let kind = self.settings.strategy.kind;
        self.cx.traced = kind == StrategyKind::Guided || self.settings.loop_bound.is_some();
        let mut map = Rc::new(Cfg::default());
        if kind.needs_cfg() {
            let at_labels = labels.keys().filter(|edge| edge.1 == ENTRY).map(|edge| edge.0);
            let entries: FxHashSet<u32> = self.by_entry.keys().copied().chain(at_labels).collect();
            let (cfg, contexts) = cfg::build(&self.subject.image, &roots(self.subject), &entries, &self.marks());
            map = Rc::new(cfg);
            self.cx.contexts = contexts;
        }
        self.pilot = PathSearch {
            strategy: Some(kind.make(&map, &open, self.settings.seed)),
            loops: map.is_empty() || map.has_loops(),
            cfg: map,
            open,
            labels,
            counts: self.ledger.counts(),
            deepest: if self.is_joined() { self.settings.tuning.paths_first_depth } else { u32::MAX },
            sure: self.is_joined().then(VecDeque::new),
            ..PathSearch::default()
        };
    }

    /// Whether paths come first and the model takes over what is too hard for them.
    fn is_joined(&self) -> bool {
        self.settings.strategy.model
    }

    /// Whether labels are asked for that strategies look for.
    pub(super) fn has_labels(&self) -> bool {
        !self.pilot.labels.is_empty()
    }

    /// Tries ways of paths that runs took, for so much work in vain, but at least for as much as there was before, and for so
    /// much in all. `patient`: for longer where few branches are open or paths come to an end. `Some`: the campaign ends.
    pub(super) fn search_paths(
        &mut self,
        vain: u64,
        most: u64,
        patient: bool,
        observer: &mut dyn Observer,
    ) -> Result<Option<Status>, Contradiction> {
        let begin = self.work();
        let (mut start, mut decided) = (begin, self.ledger.decided());
        let mut last = self.stats.iterations;
        let was_hard = self.hard || self.has_labels();
        loop {
            if let Some(status) = self.is_over(observer) {
                return Ok(Some(status));
            }
            if !self.take_obligation(observer)? {
                match self.next_flip(observer)? {
                    // Plain strategies are what their authors say they are, without more runs beside.
                    Flip::Found(model, target) if !self.settings.strategy.model => {
                        self.explore(model, target, observer)?;
                    }
                    Flip::Found(model, target) => {
                        let changed = self.changed(&model, target);
                        self.explore_kin(model, target, &changed, observer)?;
                    }
                    Flip::Failed => {}
                    Flip::Done if self.patience.has_postponed() => self.wait_as_long_as_it_takes(observer)?,
                    Flip::Done if self.obligations.is_empty() => return Ok(Some(Status::Complete)),
                    Flip::Done => self.obligations.only = true,
                }
            }
            let now = self.work();
            if self.ledger.decided() != decided {
                (start, decided) = (now, self.ledger.decided());
                (self.in_vain, last) = (0, self.stats.iterations);
            } else if self.is_joined() {
                self.leap_if_due(self.stats.iterations - last, observer)?;
            }
            let longer = if patient { self.how_much_longer() } else { 1 };
            let in_vain = now - start >= vain.saturating_mul(longer).max(start);
            let long = now - begin >= most.saturating_mul(longer);
            // The first hard question: the other side has been held back, as long as paths were cheap.
            let enough = in_vain || long || self.is_joined() && self.hard && !was_hard;
            if enough {
                self.in_vain += now - start;
                return Ok(None);
            }
        }
    }

    /// Tries the ways to open branches that runs have found, one for each branch at a time. `Some`: the campaign ends.
    pub(super) fn take_direct_flips(&mut self, observer: &mut dyn Observer) -> Result<Option<Status>, Contradiction> {
        while let Some(id) = self.pilot.sure.as_mut().and_then(VecDeque::pop_front) {
            if let Some(status) = self.is_over(observer) {
                return Ok(Some(status));
            }
            self.pilot.tell(&self.ledger, &self.wanted, &self.by_entry);
            let Some(edge) = strategy::edge(self.tree.node(id)) else { continue };
            let is_left = self.tree.node(id).state == State::Open && self.pilot.open.contains(&edge);
            if !is_left
                || self.pilot.failed.get(&edge).is_some_and(|&times| times >= self.settings.tuning.paths_most_failed)
            {
                continue;
            }
            match self.solve_for(id, true) {
                Some(model) => self.explore(Rc::new(model), Some(id), observer)?,
                None => *self.pilot.failed.entry(edge).or_insert(0) += 1,
            }
        }
        Ok(None)
    }

    /// The inputs that are not as they were in the run that found the way.
    fn changed(&self, model: &Model, target: Option<NodeId>) -> Vec<VarId> {
        let Some(target) = target else { return Vec::new() };
        let hint = &self.tree.node(target).hint;
        model.iter().filter(|(var, value)| hint.get(*var) != Some(*value)).map(|(var, _)| var).collect()
    }

    /// Tries the way that the strategy names.
    fn next_flip(&mut self, observer: &mut dyn Observer) -> Result<Flip, Contradiction> {
        let begin = observer.micros();
        let next = self.choose();
        self.pilot.spent += observer.micros().saturating_sub(begin);
        let (id, hasty) = match next {
            Next::Flip(id) => (id, self.is_joined()),
            Next::Inputs(model) => {
                self.stats.iterations += 1;
                return Ok(Flip::Found(Rc::new(model), None));
            }
            Next::Done if self.ask_guards()? || self.go_deeper() => return Ok(Flip::Failed),
            Next::Done => match self.pilot.hard.pop_front() {
                Some(id) => (id, false),
                None => return Ok(Flip::Done),
            },
        };
        if self.tree.node(id).state != State::Open || self.is_in_vain(id)? {
            return Ok(Flip::Failed);
        }
        Ok(match self.solve_for(id, hasty) {
            Some(model) => Flip::Found(Rc::new(model), Some(id)),
            None => {
                self.refute_by_guards()?;
                Flip::Failed
            }
        })
    }

    fn choose(&mut self) -> Next {
        self.aim_at_points();
        self.pilot.tell(&self.ledger, &self.wanted, &self.by_entry);
        self.guide.tell(&self.ledger);
        let pilot = &mut self.pilot;
        let view = View {
            terms: &self.cx.terms,
            tree: &self.tree,
            open: &pilot.open,
            deepest: pilot.deepest,
            guide: &self.guide,
        };
        pilot.strategy.as_mut().map_or(Next::Done, |strategy| strategy.next(&view))
    }

    /// Lets ways wait no more that come after many decisions, some of them; whether there were any.
    pub(super) fn go_deeper(&mut self) -> bool {
        let pilot = &mut self.pilot;
        if pilot.waiting.is_empty() {
            return false;
        }
        pilot.deepest = pilot.deepest.saturating_mul(self.settings.tuning.paths_deeper);
        let deepest = pilot.deepest;
        let (fresh, waiting): (Vec<_>, Vec<_>) = pilot.waiting.drain(..).partition(|(_, depth)| *depth <= deepest);
        pilot.waiting = waiting;
        let fresh: Vec<Way> = fresh.into_iter().map(|(way, _)| way).collect();
        let inputs = Rc::new(Model::new());
        let ran = Ran { path: &[], taken: &[], fresh: &fresh, inputs: &inputs };
        let view = View { terms: &self.cx.terms, tree: &self.tree, open: &pilot.open, deepest, guide: &self.guide };
        if let Some(strategy) = &mut pilot.strategy {
            strategy.ran(&ran, &view);
        }
        true
    }

    /// Inputs that take the way, if there are any.
    fn solve_for(&mut self, id: NodeId, hasty: bool) -> Option<Model> {
        self.stats.iterations += 1;
        // Only an open branch is sure to gain something; all else is done in the hope of what comes after it.
        let open = strategy::edge(self.tree.node(id)).is_some_and(|edge| self.pilot.open.contains(&edge));
        self.stats.hopeful_flips += u64::from(!open);
        let (path, goal) = self.tree.condition(id);
        let goal = goal?;
        self.pilot.work += self.settings.tuning.paths_work_per_constraint * path.len() as u64;
        let hint = Rc::clone(&self.tree.node(id).hint);
        let steps = self.settings.solver_steps / if hasty { self.settings.tuning.paths_haste } else { 1 };
        let query = Query { path: &path, goal, steps, hint: Some(&hint) };
        let slow = if hasty { self.solver.stats().slow() } else { 0 };
        let answer = self.solver.solve(&mut self.cx.terms, &query);
        // An answer that takes long is as good a reason to ask the provers as none: a loop gives such questions for ever.
        let unknown = matches!(answer, Answer::Unknown(_));
        tracing::debug!(target: "flip", node = ?id, depth = path.len(), open, hasty, answer = word(&answer), "asked");
        if hasty && (self.solver.stats().slow() > slow || unknown) {
            self.pilot.work += self.settings.tuning.paths_work_per_hard;
            self.pilot.late += 1;
            self.hard |= unknown || self.pilot.late >= self.settings.tuning.paths_many_late || self.has_labels();
        }
        match answer {
            Answer::Sat(model) => return Some(self.complete(model, &path, goal, &hint)),
            Answer::Unsat(_) => {
                self.tree.set(id, State::Infeasible);
                if let Some(strategy) = &mut self.pilot.strategy {
                    strategy.cannot(id);
                }
            }
            Answer::Unknown(_) if hasty => self.pilot.hard.push_back(id),
            Answer::Unknown(reason) => {
                self.pilot.work +=
                    u64::from(self.settings.tuning.paths_haste) * self.settings.tuning.paths_work_per_hard;
                let why = Reason::new(ReasonKind::Solver, format!("the solver gave no answer ({reason:?})"));
                self.tree.set(id, State::Unknown(why));
            }
        }
        None
    }

    /// Hands the path of a run to the strategy.
    pub(super) fn queue(&mut self, trail: &Trail, run: &Run, observer: &mut dyn Observer) {
        let begin = observer.micros();
        let cfg = Rc::clone(&self.pilot.cfg);
        let mut route = Route::new(&cfg);
        let (mut taken, mut fresh, mut beyond) = (Vec::new(), Vec::new(), Vec::new());
        let mut ways = trail.fresh.iter().peekable();
        // A check that failed ended the run, and its other way goes on.
        let cut = run.case.trap.is_some() && !run.cut;
        for (place, &id) in trail.path.iter().enumerate() {
            let last = place + 1 == trail.path.len();
            while let Some(&(other, _)) = ways.next_if(|way| way.1 == place) {
                let node = self.tree.node(other);
                let way = route.way(other, node, cut && last, self.settings);
                match route.is_beyond(&way, node, self.settings, &self.guide) {
                    Some(bound) => beyond.push((other, bound)),
                    None if node.depth > self.pilot.deepest => self.pilot.waiting.push((way, node.depth)),
                    None => fresh.push(way),
                }
            }
            let way = route.way(id, self.tree.node(id), false, self.settings);
            if place >= trail.shared {
                taken.push(way);
            }
            route.pass(&way, self.tree.node(id), self.settings);
        }
        for (id, bound) in beyond {
            self.tree.set(id, State::Beyond(bound));
        }
        let pilot = &mut self.pilot;
        let view = View {
            terms: &self.cx.terms,
            tree: &self.tree,
            open: &pilot.open,
            deepest: pilot.deepest,
            guide: &self.guide,
        };
        if let Some(sure) = &mut pilot.sure {
            sure.extend(fresh.iter().filter(|way| way.is_open(&view)).map(|way| way.id));
        }
        let ran = Ran { path: &trail.path, taken: &taken, fresh: &fresh, inputs: &run.inputs };
        if let Some(strategy) = &mut pilot.strategy {
            strategy.ran(&ran, &view);
        }
        self.pilot.spent += observer.micros().saturating_sub(begin);
    }
}
