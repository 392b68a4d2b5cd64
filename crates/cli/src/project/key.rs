//! The key of a function's results: a digest of all that they depend on. While it stays the same, they are right.
//!
//! These are: the sources of covenant, the options, and of all that the code leads to the intermediate representation,
//! the initial values, the types, the flags and the lines of the source. Names stand for numbers, so that what is added
//! elsewhere in a file changes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use covenant_interpreter::library::library;
use covenant_program::ir::{FileId, FuncId, Function, Global, GlobalId, Program, Symbol, Target};
use covenant_program::types::{CType, TypeId};
use covenant_report::root::marked;
use covenant_report::subject::sha256;

use super::catalogue::{Catalogue, Entry};
use super::reach::Reach;
use crate::args::GenArgs;

/// The names in C expressions of the options.
pub(super) fn names(args: &GenArgs) -> BTreeSet<String> {
    let lengths = args.length.iter().map(|(_, expression)| expression);
    let texts = args.assume.iter().chain(lengths).chain(&args.precondition).chain(&args.expect);
    texts.flat_map(|text| identifiers(text)).map(str::to_owned).collect()
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// A digest of everything in the first line; below it, one line for each part, by which a later run knows what has changed.
/// Places below the project's root are named from there, so that the key is the same wherever the project is.
pub(super) fn key(
    (build, words): (&str, &[String]),
    (catalogue, root): (&Catalogue, &Path),
    entry: &Entry,
    reach: &Reach,
    names: &BTreeSet<String>,
) -> String {
    let mut parts: Vec<(String, String)> = Vec::new();
    parts.push((
        "covenant itself".to_owned(),
        format!("covenant {build}\n{}\n{}\n", sha256(library(Target::default())), entry.name),
    ));
    parts.push(("options".to_owned(), words.iter().map(|word| format!("{word:?}\n")).collect()));
    for &index in &reach.modules {
        let module = &catalogue.modules[index];
        let text = format!("{}\n{:?}\n", module.unit.file.display(), module.unit.flags);
        let name = super::catalogue::shown(&module.file);
        parts.push((format!("the types or flags of {name}"), text + &types(catalogue, reach, index)));
    }
    for &(module, id) in &reach.functions {
        let program = &catalogue.modules[module].program;
        let function = &program.functions[id];
        let mut text = named(&function.to_string(), program);
        let _ = writeln!(text, "{} {:?}", spelled(program, function.source.ty), function.source.param_names);
        text.push_str(&lines(program, function));
        parts.push((format!("function {}", function.source_name()), text));
    }
    for &(module, id) in &reach.globals {
        let program = &catalogue.modules[module].program;
        let mut text = String::new();
        describe(&mut text, program, id);
        let name = program.globals[id].source_name.as_ref().map_or("a literal".to_owned(), |n| format!("variable {n}"));
        parts.push((name, text));
    }
    let mut text = String::new();
    meanings(&mut text, catalogue, entry, reach, names);
    parts.push(("what options name".to_owned(), text));
    for (name, text) in &mut parts {
        (*name, *text) = (marked(name, root), marked(text, root));
    }
    let all: String = parts.iter().flat_map(|(name, text)| [name.as_str(), "\n", text, "\n"]).collect();
    let mut key = sha256(all.as_bytes()) + "\n";
    for (name, text) in &parts {
        let _ = writeln!(key, "{} {name}", &sha256(text.as_bytes())[..16]);
    }
    key
}

/// What differs between two keys of a function, for people: the first few parts.
pub(super) fn changes(before: &str, now: &str) -> String {
    const MOST: usize = 3; // not tuning: how much is told
    let parts = |key: &str| -> BTreeSet<String> { key.lines().skip(1).map(str::to_owned).collect() };
    let (before, now) = (parts(before), parts(now));
    let name = |line: &String| line.split_once(' ').map(|(_, name)| name.to_owned()).unwrap_or_default();
    let names: BTreeSet<String> = before.symmetric_difference(&now).map(name).collect();
    if names.contains("covenant itself") {
        return "covenant itself".to_owned();
    }
    let mut told: Vec<String> = names.iter().take(MOST).cloned().collect();
    if names.len() > MOST {
        told.push(format!("{} more", names.len() - MOST));
    }
    told.join(", ")
}

fn spelled(program: &Program, ty: Option<TypeId>) -> String {
    ty.map(|ty| program.types.spell(ty, "")).unwrap_or_default()
}

/// The types that the code of a module knows, which decide what the inputs are. They are numbered as they are met.
fn types(catalogue: &Catalogue, reach: &Reach, module: usize) -> String {
    let program = &catalogue.modules[module].program;
    let all = &program.types;
    let mut order: Vec<TypeId> = Vec::new();
    for (_, id) in reach.functions.iter().filter(|(m, _)| *m == module) {
        let function = &program.functions[*id];
        order.extend(function.source.ty);
        order.extend(function.body.iter().flat_map(|body| body.variables.values()).filter_map(|variable| variable.ty));
    }
    order.extend(reach.globals.iter().filter(|(m, _)| *m == module).filter_map(|(_, id)| program.globals[*id].ty));
    // A struct that is only declared here is defined by whoever has its tag.
    let declared = |ty: &CType| match ty {
        CType::Struct(record) | CType::Union(record) if !record.complete => record.tag.clone(),
        _ => None,
    };
    let modules = reach.modules.iter().map(|&m| &catalogue.modules[m].program.types);
    let tags: BTreeSet<String> = modules.flat_map(|types| types.iter()).filter_map(|(_, ty)| declared(ty)).collect();
    let is_tagged = |ty: &CType| match ty {
        CType::Struct(record) | CType::Union(record) => record.tag.as_ref().is_some_and(|tag| tags.contains(tag)),
        _ => false,
    };
    order.extend(all.iter().filter(|(_, ty)| is_tagged(ty) || reach.indirect).map(|(id, _)| id));
    let mut numbers: BTreeMap<TypeId, usize> = BTreeMap::new();
    let (mut text, mut next) = (String::new(), 0);
    while let Some(&id) = order.get(next) {
        next += 1;
        let number = numbers.len();
        if numbers.contains_key(&id) {
            continue;
        }
        numbers.insert(id, number);
        let written = format!("{:?}", all[id]);
        let _ = writeln!(text, "{number} {}", replaced(&written, |word| type_name(word).map(|_| "type".to_owned())));
        // What it refers to comes right behind, in the same order as there.
        let mut inner = Vec::new();
        replaced(&written, |word| {
            inner.extend(type_name(word));
            None
        });
        let known = inner.iter().map(|id| numbers.get(id).map_or("new".to_owned(), usize::to_string));
        let _ = writeln!(text, "{}", known.collect::<Vec<_>>().join(" "));
        order.splice(next..next, inner);
    }
    // Both are told of in every report.
    let unions = all.iter().any(|(_, ty)| matches!(ty, CType::Union(_)));
    let _ = writeln!(text, "{unions} {:?}", program.types.bit_fields());
    text
}

fn type_name(word: &str) -> Option<TypeId> {
    word.strip_prefix("ty")?.parse().ok().map(TypeId::from_u32)
}

fn describe(text: &mut String, program: &Program, id: GlobalId) {
    let global = &program.globals[id];
    let _ = writeln!(
        text,
        "{} {} {} {} {:?} {}",
        name_of(global),
        global.size,
        global.align,
        global.constant,
        global.init,
        spelled(program, global.ty)
    );
    for reloc in &global.relocs {
        let minus = reloc.minus.map(|symbol| symbol_name(program, symbol));
        let symbol = symbol_name(program, reloc.symbol);
        let _ = writeln!(text, "{} {} {symbol} {minus:?} {}", reloc.offset, reloc.size, reloc.addend);
    }
}

fn symbol_name(program: &Program, symbol: Symbol) -> String {
    match symbol {
        Symbol::Global(id) => name_of(&program.globals[id]),
        Symbol::Func(id) => program.functions[id].name.clone(),
        Symbol::Label(id, block) => format!("{}.{block}", program.functions[id].name),
    }
}

/// Literals are numbered through the file: their content is a better name.
fn name_of(global: &Global) -> String {
    match &global.source_name {
        Some(_) => global.name.clone(),
        None => format!("{:?}", global.init),
    }
}

/// The text of a function with names in place of numbers: `fn3`, `g1` and `file0` are others after a change elsewhere.
fn named(text: &str, program: &Program) -> String {
    replaced(text, |word| name(word, program))
}

/// Other words for those that have some.
fn replaced(text: &str, mut other: impl FnMut(&str) -> Option<String>) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(length);
        out.push_str(&other(word).unwrap_or_else(|| word.to_owned()));
        let gap = behind.find(is_word).unwrap_or(behind.len());
        out.push_str(&behind[..gap]);
        rest = &behind[gap..];
    }
    out
}

