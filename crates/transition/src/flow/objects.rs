//! Objects behind pointers that are parameters of the function under test.
//!
//! Addresses are terms, and what lies behind them is one array. But where an address is such a parameter and a distance, it
//! is known when an access fails: the parameter is null, or the distance is too large for its object. A caller's object has
//! the element that its type says; whether there is more before or behind it is left open, unless the user says how many
//! there are. These objects can be written, and are there until the program, or code that is no part of it, frees something.

use covenant_constraints::{Op, Sort, TermId};
use covenant_program::ir::{FuncId, Inst};

use super::build::{Builder, Here, Val};
use super::regions::Key;
use super::{ContextId, Owner, RegionId};

impl Builder<'_> {
    /// An address that nobody knows is used: it may be that of a global that code outside has the address of.
    pub(super) fn expose(&mut self, address: TermId) {
        if !self.terms.is_const(address) {
            self.expose_all();
        }
    }

    /// From now on such globals are a part of the memory that pointers of unknown origin mean.
    pub(super) fn expose_all(&mut self) {
        if !self.calls.outside {
            return;
        }
        for &global in &self.options.exposed {
            self.plan.escape(Key::Global(global));
        }
    }

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

    /// A function of the library is called, which may free what it is given.
    pub(super) fn note_free(&mut self, callee: FuncId) {
        let is_free = |id: &FuncId| self.image.function(*id).name == "__covenant_free";
        if self.calls.graph.reach(callee).iter().any(is_free) {
            self.plan.free();
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
        let (base, (size, all)) = base?;
        let mut outside = match size.checked_sub(bytes) {
            Some(last) => {
                let last = self.terms.bv(u128::from(last), 64);
                self.terms.ult(last, offset)
            }
            None => self.terms.tt(),
        };
        if !all {
            let ends = self.choice(Sort::Bool);
            outside = self.terms.and(outside, ends);
        }
        if self.plan.frees {
            let freed = self.choice(Sort::Bool);
            outside = self.terms.or(outside, freed);
        }
        if !self.options.nullable {
            return Some(outside);
        }
        let null = self.terms.bv(0, 64);
        let is_null = self.terms.eq(base, null);
        Some(self.terms.or(is_null, outside))
    }

    /// Whether an access would fail: known of objects of their own that are alive and of parameters, else anything.
    pub(super) fn bad_access(&mut self, here: &mut Here, context: ContextId, inst: Inst, [at, size, writes]: [Val; 3]) {
        let known = match (at, self.size(size)) {
            (Val::Pointer { region, offset, .. }, Some(bytes)) if self.is_alive(region, context) => {
                let last = self.flow.regions[region].size.checked_sub(bytes);
                let written = !matches!(writes, Val::Term(term) if self.terms.as_bool(term) == Some(false));
                let constant = match self.flow.regions[region].owner {
                    Owner::Global(global) => self.image.program().globals[global].constant,
                    Owner::Local(..) => false,
                };
                Some(match last {
                    Some(last) if !(written && constant) => {
                        let last = self.terms.bv(u128::from(last), 64);
                        self.terms.ult(last, offset)
                    }
                    _ => self.terms.tt(),
                })
            }
            (Val::Term(address), Some(bytes)) => self.outside_parameter(address, bytes),
            _ => None,
        };
        let body = self.body(self.flow.contexts[context].function);
        match (known, body.insts[inst].results.first().copied()) {
            (Some(term), Some(result)) => self.bind(context, result, Val::Term(term)),
            _ => self.bind_any(here, context, inst),
        }
    }

    /// Whether an object is there as long as the function runs.
    fn is_alive(&self, region: RegionId, context: ContextId) -> bool {
        let Owner::Local(owner, _) = self.flow.regions[region].owner else { return true };
        let mut at = Some(context);
        while let Some(id) = at {
            if id == owner {
                return true;
            }
            at = self.flow.contexts[id].caller.map(|(caller, _)| caller);
        }
        false
    }
}
