use covenant_program::ir::text::parse;
use covenant_program::ir::{Block, FuncId, Program};

use super::*;

/// The least common multiple by the greatest common divisor: two branches of its own, a loop and a sign elsewhere.
pub(crate) const LCM: &str = "
fn0 = function \"lcm\"(i32, i32) -> i32 {
bb0(v0: i32, v1: i32):
  v2: i1 = icmp slt v0, v1
  branch v2, bb1(v1, v0), bb1(v0, v1)
bb1(v3: i32, v4: i32):
  v5: i32 = call fn1(v3, v4)
  v6: i1 = icmp eq v5, i32 0
  branch v6, bb2, bb3
bb2:
  return i32 -1
bb3:
  v7: i32 = mul v3, v4
  v8: i32 = call fn2(v7)
  v9: i32 = sdiv v8, v5
  return v9
}
fn1 = function \"gcd\"(i32, i32) -> i32 {
bb0(v0: i32, v1: i32):
  jump bb1(v0, v1)
bb1(v2: i32, v3: i32):
  v4: i1 = icmp ne v3, i32 0
  branch v4, bb2, bb3
bb2:
  v5: i32 = srem v2, v3
  jump bb1(v3, v5)
bb3:
  v6: i32 = call fn2(v2)
  return v6
}
fn2 = function \"abs\"(i32) -> i32 {
bb0(v0: i32):
  v1: i1 = icmp sge v0, i32 0
  branch v1, bb1, bb2
bb1:
  return v0
bb2:
  v2: i32 = sub i32 0, v0
  return v2
}
";

pub(crate) fn program(text: &str) -> Program {
    match parse(text) {
        Ok(program) => program,
        Err(error) => panic!("{error}"),
    }
}

fn all(abstraction: &Abstraction, bound: u32) -> Vec<String> {
    let mut generator = Generator::new(abstraction, bound, Free);
    let found = generator.by_ref().map(|trace| trace.term()).collect();
    assert!(!generator.is_cut());
    found
}

fn lcm() -> (Program, Abstraction) {
    let program = program(LCM);
    let entry = program.function("lcm").unwrap();
    let abstraction = Abstraction::new(&program, entry);
    (program, abstraction)
}

#[test]
fn the_abstraction_keeps_calls_and_ways() {
    let (_, abstraction) = lcm();
    assert_eq!(abstraction.methods.len(), 3);
    // lcm: 2 + 2 + 1 + 1, gcd: 1 + 2 + 1 + 1, abs: 2 + 1 + 1
    assert_eq!(abstraction.rules(), 15);
    let gcd = FuncId::from_u32(1);
    let calls = &abstraction.pred(abstraction.entry, Block::from_u32(1)).unwrap().calls;
    assert_eq!(calls.iter().map(|call| call.into).collect::<Vec<_>>(), [Some(gcd)]);
    let turns = abstraction.pred(gcd, Block::from_u32(2)).unwrap().rules[0];
    assert_eq!(turns.next, Next::Block { block: Block::from_u32(1), turns: true });
    assert!(!abstraction.is_recursive(abstraction.entry));
}

#[test]
fn local_paths_have_holes_for_calls_and_do_not_depend_on_the_bound() {
    let (_, abstraction) = lcm();
    let local = abstraction.local();
    let expected = ["0.0 [_] 1.0", "0.0 [_] 1.1 [_]", "0.1 [_] 1.0", "0.1 [_] 1.1 [_]"];
    for bound in [0, 2, 9] {
        assert_eq!(all(&local, bound), expected);
    }
    // Without the slice each way through gcd and abs is a trace of its own: 3 turns, the signs of two calls.
    assert_eq!(all(&abstraction, 2).len(), 2 * (3 * 2) * (1 + 2));
}

