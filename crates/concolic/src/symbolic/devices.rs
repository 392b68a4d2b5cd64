//! Device registers and other volatile objects: what each read gives is an input of the run, and what is written is a part of what it
//! does.

use std::collections::HashMap;

use covenant_goals::TestCase;
use covenant_goals::test_case::{Access, DeviceAccess, Register, Root as CaseRoot};
use covenant_interpreter::given::FIRST_MAPPED;
use covenant_interpreter::shadow::Shadowed;
use covenant_interpreter::{Trap, TrapKind};
use covenant_program::ir::{GlobalId, Type};
use covenant_program::types::{TypeId, Types};

use super::inputs::RootKind;
use super::{EventKind, Recorded, Symbolic, name_of};
use crate::meaning::pure::Term;

/// A machine has no memory behind this one: what is there is a number that went wrong.
const LAST_NAMED: u64 = 1 << 48; // not tuning: an address

/// Accesses to volatile objects that a test tells. From there on they are memory as any other, and exhaustion proves nothing.
const MOST_TOLD: usize = 1000; // not tuning: what a person can read, and a suite can play

/// Volatile objects of which each read is an input.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Volatile {
    /// Variables.
    pub globals: Vec<GlobalId>,
    /// Whether what pointers among the inputs point to counts, too.
    pub objects: bool,
}

/// An object of which parts are volatile.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    root: CaseRoot,
    name: String,
    element: TypeId,
    element_size: u64,
    /// In bytes.
    size: u64,
    /// Whether an access to it was told.
    is_told: bool,
    /// Whether the code has accessed it as if nobody else could change it: from there on nobody does.
    is_plain: bool,
}

impl Shared {
    fn new(root: CaseRoot, name: String, (element, element_size): (TypeId, u64), count: u64) -> Shared {
        let size = element_size.saturating_mul(count);
        Shared { root, name, element, element_size, size, is_told: false, is_plain: false }
    }

    fn is_volatile_at(&self, types: &Types, offset: u64) -> bool {
        let inside = offset.checked_rem(self.element_size);
        inside.is_some_and(|inside| types.is_volatile_at(self.element, inside))
    }

    fn at(&self, offset: u64) -> Register {
        Register::Object { root: self.root.clone(), offset, name: String::new() }
    }

    /// How the source names a part.
    fn part(&self, types: &Types, offset: u64) -> String {
        let index = offset.checked_div(self.element_size).unwrap_or(0);
        let inside = offset.checked_rem(self.element_size).unwrap_or(0);
        let is_object = matches!(self.root, CaseRoot::Object(_));
        let whole = if is_object { format!("{}[{index}]", self.name) } else { self.name.clone() };
        let leaf = types.leaves(self.element).take_while(|leaf| leaf.offset <= inside).last();
        format!("{whole}{}", leaf.map_or(String::new(), |leaf| leaf.path))
    }
}

/// What runs call what a register has when it is read, but for how often it was; `whose`: the object that it is a part of.
fn name(at: &Register, whose: &str, size: u32) -> String {
    match at {
        Register::Device { address } => format!("device({address:#x}:{size})"),
        Register::Object { offset, .. } => format!("volatile({whose}+{offset}:{size})"),
    }
}

/// The inputs of a test under these names, with their values.
pub(super) fn seeds(test: &TestCase) -> impl Iterator<Item = (String, u128)> + '_ {
    let mut counts: HashMap<String, u32> = HashMap::new();
    let object = |id: u32| test.objects.iter().find(|o| o.id == id).map_or("", |object| object.name.as_str());
    let whose = move |at: &'_ Register| match at {
        Register::Object { root: CaseRoot::Object(id), .. } => object(*id).to_owned(),
        Register::Object { root: CaseRoot::Global(name), .. } => name.clone(),
        _ => String::new(),
    };
    test.device.iter().filter_map(move |access| {
        let Access::Read(value) = access.access else { return None };
        let name = name(&access.at, &whose(&access.at), access.size);
        let count = counts.entry(name.clone()).or_insert(0);
        *count += 1;
        Some((format!("{name}#{count}"), u128::from(value)))
    })
}

