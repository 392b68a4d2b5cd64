//! Who may import whom: crates by the arrows of ARCHITECTURE.md, and the folders of a crate in one direction.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Each crate with those right below it; it may use these and all that they may use.
const ARROWS: &[(&str, &[&str])] = &[
    ("sandbox", &[]),
    ("program", &["sandbox"]),
    ("constraints", &[]),
    ("goals", &["program"]),
    ("interpreter", &["program"]),
    ("horn", &["constraints"]),
    ("concolic", &["interpreter", "goals", "constraints"]),
    ("transition", &["concolic"]),
    ("prove", &["transition", "horn"]),
    ("search", &["prove"]),
    ("check", &["goals"]),
    ("report", &["goals"]),
    ("covenant", &["search", "report", "check"]),
    ("queue", &[]),
    ("worker", &["queue"]),
    ("cli", &["covenant", "queue"]),
];

/// All that is wrong below `crates`.
pub(super) fn check(root: &Path, problems: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(root.join("crates")) else { return };
    let mut names: Vec<String> = entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    for name in names {
        let folder = root.join("crates").join(&name);
        let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else { continue };
        check_manifest(&name, &manifest, problems);
        if let Some(circle) = circle(&imports(&folder.join("src"))) {
            problems.push(format!("crates/{name}: these import each other in a circle: {}", circle.join(", ")));
        }
    }
}

fn check_manifest(name: &str, manifest: &str, problems: &mut Vec<String>) {
    let Some(below) = below(name) else {
        problems.push(format!("crates/{name} has no place among the crates: see ARROWS"));
        return;
    };
    for used in dependencies(manifest).into_iter().filter(|used| !below.contains(used.as_str())) {
        problems.push(format!("crates/{name}/Cargo.toml: {name} must not know of {used}"));
    }
}

/// The crates that a crate may use.
fn below(name: &str) -> Option<BTreeSet<&'static str>> {
    let (_, direct) = ARROWS.iter().find(|(from, _)| *from == name)?;
    let mut all: BTreeSet<&'static str> = direct.iter().copied().collect();
    all.extend(direct.iter().filter_map(|to| below(to)).flatten());
    Some(all)
}

/// Our own crates that a manifest names as dependencies of any kind.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let mut inside = false;
    let mut found = BTreeSet::new();
    for line in manifest.lines() {
        if let Some(section) = line.trim().strip_prefix('[') {
            let section = section.trim_end_matches(']');
            inside = section.ends_with("dependencies");
            // `[dependencies.covenant-x]`
            found.extend(section.split_once("dependencies.").and_then(|(_, name)| own(name)));
        } else if inside {
            found.extend(own(line.trim()));
        }
    }
    found
}

fn own(line: &str) -> Option<String> {
    let name: String = line.chars().take_while(|c| c.is_alphanumeric() || *c == '-').collect();
    match name.strip_prefix("covenant-") {
        Some(name) => Some(name.to_owned()),
        // The library of all of them.
        None => (name == "covenant").then_some(name),
    }
}

/// What each folder or file right below `src` imports of the others. Test code may look anywhere and is left out.
type Imports = BTreeMap<String, BTreeSet<String>>;

fn imports(src: &Path) -> Imports {
    let mut files = Vec::new();
    collect(src, &mut Vec::new(), &mut files);
    let nodes: BTreeSet<String> = files.iter().filter_map(|(module, _)| module.first().cloned()).collect();
    let root: String = files.iter().filter(|(module, _)| module.is_empty()).map(|(_, text)| text.as_str()).collect();
    let names = names_of_root(&root);
    let mut imports = Imports::new();
    for (module, text) in &files {
        let Some(from) = module.first() else { continue };
        let here = imports.entry(from.clone()).or_default();
        for name in named(text, module.len()) {
            let to = if nodes.contains(&name) { Some(&name) } else { names.get(&name) };
            here.extend(to.filter(|to| *to != from).cloned());
        }
    }
    imports
}

/// Source files with the paths of their modules, without comments and without tests.
fn collect(folder: &Path, module: &mut Vec<String>, files: &mut Vec<(Vec<String>, String)>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        if matches!(stem.as_str(), "tests" | "testing") {
            continue;
        }
        let is_root = matches!(stem.as_str(), "mod" | "lib" | "main") && !path.is_dir();
        if !is_root {
            module.push(stem);
        }
        if path.is_dir() {
            collect(&path, module, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap_or_default();
            files.push((module.clone(), code(&text)));
        }
        if !is_root {
            module.pop();
        }
    }
}

/// The text without comments, and without the tests at its end.
fn code(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line == "#[cfg(test)]" && lines.peek().is_some_and(|next| next.starts_with("mod ") && next.ends_with('{')) {
            break;
        }
        code.push_str(line.split("//").next().unwrap_or_default());
        code.push('\n');
    }
    code
}

/// Names of the root that are something of a folder: `pub use folder::Name`.
fn names_of_root(text: &str) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for statement in text.split(';') {
        let Some((_, path)) = statement.split_once("use ") else { continue };
        let Some((folder, rest)) = path.trim().split_once("::") else { continue };
        let words = rest.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        names.extend(words.map(|word| (word.to_owned(), folder.to_owned())));
    }
    names
}

