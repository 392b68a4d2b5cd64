//! Why an objective was not reached, told by the tree of paths: after which prefixes it was tried, and how that ended.

use covenant_concolic::run::Run;
use covenant_concolic::symbolic::EventKind;
use covenant_concolic::tree::{NodeId, State};
use covenant_constraints::smtlib;
use covenant_goals::{Criterion, ObjectiveId, Place};
use covenant_interpreter::shadow::Site;
use covenant_program::ir::FuncId;
use rustc_hash::FxHashMap;

use super::Lab;
use crate::cfg::{ENTRY, Edge, edge_of};
use crate::strategy::edge;

/// Decisions of a prefix that are told.
const LONGEST: usize = 8; // not tuning: how much is told
/// Queries without an answer that are handed out.
const MOST_QUERIES: usize = 20; // not tuning: how much is told

/// A way of which it is not known whether it can be taken.
#[derive(Clone, Debug)]
pub struct Unanswered {
    /// `query_001`
    pub name: String,
    /// The query as SMT-LIB, with the prefix of the path as a comment.
    pub script: String,
}

/// How tries to take an edge ended.
#[derive(Clone, Default, Debug)]
struct Tries {
    infeasible: Vec<NodeId>,
    unknown: Vec<NodeId>,
}

/// What the tree says of each edge.
#[derive(Debug, Default)]
pub(crate) struct Prefixes {
    tries: FxHashMap<Edge, Tries>,
}

impl Prefixes {
    /// Ways of the tree that take the edge, and that no input takes.
    pub(super) fn infeasible(&self, edge: Edge) -> &[NodeId] {
        self.tries.get(&edge).map_or(&[][..], |tries| &tries.infeasible)
    }
}

impl Lab<'_> {
    /// How tries to take each edge ended.
    pub(crate) fn prefixes(&self) -> Prefixes {
        let mut prefixes = Prefixes::default();
        for id in self.tree.ids() {
            let node = self.tree.node(id);
            let Some(edge) = edge(node) else { continue };
            match node.state {
                State::Infeasible => prefixes.tries.entry(edge).or_default().infeasible.push(id),
                State::Unknown(_) => prefixes.tries.entry(edge).or_default().unknown.push(id),
                _ => {}
            }
        }
        prefixes
    }

    /// The edges that reach an objective.
    pub(crate) fn edges_of(&self, id: ObjectiveId) -> Vec<Edge> {
        let edges = self.ledger.objective(id).places.iter().filter_map(|&place| edge_of(&self.subject.image, place));
        edges.filter(|edge| edge.1 != ENTRY).collect()
    }

    /// The tries of the objective that the solver left open.
    pub(crate) fn why_unanswered(&self, id: ObjectiveId, prefixes: &Prefixes) -> Option<String> {
        let tried = self.edges_of(id).into_iter().filter_map(|edge| prefixes.tries.get(&edge));
        let node = tried.flat_map(|tries| tries.unknown.iter().copied()).min_by_key(|&id| self.tree.node(id).depth)?;
        let State::Unknown(why) = &self.tree.node(node).state else { return None };
        Some(format!("after the prefix {} {why}", self.prefix(node)))
    }

    /// The decisions of the subject that lead to a node, the node's own included.
    fn prefix(&self, id: NodeId) -> String {
        let mut decisions = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at {
            let node = self.tree.node(id);
            let own = node.parent.and_then(|_| self.decision(node.site, node.kind, node.outcome, node.subject));
            decisions.extend(own);
            at = node.parent;
        }
        decisions.reverse();
        format!("[{}]", last(&decisions))
    }

    /// By which decisions a run came to the points that it is the first to reach.
    pub(super) fn tell_ways(&mut self, run: &Run, hit: &[ObjectiveId]) {
        for &id in hit.iter().filter(|&&id| self.ledger.is_open(id)) {
            let objective = self.ledger.objective(id);
            let labels = objective.places.iter().filter_map(|place| match place {
                Place::Label(_, _, index) => run.labels.first.get(index).copied(),
                _ => None,
            });
            let Some(events) = labels.min().filter(|_| objective.criterion == Criterion::Point) else { continue };
            let functions = &self.subject.image.program().functions;
            let is_driver = |site: Site| functions[FuncId::from_u32(site.function)].name.starts_with("__covenant");
            let events = run.events.iter().take(events).filter(|event| !is_driver(event.site));
            let decisions: Vec<String> =
                events.filter_map(|e| self.decision(e.site, e.kind, e.outcome, e.subject)).collect();
            let way = if decisions.is_empty() { "any input".to_owned() } else { last(&decisions) };
            self.ways.insert(id, way);
        }
    }

    /// `LINE:COLUMN OUTCOME`
    fn decision(&self, site: Site, kind: EventKind, outcome: u32, subject: bool) -> Option<String> {
        let outcome = match kind {
            EventKind::Branch => (if outcome == 1 { "true" } else { "false" }).to_owned(),
            EventKind::Switch => format!("way {outcome}"),
            EventKind::Pointer => format!("pointer choice {outcome}"),
            _ => return None,
        };
        let loc = self.subject.image.loc(site)?;
        subject.then(|| format!("{}:{} {outcome}", loc.line, loc.column))
    }

    /// Queries that nobody could answer, as scripts.
    pub(crate) fn unanswered(&self) -> Vec<Unanswered> {
        let is_unknown = |id: &NodeId| matches!(self.tree.node(*id).state, State::Unknown(_));
        let mut found = Vec::new();
        for id in self.tree.ids().filter(is_unknown).take(MOST_QUERIES) {
            let (path, goal) = self.tree.condition(id);
            let Some(goal) = goal else { continue };
            let name = format!("query_{:03}", found.len() + 1);
            let script = smtlib::query(&self.cx.terms, &path, goal);
            found.push(Unanswered { name, script: format!("; {}\n{script}", self.prefix(id)) });
        }
        found
    }
}

/// The last decisions of a prefix.
fn last(decisions: &[String]) -> String {
    let skipped = decisions.len().saturating_sub(LONGEST);
    let dots = if skipped > 0 { "..., " } else { "" };
    format!("{dots}{}", decisions[skipped..].join(", "))
}