impl Symbolic<'_> {
    pub(super) fn read_device(&mut self, address: u64, ty: Type) -> Shadowed<Term> {
        self.read_register((Register::Device { address }, String::new()), ty, 0)
    }

    pub(super) fn read_shared(&mut self, base: u64, offset: u64, ty: Type, bits: u128) -> Shadowed<Term> {
        match self.tell_shared(base, offset) {
            Some(at) => self.read_register(at, ty, bits),
            None => Shadowed { bits, ty, term: None },
        }
    }

    /// The place, and the name of the object.
    fn tell_shared(&mut self, base: u64, offset: u64) -> Option<(Register, String)> {
        self.told_shared += 1;
        let shared = self.shared.get_mut(&base)?;
        shared.is_told = true;
        Some((shared.at(offset), shared.name.clone()))
    }

    fn read_register(&mut self, (at, whose): (Register, String), ty: Type, default: u128) -> Shadowed<Term> {
        let size = ty.store_size();
        let name = name(&at, &whose, size);
        let count = self.registers.entry(name.clone()).or_insert(0);
        *count += 1;
        let label = format!("{name}#{count}");
        let value = self.free_value_or(&label, ty, default);
        let access = Access::Read(value.bits as u64);
        self.recorded.push(Recorded::Device(DeviceAccess { at, size, access }));
        value
    }

    /// Says what is volatile and may be changed by somebody else.
    pub(crate) fn share(&mut self, volatile: &Volatile) {
        let (image, program) = (self.image, self.image.program());
        self.shares_objects = volatile.objects;
        self.shared.extend(volatile.globals.iter().filter_map(|&id| {
            let (ty, name) = (program.globals[id].ty?, name_of(program, id));
            let root = CaseRoot::Global(name.clone());
            Some((image.global_address(id), Shared::new(root, name, (ty, program.globals[id].size), 1)))
        }));
    }

    /// Whether volatile objects are memory as any other from here on.
    pub(super) fn has_told_all(&self) -> bool {
        self.told_shared >= MOST_TOLD
    }

    /// An input object has been made: parts of it may be volatile.
    pub(super) fn share_root(&mut self, root: u32, address: u64) {
        let root = &self.roots[root as usize];
        let RootKind::Object(id) = root.kind else { return };
        if self.shares_objects && self.image.program().types.has_volatile(root.element) {
            let shared =
                Shared::new(CaseRoot::Object(id), root.case_name(), (root.element, root.element_size), root.count);
            self.shared.insert(address, shared);
        }
    }

    /// Whether bytes of an object are volatile; all of them are, then, or none.
    pub(super) fn is_volatile(&self, base: u64, offset: u64, size: u64) -> bool {
        let types = &self.image.program().types;
        let shared = self.shared.get(&base).filter(|shared| !shared.is_plain && !self.has_told_all());
        shared.is_some_and(|shared| (0..size).all(|byte| shared.is_volatile_at(types, offset.wrapping_add(byte))))
    }

    pub(super) fn access_plainly(&mut self, base: u64, offset: u64, size: u64) {
        let types = &self.image.program().types;
        let Some(shared) = self.shared.get_mut(&base).filter(|shared| !shared.is_plain) else { return };
        let is_volatile = |byte| shared.is_volatile_at(types, offset.wrapping_add(byte));
        // Behind one element all is as in it.
        if !(0..size.min(shared.element_size)).any(is_volatile) {
            return;
        }
        shared.is_plain = true;
        if shared.is_told {
            let (at, size) = (shared.at(0), u32::try_from(shared.size).unwrap_or(u32::MAX));
            self.recorded.push(Recorded::Device(DeviceAccess { at, size, access: Access::Plain(true) }));
        }
    }

    /// Names what is accessed as the source does.
    pub(super) fn name_registers(&self, accesses: &mut [DeviceAccess]) {
        let types = &self.image.program().types;
        for access in accesses {
            let Register::Object { root, offset, name } = &mut access.at else { continue };
            if let Some(shared) = self.shared.values().find(|shared| shared.root == *root) {
                *name = shared.part(types, *offset);
            }
        }
    }

    /// The address at which a run ended, and how many bytes it accessed there: one that the program names itself, and where nothing is.
    pub(super) fn named_address(&self, trap: &Trap) -> Option<(u64, u64)> {
        let about = trap.about.filter(|about| about.base == 0)?;
        let address = about.offset as u64;
        // Inputs may lead anywhere, and a large index behind a null pointer far.
        let by_chance = self.events.last().is_some_and(|event| matches!(event.kind, EventKind::Pin(_)));
        let is_named = match trap.kind {
            TrapKind::NullPointer => self.null_input().is_none() && self.read_as_pointer.get().is_none(),
            TrapKind::WildPointer => self.read_as_pointer.get().is_none(),
            _ => false,
        };
        (is_named && !by_chance && (1..LAST_NAMED).contains(&address)).then_some((address, about.size))
    }

    /// What an access at such an address needs.
    pub(super) fn device_words(&self, address: u64, size: u64) -> String {
        let at = format!("a run ended at the address {address:#x}, which the program names");
        if self.image.devices().iter().any(|device| device.holds(address, size)) {
            return format!(
                "{at}: registers of a device are accessed without `volatile`, or by more than 8 bytes at once, and no \
                 test can follow that"
            );
        }
        if address < FIRST_MAPPED {
            return format!("{at}: no host maps anything there, so that no test can be run");
        }
        format!("{at}; --device {address:#x}:{size} says that a device is there")
    }

    /// The contract that such an access needs, and the option that says so.
    pub(super) fn device_contract(&self, trap: &Trap) -> Option<(String, Option<String>)> {
        let (address, size) = self.named_address(trap)?;
        if self.image.devices().iter().any(|device| device.holds(address, size)) {
            let words = "registers of a device are accessed by `volatile`, and at most 8 bytes at once".to_owned();
            return Some((words, None));
        }
        let option = (address >= FIRST_MAPPED).then(|| format!("--device {address:#x}:{size}"));
        Some((format!("a device is at {address:#x}"), option))
    }

    pub(super) fn write_device(&mut self, address: u64, value: Shadowed<Term>) {
        self.write_register(Register::Device { address }, value);
    }

    pub(super) fn write_shared(&mut self, base: u64, offset: u64, value: Shadowed<Term>) {
        if let Some((at, _)) = self.tell_shared(base, offset) {
            self.write_register(at, value);
        }
    }

    fn write_register(&mut self, at: Register, value: Shadowed<Term>) {
        let access = Access::Write(Some(value.bits as u64));
        self.recorded.push(Recorded::Device(DeviceAccess { at, size: value.ty.store_size(), access }));
    }
}

