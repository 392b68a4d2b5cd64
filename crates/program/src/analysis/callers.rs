//! Who calls a function: for one that only its own file can name, that is known.

use std::collections::BTreeSet;

use super::call_graph::Names;
use crate::ir::{FuncId, Origin, Program};

/// Who may call a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Callers {
    /// Whoever comes to it does so by a call of one of these, in the order of their numbers; anybody may call them. None: nobody
    /// comes to it.
    Known(Vec<FuncId>),
    /// Somebody else may call it, too.
    Unknown(Open),
}

/// Why code that is not there may call a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Open {
    /// It is not static.
    External,
    /// Something else is done with it than to call it by name: its address is taken, for example.
    Address,
}

/// Who may call the function. Calls from functions that nobody comes to are none.
pub fn callers(program: &Program, function: FuncId) -> Callers {
    if let Some(open) = open(program, function) {
        return Callers::Unknown(open);
    }
    let calls = calls(program);
    let (mut seen, mut work, mut found) = (BTreeSet::from([function]), vec![function], BTreeSet::new());
    while let Some(callee) = work.pop() {
        for &(caller, _) in calls.iter().filter(|(_, to)| *to == callee) {
            if open(program, caller).is_some() {
                found.insert(caller);
            } else if seen.insert(caller) {
                work.push(caller);
            }
        }
    }
    Callers::Known(found.into_iter().collect())
}

/// Functions of the subject that nobody outside of the program's own code can call: no pointer from outside means one of them.
pub fn hidden(program: &Program) -> Vec<FuncId> {
    let is_hidden = |id: &FuncId| {
        let function = &program.functions[*id];
        function.origin == Origin::Subject && function.body.is_some() && open(program, *id).is_none()
    };
    program.functions.keys().filter(is_hidden).collect()
}

/// Callers and whom they call by name. A call that does not fit, or cannot be lowered, leaves the callee's address in the code.
fn calls(program: &Program) -> Vec<(FuncId, FuncId)> {
    let mut calls = Vec::new();
    for (id, function) in program.functions.iter() {
        let Some(body) = &function.body else { continue };
        let names = Names::of(body);
        calls.extend(names.calls.into_iter().chain(names.addresses).map(|callee| (id, callee)));
    }
    calls
}

fn open(program: &Program, id: FuncId) -> Option<Open> {
    let source = &program.functions[id].source;
    match () {
        () if !source.internal => Some(Open::External),
        () if source.used_otherwise => Some(Open::Address),
        () => None,
    }
}
