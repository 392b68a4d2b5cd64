//! What the code under test calls of the world outside.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use covenant_goals::criteria::branch;
use covenant_program::ir::{Callee, Const, Def, FuncId, Loc, Op, Origin, Program, Symbol};
use covenant_program::world;
pub(crate) use covenant_program::world::missing;

use crate::request::Request;

/// Functions that are the library's for programs that are merely run, and whose native results are other ones.
pub(crate) fn leave_out_missing(program: &mut Program) {
    let called: Vec<FuncId> = {
        let names = called(program, program.functions.keys());
        let is_called = |id: &FuncId| names.contains(&program.functions[*id].name.as_str());
        program.functions.keys().filter(is_called).collect()
    };
    for id in called {
        let function = &mut program.functions[id];
        if function.origin == Origin::Library && !function.source.internal && missing(&function.name).is_some() {
            // From now on it is like any function that the subject calls and nobody defines.
            (function.body, function.origin) = (None, Origin::Subject);
        }
    }
}

/// What no run can do, with the place of its first call, as far as calls by name lead.
pub(crate) fn unsupported(program: &Program, start: FuncId, request: &Request) -> Vec<String> {
    let mut found: BTreeMap<String, Loc> = BTreeMap::new();
    for id in branch::reachable(program, start) {
        let function = &program.functions[id];
        let Some(body) = function.body.as_ref().filter(|_| function.origin == Origin::Subject) else { continue };
        for inst in body.insts.values() {
            let what = match &inst.op {
                Op::Unsupported { what } => what.clone(),
                Op::Call(call) => match call.callee {
                    Callee::Direct(callee) => match words(program, callee, request) {
                        Some(words) => words,
                        None => continue,
                    },
                    Callee::Indirect(_) => continue,
                },
                _ => continue,
            };
            found.entry(what).or_insert(inst.loc);
        }
    }
    found.into_iter().map(|(what, at)| format!("{what} ({})", place(program, at))).collect()
}

fn words(program: &Program, callee: FuncId, request: &Request) -> Option<String> {
    let function = &program.functions[callee];
    let kind = missing(&function.name).filter(|_| function.body.is_none() && !request.stub_any(&function.name))?;
    Some(format!("a call of `{}`, which needs {kind}", function.name))
}

fn place(program: &Program, at: Loc) -> String {
    let file = at.file().map_or("?", |file| program.files[file].name.as_str());
    format!("{file}:{}", at.line)
}