fn name(word: &str, program: &Program) -> Option<String> {
    let digits = word.find(|c: char| c.is_ascii_digit())?;
    let number: u32 = word[digits..].parse().ok()?;
    match &word[..digits] {
        "fn" => program.functions.get(FuncId::from_u32(number)).map(|f| f.name.clone()),
        "g" => program.globals.get(GlobalId::from_u32(number)).map(name_of),
        "file" => program.files.get(FileId::from_u32(number)).map(|f| format!("{}/{}", f.directory, f.name)),
        _ => None,
    }
}

/// The source of a function, which reports quote, without comments and spaces.
fn lines(program: &Program, function: &Function) -> String {
    let (Some(file), Some(body)) = (function.loc.file(), &function.body) else { return String::new() };
    let here = |loc: covenant_program::ir::Loc| (loc.file() == Some(file)).then_some(loc.line);
    let ends = body.insts.values().map(|inst| inst.loc).chain(body.blocks.values().map(|block| block.term_loc));
    let last = ends.filter_map(here).max().unwrap_or(function.loc.line) as usize;
    let file = &program.files[file];
    let text = std::fs::read(Path::new(&file.directory).join(&file.name)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let first = (function.loc.line as usize).saturating_sub(1);
    let own: String = text.lines().skip(first).take(last.saturating_sub(first)).flat_map(|line| [line, "\n"]).collect();
    let bare = without_comments(&own);
    bare.lines().flat_map(|line| [line.trim(), "\n"]).collect()
}

fn without_comments(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(first) = rest.chars().next() {
        // Comments, and what may hold something that looks like one.
        let end = match rest.get(..2).unwrap_or_default() {
            "/*" => rest[2..].find("*/").map_or(rest.len(), |at| at + 4),
            "//" => rest.find('\n').unwrap_or(rest.len()),
            _ if first == '"' || first == '\'' => literal(rest, first),
            _ => first.len_utf8(),
        };
        if !rest.starts_with("/*") && !rest.starts_with("//") {
            out.push_str(&rest[..end]);
        }
        rest = &rest[end..];
    }
    out
}

/// The length of the literal at the start.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// What the names in assumptions stand for, beyond functions and globals: macros and constants of enumerations. Where one
/// is none of these, the whole text of the file counts.
fn meanings(text: &mut String, catalogue: &Catalogue, entry: &Entry, reach: &Reach, names: &BTreeSet<String>) {
    if names.is_empty() {
        return;
    }
    let module = &catalogue.modules[entry.module];
    let macros = module.macros.get_or_init(|| module.unit.macros());
    let mut open: Vec<String> = names.iter().cloned().collect();
    let mut seen = BTreeSet::new();
    let types: String = module.program.types.iter().map(|(_, ty)| format!("{ty:?}")).collect();
    let function = &module.program.functions[entry.function];
    while let Some(name) = open.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        if let Some(definition) = macros.get(&name) {
            let _ = writeln!(text, "{name} {definition}");
            open.extend(identifiers(definition).map(str::to_owned));
            continue;
        }
        let program = |m: usize| &catalogue.modules[m].program;
        let known = function.source.param_names.contains(&name)
            || types.contains(&format!("\"{name}\""))
            || reach.functions.iter().any(|&(m, id)| program(m).functions[id].source_name() == name)
            || reach.globals.iter().any(|&(m, id)| program(m).globals[id].source_name.as_ref() == Some(&name));
        if !known {
            let _ = writeln!(text, "{name} {}", sha256(module.unit.preprocessed().as_bytes()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_of_expressions() {
        let found: Vec<&str> = identifiers("room->count <= BOOKING_MAX && 3u < f(x_1)").collect();
        assert_eq!(found, ["room", "count", "BOOKING_MAX", "f", "x_1"]);
    }

    #[test]
    fn changes_are_named() {
        let key = |parts: &[&str]| format!("digest\n{}\n", parts.join("\n"));
        let before = key(&["1 covenant itself", "2 options", "3 function f", "4 function g"]);
        assert_eq!(
            changes(&before, &key(&["1 covenant itself", "2 options", "5 function f", "4 function g"])),
            "function f"
        );
        assert_eq!(changes(&before, &key(&["1 covenant itself", "7 options", "3 function f"])), "function g, options");
        assert_eq!(changes(&before, &key(&["0 covenant itself", "7 options"])), "covenant itself");
    }

    #[test]
    fn comments_do_not_count() {
        let text = "x = 1; /* one\n two */ y = \"/* \\\" // */\"; // end\nz = '\"'; /* é";
        assert_eq!(without_comments(text), "x = 1;  y = \"/* \\\" // */\"; \nz = '\"'; ");
    }

    #[test]
    fn numbers_become_names() {
        let mut program = Program::default();
        program.files.push(covenant_program::ir::SourceFile { directory: "d".into(), name: "a.c".into() });
        assert_eq!(named("call fn9(v1) @ file0:3:4", &program), "call fn9(v1) @ d/a.c:3:4");
    }
}
