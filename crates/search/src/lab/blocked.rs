//! Why no path takes an objective, told by the tree of all paths: which outcome cuts it off, and which decisions before
//! exclude that outcome.

use std::collections::{BTreeSet, VecDeque};

use covenant_concolic::symbolic::EventKind;
use covenant_concolic::tree::NodeId;
use covenant_constraints::solver::{Answer, Query, Solver};
use covenant_constraints::{TermId, VarId};
use covenant_goals::written::Branch;
use covenant_goals::{Objective, ObjectiveId, Place};
use covenant_program::ir::{Block, Body, Callee, FuncId, Op, Origin};
use covenant_program::types::CType;
use covenant_transition::account::formula::{self, Sign};
use covenant_transition::account::leads;
use rustc_hash::FxHashMap;

use super::{Lab, Prefixes};
use crate::cfg::{Edge, edge_of};

/// So many outcomes that cut something off are told, and so many contradictions of each.
const MOST: usize = 3; // not tuning: how much is told
/// So many prefixes of an outcome are asked about.
const MOST_ASKED: usize = 24; // not tuning: how much is looked at for a text
/// So many decisions are tried to do without.
const MOST_DROPPED: usize = 16; // not tuning: how much is looked at for a text

/// What was tried in vain: the conditions before, each with its node, and the one that is excluded.
type Try = (Vec<(NodeId, TermId)>, TermId);
/// A way out of a block.
type Way = (FuncId, Block, u32);

/// The decisions of paths by the source, and a solver that says which of them matter.
#[derive(Debug)]
pub(crate) struct Blocked {
    solver: Box<dyn Solver>,
    branches: FxHashMap<Edge, Branch>,
}

