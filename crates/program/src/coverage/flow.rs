//! Whether two ways to count are the same, whatever the run.
//!
//! Control that enters a block leaves it, so the counts of edges obey linear equations, and clang chose its counters such
//! that every other count is a sum of counters. A mapping of a region to edges is right only if both have the same count in
//! all runs. To find out there is no need to compute with equations: take *one* solution of them at random, numbers
//! modulo a large prime that flow through the body as control does. Counts that are equal in every run are equal in
//! it; counts that differ in some run differ in it but for a chance of about 2⁻⁶¹.
//!
//! The solution is found as profilers do it: choose a spanning tree of the graph, give the edges outside of it random
//! numbers, and the edges in the tree follow from the leaves up.
//!
//! The equations speak of runs in which every call returns, but for those of functions that are known not to. Where
//! control can get into an endless loop, it may vanish at the loop's head, lest the equations say that nobody enters it.
//!
//! The graph is that of the blocks, except that a block which decides by its own parameter stands there once for each
//! constant that comes in. clang makes such blocks where several ways out of a scope share its clean-up (`break`,
//! `continue` and `return` past a variable-length array), and only so one sees which goes where.

use std::collections::HashMap;

use crate::ir::{Block, Body, Def, Edge, Op, Terminator, Value};

/// A Mersenne prime; counts are numbers below it.
const PRIME: u64 = (1 << 61) - 1;

/// A count in the random run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Count(u64);

impl Count {
    pub(super) const ZERO: Count = Count(0);

    pub(super) fn plus(self, other: Count) -> Count {
        Count((self.0 + other.0) % PRIME)
    }

    pub(super) fn minus(self, other: Count) -> Count {
        Count((self.0 + PRIME - other.0) % PRIME)
    }
}

/// What becomes of control in a block that ends a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ends {
    /// It leaves the function.
    Leave,
    /// The same, but nobody calls a function that does not return or enters an endless loop. So clang's mapping sees it:
    /// after `if (a) abort();` it goes on with the count from before the `if`.
    Return,
}

/// The counts of one random run.
#[derive(Debug)]
pub(super) struct Flow {
    edges: Vec<Vec<Count>>,
    counters: HashMap<u32, Count>,
    pub(super) entry: Count,
}

impl Flow {
    /// The body has an entry block.
    pub(super) fn new(body: &Body, ends: Ends) -> Flow {
        let graph = Graph::new(body, ends);
        let counts = solve(&graph.arcs, graph.nodes.len());
        let mut edges: Vec<Vec<Count>> =
            body.blocks.values().map(|b| vec![Count::ZERO; b.term.edges().len()]).collect();
        let mut blocks = vec![Count::ZERO; body.blocks.len()];
        for (arc, count) in graph.arcs.iter().zip(counts) {
            // What comes from outside or vanishes does not pass the block.
            let (Some(from), true) = (graph.nodes[arc.from], arc.kind != ArcKind::Vanish) else { continue };
            let block = from.block.as_u32() as usize;
            blocks[block] = blocks[block].plus(count);
            if let ArcKind::Edge(index) = arc.kind {
                edges[block][index] = edges[block][index].plus(count);
            }
        }
        let mut counters: HashMap<u32, Count> = HashMap::new();
        for (block, data) in &body.blocks {
            for inst in &data.insts {
                if let Op::Counter { index } = body.insts[*inst].op {
                    let counter = counters.entry(index).or_default();
                    *counter = counter.plus(blocks[block.as_u32() as usize]);
                }
            }
        }
        let entry = blocks.first().copied().unwrap_or_default();
        Flow { edges, counters, entry }
    }

    /// How often an edge is taken.
    pub(super) fn edge(&self, block: Block, index: u32) -> Count {
        self.edges[block.as_u32() as usize][index as usize]
    }

    /// The value of a counter. One that stands nowhere in the body is never incremented.
    pub(super) fn counter(&self, index: u32) -> Count {
        self.counters.get(&index).copied().unwrap_or_default()
    }
}

/// A block, and the constant by which it decides, where it has come in with one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    block: Block,
    decided: Option<u128>,
}

/// A way of control between two nodes.
struct Arc {
    from: usize,
    to: usize,
    kind: ArcKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ArcKind {
    /// Of a block's terminator, by its index.
    Edge(usize),
    Call,
    End,
    Vanish,
}

/// The ways of control that start at the entry.
struct Graph {
    /// The first is the world outside.
    nodes: Vec<Option<Node>>,
    arcs: Vec<Arc>,
}

impl Graph {
    const OUTSIDE: usize = 0;

    fn new(body: &Body, ends: Ends) -> Graph {
        let entry = Node { block: Block::ENTRY, decided: None };
        let mut numbers = HashMap::from([(entry, 1)]);
        let mut graph = Graph { nodes: vec![None, Some(entry)], arcs: Vec::new() };
        graph.arcs.push(Arc { from: Graph::OUTSIDE, to: 1, kind: ArcKind::Call });
        let mut from = 1;
        while let Some(&Some(node)) = graph.nodes.get(from) {
            let term = &body.blocks[node.block].term;
            for (index, edge) in term.edges().iter().enumerate() {
                if node.decided.is_some_and(|constant| chosen(term, constant) != Some(index)) {
                    continue;
                }
                let target = Node { block: edge.block, decided: constant_for(body, node, edge) };
                let to = *numbers.entry(target).or_insert_with(|| {
                    graph.nodes.push(Some(target));
                    graph.nodes.len() - 1
                });
                graph.arcs.push(Arc { from, to, kind: ArcKind::Edge(index) });
            }
            let stays = ends == Ends::Return && *term == Terminator::Unreachable;
            if term.edges().is_empty() && !stays {
                graph.arcs.push(Arc { from, to: Graph::OUTSIDE, kind: ArcKind::End });
            }
            from += 1;
        }
        if ends == Ends::Leave {
            let vanish = |from| Arc { from, to: Graph::OUTSIDE, kind: ArcKind::Vanish };
            graph.arcs.extend(graph.endless(body).into_iter().map(vanish));
        }
        graph
    }

