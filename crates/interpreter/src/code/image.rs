//! A program made ready to run: addresses of functions and globals, and functions decoded when first called.
//!
//! An image is immutable and shared by all runs and threads; a [`crate::Machine`] is one run.

use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use covenant_program::ir::{Block, Const, FuncId, Function, GlobalId, Inst, Loc, Program, Reloc, Symbol};
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use smallvec::SmallVec;

use super::decode::decode;
use super::op::{Code, Op};
use super::otherwise::otherwise;
use crate::given::Device;
pub use crate::host::Builtin;
use crate::memory::{Layout, Place, Space};
use crate::shadow::Site;

/// Optional checks, as UBSan and MSan have them. What is always checked needs no switch.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checks {
    /// Signed `+ - *` whose result does not fit.
    pub signed_overflow: bool,
    /// A shift by a negative amount, or by the width or more.
    pub shift: bool,
    /// Reading memory that was never written. Wants a program whose locals were not promoted.
    pub uninitialised: bool,
    /// Index past the end of an array inside a larger object.
    pub array_bounds: bool,
    /// Calls of the library with a length that only machines have a meaning for.
    pub library: bool,
    /// Whether coverage counters are executed or left out.
    pub counters: bool,
    /// Whether starts of blocks and returns from calls are told to whoever follows the run.
    pub marks: bool,
}

/// What calling a function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// It has a body, which is interpreted.
    Code,
    /// The machine does it.
    Builtin(Builtin),
    /// Nobody defines it: the shadow may know a result, else the run ends.
    Undefined,
}

/// Space between the addresses of two labels of a function.
const LABEL_STEP: u64 = 16; // not tuning: an address

/// A program made ready to run.
#[derive(Debug)]
pub struct Image {
    program: Arc<Program>,
    /// What runs of it look for besides what is always checked.
    pub checks: Checks,
    place: Place,
    space: Space,
    devices: Arc<[Device]>,
    function_addresses: SecondaryMap<FuncId, u64>,
    global_addresses: SecondaryMap<GlobalId, u64>,
    code: PrimaryMap<FuncId, OnceLock<Code>>,
    targets: PrimaryMap<FuncId, Target>,
}

impl Image {
    /// Gives everything its address; functions are decoded when first called.
    pub fn new(program: Arc<Program>, checks: Checks) -> Image {
        Image::with_devices(program, checks, Arc::from([]))
    }

    /// The same with device registers, of which volatile reads give what the shadow says.
    pub fn with_devices(program: Arc<Program>, checks: Checks, devices: Arc<[Device]>) -> Image {
        Image::placed(program, checks, Place::Here, devices)
    }

    /// The same program where all that C leaves open about memory, and about results of the library, is otherwise.
    pub fn elsewhere(&self) -> Image {
        Image::placed(Arc::clone(&self.program), self.checks, Place::Elsewhere, Arc::clone(&self.devices))
    }

    /// The same where a run also ends at what C gives no meaning to at all, though machines do: a value that does not fit, a shift by
    /// too much, a length beyond an object. Compilers need not agree on what comes behind it.
    pub fn to_the_letter(&self) -> Image {
        let checks = Checks { signed_overflow: true, shift: true, array_bounds: true, library: true, ..self.checks };
        Image::placed(Arc::clone(&self.program), checks, Place::Elsewhere, Arc::clone(&self.devices))
    }

    /// Another program in the same place, made from this one; functions and globals must be the same.
    pub fn changed(&self, change: impl FnOnce(&mut Program)) -> Image {
        let mut program = Program::clone(&self.program);
        change(&mut program);
        Image::placed(Arc::new(program), self.checks, self.place, Arc::clone(&self.devices))
    }

    fn placed(program: Arc<Program>, checks: Checks, place: Place, devices: Arc<[Device]>) -> Image {
        let space = Space::new(program.target, place, &devices);
        let mut layout = Layout::new(space);
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
        Image { program, checks, place, space, devices, function_addresses, global_addresses, code, targets }
    }

