//! Local paths that the guards of the function exclude, whatever the functions that it calls do.

use covenant_concolic::symbolic::local::length;
use covenant_goals::local_path::{START, bits, extend};
use covenant_goals::traces::{Abstraction, Generator, Goal, Move, Refine, Trace};
use covenant_program::ir::{Block, Body, FuncId, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use super::guards::{Guards, Known, Tools};
use super::modes::Modes;

/// A function and all that it calls, and which values guards depend on there.
#[derive(Debug)]
pub struct Map {
    /// The function.
    pub function: FuncId,
    whole: Abstraction,
    modes: Modes,
}

impl Map {
    /// The map of a function.
    pub fn new(program: &Program, function: FuncId) -> Map {
        let whole = Abstraction::new(program, function);
        let modes = Modes::new(program, &whole);
        Map { function, whole, modes }
    }
}

/// A path that is excluded: which of its outcomes is the first that no run has, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Excluded {
    /// The number that remembers the path.
    pub code: u128,
    /// The outcome that no run has after those before it.
    pub step: usize,
}

/// Beginnings of local paths that lead to a point: the first traces of its slice that the guards do not exclude.
pub fn towards(
    program: &Program,
    map: &Map,
    goals: &[Goal],
    (bound, most, moves): (u32, usize, usize),
    tools: Tools<'_>,
) -> Vec<u128> {
    let Some(body) = &program.functions[map.function].body else { return Vec::new() };
    let slice = map.whole.point(goals);
    let guards = Guards::new(program, &map.modes, tools);
    let traces = Generator::new(&slice, bound, guards).within(moves).take(most);
    let mut codes: Vec<u128> = traces.map(|trace| code(body, &trace)).collect();
    codes.retain(|&code| code != 0);
    codes.dedup();
    codes
}

fn code(body: &Body, trace: &Trace) -> u128 {
    let ways = |block: Block| body.blocks[block].term.edges().len() as u32;
    trace.local().fold(START, |code, (block, way)| extend(code, ways(block), way))
}

/// What is known after a prefix, and where it ends; `None` if no run begins so.
type Prefixes = FxHashMap<u128, Option<(Known, Block)>>;

/// Which of these local paths, each given by what remembers it, the guards exclude, and whether there were more questions than
/// may be asked. Of beginnings that runs had nothing is asked.
pub fn excluded(
    program: &Program,
    map: &Map,
    (codes, reached): (&[u128], &FxHashSet<u128>),
    tools: Tools<'_>,
) -> (Vec<Excluded>, bool) {
    let Some(body) = &program.functions[map.function].body else { return (Vec::new(), false) };
    let mut guards = Guards::new(program, &map.modes, tools);
    let mut prefixes = Prefixes::default();
    let start = guards.start(map.function);
    let first = to_branch(&mut guards, body, start, Block::ENTRY);
    prefixes.insert(START, first);
    let mut found = Vec::new();
    for &code in codes {
        let step = follow(&mut guards, body, (&mut prefixes, reached), code);
        found.extend(step.map(|step| Excluded { code, step }));
    }
    (found, guards.is_cut)
}

/// The first step of the path that is excluded.
fn follow(
    guards: &mut Guards<'_>,
    body: &Body,
    (prefixes, reached): (&mut Prefixes, &FxHashSet<u128>),
    code: u128,
) -> Option<usize> {
    let (mut at, mut left) = (START, length(code) - 1);
    for step in 0.. {
        let (known, block) = prefixes.get(&at)?.as_ref()?;
        let edges = body.blocks[*block].term.edges();
        let size = bits(edges.len() as u32);
        if size == 0 || size > left {
            return None;
        }
        left -= size;
        at = code >> left;
        let after = match prefixes.get(&at) {
            Some(after) => after,
            None => {
                let way = (at & ((1 << size) - 1)) as u32;
                let to = edges.get(way as usize)?.block;
                guards.trusts = reached.contains(&at);
                let after = guards.step(known, Move::Way(*block, way));
                guards.trusts = false;
                let after = after.and_then(|known| to_branch(guards, body, known, to));
                prefixes.entry(at).or_insert(after)
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
