//! Abstraction refinement: tests across frontiers, splits where there are none, proofs where nothing leads on.
//!
//! The abstraction has the places of the program as nodes, split by conditions. In each round a frontier is chosen for every
//! open objective: a step from a node that runs were in to one that none was in. It is crossed by a test (see
//! `frontier_query`), blocked because no state can take it, or moved back by splitting the node before it (see `weaken`).

mod frontier_query;
mod picture;
mod slices;
mod weaken;

use std::rc::Rc;

use covenant_constraints::solver::Answer;
use covenant_constraints::{Evaluator, TermId, Terms, Value, VarId};
use covenant_goals::{Contradiction, ObjectiveId};
use covenant_prove::arc::frontier::{self, Frontier};
use covenant_prove::arc::model::{Model, NodeId, Size};
use covenant_transition::flow::{Flow, LocationId};
use covenant_transition::lemma_check::{Lemmas, before};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::lab::{Budget, Lab, Others, Ran, Tactic, Turn};

use frontier_query::Records;

/// The abstraction of the program, and what was tried with it.
#[derive(Debug)]
pub(crate) struct Abstraction {
    flow: Rc<Flow>,
    model: Model,
    /// What is believed at locations because their nodes are unreachable; proofs check it again.
    lemmas: Lemmas,
    /// Frontiers that were put aside, and how often runs had come to the node before by then.
    stuck: FxHashMap<Frontier, u32>,
    /// Paths of runs that were asked about frontiers.
    records: Records,
}

/// How a round went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Round {
    /// There was no frontier to try.
    Idle,
    /// Something was learned, if only what cannot be.
    Busy,
}

impl Tactic for Abstraction {
    /// Rounds until something is decided, no frontier is left, or the budget is used up.
    fn turn(&mut self, lab: &mut Lab<'_>, others: &mut Others<'_>, budget: Budget) -> Result<Turn, Contradiction> {
        let (start, before) = (lab.work(), lab.ledger.decided());
        for rounds in 1.. {
            if let Some(status) = lab.is_over() {
                return Ok(Turn::Over(status));
            }
            let round = self.round(lab, others)?;
            let decided = lab.ledger.decided() - before;
            tracing::debug!(target: "turn", ?round, decided, "round of refinement");
            if round == Round::Idle {
                return Ok(Turn::Idle);
            }
            if decided > 0 || rounds >= budget.tries || lab.work() - start >= budget.work {
                break;
            }
        }
        Ok(Turn::More)
    }

    /// Learns where a run was.
    fn learn(&mut self, lab: &mut Lab<'_>, ran: &Ran<'_>) {
        let aims = if lab.observer.wants_model() { self.frontiers(lab) } else { Vec::new() };
        let fresh = self.cover(lab, ran);
        self.show_run(lab, &aims, &fresh);
        self.coarsen(lab, &fresh);
    }
}

impl Abstraction {
    /// One node for each location.
    pub(crate) fn new(lab: &Lab<'_>, flow: &Rc<Flow>) -> Abstraction {
        Abstraction {
            flow: Rc::clone(flow),
            model: Model::new(flow, lab.settings.coarsening, &lab.settings.tuning),
            lemmas: Lemmas::default(),
            stuck: FxHashMap::default(),
            records: Records::default(),
        }
    }

    /// Refutes what no path of the flow leads to, before anything is tried.
    pub(crate) fn begin(&mut self, lab: &mut Lab<'_>) -> Result<(), Contradiction> {
        for id in lab.ledger.open().collect::<Vec<_>>() {
            self.try_refute(lab, id)?;
            self.show_refuted(lab, &[id]);
        }
        Ok(())
    }

    /// How large the model is and was.
    pub(crate) fn size(&self) -> &Size {
        &self.model.size
    }

    /// Marks the nodes that a run visited; those that it covered first.
    fn cover(&mut self, lab: &Lab<'_>, ran: &Ran<'_>) -> Vec<NodeId> {
        let number = lab.system.runs.len() as u32 - 1;
        let mut fresh = Vec::new();
        let mut visited: Vec<_> = ran.trace.visits.iter().collect();
        visited.sort_by_key(|((location, truths), _)| (*location, truths.clone()));
        for ((location, truths), visits) in visited {
            let Some(node) = self.model.find(*location, lab.system.watched(*location), truths) else { continue };
            let mut ordinals: Vec<u32> = visits.all().collect();
            ordinals.reverse();
            if self.model.cover(node, ordinals.into_iter().map(|ordinal| (number, ordinal))) {
                fresh.push(node);
            }
        }
        fresh
    }

