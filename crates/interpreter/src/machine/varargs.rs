//! Variadic arguments after the System V ABI for x86-64.
//!
//! clang expands `va_arg` into accesses to a register save area and an overflow area, so `va_start` must lay both out
//! exactly as the ABI says: six integer registers, eight vector registers, the rest in memory.

use covenant_program::ir::{Loc, Type, VarArg};

use super::{Machine, Step, in_float_register};
use crate::code::op::CallSite;
use crate::memory::Label;
use crate::shadow::{Limit, Shadow, Shadowed};

const INTEGER_REGISTERS: u32 = 6; // not tuning: a format
const FLOAT_REGISTERS: u32 = 8; // not tuning: a format
/// Bytes of the area that keeps the argument registers.
const SAVE_AREA: u64 = 176; // not tuning: a format

/// One argument behind the named ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed<T> {
    bits: u128,
    ty: Type,
    /// A struct in memory, behind the pointer in `bits`.
    by_value: Option<VarArg>,
    term: T,
}

impl<T> Passed<T> {
    fn value(self) -> Shadowed<T> {
        Shadowed { bits: self.bits, ty: self.ty, term: self.term }
    }
}

/// Registers that arguments have taken so far.
#[derive(Clone, Copy, Default)]
struct Taken {
    integer: u32,
    float: u32,
}

impl Taken {
    /// The place in the save area for an argument, if registers are left for all of it.
    fn claim(&mut self, ty: Type) -> Option<u64> {
        let needed = if ty.is_wide() { 2 } else { 1 };
        match ty {
            Type::F80 => None,
            _ if in_float_register(ty) && self.float < FLOAT_REGISTERS => {
                self.float += 1;
                Some(48 + 16 * u64::from(self.float - 1))
            }
            _ if in_float_register(ty) => None,
            _ if self.integer + needed <= INTEGER_REGISTERS => {
                self.integer += needed;
                Some(8 * u64::from(self.integer - needed))
            }
            _ => None,
        }
    }
}

impl<S: Shadow> Machine<'_, S> {
    /// Keeps the arguments of a call behind the first `named`.
    pub(super) fn pass_varargs(&mut self, base: usize, site: &CallSite, named: usize) {
        for (i, arg) in site.args.iter().enumerate().skip(named) {
            let by_value = site.by_value.iter().find(|v| v.arg as usize == i).copied();
            let (bits, term) = (self.operand(base, *arg), self.term(base, arg.reg));
            self.varargs.push(Passed { bits, ty: arg.ty, by_value, term });
        }
    }

    /// Fills the `va_list` at `list` for the function on top.
    pub(super) fn va_start(&mut self, list: u64, at: Loc) -> Step<()> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let named = &self.image.code(frame.function).params;
        let passed = self.varargs[frame.varargs..].to_vec();
        if S::ACTIVE && passed.is_empty() {
            self.shadow.limited(Limit::Arguments);
        }
        let mut taken = Taken::default();
        for param in named {
            taken.claim(param.ty);
        }
        let start = taken;
        // What nobody passed is memory that nobody wrote.
        let save = self.stack_object(SAVE_AREA, 16, Label::None, at)?;
        let mut in_memory = Vec::new();
        for arg in passed {
            match if arg.by_value.is_some() { None } else { taken.claim(arg.ty) } {
                Some(offset) => self.write_value(save + offset, arg.value())?,
                None => in_memory.push(arg),
            }
        }
        let overflow = self.overflow_area(&in_memory, at)?;
        self.store_bits(list, Type::I32, u128::from(8 * start.integer))?;
        self.store_bits(list + 4, Type::I32, u128::from(48 + 16 * start.float))?;
        self.store_bits(list + 8, Type::Ptr, u128::from(overflow))?;
        self.store_bits(list + 16, Type::Ptr, u128::from(save))
    }

    fn overflow_area(&mut self, args: &[Passed<S::Term>], at: Loc) -> Step<u64> {
        let mut places = Vec::new();
        let mut size = 0u64;
        for arg in args {
            let (bytes, align) = match arg.by_value {
                Some(v) => (v.size, u64::from(v.align.max(8))),
                None if arg.ty.is_wide() => (16, 16),
                None => (8, 8),
            };
            size = size.next_multiple_of(align);
            places.push(size);
            size += bytes.next_multiple_of(8);
        }
        let area = self.stack_object(size, 16, Label::None, at)?;
        for (arg, offset) in args.iter().zip(places) {
            match arg.by_value {
                Some(v) => self.copy_bytes(area + offset, arg.bits as u64, v.size)?,
                None => self.write_value(area + offset, arg.value())?,
            }
        }
        Ok(area)
    }
}