/// What was left out where a run was ended by an error that would not be one if we had chosen otherwise.
pub(super) fn trap_words(kind: TrapKind) -> &'static str {
    match kind {
        TrapKind::OutOfBounds => {
            "a run ended behind the end of an object that has as many elements as covenant chose; see --array-len and --length"
        }
        TrapKind::InvalidFree => {
            "a run ended because it freed what is not the start of a heap object, and pointers to others were not tried"
        }
        TrapKind::StackOverflow => "a run ended because its stack was used up",
        TrapKind::BadCall => "a run ended at a call of code that is no part of the program",
        _ => "a run ended at an address that the program makes itself, where no device was",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_have_the_names_of_variables() {
        let at = |address, access| DeviceAccess { at: Register::Device { address }, size: 4, access };
        let device = vec![
            at(0x1000, Access::Read(5)),
            at(0x1004, Access::Write(Some(9))),
            at(0x1004, Access::Read(6)),
            at(0x1000, Access::Read(7)),
        ];
        let seeds: Vec<_> = seeds(&TestCase { device, ..TestCase::default() }).collect();
        let expected = [("device(0x1000:4)#1", 5), ("device(0x1004:4)#1", 6), ("device(0x1000:4)#2", 7)];
        assert_eq!(seeds, expected.map(|(name, bits)| (name.to_owned(), bits)));
    }
}
