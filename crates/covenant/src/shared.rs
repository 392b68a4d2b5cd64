//! Names at file scope that the code has and that frameworks or headers of the C library have, too: in suites they have others.

use std::collections::{BTreeMap, BTreeSet};

use covenant_program::ir::{Function, Origin, Program};
use covenant_program::syntax::Syntax;
use covenant_report::subject::SharedName;
use covenant_report::suite::{is_shared, library_names};

/// Where headers are that are not the code's.
const SYSTEM: &[&str] = &["/usr/", "/lib/"];

/// What the entry's file, of this tree, can name, of its headers too; `is_elsewhere` tells symbols that it cannot. What a header of
/// the system declares is the C library's: where the code defines it anew, it does so as the header has it.
pub(crate) fn names(program: &Program, tree: &Syntax, is_elsewhere: &dyn Fn(&str) -> bool) -> Vec<SharedName> {
    let is_system = |name: &str| SYSTEM.iter().any(|folder| name.starts_with(folder));
    let mut of_system = BTreeSet::new();
    let mut declared = BTreeSet::new();
    for function in tree.functions.iter().filter(|function| is_shared(&function.name) && !function.is_implicit) {
        let Some(place) = function.place else { continue };
        let names = if is_system(tree.file(place.shown)) { &mut of_system } else { &mut declared };
        names.insert(function.name.as_str());
    }
    let functions = |name: &str| -> Vec<&Function> {
        let all = program.functions.values();
        all.filter(|f| f.source_name() == name && !is_elsewhere(&f.name)).collect()
    };
    // Nobody defines it, or the code does; else it is the C library's, declared by hand.
    let is_own = |name: &&&str| {
        let found = functions(name);
        !found.is_empty() && found.iter().all(|f| f.origin == Origin::Subject)
    };
    let is_static = |name: &str| functions(name).iter().any(|f| f.body.is_some() && f.source.internal);
    let mut found: BTreeMap<&str, bool> = declared.iter().filter(is_own).map(|name| (*name, is_static(name))).collect();
    let own = program.globals.values().filter(|g| g.origin == Origin::Subject && !is_elsewhere(&g.name));
    found.extend(own.map(|global| (global.source_name.as_deref().unwrap_or(&global.name), global.internal)));
    found.extend(library_names().filter(|name| tree.has_enumerator(name)).map(|name| (name, true)));
    let own = found.into_iter().filter(|(name, _)| is_shared(name) && !of_system.contains(name));
    own.map(|(name, file_only)| SharedName { name: name.to_owned(), file_only }).collect()
}
