//! Files that the code looks for, where nobody says which there are: those that it names itself, and one of ours for names that
//! come from elsewhere.

use std::collections::{BTreeSet, HashSet};

use covenant_goals::criteria::branch;
use covenant_program::analysis::call_graph;
use covenant_program::ir::{
    Block, Body, CallData, Callee, Const, Def, FuncId, GlobalId, Op, Origin, Program, Symbol, Value,
};
use covenant_program::world;

use crate::request::Request;

/// The name of the file that is there for code that is given a name.
const OURS: &str = "file"; // not tuning: what the inputs are
/// Bytes that each may have.
const MOST: u32 = 64; // not tuning: what the inputs are
/// As many that the code names.
const NAMES: usize = 4; // not tuning: what the inputs are

/// The name of the directory that is there for code that is given a name.
const OUR_DIRECTORY: &str = "dir"; // not tuning: what the inputs are
/// Things that each may have in it, where the code looks into one.
const INSIDE: u32 = 3; // not tuning: what the inputs are

/// Files with their most bytes, and directories with how much may be in them.
pub(crate) type Found = (Vec<(String, u32)>, Vec<(String, u32)>);

/// The files and directories of a request, with those that the code looks for if it has none.
pub(crate) fn files(request: &Request, program: &Program, start: FuncId) -> Found {
    if !request.names_no_files() {
        return (request.files.clone(), request.dirs.clone());
    }
    let files = names(request, program, start, &|name| !LOOKS_INTO.contains(&name));
    let looked_at = names(request, program, start, &|name| LOOKS_INTO.contains(&name) || LOOKS_AT.contains(&name));
    let looks_into = calls_any(program, start, LOOKS_INTO);
    let inside = if looks_into { INSIDE } else { 0 };
    let named = |found: Texts, ours: &str, most: u32| -> Vec<(String, u32)> {
        let ours = (found.others || found.texts.len() > NAMES).then(|| ours.to_owned());
        found.texts.into_iter().take(NAMES).chain(ours).map(|name| (name, most)).collect()
    };
    let plain =
        |found: Texts| Texts { texts: found.texts.into_iter().filter(|text| is_plain(text)).collect(), ..found };
    (named(plain(files), OURS, MOST), named(looked_at, OUR_DIRECTORY, inside))
}

/// Functions that look into a directory, and those that tell one from a file.
const LOOKS_INTO: &[&str] = &["opendir", "scandir"];
const LOOKS_AT: &[&str] = &["stat", "stat64", "lstat", "lstat64"];

fn calls_any(program: &Program, start: FuncId, names: &[&str]) -> bool {
    let reached = branch::reachable(program, start);
    let bodies = reached.iter().filter_map(|id| program.functions[*id].body.as_ref());
    bodies.flat_map(calls).any(|call| names.contains(&called(program, call)))
}

#[derive(Debug)]
struct Texts {
    texts: BTreeSet<String>,
    others: bool,
}

/// The names that the code has for what it gives to some functions.
fn names(request: &Request, program: &Program, start: FuncId, wanted: &dyn Fn(&str) -> bool) -> Texts {
    let all = call_graph::named_from(program, start);
    let stubs = request.stubs_by_name();
    let mut names = Names { program, all: &all, texts: BTreeSet::new(), others: false, seen: HashSet::default() };
    for id in branch::reachable(program, start) {
        let Some(body) = &program.functions[id].body else { continue };
        let own = calls(body).filter(|call| wanted(called(program, call)));
        for call in own.filter(|call| looks(program, call) && !stubs.contains_key(called(program, call))) {
            // What is made anew may have been there before, but no code sees a difference.
            let mode = call.args.get(1).and_then(|mode| written(program, &body.values[*mode].def));
            if let Some(&path) = call.args.first().filter(|_| !mode.is_some_and(|mode| mode.starts_with('w'))) {
                names.follow(id, path);
            }
        }
    }
    Texts { texts: names.texts, others: names.others }
}

fn calls(body: &Body) -> impl Iterator<Item = &CallData> {
    body.insts.values().filter_map(|inst| match &inst.op {
        Op::Call(call) => Some(&**call),
        _ => None,
    })
}

