//! Dominators, and the check that definitions dominate uses.
//!
//! The dominator tree comes from the iteration of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm":
//! each block's immediate dominator is the nearest common ancestor of its predecessors', until nothing changes.

use cranelift_entity::SecondaryMap;

use super::body::{BodyChecker, op_values, terminator_values};
use super::{Def, Place, Rule};
use crate::ir::{Block, Body, Inst, Value};

/// The dominator tree of the blocks that can be reached.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// Position in reverse postorder, `None` where a block cannot be reached.
    order: SecondaryMap<Block, Option<u32>>,
    /// By position: the position of the immediate dominator, which is smaller except for the entry's.
    parents: Vec<u32>,
}

impl Dominators {
    pub fn new(body: &Body) -> Dominators {
        let sequence = reverse_postorder(body);
        let mut order = SecondaryMap::new();
        for (position, block) in (0..).zip(&sequence) {
            order[*block] = Some(position);
        }
        let mut predecessors = vec![Vec::new(); sequence.len()];
        for (position, block) in (0..).zip(&sequence) {
            for successor in successors(body, *block).iter().filter_map(|b| order[*b]) {
                predecessors[successor as usize].push(position);
            }
        }
        Dominators { order, parents: immediate_dominators(&predecessors) }
    }

    pub(crate) fn reachable(&self, block: Block) -> bool {
        self.order[block].is_some()
    }

    /// Whether every way to `below` goes through `above`. False where one of them cannot be reached.
    pub fn dominates(&self, above: Block, below: Block) -> bool {
        let (Some(above), Some(mut at)) = (self.order[above], self.order[below]) else { return false };
        while at > above {
            at = self.parents[at as usize];
        }
        at == above
    }
}

fn successors(body: &Body, block: Block) -> Vec<Block> {
    body.blocks[block].term.edges().iter().map(|e| e.block).collect()
}

fn reverse_postorder(body: &Body) -> Vec<Block> {
    let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut postorder = Vec::new();
    let mut stack = vec![(Block::ENTRY, successors(body, Block::ENTRY))];
    seen[Block::ENTRY] = true;
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) if !seen[next] => {
                seen[next] = true;
                stack.push((next, successors(body, next)));
            }
            Some(_) => {}
            None => {
                postorder.push(*block);
                stack.pop();
            }
        }
    }
    postorder.reverse();
    postorder
}

fn immediate_dominators(predecessors: &[Vec<u32>]) -> Vec<u32> {
    const UNKNOWN: u32 = u32::MAX;
    let mut parents = vec![UNKNOWN; predecessors.len()];
    parents[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for at in 1..predecessors.len() {
            let known = predecessors[at].iter().copied().filter(|p| parents[*p as usize] != UNKNOWN);
            let Some(parent) = known.reduce(|a, b| common_ancestor(&parents, a, b)) else { continue };
            changed |= parents[at] != parent;
            parents[at] = parent;
        }
    }
    parents
}

fn common_ancestor(parents: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        if a > b {
            a = parents[a as usize];
        } else {
            b = parents[b as usize];
        }
    }
    a
}

/// Where a value comes to be: its block, and its instruction's place there (`None`: a parameter).
type Site = (Block, Option<usize>);

pub(super) fn check(this: &mut BodyChecker<'_, '_>) {
    let body = this.body;
    let dominators = Dominators::new(body);
    let mut home: SecondaryMap<Inst, Option<(Block, usize)>> = SecondaryMap::new();
    for (block, data) in &body.blocks {
        for (at, inst) in data.insts.iter().enumerate() {
            home[*inst] = Some((block, at));
        }
    }
    let site = |value: Value| -> Option<Site> {
        match body.values[value].def {
            Def::Param { block, .. } => Some((block, None)),
            Def::Result { inst, .. } => home[inst].map(|(block, at)| (block, Some(at))),
            Def::Const(_) => None,
        }
    };
    let available = |value: Value, block: Block, at: usize| match site(value) {
        Some((home, defined)) if home == block => defined.is_none_or(|d| d < at),
        Some((home, _)) => dominators.reachable(home) && dominators.dominates(home, block),
        None => true,
    };
    for (block, data) in body.blocks.iter().filter(|(b, _)| dominators.reachable(*b)) {
        for (at, inst) in data.insts.iter().enumerate() {
            for value in op_values(&body.insts[*inst].op).into_iter().filter(|v| !available(*v, block, at)) {
                let place = Place::Inst(this.id, block, *inst);
                this.checker.report(Rule::Dominance, place, format!("{value} may not be defined yet"));
            }
        }
        let end = data.insts.len();
        for value in terminator_values(&data.term).into_iter().filter(|v| !available(*v, block, end)) {
            let place = Place::Block(this.id, block);
            this.checker.report(Rule::Dominance, place, format!("{value} may not be defined at the end"));
        }
    }
}
