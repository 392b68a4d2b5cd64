//! What is volatile. Of a device register, what a read gives is for the shadow to say, and a write goes to nobody but the device. An
//! object of the program keeps what the program writes; what a read of it gives is for the shadow to say as well.

use covenant_program::ir::Type;

use super::{Machine, Step};
use crate::code::op::{Operand, R2, Reg};
use crate::memory::Kind;
use crate::shadow::{Limit, Shadow, Shadowed};

/// The most bytes that are accessed at once: what a machine does by one instruction.
const WIDEST: u64 = 8; // not tuning: what an access is

/// A place in an object.
struct Shared {
    base: u64,
    offset: u64,
}

impl<S: Shadow> Machine<'_, S> {
    /// A volatile load.
    pub(super) fn load_volatile(&mut self, base: usize, ty: Type, r: R2) -> Step<()> {
        let Some(address) = self.register_of_device(base, ty, r.a) else {
            if let Some(object) = self.shared(base, ty, r.a)? {
                let at = object.base.wrapping_add(object.offset);
                let bits = self.bits_at(at, ty)?;
                let value = self.shadow.shared_read(object.base, object.offset, ty, bits);
                self.set_operand(base, Operand { reg: r.d, ty }, value.bits);
                self.set_term(base, r.d, value.term);
                return Ok(());
            }
            self.shadow.limited(Limit::Volatile);
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
            if let Some(object) = self.shared(base, ty, r.d)? {
                let value = self.shadowed(base, Operand { reg: r.a, ty });
                self.write_unseen(object.base.wrapping_add(object.offset), value)?;
                self.shadow.shared_wrote(object.base, object.offset, value);
                return Ok(());
            }
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
            return None;
        }
        self.pin(base, Operand { reg: address, ty: Type::Ptr }, "the address of a device");
        Some(at)
    }

    /// The part of an object of the program that an access is about, if somebody else may change that. On this path it is no other.
    fn shared(&mut self, base: usize, ty: Type, address: Reg) -> Step<Option<Shared>> {
        let (at, size) = (self.get(base, address), u64::from(ty.store_size()));
        // What a changed pointer would point to, nobody knows.
        if !S::ACTIVE || !self.shadow.has_shared() || ty.is_ptr() || ty == Type::F80 || size > WIDEST {
            return Ok(None);
        }
        let Some(object) = self.shared_near(at) else { return Ok(None) };
        if !self.shadow.is_shared(object.base, object.offset, size) {
            return Ok(None);
        }
        if self.has_unasked(at, size) {
            return Err(self.too_much());
        }
        self.memory.bytes(at, size)?;
        self.pin(base, Operand { reg: address, ty: Type::Ptr }, "the address of what is volatile");
        Ok(Some(object))
    }

    fn shared_near(&self, at: u64) -> Option<Shared> {
        let object = self.memory.object_near(at).filter(|o| o.alive && matches!(o.kind, Kind::Global | Kind::Given))?;
        Some(Shared { base: object.base, offset: at.wrapping_sub(object.base) })
    }

    /// Bytes are accessed that may be volatile, by an access that is not.
    pub(super) fn access_plainly(&mut self, address: u64, size: u64) {
        if S::ACTIVE
            && self.shadow.has_shared()
            && let Some(object) = self.shared_near(address)
        {
            self.shadow.accessed_plainly(object.base, object.offset, size);
        }
    }
}
