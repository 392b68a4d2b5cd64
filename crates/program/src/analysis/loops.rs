//! Loops: the edges that close them, their heads, and what is inside.
//!
//! An edge goes *back* if it leads to a node that is on the way to it in a depth-first walk from the start. Each cycle has
//! such an edge, also in a graph that is entered in the middle of a loop; there, which edge it is depends on the walk. A
//! loop is *natural* if its head dominates the start of the edge back: then it is entered at its head alone.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::toposort;
use petgraph::graph::DiGraph;

use crate::analysis::Dominators;
use crate::ir::{Block, Body};

/// A natural loop: all edges back to one head taken together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Where the edges back lead; it dominates the others.
    pub head: Block,
    /// The blocks of the loop, its head among them.
    pub blocks: BTreeSet<Block>,
}

/// The loops of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Loops {
    /// Edges back: the block, and which of its ways.
    back: BTreeSet<(Block, u32)>,
    heads: BTreeSet<Block>,
}

impl Loops {
    /// The loops of a body.
    pub fn new(body: &Body) -> Loops {
        let successors = successors(body);
        let walk = Walk::new(&successors, Block::ENTRY.as_u32());
        let mut loops = Loops::default();
        for (from, way) in walk.back {
            loops.back.insert((Block::from_u32(from), way));
            loops.heads.insert(Block::from_u32(successors[from as usize][way as usize]));
        }
        loops
    }

    /// Whether a block can come twice in one call.
    pub fn is_empty(&self) -> bool {
        self.back.is_empty()
    }

    /// Whether this way out of a block goes back to the head of a loop.
    pub fn turns(&self, block: Block, way: u32) -> bool {
        self.back.contains(&(block, way))
    }

    /// The edges that close loops: block and way.
    pub fn back_edges(&self) -> impl Iterator<Item = (Block, u32)> + '_ {
        self.back.iter().copied()
    }

    /// Where edges go back to.
    pub fn is_head(&self, block: Block) -> bool {
        self.heads.contains(&block)
    }

    /// The natural loops, by their heads.
    pub fn natural(&self, body: &Body) -> Vec<Loop> {
        let dominators = Dominators::new(body);
        let mut before: BTreeMap<Block, Vec<Block>> = BTreeMap::new();
        for (block, data) in body.blocks.iter().filter(|(block, _)| dominators.is_reachable(*block)) {
            for edge in data.term.edges() {
                before.entry(edge.block).or_default().push(block);
            }
        }
        let mut found: BTreeMap<Block, BTreeSet<Block>> = BTreeMap::new();
        for (from, way) in self.back_edges() {
            let Some(head) = body.blocks[from].term.edges().get(way as usize).map(|edge| edge.block) else { continue };
            if !dominators.dominates(head, from) {
                continue;
            }
            let inside = found.entry(head).or_insert_with(|| BTreeSet::from([head]));
            let mut work = vec![from];
            while let Some(block) = work.pop() {
                if inside.insert(block) {
                    work.extend(before.get(&block).into_iter().flatten());
                }
            }
        }
        found.into_iter().map(|(head, blocks)| Loop { head, blocks }).collect()
    }
}

/// Whether a graph whose nodes are numbers from 0 has a cycle.
pub fn has_cycle(nodes: usize, edges: impl IntoIterator<Item = (u32, u32)>) -> bool {
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    for _ in 0..nodes {
        graph.add_node(());
    }
    graph.extend_with_edges(edges);
    toposort(&graph, None).is_err()
}

fn successors(body: &Body) -> Vec<Vec<u32>> {
    body.blocks.values().map(|data| data.term.edges().iter().map(|edge| edge.block.as_u32()).collect()).collect()
}

/// The blocks that can be reached, each before those that it dominates.
pub fn reverse_postorder(body: &Body) -> Vec<Block> {
    let walk = Walk::new(&successors(body), Block::ENTRY.as_u32());
    walk.postorder.into_iter().rev().map(Block::from_u32).collect()
}

/// A depth-first walk over a graph whose nodes are numbers from 0; ways are taken in their order.
#[derive(Clone, Debug, Default)]
struct Walk {
    /// Nodes that were met, each behind all that were met from it and are not on the way to it.
    postorder: Vec<u32>,
    /// Edges to a node that is on the way: the node they leave, and which of its ways.
    back: Vec<(u32, u32)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    OnWay,
    Done,
}

impl Walk {
    fn new(successors: &[Vec<u32>], root: u32) -> Walk {
        let mut walk = Walk::default();
        let mut state = vec![State::New; successors.len()];
        let Some(first) = state.get_mut(root as usize) else { return walk };
        *first = State::OnWay;
        let mut stack = vec![(root, 0u32)];
        while let Some((node, way)) = stack.last_mut() {
            let (at, edge) = (*node, *way);
            *way += 1;
            let Some(&to) = successors[at as usize].get(edge as usize) else {
                state[at as usize] = State::Done;
                walk.postorder.push(at);
                stack.pop();
                continue;
            };
            match state[to as usize] {
                State::OnWay => walk.back.push((at, edge)),
                State::Done => {}
                State::New => {
                    state[to as usize] = State::OnWay;
                    stack.push((to, 0));
                }
            }
        }
        walk
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;

    const NESTED: &str = r#"
fn0 = function "f"(i1) {
bb0(v0: i1):
    jump bb1
bb1:
    branch v0, bb2, bb5
bb2:
    branch v0, bb2, bb3
bb3:
    branch v0, bb4, bb1
bb4:
    jump bb1
bb5:
    return
}
"#;

    /// Entered in the middle: neither of the two blocks dominates the other.
    const CROSSED: &str = r#"
fn0 = function "f"(i1) {
bb0(v0: i1):
    branch v0, bb1, bb2
bb1:
    branch v0, bb2, bb3
bb2:
    branch v0, bb1, bb3
bb3:
    return
}
"#;

    fn body(text: &str) -> Body {
        let mut program = text::parse(text).expect("the program is right");
        let id = program.functions.keys().next().expect("one function");
        program.functions[id].body.take().expect("a body")
    }

    fn block(number: u32) -> Block {
        Block::from_u32(number)
    }

    #[test]
    fn loops_inside_loops() {
        let body = body(NESTED);
        let loops = Loops::new(&body);
        let back: Vec<(Block, u32)> = loops.back_edges().collect();
        assert_eq!(back, [(block(2), 0), (block(3), 1), (block(4), 0)]);
        assert!(loops.is_head(block(1)) && loops.is_head(block(2)) && !loops.is_head(block(3)));
        assert!(loops.turns(block(3), 1) && !loops.turns(block(3), 0));
        let blocks = |numbers: &[u32]| numbers.iter().map(|&n| block(n)).collect();
        let outer = Loop { head: block(1), blocks: blocks(&[1, 2, 3, 4]) };
        assert_eq!(loops.natural(&body), [outer, Loop { head: block(2), blocks: blocks(&[2]) }]);
    }

    #[test]
    fn a_loop_with_two_entries_is_closed_but_not_natural() {
        let body = body(CROSSED);
        let loops = Loops::new(&body);
        assert_eq!(loops.back_edges().collect::<Vec<_>>(), [(block(2), 0)]);
        assert_eq!(loops.natural(&body), []);
    }
}