#[test]
fn traces_to_a_point_end_there_and_leave_out_what_does_not_lead_to_it() {
    let (_, abstraction) = lcm();
    let lcm = abstraction.entry;
    let caught = Goal { function: lcm, block: Block::from_u32(2), calls: 0 };
    let slice = abstraction.point(&[caught]);
    assert_eq!(all(&slice, 2), ["0.0 [_] 1.0", "0.1 [_] 1.0"]);
    // Of abs and gcd nothing is left.
    assert_eq!(slice.methods.len(), 1);
    let positive = Goal { function: FuncId::from_u32(2), block: Block::from_u32(1), calls: 0 };
    let found = all(&abstraction.point(&[positive]), 1);
    // Through gcd after no turn or one, or past gcd and through the call that comes after it; each with both orders.
    assert_eq!(found.len(), 6, "{found:?}");
    assert!(found.contains(&"0.0 fn1( 1.1 fn2( 0.0".to_owned()), "{found:?}");
    assert!(found.contains(&"0.1 [_] 1.1 fn2( 0.0".to_owned()), "{found:?}");
    // What the first function does itself is the same in all that go through gcd.
    let slice = abstraction.point(&[positive]);
    let local: Vec<Vec<(Block, u32)>> = Generator::new(&slice, 1, Free).map(|trace| trace.local().collect()).collect();
    assert_eq!(local.iter().filter(|ways| **ways == [(Block::from_u32(0), 0)]).count(), 2, "{local:?}");
    assert_eq!(Generator::new(&slice, 1, Free).within(3).count(), 0);
}

#[test]
fn what_begins_like_a_refuted_prefix_is_not_given() {
    let (_, abstraction) = lcm();
    let local = abstraction.local();
    let mut generator = Generator::new(&local, 2, Free);
    let first = generator.next().unwrap();
    generator.refute(&first.steps[..1]);
    let rest: Vec<String> = generator.map(|trace| trace.term()).collect();
    assert_eq!(rest, ["0.1 [_] 1.0", "0.1 [_] 1.1 [_]"]);
}

#[test]
fn loops_are_counted_each_time_they_are_entered() {
    let nested = "
fn0 = function \"f\"(i1) -> i32 {
bb0(v0: i1):
  jump bb1
bb1:
  branch v0, bb2, bb4
bb2:
  branch v0, bb3, bb1
bb3:
  jump bb2
bb4:
  return i32 0
}
";
    let program = program(nested);
    let abstraction = Abstraction::new(&program, program.function("f").unwrap());
    // 0, 1 or 2 turns outside, each with 0, 1 or 2 inside.
    assert_eq!(all(&abstraction, 2).len(), 1 + 3 + 9);
    assert_eq!(all(&abstraction, 1).len(), 1 + 2);
}

#[test]
fn recursion_is_bounded_like_a_loop() {
    let text = "
fn0 = function \"f\"(i1) -> i32 {
bb0(v0: i1):
  branch v0, bb1, bb2
bb1:
  v1: i32 = call fn0(v0)
  return v1
bb2:
  return i32 0
}
";
    let program = program(text);
    let abstraction = Abstraction::new(&program, program.function("f").unwrap());
    assert!(abstraction.is_recursive(abstraction.entry));
    assert_eq!(all(&abstraction, 2).len(), 3);
    assert_eq!(all(&abstraction.local(), 2).len(), 2);
}

#[test]
fn traces_that_all_begin_alike_come_too() {
    let branch = |i: u32| format!("bb{i}:\n  branch v0, bb{}, bb{}\n", i + 1, i + 1).replace("bb0:", "bb0(v0: i1):");
    let blocks: String = (0..60).map(branch).collect();
    let program = parse(&format!("fn0 = function \"f\"(i1) {{\n{blocks}bb60:\n  return\n}}\n"));
    let program = match program {
        Ok(program) => program,
        Err(error) => panic!("{error}"),
    };
    let whole = Abstraction::new(&program, FuncId::from_u32(0));
    let mut generator = Generator::new(&whole, 2, Free);
    let found: Vec<Trace> = generator.by_ref().take(400).collect();
    assert_eq!(found.len(), 400);
    assert!(found.iter().all(|trace| trace.ways().count() == 60));
    assert!(generator.moves() < 100_000, "{}", generator.moves());
}
