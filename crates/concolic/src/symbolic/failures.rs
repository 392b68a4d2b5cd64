//! Calls of the C library that may fail at any time: whether one does is an input of the run.
//!
//! Only calls by the program itself count, from where the function under test begins: natively no others can be made to fail. So
//! a test names a failure by the function and the number of its call.

use std::collections::HashMap;

use covenant_interpreter::shadow::Shadowed;
use covenant_program::ir::{FuncId, Type};
use covenant_program::world::may_fail;

use super::{Recorded, Symbolic};
use crate::meaning::pure::Term;

/// What was called so far.
#[derive(Debug, Default)]
pub(super) struct Failing {
    /// The function under test, before it is entered.
    waits_for: Option<u32>,
    has_begun: bool,
    /// By function: its calls by the program, and the last one that was asked about.
    calls: HashMap<u32, (u32, u32)>,
}

impl Symbolic<'_> {
    /// Calls count from where this function is entered.
    pub fn count_failures_from(&mut self, function: FuncId) {
        self.failing.waits_for = Some(function.as_u32());
    }

    /// A function is entered.
    pub(super) fn begin_failures(&mut self, function: u32) {
        if self.failing.waits_for == Some(function) {
            self.failing.has_begun = true;
        }
    }

    /// The program calls a function of the library; whether that may fail, which is then an input.
    pub(super) fn count_failing(&mut self, function: u32) -> bool {
        let name = &self.image.program().functions[FuncId::from_u32(function)].name;
        let may_fail = self.failing.has_begun && may_fail(name, self.cx.options.failures);
        if may_fail {
            self.failing.calls.entry(function).or_default().0 += 1;
        }
        may_fail
    }

    /// Whether the function under test has begun.
    pub(super) fn has_begun(&self) -> bool {
        self.failing.has_begun
    }

    /// Whether the call fails that the program is in. It is asked once of each call.
    pub(super) fn failure(&mut self, function: u32) -> Shadowed<Term> {
        let never = Shadowed { bits: 0, ty: Type::BOOL, term: None };
        let Some((call, asked)) = self.failing.calls.get_mut(&function).filter(|_| !self.muted) else { return never };
        if call == asked {
            return never;
        }
        *asked = *call;
        let call = *call;
        let function = self.image.program().functions[FuncId::from_u32(function)].name.clone();
        let failure = covenant_goals::test_case::Failure { function, call };
        let value = self.free_value(&failure.to_string(), Type::BOOL);
        if value.bits != 0 {
            self.recorded.push(Recorded::Failure { function: failure.function, call });
        }
        value
    }
}
