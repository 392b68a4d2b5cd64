//! Local paths: the ways through the function under test alone, whatever the functions that it calls do.
//!
//! The paths are the traces of the abstraction that is cut down to this function, with loops taken K times. The code is made
//! to remember its way in an SSA value: it begins with 1, and each branch shifts its outcome in from the right. Where the
//! function ends there is a label for each path that ends there. Any call of the function counts, also one from within.
//!
//! A path that goes round a loop more often is no objective; a value that has no room for it becomes 0 and stays so.

use std::collections::HashMap;

use covenant_program::analysis::{CallGraph, Loops};
use covenant_program::coverage::edge_mapping::{self, Outcome as Mapped, SiteKind, Way};
use covenant_program::ir::insert::{Inserter, Point};
use covenant_program::ir::{
    BinaryOp, Block, Body, Callee, FuncId, Inst, InstData, IntCmp, Loc, Op, Program, Terminator, Type, Value,
};

use crate::Criterion;
use crate::criteria::branch;
use crate::criteria::mcdc::push_arg;
use crate::criteria::{Labels, Maker, Profile, Site};
use crate::objective::{LocalPath, Objective, Outcome, PathStep};
use crate::traces::{Abstraction, Free, Generator, Trace};
use crate::words::{Reason, ReasonKind};

pub(super) const PROFILE: Profile = Profile {
    about: "Each path through the function itself, with loops taken --loop-bound times, whatever the functions it calls do",
    nouns: ("local path", "local paths"),
    ..Profile::new(make)
};

/// Times that a loop goes back to its head, where nothing is said.
pub const BOUND: u32 = 2; // not tuning: which objectives there are
/// Paths that become objectives; if there are more, the report says so.
pub const MOST_PATHS: usize = 400; // not tuning: which objectives there are
/// Bits that the memory of a path may have.
const MOST_BITS: u32 = 128; // not tuning: the widest word
/// Outcomes that the text of a path tells, from both its ends.
const MOST_TOLD: usize = 12; // not tuning: how much is told

/// The value before the first branch.
pub const START: u128 = 1; // not tuning: a code

/// Bits that the outcome of a branch with so many ways takes.
pub fn bits(ways: u32) -> u32 {
    ways.max(1).next_power_of_two().trailing_zeros()
}

/// What remembers a path with one more outcome; 0 if there is no room.
pub fn extend(code: u128, ways: u32, way: u32) -> u128 {
    let bits = bits(ways);
    if code == 0 || code.leading_zeros() < bits { 0 } else { code << bits | u128::from(way) }
}

/// What the paths of a function are, and whether these are all.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paths {
    found: Vec<Trace>,
    all: bool,
}

fn make(maker: &mut Maker<'_>) {
    let bound = maker.wanted.loop_bound.unwrap_or(BOUND);
    let Some(id) = maker.program.definitions(&maker.wanted.function).next() else { return };
    let paths = paths(&Abstraction::new(maker.program, id).local(), bound);
    let mut more = None;
    maker.each(|site, inserter, labels| {
        if site.function == id {
            more = of_function(site, inserter, labels, &paths, bound);
        }
    });
    maker.notes.extend(more);
}

fn paths(slice: &Abstraction, bound: u32) -> Paths {
    let mut generator = Generator::new(slice, bound, Free);
    let found: Vec<Trace> = generator.by_ref().take(MOST_PATHS).collect();
    let all = found.len() < MOST_PATHS || (generator.next().is_none() && !generator.is_cut());
    Paths { all: all && !generator.is_cut(), found }
}

