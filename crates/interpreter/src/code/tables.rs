//! Small decisions of decoding that need nothing but their arguments.

use covenant_program::ir::{BinaryOp, Body, Op as IrOp, Target, Terminator, Type, Value};
use cranelift_entity::SecondaryMap;

use super::op::*;

pub(super) fn is_binary(op: &IrOp, wanted: BinaryOp) -> bool {
    matches!(op, IrOp::Binary { op, .. } if *op == wanted)
}

pub(super) fn params_end(params: &[Operand]) -> u32 {
    params.last().map_or(0, |p| p.reg + if p.ty.is_wide() { 2 } else { 1 })
}

/// Counts the uses of values, of block parameters and in edges included.
pub(super) fn count_uses(body: &Body) -> SecondaryMap<Value, u32> {
    let mut uses = SecondaryMap::new();
    for (_, data) in body.insts.iter() {
        for value in data.op.operands() {
            uses[value] += 1;
        }
    }
    for (_, block) in body.blocks.iter() {
        match &block.term {
            Terminator::Branch { cond, .. } => uses[*cond] += 1,
            Terminator::Switch { value, .. } => uses[*value] += 1,
            Terminator::Indirect { address, .. } => uses[*address] += 1,
            Terminator::Return(values) => values.iter().for_each(|v| uses[*v] += 1),
            Terminator::Jump(_) | Terminator::Unreachable => {}
        }
        for edge in block.term.edges() {
            edge.args.iter().for_each(|v| uses[*v] += 1);
        }
    }
    uses
}

/// Registers word by word.
pub(super) fn words(operands: &[Operand]) -> Box<[Reg]> {
    let mut words = Vec::new();
    for operand in operands {
        words.push(operand.reg);
        if operand.ty.is_wide() {
            words.push(operand.reg + 1);
        }
    }
    words.into()
}

/// A table where the cases lie close together, a sorted list elsewhere.
pub(super) fn arrange(mut cases: Vec<(u128, u32)>) -> Cases {
    cases.sort_unstable();
    let dense = match (cases.first(), cases.last()) {
        (Some(first), Some(last)) => last.0 <= u128::from(u64::MAX) && last.0 - first.0 + 1 == cases.len() as u128,
        _ => false,
    };
    if dense {
        let low = cases[0].0 as u64;
        return Cases::Dense { low, targets: cases.into_iter().map(|(_, to)| to).collect() };
    }
    Cases::Sparse(cases.into())
}

pub(super) fn float_format(ty: Type) -> FloatFormat {
    match ty {
        Type::F32 => FloatFormat::F32,
        Type::F80 => FloatFormat::F80,
        _ => FloatFormat::F64,
    }
}

pub(super) fn load(target: Target, ty: Type, r: R2) -> Op {
    match in_memory(ty) {
        // The quick ways know one byte order.
        9.. if target.is_big_endian() => Op::LoadOther(ty, r),
        8 => Op::Load8(r),
        16 => Op::Load16(ty, r),
        32 => Op::Load32(ty, r),
        64 => Op::Load64(ty, r),
        _ => Op::LoadOther(ty, r),
    }
}

/// Bits of a value in memory.
fn in_memory(ty: Type) -> u32 {
    if ty.is_ptr() { 8 * ty.store_size() } else { ty.bits() }
}

pub(super) fn store(target: Target, ty: Type, r: R2) -> Op {
    match in_memory(ty) {
        9.. if target.is_big_endian() => Op::StoreOther(ty, r),
        8 => Op::Store8(r),
        16 => Op::Store16(ty, r),
        32 => Op::Store32(ty, r),
        64 => Op::Store64(ty, r),
        _ => Op::StoreOther(ty, r),
    }
}
