//! Files that the code looks for, where nobody says which there are: those that it names itself, and one of ours for names that
//! come from elsewhere.

use std::collections::BTreeSet;

use covenant_goals::criteria::branch;
use covenant_program::ir::{Body, CallData, Callee, Const, Def, FuncId, Op, Origin, Program};
use covenant_program::world;

use crate::request::Request;

/// The name of the file that is there for code that is given a name.
const OURS: &str = "file"; // not tuning: what the inputs are
/// Bytes that each may have.
const MOST: u32 = 64; // not tuning: what the inputs are
/// As many that the code names.
const NAMES: usize = 4; // not tuning: what the inputs are

/// The files of a request, with those that the code looks for if it has none.
pub(crate) fn files(request: &Request, program: &Program, start: FuncId) -> Vec<(String, u32)> {
    if !request.files.is_empty() {
        return request.files.clone();
    }
    let mut names = BTreeSet::new();
    let mut others = false;
    for id in branch::reachable(program, start) {
        let function = &program.functions[id];
        let Some(body) = function.body.as_ref().filter(|_| function.origin == Origin::Subject) else { continue };
        for path in paths(program, body, request) {
            match path.filter(|path| is_plain(path)) {
                Some(path) => others |= names.len() == NAMES || !names.insert(path),
                None => others = true,
            }
        }
    }
    let ours = others.then(|| OURS.to_owned());
    names.into_iter().chain(ours).map(|name| (name, MOST)).collect()
}

/// What the calls of a body that look for files are given as names, where these are written in the code.
fn paths(program: &Program, body: &Body, request: &Request) -> Vec<Option<String>> {
    let stubs = request.stubs_by_name();
    let looks = |call: &CallData| match call.callee {
        Callee::Direct(callee) => {
            let callee = &program.functions[callee];
            callee.origin == Origin::Library
                && world::looks_for_files(&callee.name)
                && !stubs.contains_key(&callee.name)
        }
        Callee::Indirect(_) => false,
    };
    let calls = body.insts.values().filter_map(|inst| match &inst.op {
        Op::Call(call) if looks(call) => Some(call),
        _ => None,
    });
    let text = |call: &CallData, at: usize| written(program, &body.values[*call.args.get(at)?].def);
    // What is made anew may have been there before, but no code sees a difference.
    let reads = calls.filter(|call| !text(call, 1).is_some_and(|mode| mode.starts_with('w')));
    reads.map(|call| text(call, 0)).collect()
}

/// The text that a constant points to.
fn written(program: &Program, def: &Def) -> Option<String> {
    let Def::Const(Const::Global(id, offset)) = *def else { return None };
    let global = program.globals.get(id).filter(|global| global.constant)?;
    let bytes = global.init.as_deref()?.get(usize::try_from(offset).ok()?..)?;
    // Zeros at the end of a global are left out.
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8(bytes[..end].to_vec()).ok()
}

/// Whether a path is the name of a file in the folder of a run.
fn is_plain(path: &str) -> bool {
    !path.is_empty() && path != "." && path != ".." && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'/')
}