/// The labels of one function; what must be said of paths that are no objectives.
fn of_function(
    site: &Site<'_>,
    inserter: &mut Inserter<'_>,
    labels: &mut Labels<'_>,
    paths: &Paths,
    bound: u32,
) -> Option<String> {
    let body = inserter.body();
    let loc = site.program.functions[site.function].loc;
    let name = site.program.functions[site.function].source_name().to_owned();
    let goto = body.blocks.iter().find(|(_, data)| matches!(data.term, Terminator::Indirect { .. }));
    if let Some((goto, _)) = goto {
        let line = branch::line_of_end(body, goto);
        let mut open = site.objective(Criterion::LocalPath, loc, name, Outcome::Holds("all paths".to_owned()));
        let words = format!("the function has a computed goto in line {line}, whose ways runs do not tell apart");
        open.unmapped = Some(Reason::new(ReasonKind::Unsupported, words));
        labels.objectives.push(open);
        return None;
    }
    let code = |body: &Body, trace: &Trace| {
        trace
            .ways()
            .fold(START, |code, (_, block, way)| extend(code, body.blocks[block].term.edges().len() as u32, way))
    };
    let coded: Vec<(u128, &Trace)> = paths.found.iter().map(|trace| (code(body, trace), trace)).collect();
    let fitting: Vec<(u128, &Trace)> = coded.into_iter().filter(|(code, _)| *code != 0).collect();
    let longest = fitting.iter().map(|(code, _)| u128::BITS - code.leading_zeros()).max().unwrap_or(1);
    let ty = Type::Int(longest.next_power_of_two().clamp(8, MOST_BITS) as u8);
    let conditions = conditions(site, body);
    let memory = remember(inserter, ty);
    let count = fitting.len();
    for (number, (code, trace)) in fitting.into_iter().enumerate() {
        let Some(end) = trace.end else { continue };
        let steps: Vec<PathStep> = trace
            .ways()
            .map(|(_, block, edge)| step(site, inserter.body(), &conditions, Way { block, edge }))
            .collect();
        let outcome = Outcome::Holds(format!("path {}", number + 1));
        let mut objective = site.objective(Criterion::LocalPath, loc, told(&steps), outcome);
        objective.path = Some(Box::new(LocalPath { function: site.function.as_u32(), code, steps }));
        inserter.at(inserter.body().blocks[end].term_loc);
        let wanted = inserter.constant(ty, code);
        let now = memory.get(&end).copied().unwrap_or_else(|| inserter.constant(ty, START));
        let same = inserter.int_cmp(IntCmp::Eq, now, wanted);
        labels.add(site, inserter, same, objective);
        let point = end_point(inserter.body(), end);
        inserter.finish_group(point);
    }
    let mut words =
        format!("local paths of {name}: each loop goes back to its head at most {bound} times (--loop-bound)");
    if !paths.all || count < paths.found.len() {
        words.push_str(&format!(
            ", and only {count} paths are objectives, those with few decisions before others: there are more"
        ));
    }
    Some(words)
}

/// Before what ends the block: its terminator, or the last call, which does not come back.
fn end_point(body: &Body, block: Block) -> Point {
    let data = &body.blocks[block];
    let is_call = |inst: &&Inst| matches!(body.insts[**inst].op, Op::Call(_));
    match data.term {
        Terminator::Unreachable => (block, data.insts.iter().rev().find(is_call).copied()),
        _ => (block, None),
    }
}

/// Makes the code remember its way; what holds it in each block but the first.
fn remember(inserter: &mut Inserter<'_>, ty: Type) -> HashMap<Block, Value> {
    let loops = !Loops::new(inserter.body()).is_empty();
    let blocks: Vec<Block> = inserter.body().blocks.keys().collect();
    let start = inserter.constant(ty, START);
    let mut memory = HashMap::new();
    for &block in blocks.iter().filter(|&&block| block != Block::ENTRY) {
        let param = inserter.param(block, ty);
        memory.insert(block, param);
    }
    for block in blocks {
        let targets = inserter.body().blocks[block].term.edges().len() as u32;
        let before = memory.get(&block).copied().unwrap_or(start);
        let shifted = (targets > 1).then(|| shift(inserter, before, ty, bits(targets), loops));
        for edge in 0..targets {
            let arg = match shifted {
                Some((shifted, fits)) => append(inserter, shifted, fits, ty, edge),
                None => before,
            };
            push_arg(&mut inserter.body_mut().blocks[block].term, edge, arg);
        }
        inserter.finish_shared((block, None));
    }
    memory
}

/// The value with room for an outcome, and whether there is room.
fn shift(inserter: &mut Inserter<'_>, before: Value, ty: Type, bits: u32, loops: bool) -> (Value, Option<Value>) {
    inserter.at(Loc::NONE);
    let by = inserter.constant(ty, u128::from(bits));
    let shifted = inserter.binary(BinaryOp::Shl, before, by);
    if !loops {
        return (shifted, None);
    }
    // 0 stays 0: one less than it is the largest number.
    let one = inserter.constant(ty, 1);
    let less = inserter.binary(BinaryOp::Sub, before, one);
    let limit = inserter.constant(ty, (1u128 << (ty.bits() - bits)) - 1);
    let fits = inserter.int_cmp(IntCmp::Ult, less, limit);
    (shifted, Some(fits))
}

fn append(inserter: &mut Inserter<'_>, shifted: Value, fits: Option<Value>, ty: Type, edge: u32) -> Value {
    let zero = inserter.constant(ty, 0);
    let mut after = shifted;
    if edge > 0 {
        let outcome = inserter.constant(ty, u128::from(edge));
        after = inserter.binary(BinaryOp::Or, shifted, outcome);
    }
    match fits {
        Some(fits) => inserter.select(fits, after, zero),
        None => after,
    }
}

/// Which region of the source and which outcome of it an edge is.
type Conditions = HashMap<Way, (usize, String)>;

