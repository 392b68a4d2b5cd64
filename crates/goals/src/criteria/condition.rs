//! Condition coverage: each outcome of each atomic condition. These are the branches without the labels of switches.

use covenant_program::ir::{FuncId, Program};

use crate::criteria::Mappings;
use crate::criteria::branch::{self, Source};
use crate::objective::{Criterion, Objective, Outcome};

pub(crate) fn objectives(
    program: &Program,
    functions: &[FuncId],
    mappings: &Mappings,
    source: Source<'_>,
) -> Vec<Objective> {
    let mut all = branch::objectives(program, functions, mappings, source);
    all.retain(|o| matches!(o.outcome, Outcome::True | Outcome::False));
    all.iter_mut().for_each(|o| o.criterion = Criterion::Condition);
    all
}
