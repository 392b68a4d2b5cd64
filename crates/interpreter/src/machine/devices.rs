//! Device registers: what a volatile read of one gives is for the shadow to say, and a write goes to nobody but the device.

use covenant_program::ir::Type;

use super::{Machine, Step};
use crate::code::op::{Operand, R2, Reg};
use crate::shadow::{Limit, Shadow, Shadowed};

/// The most bytes that are accessed at once: what a machine does by one instruction.
const WIDEST: u64 = 8; // not tuning: what an access is

impl<S: Shadow> Machine<'_, S> {
    /// A volatile load.
    pub(super) fn load_volatile(&mut self, base: usize, ty: Type, r: R2) -> Step<()> {
        let Some(address) = self.register_of_device(base, ty, r.a) else {
            return self.load_other(base, ty, r);
        };
        // What would be behind it, nobody knows.
        if ty.is_ptr() {
            self.shadow.limited(Limit::Volatile);
        }
        let value = self.shadow.device_read(address, ty);
        self.set_operand(base, Operand { reg: r.d, ty }, value.bits);
        self.set_term(base, r.d, value.term);
        Ok(())
    }

    /// A volatile store.
    pub(super) fn store_volatile(&mut self, base: usize, ty: Type, r: R2) -> Step<()> {
        let Some(address) = self.register_of_device(base, ty, r.d) else {
            return self.store_other(base, ty, r);
        };
        let value = self.operand(base, Operand { reg: r.a, ty });
        self.shadow.device_wrote(address, Shadowed { bits: value, ty, term: self.term(base, r.a) });
        Ok(())
    }

    /// The address in a register, if that is one of a device. On this path it is no other.
    fn register_of_device(&mut self, base: usize, ty: Type, address: Reg) -> Option<u64> {
        if !S::ACTIVE {
            return None;
        }
        let (at, size) = (self.get(base, address), u64::from(ty.store_size()));
        if size > WIDEST || !self.image.devices().iter().any(|device| device.holds(at, size)) {
            self.shadow.limited(Limit::Volatile);
            return None;
        }
        self.pin(base, Operand { reg: address, ty: Type::Ptr }, "the address of a device");
        Some(at)
    }
}