    /// One frontier for each open target: crossed, blocked or moved back.
    fn round(&mut self, lab: &mut Lab<'_>, others: &mut Others<'_>) -> Result<Round, Contradiction> {
        let targets = self.targets(lab);
        let chosen = frontier::choose(&self.flow, &self.model, &targets, &self.stuck);
        if chosen.is_empty() {
            return Ok(Round::Idle);
        }
        let mut open = Vec::new();
        for (_, frontier) in chosen {
            lab.stats.iterations += 1;
            if !self.is_frontier(frontier) {
                continue;
            }
            let blocked = self.cannot_step(lab, frontier);
            tracing::debug!(target: "frontier", edge = %frontier.edge, from = %frontier.from, to = %frontier.to, blocked, "tried");
            if blocked {
                self.block(lab, frontier)?;
            } else {
                open.push(frontier);
            }
        }
        for (frontier, weak) in self.cross(lab, others, open)? {
            if self.is_frontier(frontier) {
                self.refine(lab, frontier, weak);
            }
        }
        Ok(Round::Busy)
    }

    /// Nodes at open objectives that no run has covered.
    fn targets(&self, lab: &Lab<'_>) -> Vec<NodeId> {
        let mut targets = Vec::new();
        for id in lab.ledger.open() {
            let target = self.flow.target(id);
            for &location in &target.locations {
                let leaves = self.model.leaves(location).iter();
                targets.extend(leaves.filter(|&&n| !self.model.node(n).covered && !self.model.node(n).dead));
            }
        }
        targets
    }

    /// Whether it still is what it was when it was chosen.
    fn is_frontier(&self, frontier: Frontier) -> bool {
        let Frontier { from, edge, to } = frontier;
        let model = &self.model;
        let whole = model.is_leaf(from) && model.is_leaf(to);
        whole && model.node(from).covered && !model.node(to).covered && !model.is_blocked(from, edge, to)
    }

    /// What must hold in the node before for the step to end in the node behind.
    fn step_condition(&self, lab: &mut Lab<'_>, frontier: Frontier) -> Vec<TermId> {
        let terms = &mut lab.cx.terms;
        let mut conjuncts = self.flow.edges[frontier.edge].guard.clone();
        for formula in self.model.predicate(terms, frontier.to) {
            conjuncts.push(before(&self.flow, terms, frontier.edge, formula));
        }
        conjuncts.retain(|&c| terms.as_bool(c) != Some(true));
        conjuncts
    }

    /// Whether no state of the node before can take the step.
    fn cannot_step(&self, lab: &mut Lab<'_>, frontier: Frontier) -> bool {
        let steps = lab.model_steps();
        let condition = self.step_condition(lab, frontier);
        let terms = &mut lab.cx.terms;
        let mut path = self.model.predicate(terms, frontier.from);
        let location = self.model.node(frontier.from).location;
        path.extend(self.lemmas.get(&location).into_iter().flatten());
        let goal = terms.and_all(condition);
        // Facts come in only where a state that could step is none: most have nothing to do with it.
        for _ in 0..lab.tuning().model_most_facts {
            let model = match lab.ask_judge(&path, goal, steps) {
                Answer::Unsat(_) => return true,
                Answer::Unknown(_) => {
                    lab.known.hard = true;
                    return false;
                }
                Answer::Sat(model) => model,
            };
            let mut evaluator = Evaluator::new(&lab.cx.terms, &model);
            let mut facts = lab.system.facts.get(&location).into_iter().flatten();
            let Some(&fact) = facts.find(|&&fact| !evaluator.eval(fact).is_true()) else { return false };
            path.push(fact);
        }
        false
    }

    fn block(&mut self, lab: &mut Lab<'_>, frontier: Frontier) -> Result<(), Contradiction> {
        self.model.block(frontier.from, frontier.edge, frontier.to);
        let flow = Rc::clone(&self.flow);
        let mut hit: Vec<ObjectiveId> = Vec::new();
        let mut all = Vec::new();
        let mut work = vec![frontier.to];
        while let Some(next) = work.pop() {
            if self.model.node(next).dead {
                continue;
            }
            let Some(dead) = frontier::unreachable(&flow, &self.model, next) else { continue };
            for &node in &dead {
                let location = self.model.node(node).location;
                let predicate = self.model.predicate(&mut lab.cx.terms, node);
                let inside = lab.cx.terms.and_all(predicate);
                let lemma = lab.cx.terms.not(inside);
                self.lemmas.entry(location).or_default().push(lemma);
                // What can be reached from there only is unreachable too.
                work.extend(self.model.out(&flow, node).map(|(_, to)| to).filter(|&to| !self.model.node(to).covered));
                self.model.kill(node);
                hit.extend(lab.system.objectives_at.get(&location).into_iter().flatten());
            }
            all.extend(dead);
        }
        self.show_blocked(lab, frontier, &all);
        self.coarsen(lab, &all);
        hit.sort_unstable();
        hit.dedup();
        for &id in &hit {
            let open = lab.ledger.is_open(id);
            self.try_refute(lab, id)?;
            if open {
                self.show_refuted(lab, &[id]);
            }
        }
        Ok(())
    }

