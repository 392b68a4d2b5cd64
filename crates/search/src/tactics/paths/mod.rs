//! Path search: a strategy names a way, the solver finds inputs for it, a run takes it.
//!
//! Beside the ways of the tree it tries label obligations (see `obligations`), and before all else direct flips: ways to
//! branches that are open. A guide (see `guide`) leaves out ways that agree with none of the traces that are asked for.
//! When no way is left, the tree says what no run can reach (see `conclude`).

mod conclude;
mod flip;
mod guide;
mod obligations;

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use covenant_concolic::run::Run;
use covenant_concolic::tree::{NodeId, State, Trail};
use covenant_constraints::Model;
use covenant_goals::{Contradiction, ObjectiveId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::around;
use crate::cfg::{self, Cfg, ENTRY, Edge};
use crate::guided::Guide;
use crate::lab::{Budget, Lab, Others, Ran, Tactic, Turn};
use crate::route::{Route, roots};
use crate::strategy::{self, Strategy, StrategyKind, View, Way};

use flip::Flip;
use obligations::Obligations;

/// The state of the search along paths.
#[derive(Debug)]
pub(crate) struct PathSearch {
    strategy: Box<dyn Strategy>,
    cfg: Rc<Cfg>,
    guide: Guide,
    obligations: Obligations,
    /// Edges that lead to an open objective at once, and entries of functions that do.
    open: FxHashSet<Edge>,
    /// Labels by the edges around them, which are open as long as they are.
    labels: HashMap<Edge, Vec<ObjectiveId>>,
    /// The verdicts that the strategy knows of.
    counts: (usize, usize, usize),
    /// Microseconds that choosing took.
    spent: u64,
    /// Questions without an answer, or with a late one.
    late: u32,
    /// Ways with more decisions before them wait.
    deepest: u32,
    waiting: Vec<(Way, u32)>,
    /// Ways that were to open branches when they were found, as long as they are tried before all else.
    direct: Option<VecDeque<NodeId>>,
    /// Ways whose questions were too hard for the steps that they had at first.
    hard: VecDeque<NodeId>,
    /// Whether other tactics take over what is too hard for paths.
    joined: bool,
}

impl Tactic for PathSearch {
    /// Tries obligations and ways until something is decided, a question turns out to be hard, or the budget is used up.
    /// In haste, direct flips only. [`Turn::Idle`]: no way is left.
    fn turn(&mut self, lab: &mut Lab<'_>, others: &mut Others<'_>, budget: Budget) -> Result<Turn, Contradiction> {
        if budget.hasty {
            return self.take_direct_flips(lab, others);
        }
        // From now on ways to open branches are for the strategy.
        self.direct = None;
        let (start, tries) = (lab.work(), lab.stats.iterations);
        let (decided, hard) = (lab.ledger.decided(), lab.known.hard);
        loop {
            if let Some(status) = lab.is_over() {
                return Ok(Turn::Over(status));
            }
            if !self.take_obligation(lab, others)? {
                match self.next_flip(lab)? {
                    // Plain strategies are what their authors say they are, without more runs beside.
                    Flip::Found(inputs, target) if !self.joined => lab.explore(self, others, inputs, target)?,
                    Flip::Found(inputs, target) => {
                        let changed = flip::changed(lab, &inputs, target);
                        lab.explore_kin(self, others, (inputs, &changed), target)?;
                    }
                    Flip::Failed => {}
                    Flip::Done if lab.has_postponed() => lab.wait_as_long_as_it_takes(self, others)?,
                    Flip::Done if self.obligations.is_empty() => return Ok(Turn::Idle),
                    Flip::Done => self.obligations.only = true,
                }
            }
            let is_news = lab.ledger.decided() != decided || lab.known.hard != hard;
            let is_used = lab.work() - start >= budget.work || lab.stats.iterations - tries >= budget.tries;
            if is_news || is_used {
                return Ok(Turn::More);
            }
        }
    }

    fn learn(&mut self, lab: &mut Lab<'_>, ran: &Ran<'_>) {
        self.guide.took(ran.run.local);
        if let Some(trail) = ran.trail {
            self.obligations.only = false;
            self.queue(lab, trail, ran.run);
        }
        self.add_obligations(lab, ran.run);
    }
}

impl PathSearch {
    /// The strategy, with a map of the program if it wants one. Tells the lab what the map shows.
    pub(crate) fn new(lab: &mut Lab<'_>) -> PathSearch {
        let guide = guide::make(lab);
        let mut labels = around::edges_at_labels(lab.subject);
        labels.values_mut().for_each(|ids| ids.retain(|&id| lab.ledger.is_open(id)));
        labels.retain(|_, ids| !ids.is_empty());
        let entries = lab.index.by_entry.keys().map(|&function| (function, ENTRY, 0));
        let edges = lab.index.by_edge.keys().chain(labels.keys()).copied();
        let open: FxHashSet<Edge> = edges.chain(entries).collect();
        let kind = lab.settings.strategy.kind;
        lab.cx.traced = kind == StrategyKind::Guided || lab.settings.loop_bound.is_some();
        let mut map = Rc::new(Cfg::default());
        if kind.needs_cfg() {
            let at_labels = labels.keys().filter(|edge| edge.1 == ENTRY).map(|edge| edge.0);
            let entries: FxHashSet<u32> = lab.index.by_entry.keys().copied().chain(at_labels).collect();
            let (cfg, contexts) = cfg::build(&lab.subject.image, &roots(lab.subject), &entries, &lab.index.shown);
            map = Rc::new(cfg);
            lab.cx.contexts = contexts;
        }
        lab.known.loops = map.is_empty() || map.has_loops();
        lab.known.labels = !labels.is_empty();
        let joined = lab.settings.strategy.model;
        PathSearch {
            strategy: kind.make(&map, &open, lab.settings.seed),
            cfg: map,
            guide,
            obligations: Obligations::default(),
            open,
            labels,
            counts: lab.ledger.counts(),
            spent: 0,
            late: 0,
            deepest: if joined { lab.tuning().paths_first_depth } else { u32::MAX },
            waiting: Vec::new(),
            direct: joined.then(VecDeque::new),
            hard: VecDeque::new(),
            joined,
        }
    }

    /// Milliseconds that choosing took, for the report.
    pub(crate) fn choosing_ms(&self) -> u64 {
        self.spent / 1000
    }

    /// Tells the strategy what was decided since the last time.
    fn tell(&mut self, lab: &Lab<'_>) {
        let counts = lab.ledger.counts();
        if counts == self.counts {
            return;
        }
        self.counts = counts;
        let index = &lab.index;
        let objectives =
            |edge: &Edge| if edge.1 == ENTRY { index.by_entry.get(&edge.0) } else { index.by_edge.get(edge) };
        let labels = &self.labels;
        let is_open = |edge: &Edge| {
            let mut all = objectives(edge).into_iter().chain(labels.get(edge)).flatten();
            all.any(|&id| lab.ledger.is_open(id))
        };
        let mut closed: Vec<Edge> = self.open.iter().copied().filter(|edge| !is_open(edge)).collect();
        closed.sort_unstable();
        for edge in &closed {
            self.open.remove(edge);
        }
        if !closed.is_empty() {
            self.strategy.closed(&closed);
        }
    }

    /// Tries the ways to open branches that runs have found, one for each branch at a time.
    fn take_direct_flips(&mut self, lab: &mut Lab<'_>, others: &mut Others<'_>) -> Result<Turn, Contradiction> {
        while let Some(id) = self.direct.as_mut().and_then(VecDeque::pop_front) {
            if let Some(status) = lab.is_over() {
                return Ok(Turn::Over(status));
            }
            self.tell(lab);
            let Some(edge) = strategy::edge(lab.tree.node(id)) else { continue };
            let is_left = lab.tree.node(id).state == State::Open && self.open.contains(&edge);
            let failed = lab.known.failed_flips.get(&edge).copied().unwrap_or(0);
            if !is_left || failed >= lab.tuning().paths_most_failed {
                continue;
            }
            match self.solve_for(lab, id, true) {
                Some(inputs) => lab.explore(self, others, Rc::new(inputs), Some(id))?,
                None => *lab.known.failed_flips.entry(edge).or_insert(0) += 1,
            }
        }
        Ok(Turn::Idle)
    }

    /// Lets ways wait no more that come after many decisions, some of them; whether there were any.
    pub(crate) fn go_deeper(&mut self, lab: &Lab<'_>) -> bool {
        if self.waiting.is_empty() {
            return false;
        }
        self.deepest = self.deepest.saturating_mul(lab.tuning().paths_deeper);
        let deepest = self.deepest;
        let (fresh, waiting): (Vec<_>, Vec<_>) = self.waiting.drain(..).partition(|(_, depth)| *depth <= deepest);
        self.waiting = waiting;
        let fresh: Vec<Way> = fresh.into_iter().map(|(way, _)| way).collect();
        let inputs = Rc::new(Model::new());
        self.tell_run(lab, &strategy::Ran { path: &[], taken: &[], fresh: &fresh, missed: &[], inputs: &inputs });
        true
    }

    fn tell_run(&mut self, lab: &Lab<'_>, ran: &strategy::Ran<'_>) {
        self.with_view(lab, |strategy, view| strategy.ran(ran, view));
    }

    /// Lets the strategy do something with what it can look at now.
    fn with_view<T>(&mut self, lab: &Lab<'_>, act: impl FnOnce(&mut dyn Strategy, &View<'_>) -> T) -> T {
        let view = View {
            terms: &lab.cx.terms,
            tree: &lab.tree,
            open: &self.open,
            deepest: self.deepest,
            guide: &self.guide,
            tuning: lab.tuning(),
        };
        act(&mut *self.strategy, &view)
    }

    /// Open ways of branches that a run went another way at, and the decisions before it last did.
    fn missed(&self, run: &Run) -> Vec<(Edge, u32)> {
        let mut last: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let functions: FxHashSet<u32> = self.open.iter().map(|edge| edge.0).collect();
        for function in functions {
            for (&(pc, _), &decisions) in &run.edges[function as usize] {
                let known = last.entry((function, pc)).or_insert(0);
                *known = decisions.max(*known);
            }
        }
        let at = |edge: &Edge| last.get(&(edge.0, edge.1)).map(|decisions| (*edge, *decisions));
        let mut missed: Vec<(Edge, u32)> = self.open.iter().filter_map(at).collect();
        missed.sort_unstable();
        missed
    }

    /// Hands the path of a run to the strategy.
    fn queue(&mut self, lab: &mut Lab<'_>, trail: &Trail, run: &Run) {
        let begin = lab.observer.micros();
        let cfg = Rc::clone(&self.cfg);
        let mut route = Route::new(&cfg);
        let (mut taken, mut fresh, mut beyond) = (Vec::new(), Vec::new(), Vec::new());
        let mut ways = trail.fresh.iter().peekable();
        // A check that failed ended the run, and its other way goes on.
        let cut = run.case.trap.is_some() && !run.cut;
        for (place, &id) in trail.path.iter().enumerate() {
            let last = place + 1 == trail.path.len();
            while let Some(&(other, _)) = ways.next_if(|way| way.1 == place) {
                let node = lab.tree.node(other);
                let way = route.way(other, node, cut && last, lab.settings);
                match route.is_beyond(&way, node, lab.settings, &self.guide) {
                    Some(bound) => beyond.push((other, bound)),
                    None if node.depth > self.deepest => self.waiting.push((way, node.depth)),
                    None => fresh.push(way),
                }
            }
            let way = route.way(id, lab.tree.node(id), false, lab.settings);
            if place >= trail.shared {
                taken.push(way);
            }
            route.pass(&way, lab.tree.node(id), lab.settings);
        }
        for (id, bound) in beyond {
            lab.tree.set(id, State::Beyond(bound));
        }
        if let Some(direct) = &mut self.direct {
            let is_open = |way: &&Way| way.edge.is_some_and(|edge| self.open.contains(&edge));
            direct.extend(fresh.iter().filter(is_open).map(|way| way.id));
        }
        // Functions are given values. What a program reads comes to it through others, whose ways say how it went.
        let missed = if lab.is_given_process() { self.missed(run) } else { Vec::new() };
        let ran =
            strategy::Ran { path: &trail.path, taken: &taken, fresh: &fresh, missed: &missed, inputs: &run.inputs };
        self.tell_run(lab, &ran);
        self.spent += lab.observer.micros().saturating_sub(begin);
    }
}
