//! Loads, stores, stack objects, addresses, and atomics (of which one thread sees only the memory access).

use cranelift_entity::packed_option::PackedOption;

use super::function::{FunctionLowering, Vals};
use super::llvm::{RmwOp, Ty, Val};
use crate::ir::{BinaryOp, FloatCmp, IntCmp, Intrinsic, Op, Type, Value};

/// Whether an address is that of the last member of a struct. An array there may have more elements than it says, as `char text[1]` does
/// in old C.
fn is_end_of_struct(address: Val<'_>) -> bool {
    let Some(mut ty) = address.gep_type() else { return false };
    let mut at_end = false;
    for position in 2..address.operand_count() {
        let index = address.operand(position).and_then(Val::small_int).and_then(|index| usize::try_from(index).ok());
        let fields = ty.fields();
        at_end = ty.is_struct() && index.is_some_and(|index| index + 1 == fields.len());
        let field = index.and_then(|index| fields.get(index).copied());
        let Some(inside) = field.or_else(|| ty.elements().map(|(element, _)| element)) else { return false };
        ty = inside;
    }
    at_end
}

impl<'m> FunctionLowering<'_, 'm> {
    pub(super) fn alloca(&mut self, v: Val<'m>) -> Result<Vals, String> {
        let (ty, align) = v.allocated().ok_or("a stack object without type")?;
        let each = self.cx.types.size_of(ty);
        let count = v.operand(0).ok_or("a missing operand")?;
        let size = match count.small_int() {
            Some(count) => self.number(Type::I64, u128::from(each.saturating_mul(count))),
            None => {
                let count = self.operand_at(v, 0)?;
                let count = self.resize(count, Type::I64, false);
                match each {
                    1 => count,
                    _ => {
                        let each = self.number(Type::I64, u128::from(each));
                        self.arithmetic(BinaryOp::Mul, count, each)
                    }
                }
            }
        };
        let align = align.max(1);
        Ok(self.emit(Op::Alloca { size, align }, &[self.cx.types.pointer()]))
    }

    /// `base + offset` bytes.
    pub(super) fn offset(&mut self, base: Value, offset: u64) -> Value {
        if offset == 0 {
            return base;
        }
        let op = Op::PtrAdd { base, index: None.into(), scale: 1, disp: offset as i64, count: 0 };
        self.emit_one(op, self.cx.types.pointer())
    }

    pub(super) fn load(&mut self, v: Val<'m>) -> Result<Vals, String> {
        let ptr = self.operand_at(v, 0)?;
        self.load_from(ptr, v.ty(), v.is_volatile())
    }

    fn load_from(&mut self, ptr: Value, ty: Ty<'m>, volatile: bool) -> Result<Vals, String> {
        let flat = self.cx.types.flat(ty);
        let flat = flat.usable()?;
        if flat.packed {
            let types: Vec<Type> = flat.types().collect();
            let whole = packed_type(ty, &types)?;
            let bits = self.emit_one(Op::Load { ptr, volatile }, whole);
            return self.rebits(&[bits], &types);
        }
        let mut values = Vals::new();
        for slot in &flat.slots {
            let ptr = self.offset(ptr, slot.offset);
            values.push(self.emit_one(Op::Load { ptr, volatile }, slot.ty));
        }
        Ok(values)
    }

    pub(super) fn store(&mut self, v: Val<'m>) -> Result<Vals, String> {
        let value = v.operand(0).ok_or("a missing operand")?;
        let values = self.operand(value)?;
        let ptr = self.operand_at(v, 1)?;
        self.store_to(ptr, value.ty(), &values, v.is_volatile())?;
        Ok(Vals::new())
    }

    fn store_to(&mut self, ptr: Value, ty: Ty<'m>, values: &[Value], volatile: bool) -> Result<(), String> {
        let flat = self.cx.types.flat(ty);
        let flat = flat.usable()?;
        if flat.packed {
            let types: Vec<Type> = flat.types().collect();
            let whole = packed_type(ty, &types)?;
            let bits = self.rebits(values, &[whole])?[0];
            self.emit(Op::Store { ptr, value: bits, volatile }, &[]);
            return Ok(());
        }
        for (slot, &value) in flat.slots.iter().zip(values) {
            let ptr = self.offset(ptr, slot.offset);
            self.emit(Op::Store { ptr, value, volatile }, &[]);
        }
        Ok(())
    }

    /// `getelementptr`: constant parts are added up, each dynamic index takes one instruction.
    pub(super) fn element_address(&mut self, v: Val<'m>) -> Result<Vals, String> {
        let mut ty = v.gep_type().ok_or("an address without type")?;
        let base = v.operand(0).ok_or("a missing operand")?;
        if v.ty().is_vector() || base.ty().is_vector() {
            return Err("a vector of addresses".to_owned());
        }
        let mut sum = AddressSum { base: self.operand_at(v, 0)?, pending: None, disp: 0 };
        let mut at_end = is_end_of_struct(base);
        for position in 1..v.operand_count() {
            let index = v.operand(position).ok_or("a missing operand")?;
            if position > 1 && ty.is_struct() {
                let field = index.small_int().and_then(|i| u32::try_from(i).ok()).ok_or("a field that varies")?;
                sum.disp = sum.disp.wrapping_add(self.cx.types.offset_of(ty, field) as i64);
                let fields = ty.fields();
                at_end = field as usize + 1 == fields.len();
                ty = *fields.get(field as usize).ok_or("a field that does not exist")?;
                continue;
            }
            let count = match (position, ty.elements()) {
                (1, _) => 0,
                (_, Some((element, length))) => {
                    let count = if ty.is_array() && !at_end { length } else { 0 };
                    at_end = false;
                    ty = element;
                    count
                }
                (_, None) => return Err("an index into a scalar".to_owned()),
            };
            let scale = self.cx.types.size_of(ty) as i64;
            match index.small_signed() {
                // An index outside its array stays one, so that execution can see it.
                Some(n) if count == 0 || u64::try_from(n).is_ok_and(|n| n < count) => {
                    sum.disp = sum.disp.wrapping_add(n.wrapping_mul(scale));
                }
                _ => {
                    let index = self.operand_at(v, position)?;
                    let index = match self.body.constant(index) {
                        Some(_) => self.number(Type::I64, index_bits(v.operand(position))),
                        None => self.index(index),
                    };
                    self.flush(&mut sum);
                    sum.pending = Some((index, scale, count));
                }
            }
        }
        self.flush(&mut sum);
        Ok(Vals::from_slice(&[sum.base]))
    }

    /// An index, of which only as many bits count as an address has.
    fn index(&mut self, index: Value) -> Value {
        let index = self.at_most_address(index);
        self.resize(index, Type::I64, true)
    }

    fn flush(&mut self, sum: &mut AddressSum) {
        let (index, scale, count): (PackedOption<Value>, i64, u64) = match sum.pending.take() {
            Some((index, scale, count)) => (index.into(), scale, count),
            // A constant part alone waits for the next index.
            None => (None.into(), 1, 0),
        };
        let disp = std::mem::take(&mut sum.disp);
        if index.is_some() || disp != 0 {
            sum.base = self.emit_one(Op::PtrAdd { base: sum.base, index, scale, disp, count }, self.cx.types.pointer());
        }
    }

    pub(super) fn read_modify_write(&mut self, v: Val<'m>) -> Result<Vals, String> {
        let volatile = v.is_volatile();
        let (ptr, value) = (self.operand_at(v, 0)?, self.operand_at(v, 1)?);
        let ty = self.body.ty(value);
        let old = self.emit_one(Op::Load { ptr, volatile }, ty);
        let new = self.modified(v.rmw_op().ok_or("an atomic without operation")?, old, value)?;
        self.emit(Op::Store { ptr, value: new, volatile }, &[]);
        Ok(Vals::from_slice(&[old]))
    }

    fn modified(&mut self, op: RmwOp, old: Value, value: Value) -> Result<Value, String> {
        use RmwOp::*;
        let ty = self.body.ty(old);
        let intrinsic = |f: &mut Self, op| f.emit_one(Op::Intrinsic { op, args: vec![old, value] }, ty);
        Ok(match op {
            LLVMAtomicRMWBinOpXchg => value,
            LLVMAtomicRMWBinOpAdd => self.arithmetic(BinaryOp::Add, old, value),
            LLVMAtomicRMWBinOpSub => self.arithmetic(BinaryOp::Sub, old, value),
            LLVMAtomicRMWBinOpAnd => self.arithmetic(BinaryOp::And, old, value),
            LLVMAtomicRMWBinOpOr => self.arithmetic(BinaryOp::Or, old, value),
            LLVMAtomicRMWBinOpXor => self.arithmetic(BinaryOp::Xor, old, value),
            LLVMAtomicRMWBinOpNand => {
                let both = self.arithmetic(BinaryOp::And, old, value);
                let ones = self.number(ty, ones(ty));
                self.arithmetic(BinaryOp::Xor, both, ones)
            }
            LLVMAtomicRMWBinOpMax => intrinsic(self, Intrinsic::SMax),
            LLVMAtomicRMWBinOpMin => intrinsic(self, Intrinsic::SMin),
            LLVMAtomicRMWBinOpUMax => intrinsic(self, Intrinsic::UMax),
            LLVMAtomicRMWBinOpUMin => intrinsic(self, Intrinsic::UMin),
            LLVMAtomicRMWBinOpFAdd => self.arithmetic(BinaryOp::FAdd, old, value),
            LLVMAtomicRMWBinOpFSub => self.arithmetic(BinaryOp::FSub, old, value),
            LLVMAtomicRMWBinOpFMax => intrinsic(self, Intrinsic::MaxNum),
            LLVMAtomicRMWBinOpFMin => intrinsic(self, Intrinsic::MinNum),
            other => return Err(format!("atomic {other:?}")),
        })
    }

    /// The results are what was there and whether it was what the program expected.
    pub(super) fn compare_exchange(&mut self, v: Val<'m>) -> Result<Vals, String> {
        let volatile = v.is_volatile();
        let (ptr, expected, new) = (self.operand_at(v, 0)?, self.operand_at(v, 1)?, self.operand_at(v, 2)?);
        let ty = self.body.ty(expected);
        let old = self.emit_one(Op::Load { ptr, volatile }, ty);
        let equal = if ty.is_float() {
            self.emit_one(Op::FloatCmp { cmp: FloatCmp::Oeq, args: [old, expected] }, Type::BOOL)
        } else {
            self.compare(IntCmp::Eq, old, expected)
        };
        let value = self.choose(equal, new, old);
        self.emit(Op::Store { ptr, value, volatile }, &[]);
        Ok(Vals::from_slice(&[old, equal]))
    }
}

/// An address on its way: `base + index * scale + disp`.
struct AddressSum {
    base: Value,
    pending: Option<(Value, i64, u64)>,
    disp: i64,
}

/// A constant index, sign-extended to 64 bits.
fn index_bits(index: Option<Val<'_>>) -> u128 {
    u128::from(index.and_then(Val::small_signed).unwrap_or(0) as u64)
}

pub(super) fn ones(ty: Type) -> u128 {
    u128::MAX >> (128 - ty.bits())
}

/// The integer that a vector of bits is in memory.
fn packed_type(ty: Ty<'_>, lanes: &[Type]) -> Result<Type, String> {
    let bits: u32 = lanes.iter().map(|l| l.bits()).sum();
    match u8::try_from(bits) {
        Ok(width @ 1..=128) if ty.is_vector() => Ok(Type::Int(width)),
        _ => Err("a vector of bits inside a larger value".to_owned()),
    }
}
