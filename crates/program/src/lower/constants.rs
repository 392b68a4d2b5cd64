//! Constants: as addresses plus a number, and as operands of instructions.

use super::function::{FunctionLowering, Vals};
use super::llvm::{Opcode, Ty, Val, ValueKind};
use super::symbols::{Address, Lowering};
use crate::ir::{BinaryOp, CastOp, Const, Op, OpFlags, Symbol, Type};

/// `plus - minus + addend`, modulo 2^64: all that a linker can compute, and what clang writes for static addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Linear {
    pub(super) plus: Option<Symbol>,
    pub(super) minus: Option<Symbol>,
    pub(super) addend: i64,
}

impl Linear {
    pub(super) fn is_number(self) -> bool {
        self.plus.is_none() && self.minus.is_none()
    }

    fn number(addend: i64) -> Linear {
        Linear { addend, ..Linear::default() }
    }

    fn negated(self) -> Linear {
        Linear { plus: self.minus, minus: self.plus, addend: self.addend.wrapping_neg() }
    }

    fn plus(self, other: Linear) -> Option<Linear> {
        let mut plus: Vec<Symbol> = self.plus.into_iter().chain(other.plus).collect();
        let mut minus: Vec<Symbol> = self.minus.into_iter().chain(other.minus).collect();
        plus.retain(|symbol| match minus.iter().position(|m| m == symbol) {
            Some(at) => {
                minus.remove(at);
                false
            }
            None => true,
        });
        let addend = self.addend.wrapping_add(other.addend);
        (plus.len() <= 1 && minus.len() <= 1).then(|| Linear { plus: plus.pop(), minus: minus.pop(), addend })
    }

    /// Cuts a number to its width; addresses stay whole until they are used.
    fn cut(self, width: u32) -> Linear {
        let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        if self.is_number() { Linear::number((self.addend as u64 & mask) as i64) } else { self }
    }
}

impl<'m> Lowering<'m> {
    /// A pointer constant, or an integer constant of at most 64 bits, in linear form if it has one.
    pub(super) fn linear(&mut self, value: Val<'m>) -> Option<Linear> {
        let symbol = |symbol| Some(Linear { plus: Some(symbol), ..Linear::default() });
        match value.kind() {
            ValueKind::LLVMConstantIntValueKind => value.small_int().map(|n| Linear::number(n as i64)),
            ValueKind::LLVMConstantPointerNullValueKind => Some(Linear::default()),
            ValueKind::LLVMBlockAddressValueKind => {
                let (function, block) = value.label()?;
                let block = *self.labels(function).get(&block)?;
                match self.address(function) {
                    Address::Func(function) => symbol(Symbol::Label(function, block)),
                    _ => None,
                }
            }
            ValueKind::LLVMConstantExprValueKind => self.linear_expression(value),
            _ if value.is_global() => match self.address(value) {
                Address::Func(id) => symbol(Symbol::Func(id)),
                Address::Global(id, addend) => Some(Linear { plus: Some(Symbol::Global(id)), minus: None, addend }),
                Address::Null => Some(Linear::default()),
            },
            _ => None,
        }
    }

    fn linear_expression(&mut self, value: Val<'m>) -> Option<Linear> {
        let first = value.operand(0)?;
        if first.ty().address_space() != 0 {
            self.types.flat(first.ty()).usable().ok()?;
        }
        let width = match self.types.scalar(value.ty())? {
            ty if ty.is_ptr() => 8 * ty.store_size(),
            ty @ Type::Int(_) if ty.bits() <= 64 => ty.bits(),
            _ => return None,
        };
        let result = match value.opcode()? {
            Opcode::LLVMGetElementPtr => {
                let offset = self.constant_offset(value)?;
                self.linear(first)?.plus(Linear::number(offset))?
            }
            Opcode::LLVMPtrToInt | Opcode::LLVMTrunc | Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast => {
                self.linear(first)?
            }
            Opcode::LLVMIntToPtr => {
                let number = self.linear(first)?;
                if !number.is_number() && first.ty().int_width() < self.types.address().bits() {
                    return None;
                }
                number
            }
            Opcode::LLVMAdd => self.linear(first)?.plus(self.linear(value.operand(1)?)?)?,
            Opcode::LLVMSub => self.linear(first)?.plus(self.linear(value.operand(1)?)?.negated())?,
            _ => return None,
        };
        Some(result.cut(width))
    }

    /// The bytes that a `getelementptr` with constant indices adds.
    fn constant_offset(&mut self, gep: Val<'m>) -> Option<i64> {
        let mut ty = gep.gep_type()?;
        let mut offset = 0i64;
        for position in 1..gep.operand_count() {
            let index = gep.operand(position)?.small_signed()?;
            let (step, inner) = self.step(ty, position == 1, index)?;
            offset = offset.wrapping_add(step);
            ty = inner;
        }
        Some(offset)
    }

    /// One constant index of a `getelementptr`: the bytes it adds and the type it leads to.
    fn step(&mut self, ty: Ty<'m>, first: bool, index: i64) -> Option<(i64, Ty<'m>)> {
        if first {
            return Some((index.wrapping_mul(self.types.size_of(ty) as i64), ty));
        }
        if let Some((element, _)) = ty.elements() {
            return Some((index.wrapping_mul(self.types.size_of(element) as i64), element));
        }
        let field = u32::try_from(index).ok()?;
        let inner = *ty.fields().get(field as usize)?;
        Some((self.types.offset_of(ty, field) as i64, inner))
    }
}

