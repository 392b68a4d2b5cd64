//! Device registers: what each read gives is an input of the run, and what is written is a part of what it does.

use std::collections::HashMap;

use covenant_goals::TestCase;
use covenant_goals::test_case::{Access, DeviceAccess};
use covenant_interpreter::given::FIRST_MAPPED;
use covenant_interpreter::shadow::Shadowed;
use covenant_interpreter::{Trap, TrapKind};
use covenant_program::ir::Type;

use super::{EventKind, Recorded, Symbolic};
use crate::meaning::pure::Term;

/// A machine has no memory behind this one: what is there is a number that went wrong.
const LAST_NAMED: u64 = 1 << 48; // not tuning: an address

/// What runs call what a register has when it is read for the `count`th time.
fn name(address: u64, size: u32, count: u32) -> String {
    format!("device({address:#x}:{size})#{count}")
}

/// The inputs of a test under these names, with their values.
pub(super) fn seeds(test: &TestCase) -> impl Iterator<Item = (String, u128)> + '_ {
    let mut counts: HashMap<(u64, u32), u32> = HashMap::new();
    test.device.iter().filter_map(move |access| {
        let Access::Read(value) = access.access else { return None };
        let count = counts.entry((access.address, access.size)).or_insert(0);
        *count += 1;
        Some((name(access.address, access.size, *count), u128::from(value)))
    })
}

impl Symbolic<'_> {
    pub(super) fn read_device(&mut self, address: u64, ty: Type) -> Shadowed<Term> {
        let size = ty.store_size();
        let count = self.registers.entry((address, size)).or_insert(0);
        *count += 1;
        let count = *count;
        let value = self.free_value(&name(address, size, count), ty);
        let access = Access::Read(value.bits as u64);
        self.recorded.push(Recorded::Device(DeviceAccess { address, size, access }));
        value
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
        let access = Access::Write(Some(value.bits as u64));
        self.recorded.push(Recorded::Device(DeviceAccess { address, size: value.ty.store_size(), access }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_have_the_names_of_variables() {
        let at = |address, access| DeviceAccess { address, size: 4, access };
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
