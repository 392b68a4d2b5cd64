//! A digest of each function and each variable of a project by itself, and of what each leads to.
//! All of them are made once, whatever number of functions lead to them.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use covenant_program::ir::{FileId, FuncId, Function, Global, GlobalId, Program, Symbol};
use covenant_program::sources::Sources;
use covenant_program::types::TypeId;
use covenant_report::root::marked;
use covenant_report::subject::sha256;

use super::super::catalogue::Catalogue;
use super::super::reach::{Graph, Item};
use super::replaced;
use super::types::TypeDigests;

/// With places below a root named from there.
pub(super) struct Digests {
    /// Of each item of the graph.
    pub(super) own: Vec<String>,
    /// Of each component, with all that it leads to.
    pub(super) behind: Vec<String>,
    /// Of everything in each module.
    pub(super) modules: Vec<String>,
}

impl Digests {
    pub(super) fn new(catalogue: &Catalogue, graph: &Graph, types: &[TypeDigests], root: &Path) -> Digests {
        let sources = Sources::new(vec![PathBuf::new()]);
        let digest = |item: &Item| {
            let text = match *item {
                Item::Function(module, id) => {
                    let program = &catalogue.modules[module].program;
                    let function = &program.functions[id];
                    let mut text = named(&function.to_string(), program);
                    let (ty, names) = (function.source.ty, &function.source.param_names);
                    let _ = writeln!(text, "{} {} {names:?}", spelled(program, ty), types[module].of(ty));
                    for variable in function.body.iter().flat_map(|body| body.variables.values()) {
                        let _ = writeln!(text, "{}", types[module].of(variable.ty));
                    }
                    text.push_str(&lines(program, function, &sources));
                    text
                }
                Item::Global(module, id) => {
                    let program = &catalogue.modules[module].program;
                    let mut text = String::new();
                    describe(&mut text, program, id);
                    text.push_str(types[module].of(program.globals[id].ty));
                    text
                }
            };
            sha256(marked(&text, root).as_bytes())
        };
        let own: Vec<String> = graph.items.iter().map(digest).collect();
        let mut behind: Vec<String> = Vec::new();
        for component in &graph.components {
            let members = component.members.iter().map(|&member| own[member as usize].as_str());
            let next = component.next.iter().map(|&to| behind[to as usize].as_str());
            let text = together(members) + "\n" + &together(next);
            behind.push(sha256(text.as_bytes()));
        }
        let whole =
            |module: usize| sha256(together(own[graph.of_module(module)].iter().map(String::as_str)).as_bytes());
        let modules = (0..catalogue.modules.len()).map(whole).collect();
        Digests { own, behind, modules }
    }
}

/// In an order that does not depend on numbers.
fn together<'a>(digests: impl Iterator<Item = &'a str>) -> String {
    digests.collect::<BTreeSet<_>>().into_iter().collect()
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

/// The text of a function with names in place of numbers: `fn3`, `g1` and `file0` are others after
/// a change elsewhere.
fn named(text: &str, program: &Program) -> String {
    replaced(text, |word| name(word, program))
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
fn lines(program: &Program, function: &Function, sources: &Sources) -> String {
    let (Some(file), Some(body)) = (function.loc.file(), &function.body) else { return String::new() };
    let here = |loc: covenant_program::ir::Loc| (loc.file() == Some(file)).then_some(loc.line);
    let ends = body.insts.values().map(|inst| inst.loc).chain(body.blocks.values().map(|block| block.term_loc));
    let last = ends.filter_map(here).max().unwrap_or(function.loc.line) as usize;
    let file = &program.files[file];
    let all = sources.lines(&Path::new(&file.directory).join(&file.name).to_string_lossy());
    let first = (function.loc.line as usize).saturating_sub(1);
    let own = all.iter().flat_map(|lines| &lines[..]).skip(first).take(last.saturating_sub(first));
    let own: String = own.flat_map(|line| [line.as_str(), "\n"]).collect();
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

fn spelled(program: &Program, ty: Option<TypeId>) -> String {
    ty.map(|ty| program.types.spell(ty, "")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

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
