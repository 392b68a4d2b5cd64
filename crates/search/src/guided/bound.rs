//! Whether a local path stays within a loop bound: each loop goes back to its head at most so often each time that it is
//! entered.

use covenant_goals::local_path::bits;
use covenant_program::analysis::Loops;
use covenant_program::ir::{Block, FuncId, Program, Terminator};
use rustc_hash::FxHashMap;

use covenant_concolic::symbolic::local::length;

/// The ways of a function, and the bound.
#[derive(Debug)]
pub struct Bound {
    most: u32,
    /// For each block where its ways lead, and whether they go back to the head of a loop.
    ways: Vec<Vec<(Block, bool)>>,
}

impl Bound {
    /// `None` if it has a branch whose ways are not told apart.
    pub fn new(program: &Program, function: FuncId, most: u32) -> Option<Bound> {
        let body = program.functions[function].body.as_ref()?;
        let loops = Loops::new(body);
        let ways = |(block, term): (Block, &Terminator)| match term {
            Terminator::Indirect { .. } => None,
            term => {
                let ways = (0..).zip(term.edges());
                Some(ways.map(|(way, edge)| (edge.block, loops.turns(block, way))).collect())
            }
        };
        let ways: Option<_> = body.blocks.iter().map(|(block, data)| ways((block, &data.term))).collect();
        Some(Bound { most, ways: ways? })
    }

    /// Whether the path, or what begins so, stays within it.
    pub fn has(&self, path: u128) -> bool {
        self.follow(path).is_some()
    }

    fn follow(&self, path: u128) -> Option<()> {
        let mut left = length(path).checked_sub(1)?;
        let mut block = Block::ENTRY;
        let mut turns: FxHashMap<Block, u32> = FxHashMap::default();
        while left > 0 {
            let ways = self.ways.get(block.as_u32() as usize)?;
            let size = bits(ways.len() as u32);
            left = left.checked_sub(size)?;
            let way = (path >> left) & ((1 << size) - 1);
            let (to, turns_back) = *ways.get(way as usize)?;
            let times = turns.entry(to).or_insert(0);
            *times = if turns_back { *times + 1 } else { 0 };
            if *times > self.most {
                return None;
            }
            block = to;
        }
        Some(())
    }
}