impl Lab<'_> {
    /// What tells why paths do not take something.
    pub(crate) fn blocked(&self) -> Blocked {
        let mut branches = FxHashMap::default();
        for (id, function) in &self.subject.image.program().functions {
            let Some(body) = function.body.as_ref().filter(|_| function.origin == Origin::Subject) else { continue };
            for (block, data) in &body.blocks {
                for way in 0..data.term.edges().len() as u32 {
                    let edge = edge_of(&self.subject.image, Place::Edge(id, block, way));
                    let branch = self.subject.written.at(id, block, way).cloned();
                    branches.extend(edge.zip(branch));
                }
            }
        }
        Blocked { solver: self.tellers_solver(), branches }
    }

    /// Why none of the known paths takes an objective. `passed`: for a label, where paths passed it, and under which condition
    /// they would have reached it.
    pub(crate) fn why_infeasible(
        &mut self,
        id: ObjectiveId,
        (prefixes, passed): (&Prefixes, &[(NodeId, TermId)]),
        blocked: &mut Blocked,
    ) -> String {
        let objective = self.ledger.objective(id).clone();
        let mut cuts: Vec<Way> = Vec::new();
        let mut said: Vec<String> = Vec::new();
        if passed.is_empty() {
            objective.places.iter().for_each(|&place| self.cuts(place, &mut cuts, &mut said));
        } else {
            let tries = passed.iter().map(|&(at, condition)| (self.conditions(at), condition)).collect();
            let Objective { line, text, outcome, .. } = &objective;
            said.push(format!("line {line} `{text}` never has `{outcome}`: {}", self.reasons(tries, blocked)));
        }
        let alone = cuts.len() == 1;
        for way in cuts {
            let text = self.why_not_taken(&objective, (way, alone), prefixes, blocked);
            if !said.contains(&text) {
                said.push(text);
            }
        }
        let more = said.len().saturating_sub(MOST);
        said.truncate(MOST);
        if more > 0 {
            said.push(format!("and {more} more outcomes before it are excluded alike"));
        }
        if said.is_empty() {
            let Objective { line, text, outcome, .. } = &objective;
            said.push(format!("no path that comes to line {line} `{text}` has `{outcome}` there"));
            said.extend(self.excluded_in(*line, prefixes, blocked));
        }
        said.join("; ")
    }

    /// Outcomes of a line that are excluded on some paths, and by what.
    fn excluded_in(&mut self, line: u32, prefixes: &Prefixes, blocked: &mut Blocked) -> Vec<String> {
        let is_here =
            |(edge, branch): &(&Edge, &Branch)| branch.line == line && !prefixes.infeasible(**edge).is_empty();
        let here = blocked.branches.iter().filter(is_here).map(|(edge, branch)| (*edge, branch.clone()));
        let mut here: Vec<(Edge, Branch)> = here.collect();
        here.sort_by_key(|(edge, branch)| (branch.column, *edge));
        here.truncate(MOST);
        let mut said = Vec::new();
        for (edge, branch) in here {
            let tries = self.tries(edge, prefixes);
            let why = self.reasons(tries, blocked);
            said.push(format!("where {} cannot be {}, {why}", branch.place(), branch.outcome()));
        }
        said
    }

    /// Ways of the tree that take an edge and that no input takes, the shortest first.
    fn tries(&self, edge: Edge, prefixes: &Prefixes) -> Vec<Try> {
        let mut nodes = prefixes.infeasible(edge).to_vec();
        nodes.sort_by_key(|&node| (self.tree.node(node).depth, node));
        let before = |node: &NodeId| {
            let node = self.tree.node(*node);
            let path = node.parent.map_or_else(Vec::new, |parent| self.conditions(parent));
            node.constraint.map(|own| (path, own))
        };
        nodes.iter().filter_map(before).collect()
    }

    /// The outcomes nearest to a place that no run took, behind decisions that runs made.
    fn cuts(&self, place: Place, cuts: &mut Vec<Way>, said: &mut Vec<String>) {
        let program = self.subject.image.program();
        let mut seen: BTreeSet<(FuncId, Block)> = BTreeSet::new();
        let mut work: VecDeque<(FuncId, Block)> = VecDeque::new();
        match place {
            Place::Edge(function, block, way) if self.is_decided(function, block) => cuts.push((function, block, way)),
            Place::Edge(function, block, _) => work.push_back((function, block)),
            Place::Entry(function) => work.push_back((function, Block::ENTRY)),
            Place::Label(function, inst, _) => {
                let body = program.functions[function].body.as_ref();
                let block = body.and_then(|body| body.blocks.iter().find(|(_, b)| b.insts.contains(&inst)));
                work.extend(block.map(|(block, _)| (function, block)));
            }
        }
        while let Some((function, block)) = work.pop_front() {
            let Some(body) = &program.functions[function].body else { continue };
            if !seen.insert((function, block)) {
                continue;
            }
            if block == Block::ENTRY && !self.entered.contains(&function.as_u32()) {
                let calls = self.calls_of(function);
                if calls.is_empty() {
                    said.push(format!("no path calls `{}`", program.functions[function].source_name()));
                }
                work.extend(calls);
            }
            for (before, way) in ways_to(body, block) {
                let taken = self.is_taken(function, before, way);
                if !taken && self.is_decided(function, before) {
                    cuts.extend(Some((function, before, way)).filter(|way| !cuts.contains(way)));
                } else if !taken {
                    work.push_back((function, before));
                }
            }
        }
    }

    /// Where the code calls a function by its name.
    fn calls_of(&self, function: FuncId) -> Vec<(FuncId, Block)> {
        let mut calls = Vec::new();
        for (id, caller) in &self.subject.image.program().functions {
            let Some(body) = caller.body.as_ref().filter(|_| caller.origin == Origin::Subject) else { continue };
            for (block, data) in &body.blocks {
                let is_call = |op: &Op| matches!(op, Op::Call(call) if call.callee == Callee::Direct(function));
                if data.insts.iter().any(|&inst| is_call(&body.insts[inst].op)) {
                    calls.push((id, block));
                }
            }
        }
        calls
    }

    fn is_taken(&self, function: FuncId, block: Block, way: u32) -> bool {
        let edge = edge_of(&self.subject.image, Place::Edge(function, block, way));
        edge.is_some_and(|edge| self.edges_taken.contains(&edge))
    }

    /// Whether runs came to the end of a block that has several ways out.
    fn is_decided(&self, function: FuncId, block: Block) -> bool {
        let body = self.subject.image.program().functions[function].body.as_ref();
        let ways = body.map_or(0, |body| body.blocks[block].term.edges().len() as u32);
        ways > 1 && (0..ways).any(|way| self.is_taken(function, block, way))
    }

    /// Why no run takes a way out of a block that runs come to.
    fn why_not_taken(
        &mut self,
        objective: &Objective,
        ((function, block, number), alone): (Way, bool),
        prefixes: &Prefixes,
        blocked: &mut Blocked,
    ) -> String {
        let is_own = objective.places.contains(&Place::Edge(function, block, number));
        let line = self.subject.image.program().functions[function].body.as_ref();
        let line = line.map_or(0, |body| body.blocks[block].term_loc.line);
        let Some(edge) = edge_of(&self.subject.image, Place::Edge(function, block, number)) else {
            return format!("no path goes on from line {line}");
        };
        let head = match blocked.branches.get(&edge) {
            Some(branch) if is_own => format!("{} is never {}", branch.place(), branch.outcome()),
            Some(branch) => {
                format!("{} {} being {}, and it never is", leads(alone), branch.place(), branch.outcome())
            }
            None => format!("the way on from line {line} is never taken"),
        };
        let tries = self.tries(edge, prefixes);
        if tries.is_empty() {
            return format!("{head}: it is the same on all paths and does not depend on the inputs");
        }
        format!("{head}: {}", self.reasons(tries, blocked))
    }

    /// What excludes each of several tries, each reason once.
    fn reasons(&mut self, tries: Vec<Try>, blocked: &mut Blocked) -> String {
        let unasked = tries.len().saturating_sub(MOST_ASKED);
        let mut reasons: Vec<String> = Vec::new();
        for (path, goal) in tries.into_iter().take(MOST_ASKED) {
            let reason = self.contradiction(&path, goal, blocked);
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        let more = reasons.len().saturating_sub(MOST);
        reasons.truncate(MOST);
        let rest = match (more, unasked) {
            (0, 0) => String::new(),
            (more, 0) => format!("; and {more} more such contradictions"),
            (_, unasked) => format!("; and the same question about {} more paths had no solution", more + unasked),
        };
        format!("{}{rest}", reasons.join("; or "))
    }

    /// The decisions before a way that exclude it.
    fn contradiction(&mut self, path: &[(NodeId, TermId)], goal: TermId, blocked: &mut Blocked) -> String {
        let core = self.smallest(path, goal, blocked);
        let Some(core) = core else { return "all decisions before it together exclude it".to_owned() };
        let mut decisions: Vec<String> = Vec::new();
        for &(node, _) in &core {
            let decision = self.told_decision(node, blocked);
            decisions.extend(decision.filter(|decision| !decisions.contains(decision)));
        }
        let constraints: Vec<TermId> = core.iter().map(|(_, term)| *term).collect();
        let before = formula::all(&self.cx.terms, &|var| self.input(var), &constraints);
        let needed = formula::formula(&self.cx.terms, &|var| self.input(var), goal);
        let inputs = match (before, needed) {
            (Some(before), Some(needed)) => format!(" (of the inputs it needs {needed}, but then {before})"),
            (None, Some(needed)) if core.is_empty() => return format!("no input gives {needed}"),
            _ => String::new(),
        };
        match decisions.is_empty() {
            true if inputs.is_empty() => "what is assumed of the inputs excludes it".to_owned(),
            true => format!("no input allows it{inputs}"),
            false => format!("it contradicts {}{inputs}", decisions.join(" and ")),
        }
    }

    /// The conditions under which runs come to a node, its own included, each with its node.
    fn conditions(&self, id: NodeId) -> Vec<(NodeId, TermId)> {
        let mut path = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at {
            let node = self.tree.node(id);
            path.extend(node.constraint.map(|constraint| (id, constraint)));
            at = node.parent;
        }
        path.reverse();
        path
    }

    /// As few of the conditions as a solver finds to exclude the goal. `None`: it does not know.
    fn smallest(
        &mut self,
        path: &[(NodeId, TermId)],
        goal: TermId,
        blocked: &mut Blocked,
    ) -> Option<Vec<(NodeId, TermId)>> {
        let steps = self.settings.solver_steps;
        let mut ask = |path: &[(NodeId, TermId)]| {
            let terms: Vec<TermId> = path.iter().map(|(_, term)| *term).collect();
            let query = Query { path: &terms, goal, steps, hint: None };
            match blocked.solver.solve(&mut self.cx.terms, &query) {
                Answer::Unsat(core) => Some(core.path.iter().map(|&i| path[i]).collect::<Vec<_>>()),
                _ => None,
            }
        };
        let mut core = ask(path)?;
        let (mut at, mut tries) = (0, 0);
        while at < core.len() && tries < MOST_DROPPED {
            tries += 1;
            let mut fewer = core.clone();
            fewer.remove(at);
            match ask(&fewer) {
                Some(smaller) => core = smaller,
                None => at += 1,
            }
        }
        Some(core)
    }

    /// A decision as the source writes it.
    fn told_decision(&self, id: NodeId, blocked: &Blocked) -> Option<String> {
        let node = self.tree.node(id);
        let edge = crate::strategy::edge(node);
        if let Some(branch) = edge.and_then(|edge| blocked.branches.get(&edge)) {
            return Some(format!("{} being {}", branch.place(), branch.outcome()));
        }
        let line = self.subject.image.loc(node.site).map(|loc| loc.line).filter(|&line| line > 0)?;
        if !node.subject {
            return Some("what the C library decides on the way".to_owned());
        }
        Some(match node.kind {
            EventKind::Check => format!("line {line} not failing"),
            EventKind::Pointer => format!("what a pointer in line {line} points to"),
            EventKind::Pin(what) => format!("the {what} in line {line}"),
            EventKind::Branch | EventKind::Switch => format!("the outcome of line {line}"),
        })
    }

    /// What an input is called.
    fn input(&self, var: VarId) -> Option<(String, Sign)> {
        let name = self.cx.terms.var_name(var);
        let types = &self.subject.image.program().types;
        let param = self.subject.params.iter().find(|(param, _)| param == name);
        let sign = match param.map(|(_, ty)| types.stripped(*ty)) {
            Some(CType::Int { signed: false, .. } | CType::Bool) => Sign::Unsigned,
            _ => Sign::Signed,
        };
        Some((name.to_owned(), sign))
    }
}

/// All ways that lead to a block.
fn ways_to(body: &Body, to: Block) -> Vec<(Block, u32)> {
    let mut ways = Vec::new();
    for (block, data) in &body.blocks {
        let numbers = data.term.edges().into_iter().zip(0..).filter(|(edge, _)| edge.block == to);
        ways.extend(numbers.map(|(_, way)| (block, way)));
    }
    ways
}
