//! Calls of functions that are not of the program: what they give is an input of the run.

use covenant_program::ir::{FuncId, Origin, Type};

use super::{Frame, Machine, Step};
use crate::code::op::CallSite;
use crate::given::{Bound, ProcessInput};
use crate::shadow::{Cell, Given, Shadow, Shadowed, Waiting};

impl<S: Shadow> Machine<'_, S> {
    /// Lets the result of a call that nothing defines be an input; false if that is not wanted.
    pub(super) fn stub(&mut self, base: usize, site: &CallSite, function: FuncId) -> Step<bool> {
        let types: Vec<Type> = site.results.iter().map(|r| r.ty).collect();
        let number = function.as_u32();
        if self.shadow.is_pure(number) {
            for &arg in &site.args {
                self.pin(base, arg, "an argument of a function whose result depends on nothing else");
            }
        }
        let args = self.arguments(base, site);
        let Some(values) = self.shadow.call_result(number, &types, &args) else { return Ok(false) };
        let passed: Vec<(u128, Type)> = args.iter().zip(&site.args).map(|(bits, arg)| (*bits, arg.ty)).collect();
        self.shadow.heard(number, &passed);
        if let ("klee_range", [low, high, ..], [value]) =
            (self.image.function(function).name.as_str(), &site.args[..], &values[..])
        {
            let (low, high) = (self.shadowed(base, *low), self.shadowed(base, *high));
            self.in_range(low, *value, high)?;
        }
        for (&result, value) in site.results.iter().zip(values) {
            self.set_operand(base, result, value.bits);
            self.set_term(base, result.reg, value.term);
        }
        let memory = &self.memory;
        let room = |address: u64| {
            let object = memory.object_near(address).filter(|object| object.alive && object.writable);
            object.map_or(0, |object| (object.base + object.size).saturating_sub(address))
        };
        for given in self.shadow.given(number, &args, &room) {
            self.give(base, site, &args, given)?;
        }
        Ok(true)
    }

    fn give(&mut self, base: usize, site: &CallSite, args: &[u128], given: Given) -> Step<()> {
        let bytes = self.shadow.waiting_bytes(given.root);
        let inputs = self.shadow.waiting(&bytes, 0, given.size);
        let Some(param) = given.through else {
            if let (Some(&result), Some(&input)) = (site.results.first(), inputs.first()) {
                let value = self.input_now(input, 0)?;
                self.set_operand(base, result, value.bits);
            }
            return Ok(());
        };
        let to = match (given.variable, args.get(param as usize), site.args.get(param as usize)) {
            (Some(variable), ..) => u128::from(variable),
            (None, Some(&to), Some(&operand)) => {
                self.pin(base, operand, "where a function writes that nothing defines");
                to
            }
            _ => return Ok(()),
        };
        for input in inputs {
            let at = to as u64 + input.offset;
            // Of an input that nobody has read a part is written: the rest of it is what it is in this run.
            self.need_partly(at, u64::from(input.size))?;
            let mut now = [0; 16];
            now[..input.size as usize].copy_from_slice(self.memory.bytes(at, u64::from(input.size))?);
            if given.pointers && now != [0; 16] {
                continue;
            }
            let was_written = self.memory.is_written(at, u64::from(input.size));
            let value = self.input_now(input, u128::from_le_bytes(now))?;
            if was_written && value.bits == u128::from_le_bytes(now) {
                self.shadow.gave_nothing_new(given.root, input.offset);
            }
            self.write_value(at, value)?;
        }
        if let Some(last) = given.size.checked_sub(1).filter(|_| given.ends) {
            let at = to as u64 + last;
            if self.memory.is_written(at, 1) && self.memory.bytes(at, 1)?[0] == 0 {
                self.shadow.gave_nothing_new(given.root, last);
            }
            self.write_value(at, Shadowed { bits: 0, ty: Type::I8, term: S::Term::default() })?;
        }
        Ok(())
    }

    fn input_now(&mut self, input: Waiting, now: u128) -> Step<Shadowed<S::Term>> {
        let site = self.site();
        Ok(match self.shadow.input(site, input, now) {
            Cell::Scalar { bits, size, term } => Shadowed { bits, ty: Type::Int((8 * size) as u8), term },
            Cell::Pointer(pointee) => {
                let ty = self.image.program().target.pointer();
                Shadowed { bits: u128::from(self.point(pointee)?), ty, term: S::Term::default() }
            }
        })
    }

    /// The most that the process is given; what replaces standard input is a file like others.
    pub(crate) fn bound(&self, what: u32) -> u64 {
        match Bound::of(what) {
            _ if !S::ACTIVE => 0,
            Bound::Input if !self.files.is_standard(0) => 0,
            what => self.shadow.bound(what),
        }
    }

    /// An input of the process.
    pub(crate) fn process_input(&mut self, what: u32, number: u64, place: u64) -> Shadowed<S::Term> {
        match ProcessInput::of(what, number, place).filter(|_| S::ACTIVE) {
            Some(what) => self.shadow.process_input(what),
            None => Shadowed { bits: 0, ty: Type::I8, term: S::Term::default() },
        }
    }

    /// The function of the library that the program has called and that runs now.
    fn called_library(&self) -> Option<FuncId> {
        let is_library = |frame: &&Frame| self.image.function(frame.function).origin == Origin::Library;
        self.frames.iter().rev().take_while(is_library).last().map(|frame| frame.function)
    }

    /// An object was made on the heap.
    pub(crate) fn allocated(&mut self, address: u64) {
        if let Some(function) = self.called_library().filter(|_| S::ACTIVE && address != 0) {
            self.shadow.allocated(function.as_u32(), address);
        }
    }

    /// Whether the function of the library fails that the program has called.
    pub(crate) fn failure(&mut self) -> Shadowed<S::Term> {
        match self.called_library().filter(|_| S::ACTIVE) {
            Some(function) => self.shadow.fails(function.as_u32()),
            None => Shadowed { bits: 0, ty: Type::BOOL, term: S::Term::default() },
        }
    }
}
