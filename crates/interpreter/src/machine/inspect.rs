//! Looking at a run from outside without changing it.

use covenant_program::ir::{BinaryOp, CastOp, FuncId, GlobalId, Inst, Type, Value};

use super::Machine;
use crate::code::op::{Op, Operand};
use crate::shadow::{Inspect, Pure, Shadow, Shadowed, Waiting};

impl<S: Shadow> Inspect<S> for Machine<'_, S> {
    fn shadow(&mut self) -> &mut S {
        &mut self.shadow
    }

    fn depth(&self) -> usize {
        self.frames.len()
    }

    fn entered(&self) -> Option<(FuncId, Option<Inst>)> {
        let (top, below) = self.frames.split_last()?;
        let call = below.last().and_then(|caller| {
            let code = self.image.code(caller.function);
            match code.ops.get(caller.pc.checked_sub(1)?)? {
                Op::Call(site) => Some(code.calls[*site as usize].inst),
                _ => None,
            }
        });
        Some((top.function, call))
    }

    fn register_at(&self, depth: usize, value: Value, ty: Type) -> Option<Shadowed<S::Term>> {
        let frame = self.frames.get(depth.checked_sub(1)?)?;
        let reg = *self.image.code(frame.function).registers_of.get(value)?;
        let operand = Operand { reg, ty };
        Some(self.shadowed(frame.base, operand))
    }

    fn peek_bits(&mut self, address: u64, size: u32) -> Option<u128> {
        let object = self.memory.object_near(address)?;
        let offset = address.checked_sub(object.base)?;
        let outside = !object.alive || offset + u64::from(size) > object.size;
        // What a variadic argument is, is known when the code says of which type.
        if outside || self.has_unasked(address, u64::from(size)) {
            return None;
        }
        let waiting = match &object.terms {
            Some(bytes) => self.shadow.waiting(bytes, offset, u64::from(size)),
            None => Vec::new(),
        };
        let read = |start: u64, size: u32| {
            let mut now = [0; 16];
            now.get_mut(..size as usize)?.copy_from_slice(self.memory.bytes(start, u64::from(size)).ok()?);
            Some(u128::from_le_bytes(now))
        };
        match waiting[..] {
            [] => read(address, size),
            [one] if one.offset <= offset && offset + u64::from(size) <= one.offset + u64::from(one.size) => {
                let skip = offset - one.offset;
                let whole = read(address - skip, one.size)?;
                let bits = self.shadow.peek_bits(one, whole)?;
                Some(bits >> (8 * skip) & super::mask(8 * size))
            }
            _ => None,
        }
    }

    fn peek(&mut self, address: u64, size: u32) -> Option<Shadowed<S::Term>> {
        let ty = Type::Int(u8::try_from(8 * size).ok()?);
        let object = self.memory.object_near(address)?;
        let offset = address.checked_sub(object.base)?;
        let outside = !object.alive || offset + u64::from(size) > object.size;
        // What a variadic argument is, is known when the code says of which type.
        if outside || self.has_unasked(address, u64::from(size)) {
            return None;
        }
        let waiting = match &object.terms {
            Some(bytes) => self.shadow.waiting(bytes, offset, u64::from(size)),
            None => Vec::new(),
        };
        let mut now = [0; 16];
        now.get_mut(..size as usize)?.copy_from_slice(self.memory.bytes(address, u64::from(size)).ok()?);
        let bits = u128::from_le_bytes(now);
        match waiting[..] {
            [] => {
                let object = self.memory.object_near(address)?;
                let term = object.terms.as_ref().map(|bytes| self.shadow.load(bytes, offset, ty, bits));
                Some(Shadowed { bits, ty, term: term.unwrap_or_default() })
            }
            [one] if one.offset == offset && one.size == size => self.shadow.peek_input(one, bits),
            [one] if one.offset <= offset && offset + u64::from(size) <= one.offset + u64::from(one.size) => {
                self.peek_part(address - (offset - one.offset), one, offset - one.offset, ty)
            }
            _ => None,
        }
    }

    fn global_address(&self, global: GlobalId) -> u64 {
        self.image.global_address(global)
    }

    fn object_near(&self, address: u64) -> Option<(u64, u64)> {
        self.memory.object_near(address).map(|object| (object.base, object.size))
    }
}

impl<S: Shadow> Machine<'_, S> {
    /// Some bytes of an input that nobody has read yet.
    fn peek_part(&mut self, start: u64, waiting: Waiting, skip: u64, ty: Type) -> Option<Shadowed<S::Term>> {
        let mut now = [0; 16];
        let whole = u64::from(waiting.size);
        now.get_mut(..whole as usize)?.copy_from_slice(self.memory.bytes(start, whole).ok()?);
        let value = self.shadow.peek_input(waiting, u128::from_le_bytes(now))?;
        let amount = Shadowed { bits: u128::from(8 * skip), ty: value.ty, term: S::Term::default() };
        let bits = value.bits >> (8 * skip);
        let shift = Pure::Binary(BinaryOp::LShr);
        let term = if skip == 0 { value.term } else { self.shadow.compute(shift, &[value, amount], value.ty, bits)? };
        let shifted = Shadowed { bits, ty: value.ty, term };
        let cut = bits & super::mask(ty.bits());
        let term = self.shadow.compute(Pure::Cast(CastOp::Trunc), &[shifted], ty, cut)?;
        Some(Shadowed { bits: cut, ty, term })
    }
}
