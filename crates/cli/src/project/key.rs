//! The key of a function's results: a digest of all that they depend on. While it stays the same, they are right.
//!
//! These are: the sources of covenant, the options, and of all that the code leads to the intermediate representation,
//! the initial values, the types, the flags and the lines of the source. Names stand for numbers, so that what is added
//! elsewhere in a file changes nothing.
//!
//! What functions, variables and types are by themselves is put into a digest once, and what they
//! lead to once for each component of the call graph: a key costs no more than what the function
//! names itself.

mod digest;
mod types;

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use covenant_interpreter::library::library;
use covenant_program::ir::Target;
use covenant_report::root::marked;
use covenant_report::subject::sha256;

use super::catalogue::{Catalogue, Entry};
use super::reach::{Graph, Item, Reach};
use crate::args::GenArgs;
use digest::Digests;
use types::TypeDigests;

/// How parts are called that say only where to look for what has changed.
const LEADS: &str = "something that ";
const ITSELF: &str = "something that it leads to";
const CODE: &str = "the code of ";

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

/// What keys are made of.
pub(super) struct Keys<'a> {
    catalogue: &'a Catalogue,
    graph: &'a Graph,
    /// covenant and its C library.
    build: String,
    types: Vec<TypeDigests>,
    /// By the root that places are named from.
    digests: RefCell<BTreeMap<PathBuf, Rc<Digests>>>,
    /// What counts of modules beside their functions and variables: of those that are reached
    /// together.
    beside: RefCell<BTreeMap<Together, Rc<Vec<String>>>>,
    /// What options may name in each module.
    known: Vec<Known>,
}

/// Modules, and whether everything in them counts.
type Together = (Vec<usize>, bool);

#[derive(Default)]
struct Known {
    /// The words of types, once they are asked for.
    words: OnceCell<BTreeSet<String>>,
    /// The digest of the whole text, once it is asked for.
    text: OnceCell<String>,
}