    /// Heads of endless loops: each node from which no end of the function can be reached leads to one.
    fn endless(&self, body: &Body) -> Vec<usize> {
        let mut out = vec![Vec::new(); self.nodes.len()];
        let mut into = vec![Vec::new(); self.nodes.len()];
        for arc in self.arcs.iter().filter(|arc| matches!(arc.kind, ArcKind::Edge(_))) {
            out[arc.from].push(arc.to);
            into[arc.to].push(arc.from);
        }
        let ends = |node: &Option<Node>| node.is_none_or(|n| body.blocks[n.block].term.edges().is_empty());
        let mut can_end = vec![false; self.nodes.len()];
        (0..self.nodes.len()).filter(|at| ends(&self.nodes[*at])).for_each(|at| spread(&into, &mut can_end, at));
        let mut heads = Vec::new();
        loop {
            let stuck = (0..self.nodes.len()).filter(|at| !can_end[*at]);
            // The node that reaches the fewest others is in a loop that has no way out, not on the way to one; and of
            // those the first is the head.
            let reached = |at: &usize| {
                let mut seen = vec![false; out.len()];
                spread(&out, &mut seen, *at);
                seen.iter().filter(|s| **s).count()
            };
            let Some(head) = stuck.min_by_key(reached) else { return heads };
            heads.push(head);
            spread(&into, &mut can_end, head);
        }
    }
}

/// Marks all that can be reached.
fn spread(next: &[Vec<usize>], marked: &mut [bool], from: usize) {
    let mut stack = vec![from];
    while let Some(at) = stack.pop() {
        if !std::mem::replace(&mut marked[at], true) {
            stack.extend(&next[at]);
        }
    }
}

/// The parameter of its own by which a block decides.
fn deciding_parameter(body: &Body, block: Block) -> Option<usize> {
    let (Terminator::Branch { cond: value, .. } | Terminator::Switch { value, .. }) = &body.blocks[block].term else {
        return None;
    };
    body.blocks[block].params.iter().position(|param| param == value)
}

/// The edge that a terminator takes for a constant.
fn chosen(term: &Terminator, constant: u128) -> Option<usize> {
    match term {
        Terminator::Branch { .. } => Some(usize::from(constant == 0)),
        Terminator::Switch { cases, .. } => {
            Some(cases.iter().position(|(case, _)| *case == constant).unwrap_or(cases.len()))
        }
        _ => None,
    }
}

/// The constant by which the target of an edge decides, if this edge brings one.
fn constant_for(body: &Body, from: Node, edge: &Edge) -> Option<u128> {
    let arg: Value = *edge.args.get(deciding_parameter(body, edge.block)?)?;
    match body.values[arg].def {
        Def::Const(crate::ir::Const::Bits(bits)) => Some(bits),
        // The block passes on what it decided by itself.
        Def::Param { block, index } if block == from.block => {
            from.decided.filter(|_| deciding_parameter(body, block) == Some(index as usize))
        }
        _ => None,
    }
}

/// Numbers for the arcs such that as much enters each node as leaves it.
fn solve(arcs: &[Arc], nodes: usize) -> Vec<Count> {
    let mut counts = vec![Count::ZERO; arcs.len()];
    // What leaves a node, less what enters it, over the arcs that have a number.
    let mut excess = vec![Count::ZERO; nodes];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut parents = Forest((0..nodes).collect());
    let mut tree: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for (index, arc) in arcs.iter().enumerate() {
        if parents.join(arc.from, arc.to) {
            tree[arc.from].push(index);
            tree[arc.to].push(index);
        } else {
            counts[index] = random.next();
            excess[arc.from] = excess[arc.from].plus(counts[index]);
            excess[arc.to] = excess[arc.to].minus(counts[index]);
        }
    }
    let mut degree: Vec<usize> = tree.iter().map(Vec::len).collect();
    let mut done = vec![false; arcs.len()];
    let mut leaves: Vec<usize> = (0..nodes).filter(|node| degree[*node] == 1).collect();
    while let Some(leaf) = leaves.pop() {
        let Some(&index) = tree[leaf].iter().find(|index| !done[**index]) else { continue };
        let arc = &arcs[index];
        let count = if arc.from == leaf { Count::ZERO.minus(excess[leaf]) } else { excess[leaf] };
        (counts[index], done[index]) = (count, true);
        excess[arc.from] = excess[arc.from].plus(count);
        excess[arc.to] = excess[arc.to].minus(count);
        for node in [arc.from, arc.to] {
            degree[node] -= 1;
            if degree[node] == 1 {
                leaves.push(node);
            }
        }
    }
    counts
}

/// Sets of nodes that are connected.
struct Forest(Vec<usize>);

impl Forest {
    fn root(&mut self, mut node: usize) -> usize {
        while self.0[node] != node {
            self.0[node] = self.0[self.0[node]];
            node = self.0[node];
        }
        node
    }

    /// Connects two nodes; says whether they were not connected yet.
    fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a] = b;
        a != b
    }
}

/// The generator SplitMix64: the same numbers in every run of ours.
struct Random(u64);

impl Random {
    fn next(&mut self) -> Count {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        Count((bits ^ bits >> 31) % PRIME)
    }
}
