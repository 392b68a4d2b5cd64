//! Where a run depends on the addresses that the machine gave to objects.

use covenant_program::ir::Origin;

use super::Machine;
use crate::code::op::Reg;
use crate::shadow::{Limit, Shadow};

impl<S: Shadow> Machine<'_, S> {
    fn is_in_subject(&self) -> bool {
        let function = self.frames.last().map(|frame| frame.function);
        function.is_some_and(|function| self.image.function(function).origin == Origin::Subject)
    }

    /// An address goes on as a number: which one it is, is our choice, unless it is null.
    pub(super) fn look_at(&mut self, base: usize, address: Reg) {
        if self.memory.object_near(self.get(base, address)).is_some() {
            self.shadow.limited(Limit::Address);
        }
    }

    /// Two words are compared or subtracted. If they are addresses, that has a meaning only inside one object, or where
    /// the question is whether they are the same.
    pub(super) fn follow_addresses(&mut self, base: usize, a: Reg, b: Reg, ordered: bool) {
        let (a, b) = (self.get(base, a), self.get(base, b));
        let (x, y) = (self.memory.object_near(a), self.memory.object_near(b));
        if x.is_none() && y.is_none() || a == 0 || b == 0 || !self.is_in_subject() {
            return;
        }
        let same = matches!((x, y), (Some(x), Some(y)) if x.base == y.base);
        if !same {
            self.shadow.compared(ordered, x.map(|o| o.terms.as_deref()), y.map(|o| o.terms.as_deref()));
        }
    }
}
