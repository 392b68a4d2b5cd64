//! A path, as the map of the program shows it.

use covenant_concolic::Subject;
use covenant_concolic::symbolic::EventKind;
use covenant_concolic::tree::{Node, NodeId};
use covenant_interpreter::process;
use covenant_program::ir::FuncId;
use rustc_hash::FxHashMap;

use crate::cfg::{Cfg, Edge, PointId};
use crate::guided::Guide;
use crate::settings::Settings;
use crate::strategy::{self, StrategyKind, Way};

/// What is said of ways beyond the loop bound.
pub(crate) const BEYOND: &str = "ways on which a loop goes back to its head or a call takes the same branch more often than \
     --loop-bound, or a function is called deeper inside itself, were not looked for";

/// The functions that a run starts with, in turn.
pub(crate) fn roots(subject: &Subject) -> Vec<FuncId> {
    if !subject.is_main {
        return vec![subject.entry];
    }
    let program = subject.image.program();
    let start = process::start(program).unwrap_or(subject.entry);
    program.constructors.iter().copied().chain([start]).collect()
}

/// A path, as the map shows it.
pub(crate) struct Route<'c> {
    cfg: &'c Cfg,
    at: PointId,
    /// How often each call on the path took each branch.
    times: FxHashMap<(u32, Edge), u32>,
}

/// What the loop bound counts: a branch, or what a pointer means at a place, by which loops over lists go on.
fn choice(way: &Way, node: &Node) -> Option<Edge> {
    let pointer = node.kind == EventKind::Pointer;
    way.edge.or_else(|| pointer.then_some((node.site.function, node.site.pc, node.outcome.min(1))))
}

impl<'c> Route<'c> {
    pub(crate) fn new(cfg: &'c Cfg) -> Route<'c> {
        Route { cfg, at: PointId::START, times: FxHashMap::default() }
    }

    /// A way from where the path is. `goes_on`: what was taken instead ended the run.
    pub(crate) fn way(&mut self, id: NodeId, node: &Node, goes_on: bool, settings: &Settings) -> Way {
        let edge = strategy::edge(node);
        // What inputs did not decide is on the way too.
        if settings.strategy.kind == StrategyKind::Guided {
            let last = node.traced().after.and_then(|(context, edge)| self.cfg.find(context, edge));
            self.at = last.unwrap_or(self.at);
        }
        let point = edge.and_then(|edge| self.cfg.find(node.context, edge));
        let turns = matches!(node.kind, EventKind::Branch | EventKind::Switch | EventKind::Pointer);
        Way { id, edge, point, before: self.at, steers: (turns && node.subject) || goes_on }
    }

    pub(crate) fn pass(&mut self, way: &Way, node: &Node, settings: &Settings) {
        self.at = way.point.unwrap_or(self.at);
        if let Some(edge) = choice(way, node).filter(|_| settings.loop_bound.is_some()) {
            *self.times.entry((node.traced().call.number, edge)).or_insert(0) += 1;
        }
    }

    pub(crate) fn is_beyond(&self, way: &Way, node: &Node, settings: &Settings, guide: &Guide) -> Option<&'static str> {
        if settings.max_depth.is_some_and(|most| node.depth > most) {
            return Some("paths with more decisions were not looked for; see --max-depth");
        }
        let most = settings.loop_bound?;
        let (local, call) = (node.traced().local, node.traced().call);
        // How often a local path goes round is said by the path itself.
        match guide.is_within(node.path()) {
            Some(false) => return Some(BEYOND),
            Some(true) if local.own => return None,
            _ => {}
        }
        let times = choice(way, node).and_then(|edge| self.times.get(&(call.number, edge)));
        let bounded = times.is_some_and(|&times| times >= most) || call.nesting > most;
        bounded.then_some(BEYOND)
    }
}