/// The names right below the root of the crate that a file speaks of, given how deep its module is.
fn named(text: &str, depth: usize) -> BTreeSet<String> {
    let climb = "super::".repeat(depth);
    let mut found = BTreeSet::new();
    for root in ["crate::", climb.as_str()] {
        for (at, _) in text.match_indices(root) {
            let before = text[..at].chars().next_back().unwrap_or(' ');
            let visibility = text[..at].ends_with("(in ");
            if before.is_alphanumeric() || before == '_' || before == ':' || visibility {
                continue;
            }
            found.extend(first_words(&text[at + root.len()..]));
        }
    }
    found
}

/// The first word of a path, or of each path in the braces.
fn first_words(path: &str) -> Vec<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let Some(list) = path.strip_prefix('{') else { return vec![word(path)] };
    let (mut open, mut words, mut start) = (0, Vec::new(), true);
    for (at, c) in list.char_indices() {
        match c {
            '{' => open += 1,
            '}' if open == 0 => break,
            '}' => open -= 1,
            ',' if open == 0 => start = true,
            _ if c.is_whitespace() => {}
            _ if start && open == 0 => {
                words.push(word(&list[at..]));
                start = false;
            }
            _ => {}
        }
    }
    words
}

/// All that are on some circle.
fn circle(imports: &Imports) -> Option<Vec<String>> {
    let is_on_circle = |name: &&String| reached(imports, name).contains(name.as_str());
    let found: Vec<String> = imports.keys().filter(is_on_circle).cloned().collect();
    (!found.is_empty()).then_some(found)
}

/// What a folder imports, and what that imports in turn.
fn reached<'i>(imports: &'i Imports, from: &'i str) -> BTreeSet<&'i str> {
    let mut seen = BTreeSet::new();
    let mut work: Vec<&str> = vec![from];
    while let Some(at) = work.pop() {
        let next = imports.get(at).into_iter().flatten().map(String::as_str);
        work.extend(next.filter(|to| seen.insert(*to)));
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is wrong with a tree of files.
    fn problems(files: &[(&str, &str)]) -> Vec<String> {
        let scratch = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = scratch.path().join("crates").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut problems = Vec::new();
        check(scratch.path(), &mut problems);
        problems
    }

    #[test]
    fn arrows_between_crates_go_down() {
        let uses = |name: &str| format!("[dependencies]\ncovenant-{name}.workspace = true\n");
        assert!(problems(&[("search/Cargo.toml", &uses("program"))]).is_empty());
        assert!(problems(&[("prove/Cargo.toml", &uses("horn"))]).is_empty());
        for (from, to) in
            [("prove", "search"), ("goals", "constraints"), ("concolic", "transition"), ("report", "check")]
        {
            let found = problems(&[(&format!("{from}/Cargo.toml"), &uses(to))]);
            assert_eq!(found, [format!("crates/{from}/Cargo.toml: {from} must not know of {to}")]);
        }
        let dev = "[dev-dependencies.covenant-cli]\npath = \"../cli\"\n";
        assert_eq!(problems(&[("program/Cargo.toml", dev)]).len(), 1);
        assert!(problems(&[("attic/Cargo.toml", "")])[0].contains("no place"));
    }

    #[test]
    fn folders_import_each_other_in_one_direction() {
        let wrong: &[&[(&str, &str)]] = &[
            &[("goals/src/a.rs", "use crate::b::B;"), ("goals/src/b/mod.rs", "use crate::{c, a::A};")],
            &[("goals/src/a.rs", "use super::b;"), ("goals/src/b/deep.rs", "fn f() { super::super::a::f() }")],
            &[("goals/src/a.rs", "use crate::Late;"), ("goals/src/c.rs", "use crate::a;")],
            &[
                ("goals/src/a.rs", "use crate::b;"),
                ("goals/src/b.rs", "use crate::c;"),
                ("goals/src/c.rs", "use crate::a;"),
            ],
        ];
        let more = [("goals/Cargo.toml", ""), ("goals/src/lib.rs", "mod a;\npub use c::{Early, Late};\n")];
        for files in wrong {
            let files: Vec<(&str, &str)> = more.iter().chain(*files).copied().collect();
            let found = problems(&files);
            assert!(found.len() == 1 && found[0].contains("circle: a, "), "{found:?}");
        }
        let fine = [
            ("goals/src/a.rs", "// see crate::b\nuse super::c;\n#[cfg(test)]\nmod tests {\n    use crate::b;\n}\n"),
            ("goals/src/b/mod.rs", "mod x;\npub(in crate::b) use crate::a::A;\n"),
            ("goals/src/b/x.rs", "use super::y;\nuse crate::b::y::Y;\n"),
            ("goals/src/b/tests.rs", "use crate::a;\n"),
            ("goals/src/c.rs", ""),
        ];
        let files: Vec<(&str, &str)> = more.iter().chain(&fine).copied().collect();
        assert_eq!(problems(&files), [""; 0]);
    }
}