fn conditions(site: &Site<'_>, body: &Body) -> Conditions {
    let mut found = Conditions::new();
    let Some(mapping) = site.mapping else { return found };
    for branch in edge_mapping::branches(body, mapping) {
        let text = site.region_text(branch.region);
        let outcomes = match branch.kind {
            SiteKind::Condition => {
                [Some(("true".to_owned(), &branch.on_true)), Some(("false".to_owned(), &branch.on_false))]
            }
            SiteKind::Case => [Some((crate::criteria::branch::label(&text).to_string(), &branch.on_true)), None],
            SiteKind::NoCase => [Some(("default".to_owned(), &branch.on_true)), None],
        };
        for (outcome, mapped) in outcomes.into_iter().flatten() {
            let Mapped::Edges(ways) = mapped else { continue };
            for way in ways {
                found.entry(*way).or_insert((branch.region, outcome.clone()));
            }
        }
    }
    found
}

fn step(site: &Site<'_>, body: &Body, conditions: &Conditions, way: Way) -> PathStep {
    let block = &body.blocks[way.block];
    let bits = bits(block.term.edges().len() as u32);
    if let Some((region, outcome)) = conditions.get(&way) {
        let objective = site.of_region(Criterion::LocalPath, *region, Outcome::Default);
        return PathStep {
            line: objective.line,
            column: objective.column,
            text: objective.text,
            outcome: outcome.clone(),
            bits,
        };
    }
    let outcome = match (&block.term, way.edge) {
        (Terminator::Branch { .. }, 0) => "true".to_owned(),
        (Terminator::Branch { .. }, _) => "false".to_owned(),
        (_, edge) => format!("way {edge}"),
    };
    let loc = block.term_loc;
    PathStep { line: loc.line, column: loc.column, text: site.condition_at(loc), outcome, bits }
}

/// `2:9 a < b true, 9:9 d == 0 false`
fn told(steps: &[PathStep]) -> String {
    let word = |step: &PathStep| format!("{}:{} {}", step.line, step.column, step.words());
    if steps.is_empty() {
        return "no branch".to_owned();
    }
    let mut words: Vec<String> = steps.iter().map(word).collect();
    if words.len() > MOST_TOLD {
        let rest = words.len() - MOST_TOLD;
        words.splice(MOST_TOLD / 2..MOST_TOLD / 2 + rest, [format!("({rest} more)")]);
    }
    words.join(", ")
}

/// Whether a run that starts with `entry` may call the function more than once. Calls through pointers may mean anything,
/// also code that is no part of the program.
pub fn may_run_twice(program: &Program, entry: FuncId, function: FuncId) -> bool {
    let graph = CallGraph::new(program, &[entry], &[]);
    if graph.calls_pointers(entry) {
        return true;
    }
    let mut sites = Vec::new();
    for id in graph.direct_reach(entry) {
        let insts = program.functions[id].body.iter().flat_map(|body| body.insts.values());
        let calls = |inst: &&InstData| matches!(&inst.op, Op::Call(call) if call.callee == Callee::Direct(function));
        sites.extend(insts.filter(calls).map(|_| id));
    }
    // The driver has no loops; a program starts with its main function, which nothing else calls.
    let once = if entry == function { sites.is_empty() && program.constructors.is_empty() } else { sites == [entry] };
    !once
}

/// An objective of this criterion, by what remembers its path.
pub fn code_of(objective: &Objective) -> Option<(u32, u128)> {
    objective.path.as_deref().map(|path| (path.function, path.code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_call_is_seen() {
        let text = |more: &str| {
            let functions = "fn0 = function \"f\"(i32) -> i32 { bb0(v0: i32): return v0 }
                fn1 = function \"driver\"() { bb0: v0: i32 = call fn0(i32 1) MORE return }";
            functions.replace("MORE", more)
        };
        let twice = |more: &str| {
            let program = match covenant_program::ir::text::parse(&text(more)) {
                Ok(program) => program,
                Err(error) => panic!("{error}"),
            };
            may_run_twice(&program, FuncId::from_u32(1), FuncId::from_u32(0))
        };
        assert!(!twice(""));
        assert!(twice("v1: i32 = call fn0(v0)"));
    }

    #[test]
    fn a_code_has_all_outcomes_and_says_when_it_is_full() {
        assert_eq!([bits(1), bits(2), bits(3), bits(4), bits(5)], [0, 1, 2, 2, 3]);
        let code = extend(extend(START, 2, 1), 3, 2);
        assert_eq!(code, 0b1110);
        let mut long = START;
        for _ in 0..127 {
            long = extend(long, 2, 0);
            assert_ne!(long, 0);
        }
        assert_eq!(extend(long, 2, 1), 0);
        assert_eq!(extend(0, 2, 1), 0);
    }
}
