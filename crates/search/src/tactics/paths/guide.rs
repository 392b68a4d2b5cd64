//! What the guided strategy is guided by, and what its end says of what was not reached.
//!
//! A local path is known by the number that remembers it, and so is each prefix of it. What a way decides is a prefix too; a
//! run that takes a local path takes only ways that are prefixes of it. So when no such way is left, and each of them was
//! taken or refuted, no run takes the path.

use std::collections::BTreeSet;
use std::rc::Rc;

use covenant_concolic::symbolic::local::{Watch, length, prefixes};
use covenant_concolic::tree::{NodeId, State, Tree};
use covenant_goals::certificate::GUARDS;
use covenant_goals::local_path::{BOUND, code_of, may_run_twice};
use covenant_goals::traces::Goal;
use covenant_goals::{Contradiction, Criterion, ObjectiveId, PathStep, Place, Proof, Reason, ReasonKind};
use covenant_program::ir::{FuncId, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use super::PathSearch;
use crate::cfg::{Edge, LABEL, PointId};
use crate::guided::bound::Bound;
use crate::guided::paths::{Map, excluded, towards};
use crate::guided::proof::GUARDS_BY;
use crate::guided::{Guide, Tools};
use crate::lab::Lab;
use crate::strategy::reach::{NEVER, Reach};
use crate::strategy::{Way, edge};

/// What ways say of an objective that was not reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Rest {
    /// Each way that can lead to it was taken or refuted.
    Nothing,
    /// Some of these ways are not decided, for these reasons.
    Ways(BTreeSet<Reason>),
}

impl Rest {
    /// Why ways that can lead to it are not decided; `None` if all are, those to its label too.
    pub(super) fn ways(self, no_obligation: bool) -> Option<BTreeSet<Reason>> {
        match self {
            Rest::Ways(why) => Some(why),
            Rest::Nothing if no_obligation => None,
            Rest::Nothing => {
                let words = "the solver gave no answer about its condition";
                Some(BTreeSet::from([Reason::new(ReasonKind::Solver, words)]))
            }
        }
    }
}

/// Has runs remember their local paths, if somebody asks for them or a bound is set on them.
pub(super) fn make(lab: &mut Lab<'_>) -> Guide {
    let mut guide = Guide::default();
    if !lab.is_guided() && lab.settings.loop_bound.is_none() {
        return guide;
    }
    let program = lab.subject.image.program();
    let mut watched = None;
    for (id, objective, _) in lab.ledger.iter() {
        let Some((function, code)) = code_of(objective) else { continue };
        watched = Some(FuncId::from_u32(function));
        if lab.is_guided() && lab.ledger.is_open(id) {
            guide.paths.push((id, code));
            prefixes(code).for_each(|prefix| *guide.open.entry(prefix).or_insert(0) += 1);
        }
    }
    if let Some(function) = watched.or_else(|| program.definitions(&lab.subject.function).next()) {
        lab.cx.watch = Some(Rc::new(Watch::new(&lab.subject.image, function)));
        guide.runs_twice = may_run_twice(program, lab.subject.entry, function);
        guide.bound = lab.settings.loop_bound.and_then(|most| Bound::new(program, function, most));
    }
    guide
}

fn open_points(lab: &Lab<'_>) -> impl Iterator<Item = ObjectiveId> {
    lab.ledger.open().filter(|id| lab.ledger.objective(*id).criterion == Criterion::Point)
}

impl PathSearch {
    /// Looks for traces that lead to each point, when the first runs have not reached all; ways that agree with one come before
    /// others. No solver is asked: a wrong aim costs less than the questions would.
    pub(super) fn aim_at_points(&mut self, lab: &mut Lab<'_>) {
        if self.guide.aimed || !lab.is_guided() || lab.stats.executions < lab.tuning().guide_first_runs {
            return;
        }
        self.guide.aimed = true;
        let program = lab.subject.image.program();
        let Some(function) = program.definitions(&lab.subject.function).next() else { return };
        let points: Vec<ObjectiveId> = open_points(lab).take(lab.tuning().guide_most_aimed).collect();
        let bound = lab.settings.loop_bound.unwrap_or(BOUND);
        if points.is_empty() {
            return;
        }
        let map = self.map_of(lab, function);
        for id in points {
            let goals: Vec<Goal> = lab.ledger.objective(id).places.iter().filter_map(|p| goal(program, p)).collect();
            let most = (lab.tuning().guide_most_traces, lab.tuning().guide_most_moves);
            let tools = self.guard_tools(lab, 0);
            let codes = towards(program, &map, &goals, (bound, most.0, most.1), tools);
            for &code in &codes {
                prefixes(code).for_each(|prefix| *self.guide.aims.entry(prefix).or_insert(0) += 1);
            }
            self.guide.points.push((id, codes));
        }
    }

