//! About how many gates an operation on words becomes. Where there are many, each step of a SAT solver's search costs more: a
//! decision touches them all, what is learned from a conflict is long, and arrays are looked at again after each search.

use crate::op::Op;
use crate::sort::Sort;

/// Of an operation with a first argument of that sort. Floats are left out: most questions about them are many cheap decisions.
pub(super) fn gates(op: Op, sort: Sort) -> u64 {
    let width = if let Sort::Bv(width) = sort { u64::from(width) } else { 0 };
    match op {
        Op::Mul | Op::SMulO | Op::UMulO => 6 * width * width,
        Op::UDiv | Op::URem | Op::SDiv | Op::SRem => 12 * width * width,
        Op::Add | Op::Sub | Op::BvNeg | Op::Ult | Op::Ule | Op::Slt | Op::Sle => 4 * width,
        Op::SAddO | Op::UAddO | Op::SSubO | Op::USubO => 4 * width,
        Op::Shl | Op::LShr | Op::AShr => 24 * width,
        // The index is compared with that of another access.
        Op::Select | Op::Store => 3 * 64,
        _ => 0,
    }
}
