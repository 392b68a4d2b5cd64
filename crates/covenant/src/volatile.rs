//! What is volatile, and who changes it.

use covenant_concolic::symbolic::Volatile;
use covenant_goals::criteria::branch;
use covenant_program::ir::{FuncId, GlobalId, Op, Origin, Program};
use covenant_report::subject::SubjectInfo;

use crate::outside;
use crate::request::{Others, Request};

/// What others may change in runs, which is what tests can name, and so change; and what runs assume of it, in words.
pub(crate) fn of(
    program: &Program,
    start: FuncId,
    state: &[GlobalId],
    info: &SubjectInfo,
    request: &Request,
) -> (Volatile, Option<String>) {
    if !is_read(program, start) {
        return (Volatile::default(), None);
    }
    let words = "change only when the program writes to them";
    if request.volatile == Others::Never || info.is_main {
        let others = if request.devices.is_empty() { "" } else { "other " };
        return (Volatile::default(), Some(format!("{others}volatile objects {words}")));
    }
    let can_name = |id: &GlobalId| outside::declared_as(program, *id, info).is_some_and(|global| info.can_name(global));
    let is_volatile = |id: &GlobalId| program.globals[*id].ty.is_some_and(|ty| program.types.has_volatile(ty));
    let globals = state.iter().copied().filter(|id| is_volatile(id) && can_name(id)).collect();
    let assumption = format!(
        "each read of a volatile variable, or of what is volatile behind a pointer among the inputs, gives any value; other \
         volatile objects {words}"
    );
    (Volatile { globals, objects: true }, Some(assumption))
}

fn is_read(program: &Program, start: FuncId) -> bool {
    let functions = branch::reachable(program, start).into_iter().map(|id| &program.functions[id]);
    let own = functions.filter(|f| f.origin == Origin::Subject).filter_map(|f| f.body.as_ref());
    own.flat_map(|body| body.insts.values()).any(|inst| matches!(inst.op, Op::Load { volatile: true, .. }))
}
