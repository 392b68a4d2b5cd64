//! The campaign with a model: tests across frontiers, refinement where there are none, proofs.

use std::collections::BTreeMap;
use std::rc::Rc;

use covenant_concolic::run::Run;
use covenant_constraints::solver::{Answer, Query, Steps};
use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Evaluator, Model as Inputs, TermId, Terms, Value, VarId};
use covenant_goals::{Contradiction, ObjectiveId};
use covenant_prove::arc::frontier::{self, Frontier};
use covenant_prove::arc::model::{Model, NodeId};
use covenant_transition::compiled::Compiled;
use covenant_transition::flow::{Flow, LocationId};
use covenant_transition::justify::{Invariant, Lemmas, before};
use covenant_transition::trace::{Questions, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Campaign, Observer, frontier_query};

/// What the model-based part of a campaign knows.
#[derive(Debug)]
pub(super) struct Abstraction {
    pub(super) flow: Rc<Flow>,
    pub(super) model: Model,
    pub(super) questions: Questions,
    /// The inputs of runs that nodes remember.
    pub(super) runs: Vec<Rc<Inputs>>,
    /// Whether they were ended early.
    cut: Vec<bool>,
    /// What is believed at locations; proofs check it again.
    pub(super) lemmas: Lemmas,
    /// The same, from provers that look at the whole program.
    pub(super) facts: Lemmas,
    pub(super) stuck: FxHashMap<Frontier, u32>,
    pub(super) invariants: BTreeMap<ObjectiveId, Invariant>,
    pub(super) objectives_at: FxHashMap<LocationId, Vec<ObjectiveId>>,
}

impl Abstraction {
    pub(super) fn new(flow: Flow, objectives: usize, coarsens: bool, tuning: &Tuning) -> Abstraction {
        let model = Model::new(&flow, coarsens, tuning);
        let mut objectives_at: FxHashMap<LocationId, Vec<ObjectiveId>> = FxHashMap::default();
        for id in (0..objectives as u32).map(ObjectiveId) {
            for &location in &flow.target(id).locations {
                objectives_at.entry(location).or_default().push(id);
            }
        }
        Abstraction {
            flow: Rc::new(flow),
            model,
            questions: Questions::default(),
            runs: Vec::new(),
            cut: Vec::new(),
            lemmas: Lemmas::default(),
            facts: Lemmas::default(),
            stuck: FxHashMap::default(),
            invariants: BTreeMap::new(),
            objectives_at,
        }
    }

    /// Learns where a run was; the nodes that it covered first.
    pub(super) fn learn(&mut self, run: &Run, trace: &Trace) -> Vec<NodeId> {
        let number = self.runs.len() as u32;
        let mut fresh = Vec::new();
        let mut visited: Vec<_> = trace.visits.iter().collect();
        visited.sort_by_key(|((location, truths), _)| (*location, truths.clone()));
        let nothing = Vec::new();
        for ((location, truths), visits) in visited {
            let formulas = self.questions.watched.get(location).map_or(&nothing, |watched| &watched.formulas);
            let Some(node) = self.model.find(*location, formulas, truths) else { continue };
            let mut ordinals: Vec<u32> = visits.all().collect();
            ordinals.reverse();
            if self.model.cover(node, ordinals.into_iter().map(|ordinal| (number, ordinal))) {
                fresh.push(node);
            }
        }
        self.runs.push(Rc::clone(&run.inputs));
        self.cut.push(run.cut || run.gap.is_some());
        fresh
    }

    /// So many of these visits, the latest first, but those of runs that were ended early last.
    pub(super) fn handy(&self, visits: &[(u32, u32)], most: usize) -> Vec<(u32, u32)> {
        let mut visits: Vec<(u32, u32)> = visits.iter().rev().copied().collect();
        visits.sort_by_key(|&(run, _)| self.cut[run as usize]);
        visits.truncate(most);
        visits
    }

