//! New objects: locals and what is allocated.

use covenant_constraints::Sort;
use covenant_program::ir::{Inst, Type, Value};

use super::build::{Builder, Here, Val};
use super::memory::FIRST_ADDRESS;
use super::regions::Key;
use super::{ContextId, Fresh, Owner, RegionId};

impl Builder<'_> {
    pub(super) fn alloca(&mut self, here: &mut Here, context: ContextId, inst: Inst, size: Value) {
        let function = self.flow.contexts[context].function;
        let Some(&result) = self.body(function).insts[inst].results.first() else { return };
        let size = self.value(context, size);
        let size = self.size(size);
        let key = Key::Local(function, result);
        let region = size.and_then(|size| self.region(Owner::Local(context, result), key, size));
        match region {
            Some(region) => {
                self.make_blank(here, region);
                let offset = self.terms.bv(0, 64);
                self.bind(context, result, Val::Pointer { region, offset, align: 16 });
            }
            None => {
                let address = self.fresh_address(here, context, result, size);
                self.bind(context, result, address);
            }
        }
    }

    /// The object is a new one.
    fn make_blank(&mut self, here: &mut Here, region: RegionId) {
        self.forget(here, region);
        let whole = if self.is_bytes(region) { vec![self.bytes_variable(region)] } else { Vec::new() };
        let parts = self.cells(region).into_iter().map(|(_, _, var)| var);
        for var in whole.into_iter().chain(parts) {
            let any = here.memory.get(&var).and_then(|&any| self.terms.as_var(any));
            self.flow.fresh.extend(any.map(|any| (any, Fresh::Blank)));
        }
    }

    /// What an allocation gives: the address of a new object, or null.
    pub(super) fn allocated(&mut self, here: &mut Here, context: ContextId, result: Value, size: Option<u64>) -> Val {
        let address = self.choice(Sort::Bv(64));
        self.flow.fresh.extend(self.terms.as_var(address).map(|any| (any, Fresh::Address(size))));
        let value = self.capture(here, context, result, Type::Ptr, address);
        if let Val::Term(term) = value {
            let (null, first) = (self.terms.bv(0, 64), self.terms.bv(FIRST_ADDRESS, 64));
            let (fails, is_object) = (self.terms.eq(term, null), self.terms.uge(term, first));
            let either = self.terms.or(fails, is_object);
            here.guard.push(either);
        }
        value
    }

    /// The address of a new object that others may know.
    pub(super) fn fresh_address(
        &mut self,
        here: &mut Here,
        context: ContextId,
        result: Value,
        size: Option<u64>,
    ) -> Val {
        let address = self.choice(Sort::Bv(64));
        self.flow.fresh.extend(self.terms.as_var(address).map(|any| (any, Fresh::Address(size))));
        let first = self.terms.bv(FIRST_ADDRESS, 64);
        let value = self.capture(here, context, result, Type::Ptr, address);
        if let Val::Term(term) = value {
            let is_object = self.terms.uge(term, first);
            here.guard.push(is_object);
        }
        value
    }
}
