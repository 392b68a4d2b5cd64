//! Addresses as numbers.
//!
//! The flow gives objects that others know of the addresses of our runs, so that accesses to one object meet. Which numbers these
//! are C leaves open. Differences between addresses of one object, and whether two are the same, do not depend on it.

use covenant_program::ir::{BinaryOp, Body, CastOp, Const, Def, Inst, IntCmp, Op, Terminator, Value};

/// Whether the numbers that a conversion of an address gives are only compared for equality with other addresses, subtracted from
/// them, or made addresses again.
pub(super) fn are_compared_only(body: &Body, conversion: Inst) -> bool {
    body.insts[conversion].results.iter().all(|&number| is_compared_only(body, number))
}

fn is_compared_only(body: &Body, number: Value) -> bool {
    body.blocks.values().all(|block| {
        let used = |inst: &&Inst| body.insts[**inst].op.operands().contains(&number);
        !is_handed_on(&block.term, number) && block.insts.iter().filter(used).all(|&inst| is_comparison(body, inst))
    })
}

fn is_comparison(body: &Body, inst: Inst) -> bool {
    let are_addresses = |args: &[Value; 2]| args.iter().all(|&arg| is_address(body, arg));
    match &body.insts[inst].op {
        Op::Binary { op: BinaryOp::Sub, args, .. } => are_addresses(args),
        Op::IntCmp { cmp: IntCmp::Eq | IntCmp::Ne, args } => are_addresses(args),
        Op::Cast { op: CastOp::IntToPtr, .. } => true,
        // Where addresses have 32 bits they are cut, and that is left where the whole ones are subtracted.
        Op::Cast { op: CastOp::Trunc, .. } => body.insts[inst].results.iter().all(|&cut| is_unused(body, cut)),
        _ => false,
    }
}

/// Whether the end of a block passes a value on, or goes by it.
fn is_handed_on(term: &Terminator, value: Value) -> bool {
    match term {
        Terminator::Return(values) => values.contains(&value),
        Terminator::Switch { value: by, .. } if *by == value => true,
        term => term.edges().iter().any(|edge| edge.args.contains(&value)),
    }
}

fn is_unused(body: &Body, value: Value) -> bool {
    body.blocks.values().all(|block| {
        let mut used = block.insts.iter().flat_map(|&inst| body.insts[inst].op.operands());
        !is_handed_on(&block.term, value) && !used.any(|operand| operand == value)
    })
}

/// An address as a number, or that of no object.
fn is_address(body: &Body, value: Value) -> bool {
    match body.values[value].def {
        Def::Const(constant) => constant == Const::Bits(0),
        Def::Result { inst, .. } => matches!(body.insts[inst].op, Op::Cast { op: CastOp::PtrToInt, .. }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covenant_program::ir::text;

    /// Of the first conversion in a function of two pointers with these instructions.
    fn compared(instructions: &str) -> bool {
        let program = format!(
            "fn0 = function \"f\"(ptr, ptr) -> i64 {{\nbb0(v0: ptr, v1: ptr):\n    v2: i64 = ptrtoint v0\n    v3: i64 = ptrtoint \
             v1\n{instructions}}}\n"
        );
        let program = text::parse(&program).expect("the program is right");
        let body = program.functions.values().next().and_then(|f| f.body.as_ref()).expect("it has a body");
        let conversion = body.insts.keys().next().expect("it has instructions");
        are_compared_only(body, conversion)
    }

    #[test]
    fn differences_and_equality_do_not_tell_an_address() {
        assert!(compared("    v4: i64 = sub v2, v3\n    return v4\n"));
        assert!(compared("    v4: i1 = icmp eq v2, v3\n    return i64 0\n"));
        assert!(compared("    v4: i1 = icmp ne v2, i64 0\n    return i64 0\n"));
        assert!(compared("    v4: ptr = inttoptr v2\n    return i64 0\n"));
    }

    #[test]
    fn all_else_does() {
        assert!(!compared("    return v2\n"));
        assert!(!compared("    v4: i64 = lshr v2, i64 4\n    return i64 0\n"));
        assert!(!compared("    v4: i64 = sub v2, i64 4\n    return i64 0\n"));
        assert!(!compared("    v4: i1 = icmp ult v2, v3\n    return i64 0\n"));
        assert!(!compared("    jump bb1(v2)\nbb1(v4: i64):\n    return i64 0\n"));
    }
}
