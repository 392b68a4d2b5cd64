//! Variadic arguments after the System V ABI for x86-64, and after those of other machines.
//!
//! clang expands `va_arg` into accesses to a register save area and an overflow area, so `va_start` must lay both out
//! exactly as the ABI says: six integer registers, eight vector registers, the rest in memory. On other machines all are in memory, one
//! behind the other, and a `va_list` is the address of the next, or begins with it.

use covenant_program::ir::{Loc, Type, VarArg, Variadic};

use super::{Machine, Step, in_float_register};
use crate::TrapKind;
use crate::code::op::CallSite;
use crate::memory::{Fault, Label};
use crate::shadow::{Cell, Limit, Shadow, Shadowed};

const INTEGER_REGISTERS: u32 = 6; // not tuning: a format
const FLOAT_REGISTERS: u32 = 8; // not tuning: a format
/// Bytes of the area that keeps the argument registers.
const SAVE_AREA: u64 = 176; // not tuning: a format

/// Variadic arguments that the function under test may ask for.
const MOST_ASKED: u64 = 64; // not tuning: what the inputs are

/// Where the variadic arguments of the function under test are. Nobody passes any: each becomes an input when it is first read, of
/// the type that it is read as. They are read in their order, so that their number says which of them one is.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// The call that has them.
    serial: u64,
    save: u64,
    overflow: u64,
    /// The addresses of the words of those that are inputs by now, and how many these are.
    made: Vec<u64>,
    count: u32,
}

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
        let passed = self.varargs[frame.varargs..].to_vec();
        let serial = frame.serial;
        if S::ACTIVE && passed.is_empty() {
            // The driver calls the function under test, and passes what is named.
            if self.frames.len() == 2 {
                return self.start_asked(list, serial, at);
            }
            self.shadow.limited(Limit::Arguments);
        }
        if self.variadic() != Variadic::Registers {
            let area = self.overflow_area(&passed, self.before_variadic(), at)?;
            return self.fill_short_list(list, area);
        }
        let start = self.named();
        let mut taken = start;
        // What nobody passed is memory that nobody wrote.
        let save = self.stack_object(SAVE_AREA, 16, Label::None, at)?;
        let mut in_memory = Vec::new();
        for arg in passed {
            match if arg.by_value.is_some() { None } else { taken.claim(arg.ty) } {
                Some(offset) => self.write_value(save + offset, arg.value())?,
                None => in_memory.push(arg),
            }
        }
        let overflow = self.overflow_area(&in_memory, 0, at)?;
        self.fill_list(list, start, save, overflow)
    }

    fn variadic(&self) -> Variadic {
        self.image.program().target.variadic()
    }

    /// What arguments in memory are aligned to, and their sizes multiples of.
    fn word(&self) -> u64 {
        self.image.program().target.pointer_size()
    }

    /// A list whose arguments are all in memory.
    fn fill_short_list(&mut self, list: u64, area: u64) -> Step<()> {
        self.store_bits(list, self.image.program().target.pointer(), u128::from(area))?;
        if self.variadic() == Variadic::Stack {
            // Where registers are kept, and how far before the end of that the next one is: at the end.
            self.store_bits(list + 8, Type::Ptr, u128::from(area))?;
            self.store_bits(list + 16, Type::Ptr, u128::from(area))?;
            self.store_bits(list + 24, Type::I64, 0)?;
        }
        Ok(())
    }

    /// The registers that the named parameters of the function on top take.
    fn named(&self) -> Taken {
        let mut taken = Taken::default();
        if let Some(frame) = self.frames.last() {
            for param in &self.image.code(frame.function).params {
                taken.claim(param.ty);
            }
        }
        taken
    }

    fn fill_list(&mut self, list: u64, start: Taken, save: u64, overflow: u64) -> Step<()> {
        self.store_bits(list, Type::I32, u128::from(8 * start.integer))?;
        self.store_bits(list + 4, Type::I32, u128::from(48 + 16 * start.float))?;
        self.store_bits(list + 8, Type::Ptr, u128::from(overflow))?;
        self.store_bits(list + 16, Type::Ptr, u128::from(save))
    }

    /// Fills a `va_list` whose arguments are inputs. A list that begins anew has the same ones.
    fn start_asked(&mut self, list: u64, serial: u64, at: Loc) -> Step<()> {
        let areas = match &self.asked {
            Some(asked) if asked.serial == serial => (asked.save, asked.overflow),
            _ => {
                let save = self.stack_object(SAVE_AREA, 16, Label::None, at)?;
                let overflow = self.stack_object(8 * MOST_ASKED, 16, Label::None, at)?;
                self.asked = Some(Asked { serial, save, overflow, made: Vec::new(), count: 0 });
                (save, overflow)
            }
        };
        if self.variadic() != Variadic::Registers {
            return self.fill_short_list(list, areas.1);
        }
        let start = self.named();
        self.fill_list(list, start, areas.0, areas.1)
    }

    /// Whether there are such arguments in a range that nobody has asked for.
    pub(super) fn has_unasked(&self, address: u64, size: u64) -> bool {
        let Some(asked) = &self.asked else { return false };
        let base = self.memory.object_near(address).filter(|object| object.alive).map(|object| object.base);
        let is_area = base.is_some_and(|base| base == asked.save || base == asked.overflow);
        let word = self.word();
        let slots = || (address & !(word - 1)..address.saturating_add(size)).step_by(word as usize);
        is_area && slots().any(|slot| !asked.made.contains(&slot))
    }

    /// Makes an argument an input before it is read as a value of this type.
    pub(super) fn need_argument(&mut self, address: u64, ty: Type) -> Step<()> {
        if !S::ACTIVE || !self.has_unasked(address, u64::from(ty.store_size())) {
            return Ok(());
        }
        let is_plain =
            address.is_multiple_of(self.word()) && (ty.is_ptr() || matches!(ty, Type::F64 | Type::Int(32 | 64)));
        let number = self.asked.as_ref().map_or(0, |asked| asked.count);
        if !is_plain || u64::from(number) >= MOST_ASKED {
            return Err(self.too_much());
        }
        let (site, place) = (self.site(), self.here());
        let waiting = self.shadow.argument(number, ty, place);
        let word = self.word();
        if let Some(asked) = &mut self.asked {
            let words = (address..address + u64::from(ty.store_size())).step_by(word as usize);
            asked.made.extend(words);
            asked.count += 1;
        }
        let (bits, term) = match self.shadow.input(site, waiting, 0) {
            Cell::Scalar { bits, term, .. } => (bits, term),
            Cell::Pointer(pointee) => (u128::from(self.point(pointee)?), S::Term::default()),
        };
        let ty = Type::Int((8 * ty.store_size()) as u8);
        self.write_value(address, Shadowed { bits, ty, term })
    }

    /// The run ends: a caller may pass more arguments, or of other types, than are tried.
    pub(super) fn too_much(&mut self) -> super::Stop {
        self.shadow.limited(Limit::Arguments);
        let message =
            format!("only {MOST_ASKED} variadic arguments are tried, and no structs and long doubles among them");
        Fault::new(TrapKind::InputLimit, message).into()
    }

    /// Where the function on top stands, if somebody may ask.
    #[inline(always)]
    pub(super) fn note_place(&mut self, next: usize) {
        if S::ACTIVE
            && self.asked.is_some()
            && let Some(frame) = self.frames.last_mut()
        {
            frame.pc = next;
        }
    }

    /// Bytes of the named arguments of the function on top, where it matters what they are.
    fn before_variadic(&self) -> u64 {
        let (word, target) = (self.word(), self.image.program().target);
        let Some(frame) = self.frames.last().filter(|_| target.fills_up()) else { return 0 };
        self.image.code(frame.function).params.iter().fold(0u64, |start, param| {
            let bytes = u64::from(param.ty.store_size());
            start.next_multiple_of(target.argument_align(bytes)) + bytes.next_multiple_of(word)
        })
    }

    /// The place of the first of these arguments, in an area that has room for `before` bytes before it.
    fn overflow_area(&mut self, args: &[Passed<S::Term>], before: u64, at: Loc) -> Step<u64> {
        let mut places = Vec::new();
        let mut size = before;
        let (word, target) = (self.word(), self.image.program().target);
        for arg in args {
            let (bytes, align) = match (arg.by_value, self.variadic()) {
                (Some(v), Variadic::Registers) => (v.size, u64::from(v.align).max(word)),
                (Some(v), _) => (v.size, word.max(u64::from(v.align).min(target.argument_align(2 * word)))),
                (None, Variadic::Words | Variadic::Stack) => {
                    let bytes = u64::from(arg.ty.store_size());
                    (bytes, target.argument_align(bytes))
                }
                (None, Variadic::Registers) if arg.ty.is_wide() => (16, 16),
                (None, Variadic::Registers) => (word, word),
            };
            size = size.next_multiple_of(align);
            places.push(size);
            size += bytes.next_multiple_of(word);
        }
        let area = self.stack_object(size, 16, Label::None, at)?;
        for (arg, offset) in args.iter().zip(places) {
            match arg.by_value {
                Some(v) => self.copy_bytes(area + offset, arg.bits as u64, v.size)?,
                None => self.write_value(area + offset, arg.value())?,
            }
        }
        Ok(area + before)
    }
}