    fn map_of(&mut self, lab: &Lab<'_>, function: FuncId) -> Rc<Map> {
        let program = lab.subject.image.program();
        let known = self.guide.map.take().filter(|map| map.function == function);
        let map = known.unwrap_or_else(|| Rc::new(Map::new(program, function)));
        self.guide.map = Some(Rc::clone(&map));
        map
    }

    fn guard_tools<'t>(&self, lab: &'t mut Lab<'_>, questions: usize) -> Tools<'t> {
        let steps = lab.settings.solver_steps / lab.tuning().guide_haste;
        let few = self.guide.paths.len() <= lab.tuning().guide_few_paths;
        let solver = if few { &mut *lab.solver } else { &mut *lab.judge };
        Tools { terms: &mut lab.cx.terms, solver, steps, questions }
    }

    /// Refutes local paths that the guards of the function exclude by themselves, as far as no solver need be asked. That is
    /// done when a step of a path turned out to be impossible: where none is, guards exclude nothing.
    pub(super) fn refute_by_guards(&mut self, lab: &mut Lab<'_>) -> Result<(), Contradiction> {
        if std::mem::replace(&mut self.guide.refuted, true) {
            return Ok(());
        }
        self.refute_excluded(lab, 0)
    }

    /// The same with a solver, for what is left when no next step of a path is: what comes now are the many ways through
    /// the functions that are called. Whether it was done now.
    pub(super) fn ask_guards(&mut self, lab: &mut Lab<'_>) -> Result<bool, Contradiction> {
        if self.guide.asked || self.guide.paths.is_empty() {
            return Ok(false);
        }
        (self.guide.asked, self.guide.refuted) = (true, true);
        self.refute_excluded(lab, lab.tuning().guide_most_questions)?;
        Ok(true)
    }

    /// Whether a way through a function that is called was of use to such paths alone as guards exclude, which is asked when
    /// a few of these ways were tried.
    pub(super) fn is_in_vain(&mut self, lab: &mut Lab<'_>, id: NodeId) -> Result<bool, Contradiction> {
        let node = lab.tree.node(id);
        let path = node.path();
        let is_hole = node.traced().local.ways == 0 && self.guide.begins(path);
        self.guide.holes += u32::from(is_hole);
        let asks = is_hole && self.guide.holes > lab.tuning().guide_first_holes;
        Ok(asks && self.ask_guards(lab)? && !self.guide.begins(path) && open_points(lab).next().is_none())
    }

    fn refute_excluded(&mut self, lab: &mut Lab<'_>, questions: usize) -> Result<(), Contradiction> {
        let Some(watch) = lab.cx.watch.clone().filter(|_| !self.guide.paths.is_empty()) else { return Ok(()) };
        let codes: Vec<u128> = self.guide.paths.iter().map(|(_, code)| *code).collect();
        let function = FuncId::from_u32(watch.function);
        let program = lab.subject.image.program();
        let reached = std::mem::take(&mut self.guide.reached);
        let map = self.map_of(lab, function);
        let (found, is_cut) = excluded(program, &map, (&codes, &reached), self.guard_tools(lab, questions));
        self.guide.reached = reached;
        if is_cut && questions > 0 {
            let words = format!("the guards of local paths were asked about {questions} times; some were left out");
            lab.cx.limits.insert(words);
        }
        let steps: FxHashMap<u128, usize> = found.into_iter().map(|excluded| (excluded.code, excluded.step)).collect();
        for (id, code) in self.guide.paths.clone() {
            let Some(&step) = steps.get(&code) else { continue };
            let path = lab.ledger.objective(id).path.as_deref();
            let words = path.and_then(|path| path.steps.get(step)).map_or_else(String::new, |step| {
                format!(": line {} `{}` cannot be {} after what comes before", step.line, step.text, step.outcome)
            });
            let words = format!("the conditions of the path exclude each other{words}");
            lab.ledger.refute(id, Proof { by: GUARDS_BY.to_owned(), file: Some(GUARDS.to_owned()), words })?;
        }
        self.guide.tell(&lab.ledger);
        Ok(())
    }

