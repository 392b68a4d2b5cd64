//! Inputs that nobody has read and that are written to.

use super::{Machine, Step};
use crate::shadow::{Shadow, Waiting};

impl<S: Shadow> Machine<'_, S> {
    /// Makes the inputs real of which a part is about to be overwritten.
    pub(super) fn need_partly(&mut self, address: u64, size: u64) -> Step<()> {
        if !S::ACTIVE || size == 0 {
            return Ok(());
        }
        let Some(start) = self.memory.object_near(address).map(|o| o.base) else { return Ok(()) };
        let offset = address.wrapping_sub(start);
        let is_whole = |w: &Waiting| w.offset >= offset && w.offset + u64::from(w.size) <= offset.saturating_add(size);
        for waiting in self.waiting(address, size).into_iter().filter(|waiting| !is_whole(waiting)) {
            self.make_input(start, waiting)?;
        }
        Ok(())
    }

    /// A range is about to be overwritten: inputs that are wholly inside are no longer inputs, others are needed.
    pub(super) fn overwrite(&mut self, address: u64, size: u64) -> Step<()> {
        let Some(start) = self.memory.object_near(address).map(|o| o.base) else { return Ok(()) };
        let offset = address.wrapping_sub(start);
        for waiting in self.waiting(address, size) {
            let whole =
                waiting.offset >= offset && waiting.offset + u64::from(waiting.size) <= offset.saturating_add(size);
            if !whole {
                // The new bytes are there already: keep them.
                let now = self.memory.bytes(address, size)?.to_vec();
                self.make_input(start, waiting)?;
                self.memory.bytes_mut(address, size)?.copy_from_slice(&now);
                continue;
            }
            if let Some(object) = self.memory.object_near_mut(address)
                && let Some(bytes) = &mut object.terms
            {
                self.shadow.settle(bytes, waiting.leaf);
            }
        }
        Ok(())
    }
}
