//! Operations on values, in the form that suits their width.

use covenant_program::ir::{BinaryOp, CastOp, OpFlags, Value};

use super::Decoder;
use crate::code::op::*;
use crate::code::tables::float_format;

impl Decoder<'_> {
    pub(super) fn r3(&self, d: Reg, args: &[Value; 2]) -> R3 {
        R3 { d, a: self.reg(args[0]), b: self.reg(args[1]) }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, flags: OpFlags, d: Reg, args: &[Value; 2]) {
        let r = self.r3(d, args);
        let ty = self.body.ty(args[0]);
        if op.is_float() {
            self.emit(Op::Float(op, float_format(ty), r));
            return;
        }
        let checks = &self.image.checks;
        let checked = !self.aside && ((checks.signed_overflow && flags.nsw) || (checks.shift && op.is_shift()));
        let int = IntOp { op, width: ty.bits() as u8, checked };
        self.emit(match (op, ty.bits()) {
            (_, 65..) => Op::Wide(int, r),
            (BinaryOp::And, _) => Op::And(int.width, r),
            (BinaryOp::Or, _) => Op::Or(int.width, r),
            (BinaryOp::Xor, _) => Op::Xor(int.width, r),
            _ if checked || op.is_division() => Op::IntTrapping(int, r),
            (BinaryOp::Add, 32) => Op::Add32(r),
            (BinaryOp::Sub, 32) => Op::Sub32(r),
            (BinaryOp::Mul, 32) => Op::Mul32(r),
            (BinaryOp::Add, 64) => Op::Add64(r),
            (BinaryOp::Sub, 64) => Op::Sub64(r),
            (BinaryOp::Mul, 64) => Op::Mul64(r),
            _ => Op::Int(int, r),
        });
    }

    pub(super) fn cast(&mut self, op: CastOp, to: Operand, arg: Value) {
        let from = self.operand(arg);
        let r = R2 { d: to.reg, a: from.reg };
        let (wide_from, wide_to) = (from.ty.is_wide(), to.ty.is_wide());
        let narrow = !wide_from && !wide_to;
        let (before, after) = (from.ty.bits() as u8, to.ty.bits() as u8);
        let between = matches!(op, CastOp::PtrToInt | CastOp::IntToPtr);
        let decoded = match op {
            _ if between && before == after => Op::Move(r),
            CastOp::ZExt if narrow => Op::ZExt(before, after, r),
            CastOp::Trunc if narrow => Op::Trunc(after, r),
            CastOp::SExt if narrow => Op::SExt(before, after, r),
            _ if between && narrow && before < after => Op::ZExt(before, after, r),
            _ if between && narrow => Op::Trunc(after, r),
            _ => {
                self.code.casts.push(Cast { op, to, from });
                Op::Cast(self.code.casts.len() as u32 - 1)
            }
        };
        self.emit(decoded);
    }

    pub(super) fn ptr_add(&mut self, o: Offset) {
        let decoded = match (o.index, i32::try_from(o.disp), u16::try_from(o.scale)) {
            (None, Ok(disp), _) => Op::PtrDisp { d: o.to, a: o.base, disp },
            (Some(b), Ok(0), Ok(scale)) if o.count == 0 => Op::PtrIndex { scale, r: R3 { d: o.to, a: o.base, b } },
            _ => {
                self.code.offsets.push(o);
                Op::PtrAdd(self.code.offsets.len() as u32 - 1)
            }
        };
        self.emit(decoded);
    }
}