    /// Undoes the splits that were made for nodes that are decided now.
    fn coarsen(&mut self, lab: &mut Lab<'_>, decided: &[NodeId]) {
        let before = self.model.size.coarsenings;
        for &node in decided {
            self.model.coarsen(node);
        }
        let undone = self.model.size.coarsenings - before;
        if undone > 0 {
            for location in lab.system.watched_locations() {
                lab.system.watch(&lab.cx.terms, location, self.model.formulas(location));
            }
            self.show_coarsened(lab, undone);
        }
    }

    /// Refutes an objective if all its places are unreachable and the proof holds.
    fn try_refute(&mut self, lab: &mut Lab<'_>, id: ObjectiveId) -> Result<(), Contradiction> {
        let dead = |&location: &LocationId| self.model.leaves(location).iter().all(|&node| self.model.node(node).dead);
        if !lab.is_provable(id) || !self.flow.target(id).locations.iter().all(dead) {
            return Ok(());
        }
        let mut refuted = lab.refute_with(id, &self.lemmas, "arc".to_owned());
        if refuted.is_ok() && lab.ledger.is_open(id) && !lab.system.facts.is_empty() {
            let mut all = self.lemmas.clone();
            for (location, facts) in &lab.system.facts {
                all.entry(*location).or_default().extend(facts);
            }
            refuted = lab.refute_with(id, &all, "arc".to_owned());
        }
        if let Some(why) = refuted? {
            lab.unproved.entry(id).or_default().insert("arc", format!("a proof that was not confirmed: {why}"));
        }
        Ok(())
    }

    /// Splits the node before the frontier: no run so far was in a state that can step over it.
    fn refine(&mut self, lab: &mut Lab<'_>, frontier: Frontier, weak: bool) {
        let condition = self.step_condition(lab, frontier);
        let terms = &mut lab.cx.terms;
        let is_state = |terms: &Terms, c: TermId| terms.variables(&[c]).into_iter().all(|var| self.flow.is_state(var));
        let conjuncts: Vec<TermId> = condition.into_iter().filter(|&c| is_state(terms, c)).collect();
        let location = self.model.node(frontier.from).location;
        if weak || conjuncts.is_empty() || location == self.flow.root {
            self.stuck.insert(frontier, self.model.node(frontier.from).times);
            self.show_stuck(lab, frontier);
            return;
        }
        let conjuncts = self.weakened(lab, frontier, conjuncts);
        let terms = &mut lab.cx.terms;
        let (yes, rest) = self.model.split(terms, frontier.from, conjuncts.clone(), frontier.to);
        self.model.block(rest, frontier.edge, frontier.to);
        lab.system.watch(&lab.cx.terms, location, self.model.formulas(location));
        self.show_split(lab, [yes, rest], &conjuncts);
    }

    /// Tries to find tests across frontiers. Those that stay, and whether a run was seen where it should have crossed.
    fn cross(
        &mut self,
        lab: &mut Lab<'_>,
        others: &mut Others<'_>,
        open: Vec<Frontier>,
    ) -> Result<Vec<(Frontier, bool)>, Contradiction> {
        let queries = self.query_frontiers(lab, &open);
        let mut weak: FxHashSet<Frontier> = queries.iter().filter(|a| a.stands_there).map(|a| a.frontier).collect();
        let merged = frontier_query::merge(&queries);
        for (run, changes) in merged {
            self.explore_changed(lab, others, run, &changes)?;
        }
        for query in queries.iter().filter(|a| a.solved) {
            if self.is_frontier(query.frontier) && !lab.is_cancelled() {
                self.explore_changed(lab, others, query.run, &query.changes)?;
                if self.is_frontier(query.frontier) {
                    weak.insert(query.frontier);
                }
            }
        }
        Ok(open.into_iter().map(|frontier| (frontier, weak.contains(&frontier))).collect())
    }

    /// Runs with the inputs of an earlier run, except for these.
    fn explore_changed(
        &mut self,
        lab: &mut Lab<'_>,
        others: &mut Others<'_>,
        run: u32,
        changes: &[(VarId, Value)],
    ) -> Result<(), Contradiction> {
        let mut inputs = (*lab.system.runs[run as usize]).clone();
        for (var, value) in changes {
            inputs.set(*var, value.clone());
        }
        let changed: Vec<VarId> = changes.iter().map(|(var, _)| *var).collect();
        lab.explore_kin(self, others, (Rc::new(inputs), &changed), None)
    }
}
