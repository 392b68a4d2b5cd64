//! One run of a program.
//!
//! `run` is the dispatch: a list of calls, one file a family of instructions. Registers of all active frames lie in
//! one vector, the terms of the [`Shadow`] beside them; control is an explicit stack of frames, so that `longjmp` is a
//! truncation and no program can overflow our own stack.

mod builtin;
mod call;
mod cast;
mod devices;
mod float;
mod follow;
mod given_files;
mod inspect;
mod int;
mod intrinsic;
mod limits;
mod outside;
mod overwrite;
mod pointer;
mod run;
mod streams;
mod trap;
mod varargs;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use covenant_program::ir::{FuncId, Global, GlobalId, Loc, Origin, Register, Type};

use crate::TrapKind;
use crate::code::Image;
use crate::code::op::{Operand, Reg};
use crate::host::{Console, Files};
use crate::memory::{Checked, Fault, Kind, Label, Memory, Request, Unwritten};
use crate::outcome::Outcome;
use crate::shadow::Shadow;

pub(crate) use trap::{Step, Stop};

/// What a run may use up.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Instructions of the IR.
    pub steps: u64,
    /// Bytes of live objects.
    pub memory: u64,
    /// Bytes of the stack: locals whose address is taken, and a little for each active call.
    pub stack: u64,
    /// Ends the run soon after somebody sets it.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: u64::MAX, memory: 2 << 30, stack: 8 << 20, cancel: None }
    }
}

/// Instructions between two looks at the limits.
const FUEL: i64 = 1 << 16; // not tuning: how soon an end is noticed
/// What an active call costs of the stack, besides its locals.
const CALL_COST: u64 = 48; // not tuning: a measure of the stack

#[derive(Clone, Debug)]
struct Frame {
    function: FuncId,
    /// Where to go on, in the code of `function`.
    pc: usize,
    /// First register.
    base: usize,
    /// How many stack objects there were before this call.
    objects: usize,
    /// How many variadic arguments there were before those of this call.
    varargs: usize,
    stack_before: u64,
    /// Tells apart frames that were at the same depth.
    serial: u64,
}

/// Where `longjmp` goes.
#[derive(Clone, Debug)]
struct JumpPoint {
    depth: usize,
    serial: u64,
    pc: usize,
    result: Option<Operand>,
}

/// One run of an image, from its start to its end: there is no way back.
pub struct Machine<'i, S: Shadow> {
    image: &'i Image,
    /// Who goes along with the run.
    pub shadow: S,
    /// The objects of the program.
    pub memory: Memory<S>,
    pub(crate) console: &'i mut dyn Console,
    pub(crate) files: Files,
    regs: Vec<u64>,
    terms: Vec<S::Term>,
    frames: Vec<Frame>,
    stack_objects: Vec<u64>,
    varargs: Vec<varargs::Passed<S::Term>>,
    /// The arguments of the function under test that are inputs, once it asks for them.
    asked: Option<varargs::Asked>,
    jump_points: Vec<JumpPoint>,
    stack_bytes: u64,
    serial: u64,
    fuel: i64,
    /// Steps that were paid for with fuel, including the fuel that is left.
    paid: u64,
    limits: Limits,
    /// The depth at which the shadow was told to look away, if it was.
    muted_at: Option<usize>,
    /// Whether what is done now serves labels only.
    aside: bool,
    /// Streams that are inputs.
    given: Vec<streams::Stream>,
    /// Where the library keeps `stdout` and `stderr`.
    streams: Vec<u64>,
    /// Where the library keeps `errno`, if it does.
    errno: Option<u64>,
}

impl<S: Shadow> std::fmt::Debug for Machine<'_, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Machine").field("depth", &self.frames.len()).field("steps", &self.steps()).finish()
    }
}

impl<'i, S: Shadow> Machine<'i, S> {
    /// A machine with all globals at their initial values.
    pub fn new(image: &'i Image, shadow: S, console: &'i mut dyn Console, limits: Limits) -> Result<Self, Box<Fault>> {
        let checks = image.checks;
        let unwritten = Unwritten::at(image.place(), checks.library);
        let mut machine = Machine {
            image,
            shadow,
            memory: Memory::new(limits.memory, checks.uninitialised, S::ACTIVE, image.space(), unwritten),
            console,
            files: Files::new(),
            regs: Vec::new(),
            terms: Vec::new(),
            frames: Vec::new(),
            stack_objects: Vec::new(),
            varargs: Vec::new(),
            asked: None,
            aside: false,
            given: Vec::new(),
            jump_points: Vec::new(),
            stack_bytes: 0,
            serial: 0,
            fuel: 0,
            paid: 0,
            limits,
            muted_at: None,
            streams: Vec::new(),
            errno: None,
        };
        machine.load_globals()?;
        Ok(machine)
    }

    /// Instructions of the IR executed so far.
    pub fn steps(&self) -> u64 {
        self.paid.saturating_add_signed(-self.fuel)
    }