/// The name of a function that is called by its name.
fn called<'p>(program: &'p Program, call: &CallData) -> &'p str {
    match call.callee {
        Callee::Direct(callee) => &program.functions[callee].name,
        Callee::Indirect(_) => "",
    }
}

/// Whether it is a function of the C library that looks for a file.
fn looks(program: &Program, call: &CallData) -> bool {
    let Callee::Direct(callee) = call.callee else { return false };
    let callee = &program.functions[callee];
    callee.origin == Origin::Library && world::looks_for_files(&callee.name)
}

/// Names that reach the calls which look for files, as far as they are written in the code: on their way through parameters,
/// through choices, and out of variables that start with them. It is a guess at what is worth trying, no more.
struct Names<'p> {
    program: &'p Program,
    all: &'p [FuncId],
    texts: BTreeSet<String>,
    /// Whether some come from elsewhere.
    others: bool,
    seen: HashSet<(FuncId, Value)>,
}

impl Names<'_> {
    fn follow(&mut self, function: FuncId, value: Value) {
        let mut work = vec![(function, value)];
        while let Some((function, value)) = work.pop() {
            if !self.seen.insert((function, value)) {
                continue;
            }
            let Some(body) = &self.program.functions[function].body else { continue };
            match &body.values[value].def {
                Def::Param { block, index } if *block == Block::ENTRY => {
                    self.take_arguments(function, *index, &mut work)
                }
                Def::Param { block, index } => {
                    let edges = body.blocks.values().flat_map(|data| data.term.edges());
                    let given = edges.filter(|edge| edge.block == *block).filter_map(|e| e.args.get(*index as usize));
                    work.extend(given.map(|given| (function, *given)));
                }
                Def::Result { inst, .. } => match &body.insts[*inst].op {
                    Op::Select { args, .. } => work.extend(args.map(|arg| (function, arg))),
                    Op::Load { ptr, .. } => {
                        let text = initial(self.program, &body.values[*ptr].def);
                        // A variable may be set to something else.
                        self.others |= !matches!(&text, Some((_, true)));
                        self.take(text.map(|(text, _)| text));
                    }
                    _ => self.others = true,
                },
                Def::Const(Const::Bits(_)) => {}
                def => self.take(written(self.program, def)),
            }
        }
    }

    /// What the function is called with.
    fn take_arguments(&mut self, function: FuncId, index: u32, work: &mut Vec<(FuncId, Value)>) {
        let mut is_called = false;
        for &caller in self.all {
            let Some(body) = &self.program.functions[caller].body else { continue };
            for call in calls(body).filter(|call| matches!(call.callee, Callee::Direct(callee) if callee == function)) {
                is_called = true;
                work.extend(call.args.get(index as usize).map(|arg| (caller, *arg)));
            }
        }
        self.others |= !is_called;
    }

    fn take(&mut self, text: Option<String>) {
        match text.filter(|text| is_plain(text) || text == HERE) {
            Some(text) => _ = self.texts.insert(text),
            None => self.others = true,
        }
    }
}

/// The text that a constant points to.
fn written(program: &Program, def: &Def) -> Option<String> {
    let Def::Const(Const::Global(id, offset)) = *def else { return None };
    text_at(program, id, offset)
}

fn text_at(program: &Program, id: GlobalId, offset: i64) -> Option<String> {
    let global = program.globals.get(id).filter(|global| global.constant)?;
    let bytes = global.init.as_deref()?.get(usize::try_from(offset).ok()?..)?;
    // Zeros at the end of a global are left out.
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8(bytes[..end].to_vec()).ok()
}

/// The text that a variable points to at first, and whether it always does.
fn initial(program: &Program, place: &Def) -> Option<(String, bool)> {
    let Def::Const(Const::Global(id, offset)) = *place else { return None };
    let global = program.globals.get(id)?;
    let reloc =
        global.relocs.iter().find(|reloc| i64::try_from(reloc.offset) == Ok(offset) && reloc.minus.is_none())?;
    let Symbol::Global(text) = reloc.symbol else { return None };
    Some((text_at(program, text, reloc.addend)?, global.constant))
}

/// The directory that a run starts in.
const HERE: &str = ".";

/// Whether a path is the name of a file in the folder of a run.
fn is_plain(path: &str) -> bool {
    !path.is_empty() && path != "." && path != ".." && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'/')
}
