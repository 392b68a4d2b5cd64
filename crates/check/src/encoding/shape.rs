//! What the walks must know of a function's body: where instructions stand, what leads where, what dominates what.

use std::collections::HashMap;

use covenant_program::analysis::dominance::Dominators;
use covenant_program::ir::{Block, Body, Def, Inst, Terminator, Value};

#[derive(Debug)]
pub(super) struct Shape {
    /// The block of an instruction, and its number there.
    places: HashMap<Inst, (Block, usize)>,
    /// Edges into each block, those that nothing reaches too.
    into: HashMap<Block, Vec<(Block, u32)>>,
    dominators: Dominators,
    pub(super) returns: usize,
}

/// A point of a body: before the instruction of this number.
pub(super) type Point = (Block, usize);

impl Shape {
    pub(super) fn new(body: &Body) -> Shape {
        let mut shape = Shape {
            places: HashMap::new(),
            into: HashMap::new(),
            dominators: Dominators::new(body),
            returns: body.blocks.values().filter(|b| matches!(b.term, Terminator::Return(_))).count(),
        };
        for (block, data) in body.blocks.iter() {
            shape.places.extend(data.insts.iter().enumerate().map(|(at, &inst)| (inst, (block, at))));
            for (way, edge) in (0..).zip(data.term.edges()) {
                shape.into.entry(edge.block).or_default().push((block, way));
            }
        }
        shape
    }

    pub(super) fn place(&self, inst: Inst) -> Option<Point> {
        self.places.get(&inst).copied()
    }

    pub(super) fn is_reachable(&self, block: Block) -> bool {
        self.dominators.is_reachable(block)
    }

    /// Whether walks end at the block: several ways lead there.
    pub(super) fn is_join(&self, block: Block) -> bool {
        self.into.get(&block).is_some_and(|into| into.len() > 1)
    }

    /// The only edge into a block.
    pub(super) fn only_way(&self, block: Block) -> Option<(Block, u32)> {
        match self.into.get(&block).map(Vec::as_slice) {
            Some(&[way]) => Some(way),
            _ => None,
        }
    }

    /// Whether a value has been computed whenever control is at the point, and is the one that SSA means there.
    pub(super) fn is_known(&self, body: &Body, value: Value, (block, at): Point) -> bool {
        match body.values[value].def {
            Def::Const(_) => true,
            Def::Param { block: home, .. } => self.dominators.dominates(home, block),
            Def::Result { inst, .. } => self.place(inst).is_some_and(|(home, number)| {
                if home == block { number < at } else { self.dominators.dominates(home, block) }
            }),
        }
    }
}
