//! Which open way to try next.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::tree::{Node, NodeId};
use crate::symbolic::EventKind;

/// An edge of the program: function, operation, which way.
pub type Edge = (u32, u32, u32);

/// Why the seam exists: a campaign does not care in which order ways are tried; research does.
pub trait Strategy: std::fmt::Debug {
    fn name(&self) -> &'static str;
    /// A way was found. `wanted`: taking it reaches an open objective at once.
    fn add(&mut self, id: NodeId, node: &Node, wanted: bool);
    /// The next way to try; `still_wanted` says whether an edge leads to an open objective now.
    fn next(&mut self, still_wanted: &dyn Fn(Edge) -> bool) -> Option<NodeId>;
}

/// The edge that a node takes, if it is one of the program's.
pub fn edge(node: &Node) -> Option<Edge> {
    let way = match node.kind {
        EventKind::Branch => u32::from(node.outcome == 0),
        EventKind::Switch => node.outcome,
        _ => return None,
    };
    Some((node.site.function, node.site.pc, way))
}

/// Depth first: the last way found is the next tried. Exhaustive on programs whose paths are finite.
#[derive(Debug, Default)]
pub struct DepthFirst {
    stack: Vec<NodeId>,
}

impl Strategy for DepthFirst {
    fn name(&self) -> &'static str {
        "dfs"
    }

    fn add(&mut self, id: NodeId, _: &Node, _: bool) {
        self.stack.push(id);
    }

    fn next(&mut self, _: &dyn Fn(Edge) -> bool) -> Option<NodeId> {
        self.stack.pop()
    }
}

/// Ways to open objectives first, then those of the subject, then the rest; rarely tried places before others.
#[derive(Debug, Default)]
pub struct Coverage {
    heap: BinaryHeap<Reverse<(u8, u32, u64, NodeId)>>,
    edges: HashMap<NodeId, Edge>,
    tried: HashMap<Edge, u32>,
    added: u64,
}

impl Strategy for Coverage {
    fn name(&self) -> &'static str {
        "coverage"
    }

    fn add(&mut self, id: NodeId, node: &Node, wanted: bool) {
        let class = match node.kind {
            _ if wanted => 0,
            EventKind::Branch | EventKind::Switch | EventKind::Pointer if node.subject => 1,
            _ => 2,
        };
        let mut times = 0;
        if let Some(edge) = edge(node) {
            self.edges.insert(id, edge);
            let count = self.tried.entry(edge).or_insert(0);
            *count += 1;
            times = *count;
        }
        self.added += 1;
        self.heap.push(Reverse((class, times, self.added, id)));
    }

    fn next(&mut self, still_wanted: &dyn Fn(Edge) -> bool) -> Option<NodeId> {
        loop {
            let Reverse((class, times, added, id)) = self.heap.pop()?;
            let edge = self.edges.get(&id).copied();
            if class == 0 && !edge.is_some_and(still_wanted) {
                self.heap.push(Reverse((1, times, added, id)));
                continue;
            }
            return Some(id);
        }
    }
}
