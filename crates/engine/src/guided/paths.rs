//! Local paths that the guards of the function exclude, whatever the functions that it calls do.

use std::collections::hash_map::Entry;

use covenant_goals::local_path::{START, bits, extend};
use covenant_goals::traces::{Abstraction, Generator, Goal, Move, Refine, Trace};
use covenant_program::ir::{Block, Body, FuncId, Op, Program};
use rustc_hash::FxHashMap;
use std::time::Duration;

use covenant_constraints::Terms;
use covenant_constraints::solver::Solver;

use super::guards::{Guards, Known};
use super::modes::Modes;
use crate::symbolic::local::length;

/// A path that is excluded: which of its outcomes is the first that no run has, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Excluded {
    pub code: u128,
    pub step: usize,
}

/// Beginnings of local paths that lead to a point: the first traces of its slice that the guards do not exclude.
pub fn towards(
    program: &Program,
    function: FuncId,
    goals: &[Goal],
    (bound, most, moves): (u32, usize, usize),
    tools: (&mut Terms, &mut (dyn Solver + 'static), Duration),
) -> Vec<u128> {
    let Some(body) = &program.functions[function].body else { return Vec::new() };
    let whole = Abstraction::new(program, function);
    let slice = whole.point(goals);
    let modes = Modes::new(program, &whole);
    let guards = Guards::new(program, &modes, tools);
    let code = |trace: Trace| {
        let ways = |block: Block| body.blocks[block].term.edges().len() as u32;
        trace.local().fold(START, |code, (block, way)| extend(code, ways(block), way))
    };
    let mut codes: Vec<u128> = Generator::new(&slice, bound, guards).within(moves).take(most).map(code).collect();
    codes.retain(|&code| code != 0);
    codes.dedup();
    codes
}

/// What is known after a prefix, and where it ends; `None` if no run begins so.
type Prefixes = FxHashMap<u128, Option<(Known, Block)>>;

/// Which of these local paths, each given by what remembers it, the guards exclude.
pub fn excluded(
    program: &Program,
    function: FuncId,
    codes: &[u128],
    tools: (&mut Terms, &mut (dyn Solver + 'static), Duration),
) -> Vec<Excluded> {
    let Some(body) = &program.functions[function].body else { return Vec::new() };
    let modes = Modes::new(program, &Abstraction::new(program, function));
    let mut guards = Guards::new(program, &modes, tools);
    let mut prefixes = Prefixes::default();
    let start = guards.start(function);
    let first = to_branch(&mut guards, body, start, Block::ENTRY);
    prefixes.insert(START, first);
    let follow = |&code: &u128| follow(&mut guards, body, &mut prefixes, code).map(|step| Excluded { code, step });
    codes.iter().filter_map(follow).collect()
}

/// The first step of the path that is excluded.
fn follow(guards: &mut Guards<'_>, body: &Body, prefixes: &mut Prefixes, code: u128) -> Option<usize> {
    let (mut at, mut left) = (START, length(code) - 1);
    for step in 0.. {
        let (known, block) = prefixes.get(&at)?.clone()?;
        let size = bits(body.blocks[block].term.edges().len() as u32);
        if size == 0 || size > left {
            return None;
        }
        left -= size;
        let next = code >> left;
        let way = (next & ((1 << size) - 1)) as u32;
        at = next;
        let after = match prefixes.entry(at) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let to = body.blocks[block].term.edges().get(way as usize)?.block;
                let after = guards.step(&known, Move::Way(block, way));
                new.insert(after.and_then(|known| to_branch(guards, body, known, to)))
            }
        };
        if after.is_none() {
            return Some(step);
        }
    }
    None
}

/// Goes on to the next block with several ways, or to the end; the second is where that is.
fn to_branch(guards: &mut Guards<'_>, body: &Body, mut known: Known, mut block: Block) -> Option<(Known, Block)> {
    // A loop without a branch never ends.
    for _ in 0..=body.blocks.len() {
        for &inst in &body.blocks[block].insts {
            if matches!(body.insts[inst].op, Op::Call(_)) {
                known = guards.step(&known, Move::Hole(inst))?;
            }
        }
        let edges = body.blocks[block].term.edges();
        let [only] = &edges[..] else { break };
        known = guards.step(&known, Move::Way(block, 0))?;
        block = only.block;
    }
    Some((known, block))
}