/// All functions that these functions of the subject call by name.
fn called(program: &Program, callers: impl Iterator<Item = FuncId>) -> Vec<&str> {
    let subject = callers.map(|id| &program.functions[id]).filter(|f| f.origin == Origin::Subject);
    let insts = subject.filter_map(|f| f.body.as_ref()).flat_map(|body| body.insts.values());
    let mut names: Vec<&str> = insts
        .filter_map(|inst| match &inst.op {
            Op::Call(call) => match call.callee {
                Callee::Direct(callee) => Some(&program.functions[callee]),
                Callee::Indirect(_) => None,
            },
            _ => None,
        })
        // What the subject defines itself is not the C library's.
        .filter(|callee| callee.origin == Origin::Library || callee.body.is_none())
        .map(|callee| callee.name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Functions of the subject, by their names in the source, that call setjmp in one of its spellings.
pub(crate) fn jumping(program: &Program) -> Vec<String> {
    const SPELLINGS: &[&str] = &["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"];
    let subject = program.functions.iter().filter(|(_, f)| f.origin == Origin::Subject);
    let jumps = |id: FuncId| called(program, std::iter::once(id)).iter().any(|name| SPELLINGS.contains(name));
    subject.filter(|(id, _)| jumps(*id)).map(|(_, f)| f.source_name().to_owned()).collect()
}

/// Functions that suites replace, because they give what is Covenant's choice.
pub(crate) fn fixed_names(program: &Program) -> Vec<String> {
    called(program, program.functions.keys())
        .into_iter()
        .filter(|name| world::is_fixed(name))
        .map(str::to_owned)
        .collect()
}

/// Functions of the C library that keep something between calls: what one test leaves there, the next in the same process finds.
const KEEPING: &[&str] = &[
    "atexit",
    "chdir",
    "clearenv",
    "drand48",
    "getopt",
    "getopt_long",
    "getopt_long_only",
    "localtime",
    "localtime_r",
    "lrand48",
    "mktime",
    "mrand48",
    "putenv",
    "rand",
    "random",
    "setenv",
    "setlocale",
    "sigaction",
    "signal",
    "srand",
    "srand48",
    "srandom",
    "strtok",
    "tzset",
    "umask",
    "unsetenv",
];

/// Whether the function under test can call one of these.
pub(crate) fn keeps(program: &Program, start: FuncId) -> bool {
    called(program, branch::reachable(program, start).into_iter()).iter().any(|name| KEEPING.contains(name))
}

/// Functions of the C library that these functions of the subject call or have the address of, or that some table of it has.
fn used(program: &Program, users: impl Iterator<Item = FuncId>) -> BTreeSet<&str> {
    let users: Vec<FuncId> = users.collect();
    let own = users.iter().map(|id| &program.functions[*id]).filter(|f| f.origin == Origin::Subject);
    let used = own.filter_map(|f| f.body.as_ref());
    let pointed = used.flat_map(|body| body.values.values()).filter_map(|value| match value.def {
        Def::Const(Const::Func(id)) => Some(id),
        _ => None,
    });
    let own = program.globals.values().filter(|global| global.origin == Origin::Subject);
    let in_tables = own.flat_map(|global| &global.relocs).filter_map(|reloc| match reloc.symbol {
        Symbol::Func(id) => Some(id),
        _ => None,
    });
    let pointed = pointed.chain(in_tables).map(|id| &program.functions[id]);
    let pointed = pointed.filter(|f| f.origin == Origin::Library).map(|f| f.name.as_str());
    called(program, users.iter().copied()).into_iter().chain(pointed).collect()
}

/// Functions that the code calls or has the address of and that may fail at any call: suites have their own.
pub(crate) fn failing(program: &Program, request: &Request) -> Vec<String> {
    let names = used(program, program.functions.keys());
    let failures = request.failures.known();
    names.into_iter().filter(|name| world::may_fail(name, failures)).map(str::to_owned).collect()
}

/// Functions that make objects on the heap and free them, if the function under test may call one: suites have their own, which
/// count. None where the source has ways around these names.
pub(crate) fn heap<'s>(program: &Program, start: FuncId, sources: impl Iterator<Item = &'s Path>) -> Vec<String> {
    let is_heap = |name: &&str| *name == "free" || world::allocates(name);
    let reachable = branch::reachable(program, start);
    if !used(program, reachable.into_iter()).iter().any(is_heap) {
        return Vec::new();
    }
    let mut texts = sources.filter_map(|path| std::fs::read(path).ok());
    if texts.any(|text| goes_around(&String::from_utf8_lossy(&text))) {
        return Vec::new();
    }
    used(program, program.functions.keys()).into_iter().filter(is_heap).map(str::to_owned).collect()
}

/// Whether a source undoes another name of a function of the heap, or calls it by one that is no name.
fn goes_around(source: &str) -> bool {
    let is_heap = |name: &str| name == "free" || world::allocates(name);
    let built_in = source.split("__builtin_").skip(1).filter_map(word);
    undone(source).chain(built_in).any(|name| is_heap(&name))
}

/// The macros that a source undoes.
fn undone(source: &str) -> impl Iterator<Item = String> {
    source.lines().filter_map(|line| {
        let directive = line.trim_start().strip_prefix('#')?.trim_start();
        word(directive.strip_prefix("undef")?.trim_start())
    })
}

/// The word that a text begins with.
fn word(text: &str) -> Option<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().map(str::to_owned)
}