    /// What is left of the ways to an objective; `None`: the strategy does not know.
    pub(super) fn rest_of(&self, lab: &Lab<'_>, id: ObjectiveId) -> Option<Rest> {
        if !lab.is_guided() {
            return None;
        }
        let objective = lab.ledger.objective(id);
        let why = |node: NodeId| match &lab.tree.node(node).state {
            State::Open => Some(Reason::new(ReasonKind::Time, "some ways were not tried")),
            State::Unknown(why) => Some(why.clone()),
            State::Beyond(bound) => Some(Reason::new(ReasonKind::Bound, *bound)),
            State::Explored | State::Infeasible => None,
        };
        let undecided = lab.tree.ids().filter_map(|node| Some((node, why(node)?)));
        let rest: BTreeSet<Reason> = match code_of(objective) {
            Some(_) if self.guide.runs_twice => return None,
            Some((_, code)) => {
                let own: FxHashSet<u128> = prefixes(code).collect();
                undecided.filter(|(node, _)| own.contains(&lab.tree.node(*node).path())).map(|(_, why)| why).collect()
            }
            None => {
                let edges: FxHashSet<Edge> = targets(lab, id)?;
                let mut reach = Reach::new(Rc::clone(&self.cfg), &edges);
                let mut leads = |node: NodeId| {
                    let way = self.way_of(lab, node);
                    way.edge.is_some_and(|edge| edges.contains(&edge)) || reach.behind(&way) != NEVER
                };
                undecided.filter(|(node, _)| leads(*node)).map(|(_, why)| why).collect()
            }
        };
        Some(if rest.is_empty() { Rest::Nothing } else { Rest::Ways(rest) })
    }

    /// A way of the tree, as the strategy was told of it.
    fn way_of(&self, lab: &Lab<'_>, id: NodeId) -> Way {
        let node = lab.tree.node(id);
        let cfg = &self.cfg;
        let point = |id: NodeId| {
            let node = lab.tree.node(id);
            edge(node).and_then(|edge| cfg.find(node.context, edge))
        };
        let mut at = Some(id);
        let before = loop {
            let Some(here) = at.filter(|&id| id != Tree::ROOT) else { break PointId::START };
            let after = lab.tree.node(here).traced().after.and_then(|(context, edge)| cfg.find(context, edge));
            let own = point(here).filter(|_| here != id);
            match own.or(after) {
                Some(point) => break point,
                None => at = lab.tree.node(here).parent,
            }
        };
        Way { id, edge: edge(node), point: point(id), before, steers: true }
    }

    /// How far runs came on a local path, as outcomes in words.
    pub(super) fn how_far(&self, lab: &Lab<'_>, id: ObjectiveId) -> Option<String> {
        let path = lab.ledger.objective(id).path.as_deref()?;
        let reached = &self.guide.reached;
        let deepest = prefixes(path.code).filter(|prefix| reached.contains(prefix)).map(length).max().unwrap_or(1);
        let ends = path.steps.iter().scan(1, |length, step| {
            *length += step.bits;
            Some(*length)
        });
        let told = ends.take_while(|&length| length <= deepest).count();
        let PathStep { line, text, outcome, .. } = path.steps.get(told)?;
        Some(match told {
            0 => format!("no run begins with line {line} `{text}` being {outcome}"),
            _ => format!("runs take its first {told} outcomes, and then none has line {line} `{text}` being {outcome}"),
        })
    }
}

/// The edges of the map that reach an objective; `None` if the map does not show all of them.
fn targets(lab: &Lab<'_>, id: ObjectiveId) -> Option<FxHashSet<Edge>> {
    let objective = lab.ledger.objective(id);
    let mut edges: FxHashSet<Edge> = lab.edges_of(id).into_iter().collect();
    for place in &objective.places {
        match *place {
            Place::Label(function, _, index) => edges.extend([(function.as_u32(), LABEL, index)]),
            Place::Entry(_) => return None,
            Place::Edge(..) => {}
        }
    }
    Some(edges)
}

/// The place of a label, as traces have it.
fn goal(program: &Program, place: &Place) -> Option<Goal> {
    let Place::Label(function, label, _) = *place else { return None };
    let body = program.functions[function].body.as_ref()?;
    let (block, data) = body.blocks.iter().find(|(_, data)| data.insts.contains(&label))?;
    let before = data.insts.iter().take_while(|inst| **inst != label);
    let calls = before.filter(|inst| matches!(body.insts[**inst].op, Op::Call(_))).count();
    Some(Goal { function, block, calls })
}