    /// What it runs.
    pub fn image(&self) -> &'i Image {
        self.image
    }

    fn load_globals(&mut self) -> Checked<()> {
        let image = self.image;
        for _ in image.program().functions.keys() {
            let at = Loc::NONE;
            let label = Label::None;
            self.memory.allocate(Request { kind: Kind::Function, size: 0, align: 16, label, at, initialised: true })?;
        }
        for (id, global) in image.program().globals.iter() {
            self.load_global(id, global)?;
            if global.name == "__covenant_errno" {
                self.errno = Some(image.global_address(id));
            }
            if global.origin == Origin::Library && matches!(global.name.as_str(), "stdout" | "stderr") {
                self.streams.push(image.global_address(id));
            }
        }
        for (id, global) in image.program().globals.iter() {
            if global.constant {
                self.memory.make_constant(image.global_address(id));
            }
        }
        Ok(())
    }

    fn load_global(&mut self, id: GlobalId, global: &Global) -> Checked<()> {
        let kind = if global.init.is_some() { Kind::Global } else { Kind::Undefined };
        let (label, at) = (Label::Global(id), Loc::NONE);
        let align = u64::from(global.align);
        let address = self.memory.allocate(Request { kind, size: global.size, align, label, at, initialised: true })?;
        debug_assert_eq!(address, self.image.global_address(id));
        let Some(init) = &global.init else {
            self.memory.release(address, Loc::NONE);
            return Ok(());
        };
        self.memory.bytes_mut(address, init.len() as u64)?.copy_from_slice(init);
        for reloc in &global.relocs {
            let value = self.image.reloc_bytes(reloc);
            self.memory.bytes_mut(address + reloc.offset, value.len() as u64)?.copy_from_slice(&value);
        }
        Ok(())
    }

    /// A heap object with these bytes, for arguments and the environment.
    pub fn place(&mut self, bytes: &[u8]) -> Checked<u64> {
        let (size, label, at) = (bytes.len() as u64, Label::None, Loc::NONE);
        let address =
            self.memory.allocate(Request { kind: Kind::Global, size, align: 16, label, at, initialised: true })?;
        self.memory.bytes_mut(address, size)?.copy_from_slice(bytes);
        Ok(address)
    }

    /// Calls a function and runs until it returns or the run ends otherwise.
    pub fn call(&mut self, function: FuncId, args: &[u128]) -> Outcome {
        let started = self.enter_first(function, args);
        let ended = started.and_then(|()| self.run());
        match ended {
            Ok(values) => Outcome::Returned(values),
            Err(stop) => self.ended(stop),
        }
    }

    fn enter_first(&mut self, function: FuncId, args: &[u128]) -> Step<()> {
        if self.image.function(function).body.is_none() {
            let name = &self.image.function(function).name;
            return Err(Fault::new(TrapKind::UndefinedFunction, format!("`{name}` has no body")).into());
        }
        let code = self.image.code(function);
        let base = self.regs.len();
        self.enter(function, base)?;
        for (param, &bits) in code.params.iter().zip(args) {
            self.set_operand(base, *param, bits);
        }
        self.begun()
    }

    /// Buys fuel for the next stretch, or ends the run.
    #[cold]
    fn refuel(&mut self) -> Step<()> {
        if let Some(cancel) = &self.limits.cancel
            && cancel.load(Ordering::Relaxed)
        {
            return Err(Fault::new(TrapKind::Interrupted, "the run was told to end").into());
        }
        let steps = self.steps();
        if steps > self.limits.steps {
            let message = format!("more than {} instructions", self.limits.steps);
            return Err(Fault::new(TrapKind::StepLimit, message).into());
        }
        let more = self.limits.steps.saturating_sub(steps).saturating_add(1).min(FUEL as u64);
        // The fuel may be below zero by a block; that stays owed.
        let more = more as i64 - self.fuel;
        self.fuel += more;
        self.paid += more as u64;
        Ok(())
    }

    /// What is done byte by byte in one instruction counts as if a program did it.
    pub(crate) fn burn_bytes(&mut self, count: u64) -> Step<()> {
        self.fuel = self.fuel.saturating_sub(i64::try_from(count).unwrap_or(i64::MAX));
        if self.fuel < 0 { self.refuel() } else { Ok(()) }
    }

    #[inline(always)]
    fn burn(&mut self, n: u16) -> Step<()> {
        self.fuel -= i64::from(n);
        if self.fuel < 0 { self.refuel() } else { Ok(()) }
    }

    #[inline(always)]
    fn get(&self, base: usize, reg: Reg) -> u64 {
        self.regs[base + reg as usize]
    }

    #[inline(always)]
    fn set(&mut self, base: usize, reg: Reg, bits: u64) {
        self.regs[base + reg as usize] = bits;
    }

    #[inline(always)]
    fn term(&self, base: usize, reg: Reg) -> S::Term {
        if S::ACTIVE { self.terms[base + reg as usize] } else { S::Term::default() }
    }

    #[inline(always)]
    fn set_term(&mut self, base: usize, reg: Reg, term: S::Term) {
        if S::ACTIVE {
            self.terms[base + reg as usize] = term;
        }
    }

    fn wide(&self, base: usize, reg: Reg) -> u128 {
        u128::from(self.get(base, reg)) | u128::from(self.get(base, reg + 1)) << 64
    }

    fn set_wide(&mut self, base: usize, reg: Reg, bits: u128) {
        self.set(base, reg, bits as u64);
        self.set(base, reg + 1, (bits >> 64) as u64);
    }

    /// The bits of an operand of any type.
    fn operand(&self, base: usize, operand: Operand) -> u128 {
        if operand.ty.is_wide() { self.wide(base, operand.reg) } else { u128::from(self.get(base, operand.reg)) }
    }

    /// Sets an operand of any type, without a term.
    fn set_operand(&mut self, base: usize, operand: Operand, bits: u128) {
        if operand.ty.is_wide() {
            self.set_wide(base, operand.reg, bits);
        } else {
            self.set(base, operand.reg, bits as u64);
        }
        self.set_term(base, operand.reg, S::Term::default());
    }
}

/// All bits of the width set.
#[inline(always)]
pub fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// The value of `width` bits as a signed number.
#[inline(always)]
pub fn signed(bits: u128, width: u32) -> i128 {
    let shift = 128 - width;
    ((bits << shift) as i128) >> shift
}

/// Whether the type is passed in a floating-point register.
pub(crate) fn in_float_register(ty: Type) -> bool {
    ty.register() == Register::Float
}
