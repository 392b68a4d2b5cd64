//! How deep calls of recursive functions are expanded: as deep as the flow stays of a size that is of use.
//!
//! Each call has a copy of what it calls. Where functions call each other in circles, from several places, copies soon outnumber
//! all else; and a flow that takes longer to build than the search has serves nobody. Copies are counted first, which is quick.

use covenant_interpreter::Image;
use covenant_program::analysis::CallGraph;
use covenant_program::ir::{Callee, FuncId, Op, Origin};
use rustc_hash::FxHashMap;

use super::FlowOptions;
use super::graph::Calls;

/// Counts the blocks of a flow that expands calls.
struct Count<'a> {
    image: &'a Image,
    graph: &'a CallGraph,
    /// How often a function may be active.
    recursion: u32,
    most: usize,
    blocks: usize,
    /// The functions of the subject that a function calls, once for each place.
    callees: FxHashMap<FuncId, Vec<FuncId>>,
    active: FxHashMap<FuncId, u32>,
}

/// The options with calls of recursive functions expanded no deeper than is of use; at least one of them is.
pub(super) fn within_reason(image: &Image, graph: &CallGraph, entry: FuncId, options: &FlowOptions) -> FlowOptions {
    let mut options = options.clone();
    while options.recursion > 1 && is_larger(image, graph, entry, options.recursion, options.handy_blocks) {
        options.recursion -= 1;
    }
    options
}

/// Whether the flow is a large one however shallow calls are expanded, so that it takes a while to build.
pub fn is_large(image: &Image, entry: FuncId, options: &FlowOptions) -> bool {
    let graph = &Calls::new(image, entry, &options.offered, options.is_main).graph;
    is_larger(image, graph, entry, 1, options.handy_blocks)
}

/// Whether the flow has more blocks than that.
pub(super) fn is_larger(image: &Image, graph: &CallGraph, entry: FuncId, recursion: u32, most: usize) -> bool {
    let (callees, active) = (FxHashMap::default(), FxHashMap::default());
    let mut count = Count { image, graph, recursion, most, blocks: 0, callees, active };
    count.add(entry);
    count.blocks > most
}

impl Count<'_> {
    fn add(&mut self, function: FuncId) {
        let Some(body) = &self.image.function(function).body else { return };
        self.blocks += body.blocks.len();
        if self.blocks > self.most {
            return;
        }
        *self.active.entry(function).or_default() += 1;
        for callee in self.callees(function) {
            if self.active.get(&callee).copied().unwrap_or(0) < self.recursion && self.blocks <= self.most {
                self.add(callee);
            }
        }
        self.active.entry(function).and_modify(|times| *times -= 1);
    }

    fn callees(&mut self, function: FuncId) -> Vec<FuncId> {
        if let Some(known) = self.callees.get(&function) {
            return known.clone();
        }
        let program = self.image.program();
        let mut callees = Vec::new();
        if let Some(body) = &self.image.function(function).body {
            for &inst in body.blocks.values().flat_map(|block| &block.insts) {
                let Op::Call(call) = &body.insts[inst].op else { continue };
                match call.callee {
                    Callee::Direct(callee) => callees.push(callee),
                    Callee::Indirect(_) => callees.extend(self.graph.behind(program, body, inst)),
                }
            }
        }
        callees.retain(|&callee| self.image.function(callee).origin == Origin::Subject);
        self.callees.insert(function, callees.clone());
        callees
    }
}