    /// Whether some run was at one of the locations.
    pub(super) fn visited(&self, locations: &[LocationId]) -> bool {
        let mut nodes = locations.iter().flat_map(|&location| self.model.leaves(location));
        nodes.any(|&node| self.model.node(node).covered)
    }

    /// The splits of a location have changed.
    fn watch(&mut self, terms: &Terms, location: LocationId) {
        let formulas = self.model.formulas(location);
        if formulas.is_empty() {
            self.questions.watched.remove(&location);
        } else {
            self.questions.watched.insert(location, Compiled::new(terms, formulas));
        }
    }

    fn coarsen(&mut self, terms: &Terms, nodes: &[NodeId]) {
        let before = self.model.size.coarsenings;
        for &node in nodes {
            self.model.coarsen(node);
        }
        if self.model.size.coarsenings != before {
            let locations: Vec<LocationId> = self.questions.watched.keys().copied().collect();
            for location in locations {
                self.watch(terms, location);
            }
        }
    }
}

/// How a round went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Round {
    /// There was no frontier to try.
    Idle,
    /// Something was learned, if only what cannot be.
    Busy,
}

impl Campaign<'_> {
    /// One frontier for each open target: crossed, blocked or moved back.
    pub(super) fn arc_round(&mut self, observer: &mut dyn Observer) -> Result<Round, Contradiction> {
        let targets = self.arc_targets();
        let Some(arc) = &self.arc else { return Ok(Round::Idle) };
        let chosen = frontier::choose(&arc.flow, &arc.model, &targets, &arc.stuck);
        if chosen.is_empty() {
            return Ok(Round::Idle);
        }
        let mut open = Vec::new();
        for (_, frontier) in chosen {
            self.stats.iterations += 1;
            if !self.is_frontier(frontier) {
                continue;
            }
            let blocked = self.cannot_step(frontier);
            tracing::debug!(target: "frontier", edge = %frontier.edge, from = %frontier.from, to = %frontier.to, blocked, "tried");
            if blocked {
                self.block(frontier, observer)?;
            } else {
                open.push(frontier);
            }
        }
        for (frontier, weak) in self.cross(open, observer)? {
            if self.is_frontier(frontier) {
                self.refine(frontier, weak, observer);
            }
        }
        Ok(Round::Busy)
    }

    /// Nodes at open objectives that no run has covered.
    pub(super) fn arc_targets(&self) -> Vec<NodeId> {
        let Some(arc) = &self.arc else { return Vec::new() };
        let mut targets = Vec::new();
        for id in self.ledger.open() {
            let target = arc.flow.target(id);
            for &location in &target.locations {
                let leaves = arc.model.leaves(location).iter();
                targets.extend(leaves.filter(|&&n| !arc.model.node(n).covered && !arc.model.node(n).dead));
            }
        }
        targets
    }

    /// Whether it still is what it was when it was chosen.
    pub(super) fn is_frontier(&self, frontier: Frontier) -> bool {
        let Some(arc) = &self.arc else { return false };
        let Frontier { from, edge, to } = frontier;
        let model = &arc.model;
        let whole = model.is_leaf(from) && model.is_leaf(to);
        whole && model.node(from).covered && !model.node(to).covered && !model.is_blocked(from, edge, to)
    }

    /// What must hold in the node before for the step to end in the node behind.
    pub(super) fn step_condition(&mut self, frontier: Frontier) -> Vec<TermId> {
        let Some(arc) = &self.arc else { return Vec::new() };
        let terms = &mut self.cx.terms;
        let mut conjuncts = arc.flow.edges[frontier.edge].guard.clone();
        for formula in arc.model.predicate(terms, frontier.to) {
            conjuncts.push(before(&arc.flow, terms, frontier.edge, formula));
        }
        conjuncts.retain(|&c| terms.as_bool(c) != Some(true));
        conjuncts
    }

    /// For one question about the model: what is hard is left to the provers first.
    pub(super) fn patience_with_solver(&self) -> Steps {
        self.settings.solver_steps.min(Steps(self.settings.tuning.model_patience) * (1 << (2 * self.effort).min(8)))
    }

    /// Whether no state of the node before can take the step.
    fn cannot_step(&mut self, frontier: Frontier) -> bool {
        let steps = self.patience_with_solver();
        let condition = self.step_condition(frontier);
        let Some(arc) = &self.arc else { return false };
        let terms = &mut self.cx.terms;
        let mut path = arc.model.predicate(terms, frontier.from);
        let location = arc.model.node(frontier.from).location;
        path.extend(arc.lemmas.get(&location).into_iter().flatten());
        let goal = terms.and_all(condition);
        let facts = arc.facts.get(&location).map_or(&[][..], Vec::as_slice);
        // Facts come in only where a state that could step is none: most have nothing to do with it.
        for _ in 0..self.settings.tuning.model_most_facts {
            let query = Query { path: &path, goal, steps, hint: None };
            let model = match self.judge.solve(terms, &query) {
                Answer::Unsat(_) => return true,
                Answer::Unknown(_) => {
                    self.hard = true;
                    return false;
                }
                Answer::Sat(model) => model,
            };
            let mut evaluator = Evaluator::new(terms, &model);
            let Some(&fact) = facts.iter().find(|&&fact| !evaluator.eval(fact).is_true()) else { return false };
            path.push(fact);
        }
        false
    }

    fn block(&mut self, frontier: Frontier, observer: &mut dyn Observer) -> Result<(), Contradiction> {
        let Some(arc) = &mut self.arc else { return Ok(()) };
        arc.model.block(frontier.from, frontier.edge, frontier.to);
        let flow = Rc::clone(&arc.flow);
        let mut hit: Vec<ObjectiveId> = Vec::new();
        let mut all = Vec::new();
        let mut work = vec![frontier.to];
        while let Some(next) = work.pop() {
            if arc.model.node(next).dead {
                continue;
            }
            let Some(dead) = frontier::unreachable(&flow, &arc.model, next) else { continue };
            for &node in &dead {
                let location = arc.model.node(node).location;
                let predicate = arc.model.predicate(&mut self.cx.terms, node);
                let inside = self.cx.terms.and_all(predicate);
                let lemma = self.cx.terms.not(inside);
                arc.lemmas.entry(location).or_default().push(lemma);
                // What can be reached from there only is unreachable too.
                work.extend(arc.model.out(&flow, node).map(|(_, to)| to).filter(|&to| !arc.model.node(to).covered));
                arc.model.kill(node);
                hit.extend(arc.objectives_at.get(&location).into_iter().flatten());
            }
            all.extend(dead);
        }
        self.show_blocked(observer, frontier, &all);
        self.coarsen(&all, observer);
        hit.sort_unstable();
        hit.dedup();
        for &id in &hit {
            let open = self.ledger.is_open(id);
            self.try_refute(id)?;
            if open {
                self.show_refuted(observer, &[id]);
            }
        }
        Ok(())
    }

    /// Undoes the splits that were made for nodes that are decided now.
    pub(super) fn coarsen(&mut self, decided: &[NodeId], observer: &mut dyn Observer) {
        let Some(arc) = &mut self.arc else { return };
        let before = arc.model.size.coarsenings;
        arc.coarsen(&self.cx.terms, decided);
        let undone = arc.model.size.coarsenings - before;
        if undone > 0 {
            self.show_coarsened(observer, undone);
        }
    }

    /// Refutes an objective if all its places are unreachable and the proof holds.
    pub(super) fn try_refute(&mut self, id: ObjectiveId) -> Result<(), Contradiction> {
        let Some(arc) = &mut self.arc else { return Ok(()) };
        let target = arc.flow.target(id);
        let objective = self.ledger.objective(id);
        let tied = !objective.places.is_empty() && objective.untied.is_none();
        if !self.ledger.is_open(id) || target.beyond.is_some() || !tied {
            return Ok(());
        }
        let dead = |&location: &LocationId| arc.model.leaves(location).iter().all(|&node| arc.model.node(node).dead);
        if !target.locations.iter().all(dead) {
            return Ok(());
        }
        let lemmas = std::mem::take(&mut arc.lemmas);
        let mut refuted = self.refute_with(id, &lemmas, "arc".to_owned());
        let Some(arc) = &mut self.arc else { return Ok(()) };
        if refuted.is_ok() && self.ledger.is_open(id) && !arc.facts.is_empty() {
            let mut all = lemmas.clone();
            for (location, facts) in &arc.facts {
                all.entry(*location).or_default().extend(facts);
            }
            refuted = self.refute_with(id, &all, "arc".to_owned());
        }
        if let Some(arc) = &mut self.arc {
            arc.lemmas = lemmas;
        }
        if let Some(why) = refuted? {
            self.tried.entry(id).or_default().insert("arc", format!("a proof that was not confirmed: {why}"));
        }
        Ok(())
    }

    /// Splits the node before the frontier: no run so far was in a state that can step over it.
    fn refine(&mut self, frontier: Frontier, weak: bool, observer: &mut dyn Observer) {
        let condition = self.step_condition(frontier);
        let Some(arc) = &mut self.arc else { return };
        let terms = &mut self.cx.terms;
        let is_state = |terms: &covenant_constraints::Terms, c: TermId| {
            terms.variables(&[c]).into_iter().all(|var| arc.flow.is_state(var))
        };
        let conjuncts: Vec<TermId> = condition.into_iter().filter(|&c| is_state(terms, c)).collect();
        let location = arc.model.node(frontier.from).location;
        if weak || conjuncts.is_empty() || location == arc.flow.root {
            arc.stuck.insert(frontier, arc.model.node(frontier.from).times);
            self.show_stuck(observer, frontier);
            return;
        }
        let conjuncts = self.weakened(frontier, conjuncts);
        let Some(arc) = &mut self.arc else { return };
        let terms = &mut self.cx.terms;
        let (yes, rest) = arc.model.split(terms, frontier.from, conjuncts.clone(), frontier.to);
        arc.model.block(rest, frontier.edge, frontier.to);
        arc.watch(terms, location);
        self.show_split(observer, [yes, rest], &conjuncts);
    }

    /// Tries to find tests across frontiers. Those that stay, and whether a run was seen where it should have crossed.
    fn cross(
        &mut self,
        open: Vec<Frontier>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<(Frontier, bool)>, Contradiction> {
        let attempts = self.attempts(&open);
        let mut weak: FxHashSet<Frontier> = attempts.iter().filter(|a| a.stands_there).map(|a| a.frontier).collect();
        let merged = frontier_query::merge(&attempts);
        for (run, changes) in merged {
            self.explore_changed(run, &changes, observer)?;
        }
        for attempt in attempts.iter().filter(|a| a.solved) {
            if self.is_frontier(attempt.frontier) && !self.is_cancelled() {
                self.explore_changed(attempt.run, &attempt.changes, observer)?;
                if self.is_frontier(attempt.frontier) {
                    weak.insert(attempt.frontier);
                }
            }
        }
        Ok(open.into_iter().map(|frontier| (frontier, weak.contains(&frontier))).collect())
    }

    /// Runs with the inputs of an earlier run, except for these.
    fn explore_changed(
        &mut self,
        run: u32,
        changes: &[(VarId, Value)],
        observer: &mut dyn Observer,
    ) -> Result<(), Contradiction> {
        let Some(arc) = &self.arc else { return Ok(()) };
        let mut inputs = (*arc.runs[run as usize]).clone();
        for (var, value) in changes {
            inputs.set(*var, value.clone());
        }
        let changed: Vec<VarId> = changes.iter().map(|(var, _)| *var).collect();
        self.explore_kin(Rc::new(inputs), None, &changed, observer)
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.settings.cancel.load(std::sync::atomic::Ordering::Relaxed)
    }
}
