//! Dominance: what every way from the start of a graph to a node goes through.
//!
//! [`Tree`] is for any graph; [`Dominators`] is the tree of a function's blocks. Post-dominance is dominance in the graph with
//! its edges turned round.

use cranelift_entity::EntityRef;
use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::ir::{Block, Body};

/// The dominator tree of a graph whose nodes are numbers from 0.
#[derive(Clone, Debug)]
pub struct Tree {
    /// How deep a node is in the tree, from 1 for the root; 0 where no way leads to it.
    depths: Vec<u32>,
    /// The nearest other node that dominates a node; the root's is itself.
    parents: Vec<u32>,
}

impl Tree {
    /// The dominators of a graph whose nodes are numbers below `nodes`.
    pub fn new(nodes: usize, root: u32, edges: impl IntoIterator<Item = (u32, u32)>) -> Tree {
        if nodes == 0 {
            return Tree { depths: Vec::new(), parents: Vec::new() };
        }
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        for _ in 0..nodes {
            graph.add_node(());
        }
        graph.extend_with_edges(edges);
        let found = simple_fast(&graph, NodeIndex::new(root as usize));
        let mut tree = Tree { depths: vec![0; nodes], parents: vec![root; nodes] };
        let parent = |node: u32| found.immediate_dominator(NodeIndex::new(node as usize)).map(|p| p.index() as u32);
        if let Some(depth) = tree.depths.get_mut(root as usize) {
            *depth = 1;
        }
        for node in 0..nodes as u32 {
            // Up to what is known already, and down again.
            let mut chain = Vec::new();
            let mut at = node;
            while tree.depths[at as usize] == 0 {
                let Some(above) = parent(at) else { break };
                tree.parents[at as usize] = above;
                chain.push(at);
                at = above;
            }
            for below in chain.into_iter().rev() {
                tree.depths[below as usize] = tree.depths[tree.parents[below as usize] as usize] + 1;
            }
        }
        tree
    }

    /// Whether a path leads from the root to the node.
    pub fn is_reachable(&self, node: u32) -> bool {
        self.depths[node as usize] > 0
    }

    /// The nearest node that every way to this one goes through, besides itself. `None` for the root and where no way leads.
    pub fn parent(&self, node: u32) -> Option<u32> {
        (self.depths[node as usize] > 1).then(|| self.parents[node as usize])
    }

    /// Whether every way to `below` goes through `above`. False where one of them cannot be reached.
    pub fn dominates(&self, above: u32, below: u32) -> bool {
        let depth = self.depths[above as usize];
        if depth == 0 || !self.is_reachable(below) {
            return false;
        }
        let mut at = below;
        while self.depths[at as usize] > depth {
            at = self.parents[at as usize];
        }
        at == above
    }
}

/// The dominator tree of the blocks of a function.
#[derive(Clone, Debug)]
pub struct Dominators(Tree);

impl Dominators {
    /// The dominators of a body's blocks.
    pub fn new(body: &Body) -> Dominators {
        let edges = body.blocks.iter().flat_map(|(from, data)| {
            let targets: Vec<Block> = data.term.edges().iter().map(|edge| edge.block).collect();
            targets.into_iter().map(move |to| (from.as_u32(), to.as_u32()))
        });
        Dominators(Tree::new(body.blocks.len(), Block::ENTRY.index() as u32, edges))
    }

    /// Whether a path leads from the entry to the block.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.0.is_reachable(block.as_u32())
    }

    /// Whether every way to `below` goes through `above`. False where one of them cannot be reached.
    pub fn dominates(&self, above: Block, below: Block) -> bool {
        self.0.dominates(above.as_u32(), below.as_u32())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Whether a way leads from the root to `to` without `without`.
    fn is_reached(nodes: u32, edges: &[(u32, u32)], to: u32, without: Option<u32>) -> bool {
        let mut seen = vec![false; nodes as usize];
        let mut work: Vec<u32> = [0].into_iter().filter(|&root| Some(root) != without).collect();
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut seen[node as usize], true) {
                let next = edges.iter().filter(|(from, _)| *from == node).map(|&(_, to)| to);
                work.extend(next.filter(|&to| Some(to) != without));
            }
        }
        seen[to as usize]
    }

    proptest! {
        #[test]
        fn it_is_what_no_way_avoids(edges in prop::collection::vec((0..8u32, 0..8u32), 0..20)) {
            let tree = Tree::new(8, 0, edges.iter().copied());
            for below in 0..8 {
                let reached = is_reached(8, &edges, below, None);
                prop_assert_eq!(tree.is_reachable(below), reached);
                for above in 0..8 {
                    let needed = reached
                        && is_reached(8, &edges, above, None)
                        && !is_reached(8, &edges, below, Some(above));
                    prop_assert_eq!(tree.dominates(above, below), needed, "{} over {}", above, below);
                }
                let parent = (0..8).filter(|&p| p != below && tree.dominates(p, below));
                let nearest = parent.max_by_key(|&p| (0..8).filter(|&q| tree.dominates(q, p)).count());
                prop_assert_eq!(tree.parent(below), nearest);
            }
        }
    }
}