impl<'m> FunctionLowering<'_, 'm> {
    /// A constant as an operand. A constant expression that no [`Const`] can hold becomes instructions here.
    pub(super) fn constant_operand(&mut self, value: Val<'m>) -> Result<Vals, String> {
        let flat = self.cx.types.flat(value.ty());
        let flat = flat.usable()?;
        match value.kind() {
            ValueKind::LLVMConstantIntValueKind | ValueKind::LLVMConstantFPValueKind => {
                let words = value.words().ok_or("a constant that cannot be read")?;
                if words.len() == flat.slots.len() {
                    let limbs = flat.types().zip(words);
                    return Ok(limbs.map(|(ty, word)| self.number(ty, u128::from(word))).collect());
                }
                let bits = words.iter().rev().fold(0u128, |bits, &word| bits << 64 | u128::from(word));
                Ok(flat.types().map(|ty| self.constant(ty, Const::Bits(bits))).collect())
            }
            ValueKind::LLVMConstantPointerNullValueKind | ValueKind::LLVMConstantAggregateZeroValueKind => {
                Ok(flat.types().map(|ty| self.constant(ty, Const::Bits(0))).collect())
            }
            ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind => {
                Ok(flat.types().map(|ty| self.constant(ty, Const::Undef)).collect())
            }
            ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMConstantVectorValueKind
            | ValueKind::LLVMConstantDataArrayValueKind
            | ValueKind::LLVMConstantDataVectorValueKind => {
                let mut all = Vals::new();
                for element in (0..).map_while(|i| value.element(i)) {
                    all.extend(self.constant_operand(element)?);
                }
                Ok(all)
            }
            _ => self.address_operand(value),
        }
    }

    fn address_operand(&mut self, value: Val<'m>) -> Result<Vals, String> {
        if let Some(linear) = self.cx.linear(value) {
            let ty = self.cx.types.scalar(value.ty()).ok_or("an address of odd type")?;
            return Ok(self.materialise(linear, ty).into_iter().collect());
        }
        match value.opcode() {
            Some(opcode) => self.operation(opcode, value),
            None => Err(format!("a constant of {:?}", value.kind())),
        }
    }

    fn materialise(&mut self, linear: Linear, ty: Type) -> Option<crate::ir::Value> {
        if linear.is_number() {
            return Some(self.constant(ty, Const::Bits(u128::from(linear.addend as u64))));
        }
        let Linear { plus, minus, mut addend } = linear;
        if let (Some(Symbol::Global(id)), true, None) = (plus, ty.is_ptr(), minus) {
            return Some(self.address_constant(Const::Global(id, addend)));
        }
        let mut pointer = match plus {
            None => self.address_constant(Const::Bits(0)),
            Some(Symbol::Global(id)) => self.address_constant(Const::Global(id, std::mem::take(&mut addend))),
            Some(symbol) => self.symbol(symbol),
        };
        if addend != 0 {
            let op = Op::PtrAdd { base: pointer, index: None.into(), scale: 1, disp: addend, count: 0 };
            pointer = self.emit_one(op, self.cx.types.pointer());
        }
        if ty.is_ptr() && minus.is_none() {
            return Some(pointer);
        }
        let mut number = self.cast(CastOp::PtrToInt, pointer, Type::I64);
        if let Some(minus) = minus {
            let minus = self.symbol(minus);
            let minus = self.cast(CastOp::PtrToInt, minus, Type::I64);
            let op = Op::Binary { op: BinaryOp::Sub, flags: OpFlags::default(), args: [number, minus] };
            number = self.emit_one(op, Type::I64);
        }
        Some(match ty {
            _ if ty.is_ptr() => self.address_of(number),
            _ => self.resize(number, ty, false),
        })
    }

    fn symbol(&mut self, symbol: Symbol) -> crate::ir::Value {
        let constant = match symbol {
            Symbol::Global(id) => Const::Global(id, 0),
            Symbol::Func(id) => Const::Func(id),
            Symbol::Label(function, block) => Const::Label(function, block),
        };
        self.address_constant(constant)
    }
}

#[cfg(test)]
mod tests {
    use cranelift_entity::EntityRef;

    use super::*;
    use crate::ir::GlobalId;

    #[test]
    fn linear_forms_add_and_cancel() {
        let symbol = |n| Linear { plus: Some(Symbol::Global(GlobalId::new(n))), minus: None, addend: 8 };
        let difference = symbol(1).plus(symbol(2).negated());
        let expected = Linear {
            plus: Some(Symbol::Global(GlobalId::new(1))),
            minus: Some(Symbol::Global(GlobalId::new(2))),
            addend: 0,
        };
        assert_eq!(difference, Some(expected));
        assert_eq!(symbol(1).plus(symbol(1).negated()), Some(Linear::number(0)));
        assert_eq!(symbol(1).plus(symbol(2)), None);
        assert_eq!(Linear::number(-1).cut(32), Linear::number(0xffff_ffff));
    }
}
