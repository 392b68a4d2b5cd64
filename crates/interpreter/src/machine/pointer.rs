//! Addresses, loads, stores and stack objects.

use covenant_program::ir::{Loc, Type};

use super::{Machine, Step};
use crate::TrapKind;
use crate::code::op::{Alloca, Offset, Operand, R2, R3, Reg};
use crate::memory::{Fault, Kind, Label, Request};
use crate::shadow::{Pure, Shadow, Shadowed};

impl<S: Shadow> Machine<'_, S> {
    #[inline(always)]
    pub(super) fn ptr_disp(&mut self, base: usize, d: Reg, a: Reg, disp: i32) -> Step<()> {
        let bits = self.get(base, a).wrapping_add_signed(i64::from(disp));
        if S::ACTIVE {
            self.follow_pointer(base, d, a, None, 0, i64::from(disp), bits);
        }
        self.set(base, d, bits);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn ptr_index(&mut self, base: usize, scale: u16, r: R3) -> Step<()> {
        let bits = self.get(base, r.a).wrapping_add(self.get(base, r.b).wrapping_mul(u64::from(scale)));
        if S::ACTIVE {
            self.follow_pointer(base, r.d, r.a, Some(r.b), i64::from(scale), 0, bits);
        }
        self.set(base, r.d, bits);
        Ok(())
    }

    pub(super) fn ptr_add(&mut self, base: usize, offset: &Offset) -> Step<()> {
        let index = offset.index.map_or(0, |reg| self.get(base, reg));
        // One past the end is a valid address of an array, but not of one of its elements; UBSan allows it as well.
        if offset.count != 0 && index > offset.count {
            let message = format!("index {} of an array of {} elements", index as i64, offset.count);
            return Err(Fault::new(TrapKind::ArrayIndex, message).into());
        }
        let scaled = index.wrapping_mul(offset.scale as u64);
        let bits = self.get(base, offset.base).wrapping_add(scaled).wrapping_add_signed(offset.disp);
        if S::ACTIVE {
            self.follow_pointer(base, offset.to, offset.base, offset.index, offset.scale, offset.disp, bits);
        }
        self.set(base, offset.to, bits);
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    fn follow_pointer(&mut self, base: usize, d: Reg, a: Reg, index: Option<Reg>, scale: i64, disp: i64, bits: u64) {
        let none = S::Term::default();
        let a = Shadowed { bits: u128::from(self.get(base, a)), ty: Type::Ptr, term: self.term(base, a) };
        let index_bits = index.map_or(0, |reg| self.get(base, reg));
        let index_term = index.map_or(none, |reg| self.term(base, reg));
        let index = Shadowed { bits: u128::from(index_bits), ty: Type::I64, term: index_term };
        let term = if a.term == none && index.term == none {
            none
        } else {
            self.derive(Pure::PtrAdd { scale, disp }, &[a, index], Type::Ptr, u128::from(bits))
        };
        self.set_term(base, d, term);
    }

    #[inline(always)]
    pub(super) fn load8(&mut self, base: usize, r: R2) -> Step<()> {
        if S::ACTIVE {
            return self.load_shadowed(base, Type::I8, r);
        }
        let bytes = self.memory.read::<1>(self.get(base, r.a))?;
        self.set(base, r.d, u64::from(bytes[0]));
        Ok(())
    }

    #[inline(always)]
    pub(super) fn load16(&mut self, base: usize, ty: Type, r: R2) -> Step<()> {
        if S::ACTIVE {
            return self.load_shadowed(base, ty, r);
        }
        let bytes = self.memory.read::<2>(self.get(base, r.a))?;
        self.set(base, r.d, u64::from(u16::from_le_bytes(bytes)));
        Ok(())
    }

    #[inline(always)]
    pub(super) fn load32(&mut self, base: usize, ty: Type, r: R2) -> Step<()> {
        if S::ACTIVE {
            return self.load_shadowed(base, ty, r);
        }
        let bytes = self.memory.read::<4>(self.get(base, r.a))?;
        self.set(base, r.d, u64::from(u32::from_le_bytes(bytes)));
        Ok(())
    }

    #[inline(always)]
    pub(super) fn load64(&mut self, base: usize, ty: Type, r: R2) -> Step<()> {
        if S::ACTIVE {
            return self.load_shadowed(base, ty, r);
        }
        let bytes = self.memory.read::<8>(self.get(base, r.a))?;
        self.set(base, r.d, u64::from_le_bytes(bytes));
        Ok(())
    }

    pub(super) fn load_other(&mut self, base: usize, ty: Type, r: R2) -> Step<()> {
        if S::ACTIVE {
            return self.load_shadowed(base, ty, r);
        }
        let bits = self.load_bits(self.get(base, r.a), ty)?;
        self.set_operand(base, Operand { reg: r.d, ty }, bits);
        Ok(())
    }

    pub(super) fn load_quiet(&mut self, base: usize, ty: Type, r: R2) -> Step<()> {
        let bits = self.bits_at(self.get(base, r.a), ty)?;
        self.set_operand(base, Operand { reg: r.d, ty }, bits);
        Ok(())
    }

    /// Bits of a value of any type in memory.
    pub(crate) fn load_bits(&self, address: u64, ty: Type) -> Step<u128> {
        let bits = self.bits_at(address, ty)?;
        self.memory.check_written(address, u64::from(ty.store_size()))?;
        Ok(bits)
    }

    /// The same, written before or not.
    pub(super) fn bits_at(&self, address: u64, ty: Type) -> Step<u128> {
        let bytes = self.memory.bytes(address, u64::from(ty.store_size()))?;
        Ok(self.image.program().target.number(bytes) & super::mask(ty.bits()))
    }

    pub(crate) fn store_bits(&mut self, address: u64, ty: Type, bits: u128) -> Step<()> {
        let size = ty.store_size() as usize;
        let bytes = self.image.program().target.bytes(bits, size);
        self.memory.bytes_mut(address, size as u64)?.copy_from_slice(&bytes);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn store8(&mut self, base: usize, r: R2) -> Step<()> {
        if S::ACTIVE {
            return self.store_shadowed(base, Type::I8, r);
        }
        Ok(self.memory.write(self.get(base, r.d), (self.get(base, r.a) as u8).to_le_bytes())?)
    }

    #[inline(always)]
    pub(super) fn store16(&mut self, base: usize, ty: Type, r: R2) -> Step<()> {
        if S::ACTIVE {
            return self.store_shadowed(base, ty, r);
        }
        Ok(self.memory.write(self.get(base, r.d), (self.get(base, r.a) as u16).to_le_bytes())?)
    }

    #[inline(always)]
    pub(super) fn store32(&mut self, base: usize, ty: Type, r: R2) -> Step<()> {
        if S::ACTIVE {
            return self.store_shadowed(base, ty, r);
        }
        Ok(self.memory.write(self.get(base, r.d), (self.get(base, r.a) as u32).to_le_bytes())?)
    }

    #[inline(always)]
    pub(super) fn store64(&mut self, base: usize, ty: Type, r: R2) -> Step<()> {
        if S::ACTIVE {
            return self.store_shadowed(base, ty, r);
        }
        Ok(self.memory.write(self.get(base, r.d), self.get(base, r.a).to_le_bytes())?)
    }

    pub(super) fn store_other(&mut self, base: usize, ty: Type, r: R2) -> Step<()> {
        if S::ACTIVE {
            return self.store_shadowed(base, ty, r);
        }
        let bits = self.operand(base, Operand { reg: r.a, ty });
        self.store_bits(self.get(base, r.d), ty, bits)
    }

    pub(super) fn alloca(&mut self, base: usize, site: &Alloca, at: Loc) -> Step<()> {
        let size = self.get(base, site.size);
        if S::ACTIVE {
            self.pin(base, Operand { reg: site.size, ty: Type::I64 }, "size of a local");
        }
        let address = self.stack_object(size, u64::from(site.align), site.label, at)?;
        self.set(base, site.to, address);
        self.set_term(base, site.to, S::Term::default());
        Ok(())
    }

    /// A new object that lives until the function on top returns.
    pub(super) fn stack_object(&mut self, size: u64, align: u64, label: Label, at: Loc) -> Step<u64> {
        self.use_stack(size)?;
        let request = Request { kind: Kind::Stack, size, align, label, at, initialised: false };
        let address = self.memory.allocate(request)?;
        self.stack_objects.push(address);
        Ok(address)
    }

    pub(super) fn use_stack(&mut self, bytes: u64) -> Step<()> {
        self.stack_bytes = self.stack_bytes.saturating_add(bytes);
        if self.stack_bytes > self.limits.stack {
            let message =
                format!("the stack of {} bytes is used up, {} calls deep", self.limits.stack, self.frames.len());
            return Err(Fault::new(TrapKind::StackOverflow, message).into());
        }
        Ok(())
    }

    /// Ends the life of all stack objects but the first `keep`.
    pub(super) fn release_stack(&mut self, keep: usize) {
        while self.stack_objects.len() > keep {
            if let Some(address) = self.stack_objects.pop() {
                self.memory.release(address, Loc::NONE);
            }
        }
    }
}
