//! Variables that the code refers to and no file defines: somebody else does, with any value.

use std::collections::BTreeSet;

use covenant_goals::criteria::branch;
use covenant_program::ir::{Const, Def, FuncId, Global, GlobalId, Origin, Program};
use covenant_report::subject::{Declared, Linkage, StubKind, SubjectInfo};

/// Variables of C libraries that ours does not have: no test defines them a second time.
const SYSTEMS: &[&str] = &[
    "timezone",
    "daylight",
    "tzname",
    "__timezone",
    "__daylight",
    "__tzname",
    "signgam",
    "environ",
    "__environ",
    "program_invocation_name",
    "program_invocation_short_name",
    "optarg",
    "optind",
    "opterr",
    "optopt",
    "stdin",
    "stdout",
    "stderr",
    "sys_nerr",
    "in6addr_any",
    "in6addr_loopback",
    "h_errno",
    "getdate_err",
    "loc1",
    "loc2",
    "locs",
    "rpc_createerr",
    "__progname",
    "__progname_full",
];

/// Whether nothing defines a variable of the code under test.
pub(crate) fn is_undefined(global: &Global) -> bool {
    let is_own = !global.name.starts_with("__covenant") && !global.name.starts_with("llvm.");
    global.origin == Origin::Subject && global.init.is_none() && is_own
}

/// Those that a function uses, or one that it calls, and that tests can define and set: of a known size, and not constant.
/// `visible`: what the entry's file can name, if there are several.
pub(crate) fn variables(program: &Program, start: FuncId, visible: &BTreeSet<String>) -> Vec<String> {
    let used = used(program, start).into_iter().map(|id| &program.globals[id]);
    let settable = used.filter(|global| {
        is_undefined(global) && !global.is_unsized() && !global.constant && !SYSTEMS.contains(&global.name.as_str())
    });
    let named = settable.filter(|global| visible.is_empty() || visible.contains(&global.name));
    named.map(|global| global.name.clone()).collect()
}

/// Defines those of them that can be: one may be declared where the end of the file does not see it. The code under test declares
/// them, so that the compiler knows their types.
pub(crate) fn define<U>(
    variables: Vec<String>,
    compile: &dyn Fn(&str) -> Option<(U, String)>,
) -> Option<(U, Vec<String>, String)> {
    let text = |names: &[String]| names.iter().map(|name| format!("__typeof__({name}) {name};\n")).collect::<String>();
    if variables.is_empty() {
        return None;
    }
    if let Some((unit, all)) = compile(&text(&variables)) {
        return Some((unit, variables, all));
    }
    let alone = variables.into_iter().filter(|name| compile(&text(std::slice::from_ref(name))).is_some());
    let defined: Vec<String> = alone.collect();
    let (unit, all) = compile(&text(&defined)).filter(|_| !defined.is_empty())?;
    Some((unit, defined, all))
}

/// What runs assume of them, in words.
pub(crate) fn assumption(variables: &[String]) -> Option<String> {
    match variables {
        [] => None,
        [one] => Some(format!("{one}, a variable that no file defines, has any value")),
        many => Some(format!("{}, variables that no file defines, have any value", many.join(", "))),
    }
}

/// All that suites define: these by their names, and others, which nobody sets, for the linker only.
pub(crate) fn declared(program: &Program, variables: &[String]) -> Vec<Declared> {
    let is_set = |global: &Global| variables.contains(&global.name);
    let is_here = |global: &&Global| is_undefined(global) && !SYSTEMS.contains(&global.name.as_str());
    let all = program.globals.values().filter(|global| is_set(global) || is_here(global));
    let linkage = |global: &Global| match () {
        () if global.thread_local => Linkage::Thread,
        () if is_set(global) => Linkage::External,
        () => Linkage::Local,
    };
    all.map(|global| Declared {
        name: global.name.clone(),
        size: global.size,
        linkage: linkage(global),
        ..Declared::default()
    })
    .collect()
}

/// Variables that functions which nothing defines can name, where the user says that some write them.
pub(crate) fn offered(program: &Program, state: &[GlobalId], info: &SubjectInfo) -> Vec<(GlobalId, String)> {
    if info.stubs.iter().all(|stub| stub.kind != StubKind::Globals) {
        return Vec::new();
    }
    let named = |id: &GlobalId| {
        let declared = declared_as(program, *id, info)?;
        let global = &program.globals[*id];
        let fits = !global.internal && global.size > 0 && declared.linkage == Linkage::External;
        (fits && info.can_name(declared)).then(|| (*id, declared.name.clone()))
    };
    state.iter().filter_map(named).collect()
}

/// How suites declare a variable of the code.
pub(crate) fn declared_as<'i>(program: &Program, id: GlobalId, info: &'i SubjectInfo) -> Option<&'i Declared> {
    let global = &program.globals[id];
    let name = global.source_name.as_ref().unwrap_or(&global.name);
    info.globals.iter().chain(&info.state).find(|declared| declared.name == *name)
}

/// The variables that a function uses, or one that it calls.
pub(crate) fn used(program: &Program, start: FuncId) -> BTreeSet<GlobalId> {
    let bodies = branch::reachable(program, start).into_iter().filter_map(|id| program.functions[id].body.as_ref());
    let values = bodies.flat_map(|body| body.values.values());
    let globals = values.filter_map(|value| match value.def {
        Def::Const(Const::Global(global, _)) => Some(global),
        _ => None,
    });
    globals.collect()
}
