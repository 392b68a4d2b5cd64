//! Where a run depends on the addresses that the machine gave to objects.

use covenant_program::ir::{IntCmp, Origin};

use super::Machine;
use crate::code::op::{R3, Reg};
use crate::memory::{Object, Place};
use crate::shadow::{Limit, Shadow, Side};

impl<S: Shadow> Machine<'_, S> {
    fn is_in_subject(&self) -> bool {
        let function = self.frames.last().map(|frame| frame.function);
        function.is_some_and(|function| self.image.function(function).origin == Origin::Subject)
    }

    /// An address goes on as a number: which one it is, is our choice, unless it is null.
    pub(super) fn look_at(&mut self, base: usize, address: Reg, aside: bool) {
        if self.memory.object_near(self.get(base, address)).is_some() {
            self.shadow.limited(if aside { Limit::AddressAside } else { Limit::Address });
        }
    }

    /// The words as they are compared: elsewhere, different objects lie in the opposite order.
    #[inline(always)]
    pub(super) fn in_order(&self, cmp: IntCmp, shift: u8, a: u64, b: u64) -> (u64, u64) {
        match S::ACTIVE && shift == 0 && self.image.place() == Place::Elsewhere {
            true => self.in_opposite_order(cmp, a, b),
            false => (a, b),
        }
    }

    #[cold]
    fn in_opposite_order(&self, cmp: IntCmp, a: u64, b: u64) -> (u64, u64) {
        let ordered = !matches!(cmp, IntCmp::Eq | IntCmp::Ne);
        match (self.memory.object_near(a), self.memory.object_near(b)) {
            (Some(x), Some(y)) if ordered && x.base != y.base => (b, a),
            // What was freed has come back there.
            (Some(x), Some(y)) if x.base != y.base && (x.is_freed() || y.is_freed()) => (a, a),
            _ => (a, b),
        }
    }

    /// The operands of a subtraction: elsewhere, the other object is the one behind.
    pub(super) fn in_order_of_objects(&self, base: usize, r: R3) -> R3 {
        let opposite = self.image.place() == Place::Elsewhere
            && self.in_opposite_order(IntCmp::Ult, self.get(base, r.a), self.get(base, r.b)).0 != self.get(base, r.a);
        if opposite { R3 { a: r.b, b: r.a, ..r } } else { r }
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
        // Memory that is freed may come back for something else, and realloc need not move anything.
        if !same && self.aside {
            self.shadow.limited(Limit::AddressAside);
        } else if !same && [x, y].into_iter().flatten().any(Object::is_freed) {
            self.shadow.limited(Limit::Address);
        } else if !same {
            let x = x.map(|o| Side { terms: o.terms.as_deref(), offset: a.wrapping_sub(o.base) });
            let y = y.map(|o| Side { terms: o.terms.as_deref(), offset: b.wrapping_sub(o.base) });
            self.shadow.compared(ordered, x, y);
        }
    }
}
