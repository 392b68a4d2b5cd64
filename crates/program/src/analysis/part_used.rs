//! What the code does with the result of a call: whether more of it matters than its sign.
//!
//! C fixes only the sign of what `strcmp` returns, and only whether `isdigit` returns zero. Where a program asks for no more
//! than that, it does not matter which library it is linked with.

use cranelift_entity::EntitySet;

use crate::ir::{Block, Body, Const, Inst, IntCmp, Op, Terminator, Value};
use crate::world::Part;

/// How much of a value the code looks at, at most.
pub fn part_used(body: &Body, value: Value) -> Part {
    let mut seen: EntitySet<Value> = EntitySet::new();
    let mut work = vec![value];
    let mut used = Part::Zero;
    while let Some(value) = work.pop() {
        if !seen.insert(value) {
            continue;
        }
        for data in body.blocks.values() {
            for &inst in data.insts.iter().filter(|&&inst| body.insts[inst].op.operands().contains(&value)) {
                used = used.max(part_of(body, inst));
            }
            match &data.term {
                Terminator::Return(values) if values.contains(&value) => return Part::Whole,
                Terminator::Switch { value: on, .. } if *on == value => return Part::Whole,
                Terminator::Indirect { address, .. } if *address == value => return Part::Whole,
                term => {
                    for edge in term.edges() {
                        let places = edge.args.iter().enumerate().filter(|(_, arg)| **arg == value);
                        work.extend(places.map(|(at, _)| parameter(body, edge.block, at)));
                    }
                }
            }
        }
    }
    used
}

/// How much of the result of this call its function looks at, at most.
pub fn part_used_of_call(body: &Body, call: Inst) -> Part {
    body.insts[call].results.iter().map(|&result| part_used(body, result)).max().unwrap_or(Part::Zero)
}

fn parameter(body: &Body, block: Block, at: usize) -> Value {
    body.blocks[block].params[at]
}

/// How much an instruction looks at of an operand that is no constant.
fn part_of(body: &Body, inst: Inst) -> Part {
    let Op::IntCmp { cmp, args } = &body.insts[inst].op else { return Part::Whole };
    // Only one of the two is a constant, and a value is not told apart from itself.
    if !args.iter().any(|&arg| body.constant(arg) == Some(Const::Bits(0))) {
        return Part::Whole;
    }
    match cmp {
        IntCmp::Eq | IntCmp::Ne => Part::Zero,
        IntCmp::Slt | IntCmp::Sle | IntCmp::Sgt | IntCmp::Sge => Part::Sign,
        IntCmp::Ult | IntCmp::Ule | IntCmp::Ugt | IntCmp::Uge => Part::Whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;

    /// Of the first parameter of a function with these instructions.
    fn used(instructions: &str) -> Part {
        let program = format!("fn0 = function \"f\"(i32, i1) -> i32 {{\nbb0(v0: i32, v1: i1):\n{instructions}}}\n");
        let program = text::parse(&program).expect("the program is right");
        let body = program.functions.values().next().and_then(|f| f.body.as_ref()).expect("it has a body");
        part_used(body, body.params()[0])
    }

    #[test]
    fn a_comparison_with_zero_asks_for_the_sign_or_less() {
        assert_eq!(used("    return i32 0\n"), Part::Zero);
        assert_eq!(used("    v2: i1 = icmp ne v0, i32 0\n    return i32 0\n"), Part::Zero);
        assert_eq!(used("    v2: i1 = icmp slt v0, i32 0\n    return i32 0\n"), Part::Sign);
        assert_eq!(used("    v2: i1 = icmp slt v0, i32 1\n    return i32 0\n"), Part::Whole);
        assert_eq!(used("    v2: i1 = icmp ult v0, i32 0\n    return i32 0\n"), Part::Whole);
    }

    #[test]
    fn what_is_handed_on_is_used_as_a_whole() {
        assert_eq!(used("    return v0\n"), Part::Whole);
        assert_eq!(used("    v2: i32 = add v0, i32 1\n    return i32 0\n"), Part::Whole);
        assert_eq!(used("    switch v0 { 0 => bb1 default => bb1 }\nbb1:\n    return i32 0\n"), Part::Whole);
    }

    #[test]
    fn a_value_is_followed_to_the_next_block() {
        let next = "    jump bb1(v0)\nbb1(v2: i32):\n";
        assert_eq!(used(&format!("{next}    v3: i1 = icmp sge v2, i32 0\n    return i32 0\n")), Part::Sign);
        assert_eq!(used(&format!("{next}    return v2\n")), Part::Whole);
    }
}