/// A function that suites would have their own of, by another name, in code that undoes such names: the code calls the C library's
/// whatever a suite does, and would not even compile, since the headers declare the other name.
pub(crate) fn out_of_reach(names: &[String], sources: impl Iterator<Item = PathBuf>) -> Option<&String> {
    let texts = sources.filter_map(|path| std::fs::read(path).ok());
    let undone: BTreeSet<String> =
        texts.flat_map(|text| undone(&String::from_utf8_lossy(&text)).collect::<Vec<_>>()).collect();
    names.iter().find(|name| undone.contains(*name))
}

/// Functions of the C library that a source calls by names of its own, which no macro reaches: `pid_t split(void) __asm__("fork")`.
pub(crate) fn labelled<'s>(program: &Program, sources: impl Iterator<Item = &'s Path>) -> Vec<String> {
    let texts = sources.filter_map(|path| std::fs::read(path).ok());
    let labels: BTreeSet<String> = texts.flat_map(|text| labels(&String::from_utf8_lossy(&text))).collect();
    if labels.is_empty() {
        return Vec::new();
    }
    used(program, program.functions.keys())
        .into_iter()
        .filter(|name| labels.contains(*name))
        .map(str::to_owned)
        .collect()
}

/// What stands in a source as the linker's name of something.
fn labels(source: &str) -> Vec<String> {
    let after = source.split("asm").skip(1).map(|rest| rest.trim_start_matches('_').trim_start());
    let texts = after.filter_map(|rest| rest.strip_prefix('(')?.trim_start().strip_prefix('"'));
    texts.filter_map(word).collect()
}

/// Those that can be called, for people.
pub(crate) fn fixed(program: &Program, start: FuncId) -> Option<String> {
    let mut names = called(program, branch::reachable(program, start).into_iter());
    names.retain(|name| world::is_fixed(name));
    (!names.is_empty())
        .then(|| format!("{}: values of covenant's choice, which suites and replay give too", names.join(", ")))
}

/// Functions with assembly of another machine that can be called, for people.
pub(crate) fn assembly(program: &Program, start: FuncId) -> Option<String> {
    let has_some = |id: &FuncId| called(program, std::iter::once(*id)).into_iter().any(world::is_assembly);
    let reachable = branch::reachable(program, start).into_iter().filter(has_some);
    let names: Vec<&str> = reachable.map(|id| program.functions[id].source_name()).collect();
    (!names.is_empty()).then(|| {
        format!("assembly in {} is taken for an unknown function: it gives what a test says", names.join(", "))
    })
}

/// What whoever runs a suite should know of.
pub(crate) fn effects(program: &Program, start: FuncId) -> Vec<String> {
    called(program, branch::reachable(program, start).into_iter())
        .into_iter()
        .filter(|name| world::has_effects(name))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_around_the_heap_are_seen() {
        assert!(goes_around("#  undef free\n") && goes_around("p = __builtin_malloc(3);"));
        assert!(!goes_around("#undef freedom\nfree(p); __builtin_memcpy(p, q, 1);"));
    }

    #[test]
    fn labels_are_the_linkers_names() {
        let source = "pid_t a(void) __asm__(\"fork\"); int b(int) asm (\"wait\"); int basm(char *s); char *c = \"x\";";
        assert_eq!(labels(source), ["fork", "wait"]);
    }

    #[test]
    fn names_that_code_undoes_are_out_of_reach() {
        let folder = tempfile::tempdir().unwrap();
        let (plain, odd) = (folder.path().join("plain.c"), folder.path().join("odd.c"));
        std::fs::write(&plain, "#undef mallocs\nvoid *p = malloc(3);").unwrap();
        std::fs::write(&odd, " # undef malloc /* ours */\n").unwrap();
        let names = ["calloc".to_owned(), "malloc".to_owned()];
        assert_eq!(out_of_reach(&names, [plain.clone()].into_iter()), None);
        assert_eq!(out_of_reach(&names, [plain, odd].into_iter()), Some(&names[1]));
    }
}
