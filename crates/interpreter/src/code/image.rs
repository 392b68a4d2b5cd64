//! A program made ready to run: addresses of functions and globals, and functions decoded when first called.
//!
//! An image is immutable and shared by all runs and threads; a [`crate::Machine`] is one run.

use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use covenant_program::ir::{Const, FuncId, Function, GlobalId, Program, Symbol};
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

use super::decode::decode;
use super::op::Code;
pub use crate::host::Builtin;
use crate::memory::{Layout, Place};

/// Optional checks, as UBSan and MSan have them. What is always checked needs no switch.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checks {
    pub signed_overflow: bool,
    pub shift: bool,
    /// Reading memory that was never written. Wants a program whose locals were not promoted.
    pub uninitialised: bool,
    /// Index past the end of an array inside a larger object.
    pub array_bounds: bool,
    /// Whether coverage counters are executed or left out.
    pub counters: bool,
    /// Whether starts of blocks and returns from calls are told to whoever follows the run.
    pub marks: bool,
}

/// What calling a function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    Code,
    Builtin(Builtin),
    Undefined,
}

/// Space between the addresses of two labels of a function.
const LABEL_STEP: u64 = 16; // not tuning: an address

#[derive(Debug)]
pub struct Image {
    program: Arc<Program>,
    pub checks: Checks,
    place: Place,
    function_addresses: SecondaryMap<FuncId, u64>,
    global_addresses: SecondaryMap<GlobalId, u64>,
    code: PrimaryMap<FuncId, OnceLock<Code>>,
    targets: PrimaryMap<FuncId, Target>,
}

impl Image {
    pub fn new(program: Arc<Program>, checks: Checks) -> Image {
        Image::placed(program, checks, Place::Here)
    }

    /// The same program where all that C leaves open about memory is otherwise.
    pub fn elsewhere(&self) -> Image {
        Image::placed(Arc::clone(&self.program), self.checks, Place::Elsewhere)
    }

    fn placed(program: Arc<Program>, checks: Checks, place: Place) -> Image {
        let mut layout = Layout::new(place);
        let mut function_addresses = SecondaryMap::new();
        let mut global_addresses = SecondaryMap::new();
        let mut code = PrimaryMap::new();
        let mut targets = PrimaryMap::new();
        for (id, function) in program.functions.iter() {
            function_addresses[id] = layout.place(0, 16);
            code.push(OnceLock::new());
            targets.push(target(function));
        }
        for (id, global) in program.globals.iter() {
            global_addresses[id] = layout.place(global.size, u64::from(global.align));
        }
        Image { program, checks, place, function_addresses, global_addresses, code, targets }
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    pub fn place(&self) -> Place {
        self.place
    }

    pub fn function(&self, id: FuncId) -> &Function {
        &self.program.functions[id]
    }

    pub fn target(&self, id: FuncId) -> Target {
        self.targets[id]
    }

    /// The decoded body; the function must have one.
    #[inline]
    pub fn code(&self, id: FuncId) -> &Code {
        self.code[id].get_or_init(|| {
            let function = self.function(id);
            function.body.as_ref().map(|body| decode(self, id, function, body)).unwrap_or_default()
        })
    }

    pub fn function_address(&self, id: FuncId) -> u64 {
        self.function_addresses[id]
    }

    pub fn global_address(&self, id: GlobalId) -> u64 {
        self.global_addresses[id]
    }

    pub fn symbol_address(&self, symbol: Symbol) -> u64 {
        match symbol {
            Symbol::Global(id) => self.global_address(id),
            Symbol::Func(id) => self.function_address(id),
            Symbol::Label(id, block) => self.function_address(id) + LABEL_STEP * (block.index() as u64 + 1),
        }
    }

    /// The function that starts at this address. Functions come first in memory, one slot each.
    pub fn function_at(&self, address: u64) -> Option<FuncId> {
        let first = self.function_addresses[FuncId::new(0)];
        let index = (address >> 24).checked_sub(first >> 24)? as usize;
        let id = (index < self.program.functions.len()).then(|| FuncId::new(index))?;
        (self.function_address(id) == address).then_some(id)
    }

    pub fn constant(&self, constant: Const) -> u128 {
        let address = match constant {
            Const::Bits(bits) => return bits,
            // A bit that every type has.
            Const::Undef => return u128::from(self.place == Place::Elsewhere),
            Const::Global(id, offset) => self.global_address(id).wrapping_add_signed(offset),
            Const::Func(id) => self.function_address(id),
            Const::Label(id, block) => self.symbol_address(Symbol::Label(id, block)),
        };
        u128::from(address)
    }
}

/// A body wins over a builtin of the same name: the subject may bring its own.
fn target(function: &Function) -> Target {
    match Builtin::from_str(&function.name) {
        _ if function.body.is_some() => Target::Code,
        Ok(builtin) => Target::Builtin(builtin),
        Err(_) => Target::Undefined,
    }
}