impl<'a> Keys<'a> {
    pub(super) fn new(catalogue: &'a Catalogue, graph: &'a Graph, build: &str) -> Keys<'a> {
        Keys {
            build: format!("covenant {build}\n{}", sha256(library(Target::default()))),
            types: catalogue.modules.iter().map(|module| TypeDigests::new(&module.program.types)).collect(),
            known: catalogue.modules.iter().map(|_| Known::default()).collect(),
            digests: RefCell::default(),
            beside: RefCell::default(),
            catalogue,
            graph,
        }
    }

    /// A digest of everything in the first line; below it, one line for each part, by which a later
    /// run knows what has changed: the function and what it names itself each have one, all that
    /// lies behind is told of as a whole. Places below the project's root are named from there, so
    /// that the key is the same wherever the project is.
    pub(super) fn key(
        &self,
        words: &[String],
        root: &Path,
        entry: &Entry,
        reach: &Reach,
        names: &BTreeSet<String>,
    ) -> String {
        let digests = self.digests(root);
        // Parts with digests, whose places are marked.
        let mut parts: Vec<(String, String)> = Vec::new();
        let mut text =
            |name: String, text: &str| parts.push((marked(&name, root), sha256(marked(text, root).as_bytes())));
        text("covenant itself".to_owned(), &format!("{}\n{}\n", self.build, entry.name));
        text("options".to_owned(), &words.iter().map(|word| format!("{word:?}\n")).collect::<String>());
        let beside = self.beside(&reach.modules, reach.indirect);
        for (&index, beside) in reach.modules.iter().zip(&*beside) {
            let module = &self.catalogue.modules[index];
            let flags = format!("{}\n{:?}\n{beside}", module.unit.file.display(), module.unit.flags);
            text(format!("the types or flags of {}", module.shown), &flags);
        }
        text("what options name".to_owned(), &self.meanings(entry, names));
        if reach.indirect {
            for &index in &reach.modules {
                let name = format!("{CODE}{}", self.catalogue.modules[index].shown);
                parts.push((marked(&name, root), digests.modules[index].clone()));
            }
        }
        parts.extend(self.near(&digests, reach));
        let all: String = parts.iter().flat_map(|(name, digest)| [name.as_str(), "\n", digest, "\n"]).collect();
        let mut key = sha256(all.as_bytes()) + "\n";
        for (name, digest) in &parts {
            let _ = writeln!(key, "{} {name}", &digest[..16]);
        }
        key
    }

    /// The roots, what they name, and what all of that leads to.
    fn near(&self, digests: &Digests, reach: &Reach) -> BTreeSet<(String, String)> {
        let mut parts = BTreeSet::new();
        let next = |number: &u32| &self.graph.next[*number as usize];
        let named: BTreeSet<u32> = reach.roots.iter().flat_map(next).copied().collect();
        // Behind a declaration is a definition.
        let defined = named.iter().filter(|&&number| self.is_declared(number)).flat_map(next);
        let near: BTreeSet<u32> = reach.roots.iter().chain(&named).chain(defined).copied().collect();
        for number in near {
            let is_root = reach.roots.contains(&number);
            // A literal is a part of the text that names it.
            let Some(name) = self.name(number) else { continue };
            parts.insert((name.clone(), digests.own[number as usize].clone()));
            let leads = if is_root { ITSELF.to_owned() } else { format!("{LEADS}{name} leads to") };
            if is_root || !self.graph.next[number as usize].is_empty() {
                parts.insert((leads, digests.behind[self.graph.component[number as usize] as usize].clone()));
            }
        }
        parts
    }

    fn name(&self, number: u32) -> Option<String> {
        match self.graph.items[number as usize] {
            Item::Function(module, id) => {
                Some(format!("function {}", self.catalogue.modules[module].program.functions[id].source_name()))
            }
            Item::Global(module, id) => {
                let name = self.catalogue.modules[module].program.globals[id].source_name.as_ref();
                name.map(|name| format!("variable {name}"))
            }
        }
    }

    fn is_declared(&self, number: u32) -> bool {
        match self.graph.items[number as usize] {
            Item::Function(module, id) => self.catalogue.modules[module].program.functions[id].body.is_none(),
            Item::Global(module, id) => self.catalogue.modules[module].program.globals[id].init.is_none(),
        }
    }

    fn digests(&self, root: &Path) -> Rc<Digests> {
        let known = self.digests.borrow().get(root).cloned();
        known.unwrap_or_else(|| {
            let made = Rc::new(Digests::new(self.catalogue, self.graph, &self.types, root));
            self.digests.borrow_mut().insert(root.to_path_buf(), Rc::clone(&made));
            made
        })
    }

    /// A struct that is only declared in one module is defined by whichever has its tag.
    fn beside(&self, modules: &[usize], everything: bool) -> Rc<Vec<String>> {
        let asked = (modules.to_vec(), everything);
        if let Some(known) = self.beside.borrow().get(&asked) {
            return Rc::clone(known);
        }
        let tags: BTreeSet<&String> = modules.iter().flat_map(|&module| self.types[module].declared()).collect();
        let of = |&module: &usize| self.types[module].beside(tags.iter().copied(), everything);
        let made = Rc::new(modules.iter().map(of).collect());
        self.beside.borrow_mut().insert(asked, Rc::clone(&made));
        made
    }

    /// What the names in assumptions stand for, beyond functions and globals: macros and constants
    /// of enumerations. Where one is none of these, the whole text of the file counts.
    fn meanings(&self, entry: &Entry, names: &BTreeSet<String>) -> String {
        let mut text = String::new();
        if names.is_empty() {
            return text;
        }
        let (module, known) = (&self.catalogue.modules[entry.module], &self.known[entry.module]);
        let macros = module.macros.get_or_init(|| module.unit.macros());
        let words = || module.program.types.iter().flat_map(|(_, ty)| quoted(&format!("{ty:?}"))).collect();
        let words = known.words.get_or_init(words);
        let mut open: Vec<String> = names.iter().cloned().collect();
        let mut seen = BTreeSet::new();
        let program = &module.program;
        let function = &program.functions[entry.function];
        while let Some(name) = open.pop() {
            if !seen.insert(name.clone()) {
                continue;
            }
            if let Some(definition) = macros.get(&name) {
                let _ = writeln!(text, "{name} {definition}");
                open.extend(identifiers(definition).map(str::to_owned));
                continue;
            }
            let is_known = function.source.param_names.contains(&name)
                || words.contains(&name)
                || program.functions.values().any(|function| function.source_name() == name)
                || program.globals.values().any(|global| global.source_name.as_ref() == Some(&name));
            if !is_known {
                let whole = known.text.get_or_init(|| sha256(module.unit.preprocessed().as_bytes()));
                let _ = writeln!(text, "{name} {whole}");
            }
        }
        text
    }
}

/// What stands between quotation marks.
fn quoted(text: &str) -> Vec<String> {
    text.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// What differs between two keys of a function, for people: the first few parts, of those that say
/// it best.
pub(super) fn changes(before: &str, now: &str) -> String {
    const MOST: usize = 3; // not tuning: how much is told
    let parts = |key: &str| -> BTreeSet<String> { key.lines().skip(1).map(str::to_owned).collect() };
    let (before, now) = (parts(before), parts(now));
    let name = |line: &String| line.split_once(' ').map(|(_, name)| name.to_owned()).unwrap_or_default();
    let names: BTreeSet<String> = before.symmetric_difference(&now).map(name).collect();
    if names.contains("covenant itself") {
        return "covenant itself".to_owned();
    }
    let vague = |name: &String| match name.as_str() {
        ITSELF => 3,
        name if name.starts_with(CODE) => 2,
        name if name.starts_with(LEADS) => 1,
        _ => 0,
    };
    let best = names.iter().map(vague).min().unwrap_or(0);
    let names: Vec<String> = names.into_iter().filter(|name| vague(name) == best).collect();
    let mut told: Vec<String> = names.iter().take(MOST).cloned().collect();
    if names.len() > MOST {
        told.push(format!("{} more", names.len() - MOST));
    }
    told.join(", ")
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
    fn what_is_near_is_named_before_what_is_not() {
        let key = |own: &str, behind: &str, code: &str| {
            format!(
                "digest\n{own} function f\n{behind} {LEADS}function f leads to\n{code} {CODE}a.c\n{code} {ITSELF}\n"
            )
        };
        let before = key("1", "1", "1");
        assert_eq!(changes(&before, &key("2", "2", "2")), "function f");
        assert_eq!(changes(&before, &key("1", "2", "2")), "something that function f leads to");
        assert_eq!(changes(&before, &key("1", "1", "2")), "the code of a.c");
    }
}
