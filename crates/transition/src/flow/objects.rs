//! Objects behind pointers that are parameters of the function under test.
//!
//! Addresses are terms, and what lies behind them is one array. But where an address is such a parameter and a distance, it
//! is known when an access fails: the parameter is null, or the distance is too large for its object. These objects are
//! never freed and can be written.

use covenant_constraints::{Op, TermId};

use super::ContextId;
use super::build::{Builder, Val};

impl Builder<'_> {
    /// The driver has the parameter of this number put somewhere.
    pub(super) fn note_parameter(&mut self, context: ContextId, to: Val, number: Option<Val>) {
        let Some(Val::Term(number)) = number else { return };
        if let (Val::Pointer { region, .. }, Some(number), None) =
            (to, self.terms.as_bv(number), self.flow.contexts[context].caller)
        {
            self.parameters.insert(region, number as usize);
        }
    }

    /// The driver reads a parameter.
    pub(super) fn note_load(&mut self, at: Val, value: Val) {
        let (Val::Pointer { region, offset, .. }, Val::Term(value)) = (at, value) else { return };
        if self.terms.as_bv(offset) != Some(0) || self.terms.as_var(value).is_none() {
            return;
        }
        let number = self.parameters.get(&region);
        if let Some(size) = number.and_then(|&number| self.options.objects.get(number).copied().flatten()) {
            self.pointers.insert(value, size);
        }
    }

    /// Whether an access fails, if it is known to what object the address belongs.
    pub(super) fn outside_parameter(&mut self, address: TermId, bytes: u64) -> Option<TermId> {
        let (mut base, mut offset, mut work) = (None, self.terms.bv(0, 64), vec![address]);
        while let Some(term) = work.pop() {
            if self.terms.op(term) == Op::Add {
                work.extend([self.terms.arg(term, 0), self.terms.arg(term, 1)]);
            } else if let Some(&size) = self.pointers.get(&term) {
                if base.replace((term, size)).is_some() {
                    return None;
                }
            } else {
                offset = self.terms.add(offset, term);
            }
        }
        let (base, size) = base?;
        let Some(last) = size.checked_sub(bytes) else { return Some(self.terms.tt()) };
        let last = self.terms.bv(u128::from(last), 64);
        let outside = self.terms.ult(last, offset);
        if !self.options.nullable {
            return Some(outside);
        }
        let null = self.terms.bv(0, 64);
        let is_null = self.terms.eq(base, null);
        Some(self.terms.or(is_null, outside))
    }
}
