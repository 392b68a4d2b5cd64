use covenant_constraints::solver::Steps;

use covenant_constraints::Terms;
use covenant_constraints::solver::{Options, stack};
use covenant_goals::local_path::{START, extend};
use covenant_goals::traces::{Abstraction, Generator, Move, Refine};
use covenant_program::ir::text::parse;
use covenant_program::ir::{FuncId, Program, Value};
use rustc_hash::FxHashSet;

use super::bound::Bound;
use super::modes::Modes;
use super::{Found, Tools, paths, refined, traces};

/// Each second element of an array to the power of `e`. The loops have one counter each; `v1` is the length.
const ARRAYPOWER: &str = r#"
fn0 = function "arraypower"(ptr, i32, i32) {
bb0(v0: ptr, v1: i32, v2: i32):
  jump bb1(i32 0)
bb1(v3: i32):
  v4: i1 = icmp slt v3, v1
  branch v4, bb2, bb5
bb2:
  v5: i32 = srem v3, i32 2
  v6: i1 = icmp eq v5, i32 0
  branch v6, bb3, bb4
bb3:
  v7: i64 = sext v3
  v8: ptr = ptradd v0, v7 scale 4
  v9: i32 = load v8
  v10: i32 = call fn1(v9, v2)
  store v10, v8
  jump bb4
bb4:
  v11: i32 = add v3, i32 1
  jump bb1(v11)
bb5:
  return
}
fn1 = function "power"(i32, i32) -> i32 {
bb0(v0: i32, v1: i32):
  v2: i1 = icmp sge v1, i32 0
  branch v2, bb1, bb4
bb1:
  jump bb2(i32 1, i32 1)
bb2(v3: i32, v4: i32):
  v5: i1 = icmp sle v3, v1
  branch v5, bb3, bb5
bb3:
  v6: i32 = mul v4, v0
  v7: i32 = add v3, i32 1
  jump bb2(v7, v6)
bb4:
  return i32 -1
bb5:
  return v4
}
"#;

fn program(text: &str) -> Program {
    match parse(text) {
        Ok(program) => program,
        Err(error) => panic!("{error}"),
    }
}

fn both(program: &Program, slice: impl Fn(&Abstraction) -> Abstraction, bound: u32) -> [usize; 2] {
    let whole = Abstraction::new(program, program.function("arraypower").unwrap());
    let slice = slice(&whole);
    let (mut terms, mut solver) = (Terms::new(), stack(&Options::default()));
    let tools = Tools { terms: &mut terms, solver: &mut *solver, steps: Steps::like_secs(60), questions: usize::MAX };
    let count = |found: Found| {
        assert!(!found.more);
        found.traces.len()
    };
    [count(traces(&slice, bound, 10_000)), count(refined(program, (&whole, &slice), (bound, 10_000), tools))]
}

#[test]
fn the_base_is_dynamic_and_the_exponent_static() {
    let program = program(ARRAYPOWER);
    let whole = Abstraction::new(&program, program.function("arraypower").unwrap());
    let modes = Modes::new(&program, &whole);
    let power = program.function("power").unwrap();
    let is_static = |value: u32| modes.is_static(power, Value::from_u32(value));
    // The base and the product so far; the exponent and the counter.
    assert_eq!([0, 4, 1, 3].map(is_static), [false, false, true, true]);
}

#[test]
fn guards_over_static_values_leave_few_traces() {
    let program = program(ARRAYPOWER);
    // A turn has one way for odd elements and 4 through power for even ones: 1 + 5 + 25. The first element is even, the
    // second odd, so that 4 ways are left for one turn and for two.
    assert_eq!(both(&program, Abstraction::clone, 2), [31, 9]);
    // The paper has 497 and 161, a third.
    let [plain, kept] = both(&program, Abstraction::clone, 3);
    assert!(plain >= 161 && 161 * plain >= 497 * kept, "{plain} {kept}");
    // The exponent is the same in both calls.
    assert_eq!(kept, 1 + 5 + 5 + 5);
}

#[test]
fn slicing_keeps_the_guards() {
    let program = program(ARRAYPOWER);
    assert_eq!(both(&program, Abstraction::local, 2), [7, 3]);
}

#[test]
fn local_paths_that_guards_exclude_are_found() {
    let program = program(ARRAYPOWER);
    let function = program.function("arraypower").unwrap();
    let path = |ways: &[u32]| ways.iter().fold(START, |code, &way| extend(code, 2, way));
    // No turn; even; odd; even, odd; even, even. Edge 1 is the false outcome.
    let codes = [path(&[1]), path(&[0, 0, 1]), path(&[0, 1, 1]), path(&[0, 0, 0, 1, 1]), path(&[0, 0, 0, 0, 1])];
    let (mut terms, mut solver) = (Terms::new(), stack(&Options::default()));
    let tools = Tools { terms: &mut terms, solver: &mut *solver, steps: Steps::like_secs(60), questions: usize::MAX };
    let map = paths::Map::new(&program, function);
    let (found, is_cut) = paths::excluded(&program, &map, (&codes, &FxHashSet::default()), tools);
    assert!(!is_cut);
    let shown: Vec<(u128, usize)> = found.iter().map(|e| (e.code, e.step)).collect();
    assert_eq!(shown, [(codes[2], 1), (codes[4], 3)]);
}

/// Remembers all that traces of the first function begin with.
struct Beginnings<'b>(&'b Program, FxHashSet<u128>);

impl Refine for Beginnings<'_> {
    type State = u128;

    fn start(&mut self, _: FuncId) -> u128 {
        self.1.insert(START);
        START
    }

    fn step(&mut self, state: &u128, step: Move) -> Option<u128> {
        let Move::Way(block, way) = step else { return Some(*state) };
        let body = self.0.functions.values().next()?.body.as_ref()?;
        let code = extend(*state, body.blocks[block].term.edges().len() as u32, way);
        self.1.insert(code);
        Some(code)
    }
}

/// Two loops in each other, and a switch with three ways in the inner one.
const NESTED: &str = r#"
fn0 = function "nested"(i32) {
bb0(v0: i32):
  jump bb1(v0)
bb1(v1: i32):
  v2: i1 = icmp slt v1, i32 9
  branch v2, bb2(v1), bb5
bb2(v3: i32):
  switch v3 { 1 => bb3 2 => bb2(v0) default => bb4 }
bb3:
  v4: i32 = add v3, i32 1
  jump bb2(v4)
bb4:
  v5: i32 = add v3, i32 1
  jump bb1(v5)
bb5:
  return
}
"#;

#[test]
fn the_bound_is_that_of_generated_traces() {
    for text in [ARRAYPOWER, NESTED] {
        let program = program(text);
        let function = program.functions.keys().next().unwrap();
        let slice = Abstraction::of_one(&program, function).unwrap();
        for most in 0..3 {
            let mut generator = Generator::new(&slice, most, Beginnings(&program, FxHashSet::default()));
            generator.by_ref().for_each(drop);
            assert!(!generator.is_cut());
            let begun = generator.into_refine().1;
            let bound = Bound::new(&program, function, most).unwrap();
            for code in START..1 << 14 {
                // Not each number is that of a path: half an outcome is none.
                assert!(bound.has(code) == begun.contains(&code), "{most} {code:b}");
            }
        }
    }
}
