//! What is volatile, and who changes it.

use covenant_concolic::symbolic::Volatile;
use covenant_goals::criteria::branch;
use covenant_program::ir::{FuncId, GlobalId, Op, Origin, Program};
use covenant_report::subject::{Linkage, SubjectInfo};

use crate::request::{Others, Request};

/// What others may change in runs: what tests can name, and so change.
pub(crate) fn of(
    program: &Program,
    start: FuncId,
    state: &[GlobalId],
    info: &SubjectInfo,
    request: &Request,
) -> Volatile {
    if request.volatile == Others::Never || info.is_main || !is_read(program, start) {
        return Volatile::default();
    }
    let can_name = |id: &GlobalId| {
        let global = &program.globals[*id];
        let name = global.source_name.as_ref().unwrap_or(&global.name);
        let mut declared = info.globals.iter().chain(&info.state).filter(|declared| declared.name == *name);
        let reaches = |linkage| matches!(linkage, Linkage::External | Linkage::Internal);
        declared.any(|declared| info.in_entry_file(declared.file) && reaches(declared.linkage))
    };
    let is_volatile = |id: &GlobalId| program.globals[*id].ty.is_some_and(|ty| program.types.has_volatile(ty));
    let globals = state.iter().copied().filter(|id| is_volatile(id) && can_name(id)).collect();
    Volatile { globals, objects: true }
}

fn is_read(program: &Program, start: FuncId) -> bool {
    let functions = branch::reachable(program, start).into_iter().map(|id| &program.functions[id]);
    let own = functions.filter(|f| f.origin == Origin::Subject).filter_map(|f| f.body.as_ref());
    own.flat_map(|body| body.insts.values()).any(|inst| matches!(inst.op, Op::Load { volatile: true, .. }))
}

/// What runs assume of it, in words.
pub(crate) fn assumption(program: &Program, start: FuncId, volatile: &Volatile, request: &Request) -> Option<String> {
    let words = "change only when the program writes to them";
    if !is_read(program, start) {
        return None;
    }
    Some(match (volatile.objects, request.devices.is_empty()) {
        (true, _) => format!(
            "each read of a volatile variable, or of what is volatile behind a pointer among the inputs, gives any value; other \
             volatile objects {words}"
        ),
        (false, true) => format!("volatile objects {words}"),
        (false, false) => format!("other volatile objects {words}"),
    })
}
