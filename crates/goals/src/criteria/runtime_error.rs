//! Run-time errors: each operation that C leaves undefined for some operands, with the condition under which it is.
//!
//! Divisions, shifts, signed arithmetic, array indices and accesses to memory. What can be seen to be in order without
//! knowing any value (an access to a whole variable, a shift by a constant) is not asked about.

use covenant_program::ir::insert::Inserter;
use covenant_program::ir::{
    BinaryOp, Block, Body, CastOp, Const, Def, Inst, IntCmp, Intrinsic, Op, OpFlags, Program, Type, Value,
};

use crate::Criterion;
use crate::criteria::{Labels, Maker, Profile, Site};
use crate::objective::Outcome;

pub(super) const PROFILE: Profile = Profile {
    about: "Each division, shift, signed operation and access: an input for which it is undefined, or a proof that none is",
    nouns: ("possible run-time error", "possible run-time errors"),
    is_defect: true,
    ..Profile::new(make)
};

fn make(maker: &mut Maker<'_>) {
    maker.each(|site, inserter, labels| {
        let blocks: Vec<Block> = inserter.body().blocks.keys().collect();
        for block in blocks {
            for inst in site.insts(inserter.body(), block) {
                of_inst(site, inserter, labels, block, inst);
            }
        }
    });
}

fn of_inst(site: &Site<'_>, inserter: &mut Inserter<'_>, labels: &mut Labels<'_>, block: Block, inst: Inst) {
    let data = inserter.body().insts[inst].clone();
    inserter.at(data.loc);
    let found = match data.op {
        Op::Binary { op, args, .. } if op.is_division() => division(inserter, op, args),
        Op::Binary { op, args, .. } if op.is_shift() => shift(inserter, args),
        Op::Binary { op, flags: OpFlags { nsw: true, .. }, args } => overflow(inserter, op, args),
        Op::Load { ptr, .. } => {
            let ty = data.results.first().map_or(Type::I8, |&v| inserter.ty(v));
            access(site.program, inserter, ptr, ty, false)
        }
        Op::Store { ptr, value, .. } => access(site.program, inserter, ptr, inserter.ty(value), true),
        _ => return,
    };
    for (kind, cond) in found {
        let text = site.condition_at(data.loc);
        let objective = site.objective(Criterion::RuntimeError, data.loc, text, Outcome::Holds(kind.to_owned()));
        labels.add(site, inserter, cond, objective);
    }
    inserter.finish_group((block, Some(inst)));
}

type Found = Vec<(&'static str, Value)>;

fn bits_of(body: &Body, value: Value) -> Option<u128> {
    match body.constant(value) {
        Some(Const::Bits(bits)) => Some(bits),
        _ => None,
    }
}

fn division(inserter: &mut Inserter<'_>, op: BinaryOp, [a, b]: [Value; 2]) -> Found {
    let ty = inserter.ty(b);
    let mask = u128::MAX >> (128 - ty.bits());
    let known = bits_of(inserter.body(), b);
    let mut found = Vec::new();
    if known.is_none_or(|bits| bits == 0) {
        let zero = inserter.constant(ty, 0);
        found.push(("division-by-zero", inserter.int_cmp(IntCmp::Eq, b, zero)));
    }
    let signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
    if signed && known.is_none_or(|bits| bits == mask) && bits_of(inserter.body(), a).is_none() {
        let (lowest, minus) = (inserter.constant(ty, (mask >> 1) + 1), inserter.constant(ty, mask));
        let (low, one) = (inserter.int_cmp(IntCmp::Eq, a, lowest), inserter.int_cmp(IntCmp::Eq, b, minus));
        found.push(("division-overflow", inserter.and(low, one)));
    }
    found
}

fn shift(inserter: &mut Inserter<'_>, [a, b]: [Value; 2]) -> Found {
    let width = inserter.ty(a).bits();
    if bits_of(inserter.body(), b).is_some_and(|bits| bits < u128::from(width)) {
        return Vec::new();
    }
    let limit = inserter.constant(inserter.ty(b), u128::from(width));
    vec![("shift", inserter.int_cmp(IntCmp::Uge, b, limit))]
}

fn overflow(inserter: &mut Inserter<'_>, op: BinaryOp, args: [Value; 2]) -> Found {
    let intrinsic = match op {
        BinaryOp::Add => Intrinsic::SAddOverflow,
        BinaryOp::Sub => Intrinsic::SSubOverflow,
        BinaryOp::Mul => Intrinsic::SMulOverflow,
        _ => return Vec::new(),
    };
    let ty = inserter.ty(args[0]);
    let results = inserter.intrinsic(intrinsic, &args, &[ty, Type::BOOL]);
    vec![("signed-overflow", results[1])]
}

/// An access fails where its address is bad, or where an index on the way to it leaves its array.
fn access(program: &Program, inserter: &mut Inserter<'_>, ptr: Value, ty: Type, writes: bool) -> Found {
    let bytes = u64::from(ty.store_size());
    if is_whole(program, inserter.body(), ptr, 0, bytes, writes) {
        return Vec::new();
    }
    let (size, write) = (inserter.constant(Type::I64, u128::from(bytes)), inserter.constant(Type::BOOL, writes.into()));
    let mut bad = inserter.intrinsic(Intrinsic::BadAccess, &[ptr, size, write], &[Type::BOOL])[0];
    let mut at = ptr;
    while let Def::Result { inst, .. } = inserter.body().values[at].def {
        match inserter.body().insts[inst].op {
            Op::PtrAdd { base, index, count, .. } => {
                if let Some(index) = index.expand().filter(|_| count > 0) {
                    let limit = inserter.constant(Type::I64, u128::from(count));
                    let outside = inserter.int_cmp(IntCmp::Uge, index, limit);
                    bad = inserter.binary(BinaryOp::Or, bad, outside);
                }
                at = base;
            }
            Op::Cast { op: CastOp::Bitcast, arg } => at = arg,
            _ => break,
        }
    }
    vec![("bad-access", bad)]
}

/// Whether the bytes lie in a variable, whatever the values are.
pub(crate) fn is_whole(program: &Program, body: &Body, ptr: Value, offset: i64, bytes: u64, writes: bool) -> bool {
    let fits = |size: u64, offset: i64| {
        u64::try_from(offset).is_ok_and(|offset| offset.checked_add(bytes).is_some_and(|end| end <= size))
    };
    match body.values[ptr].def {
        Def::Const(Const::Global(global, at)) => {
            let global = &program.globals[global];
            fits(global.size, offset.saturating_add(at)) && !(writes && global.constant)
        }
        Def::Result { inst, .. } => match body.insts[inst].op {
            Op::Alloca { size, .. } => {
                bits_of(body, size).and_then(|s| u64::try_from(s).ok()).is_some_and(|s| fits(s, offset))
            }
            Op::PtrAdd { base, index, disp, .. } if index.is_none() => {
                is_whole(program, body, base, offset.saturating_add(disp), bytes, writes)
            }
            _ => false,
        },
        _ => false,
    }
}