    /// The program it was made from.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Where its memory is.
    pub fn place(&self) -> Place {
        self.place
    }

    /// How its addresses are cut.
    pub(crate) fn space(&self) -> Space {
        self.space
    }

    /// Device registers.
    pub fn devices(&self) -> &[Device] {
        &self.devices
    }

    /// A function of the program.
    pub fn function(&self, id: FuncId) -> &Function {
        &self.program.functions[id]
    }

    /// What calling a function does.
    pub fn target(&self, id: FuncId) -> Target {
        self.targets[id]
    }

    /// The decoded body; the function must have one.
    #[inline]
    pub(crate) fn code(&self, id: FuncId) -> &Code {
        self.code[id].get_or_init(|| {
            let function = self.function(id);
            let Some(body) = &function.body else { return Code::default() };
            match self.place {
                Place::Here => decode(self, id, function, body),
                Place::Elsewhere => decode(self, id, function, &otherwise(function, body)),
            }
        })
    }

    /// The operation in the code of a function that ends a block; runs name it by its number ([`Site`]).
    pub fn terminator(&self, function: FuncId, block: Block) -> u32 {
        self.code(function).terminators[block.as_u32() as usize]
    }

    /// The calls in the code of a function, each with the operation at which it goes on.
    pub fn calls(&self, function: FuncId) -> impl Iterator<Item = (Inst, u32)> + '_ {
        let code = self.code(function);
        code.ops.iter().zip(1..).filter_map(|(op, after)| match op {
            Op::Call(site) => Some((code.calls[*site as usize].inst, after)),
            _ => None,
        })
    }

    /// The place of the source that an operation comes from.
    pub fn loc(&self, site: Site) -> Option<Loc> {
        let code = self.code(FuncId::from_u32(site.function));
        code.origins.get(site.pc as usize).map(|origin| origin.loc)
    }

    /// The address of a function, also of one without a body.
    pub fn function_address(&self, id: FuncId) -> u64 {
        self.function_addresses[id]
    }

    /// The first byte of a global, the same in all runs.
    pub fn global_address(&self, id: GlobalId) -> u64 {
        self.global_addresses[id]
    }

    /// The address that a symbol stands for; that of a label is no object.
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
        let index = self.space.slot(address).checked_sub(self.space.slot(first))? as usize;
        let id = (index < self.program.functions.len()).then(|| FuncId::new(index))?;
        (self.function_address(id) == address).then_some(id)
    }

    /// The bytes of a variable as a run finds them; zeros where it has no initialiser.
    pub fn initial_bytes(&self, id: GlobalId) -> Vec<u8> {
        let global = &self.program.globals[id];
        let mut bytes = global.init.clone().unwrap_or_default();
        bytes.resize(global.size as usize, 0);
        for reloc in &global.relocs {
            let (at, value) = (reloc.offset as usize, self.reloc_bytes(reloc));
            if let Some(place) = bytes.get_mut(at..at + value.len()) {
                place.copy_from_slice(&value);
            }
        }
        bytes
    }

    /// What an address in an initialiser is in memory.
    pub(crate) fn reloc_bytes(&self, reloc: &Reloc) -> SmallVec<[u8; 16]> {
        let minus = reloc.minus.map_or(0, |symbol| self.symbol_address(symbol));
        let value = self.symbol_address(reloc.symbol).wrapping_sub(minus).wrapping_add_signed(reloc.addend);
        self.program.target.bytes(u128::from(value), reloc.size.min(8) as usize)
    }

    /// The bits of a constant; what is undefined is 0.
    pub fn constant(&self, constant: Const) -> u128 {
        let address = match constant {
            Const::Bits(bits) => return bits,
            // What no input is likely to be; types take as many bits of it as they have.
            Const::Undef if self.place == Place::Elsewhere => return u128::from_le_bytes([0xA5; 16]),
            Const::Undef => return 0,
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
