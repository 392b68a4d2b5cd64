//! Numbers that somebody tuned belong into the table of tuning (`crates/constraints/src/tuning`), where they can be seen
//! together and changed for an experiment.

use std::fs;
use std::path::{Path, PathBuf};

/// Where a constant is taken for tuning unless it says why it is not.
const FOLDERS: &[&str] = &[
    "crates/constraints/src/horn",
    "crates/constraints/src/solver",
    "crates/prove/src",
    "crates/search/src",
    "crates/transition/src",
];
const MARK: &str = "// not tuning: ";
const KINDS: &[&str] = &["u8", "u32", "u64", "usize", "u128", "i128", "f64", "Duration", "Steps"];

/// Numbers that were there before the table and have not moved yet, by file. The list may only become shorter: a file with fewer
/// than stated here is a problem too.
const NOT_YET: &[(&str, usize)] = &[
    ("crates/constraints/src/horn/integers/constants.rs", 3),
    ("crates/constraints/src/horn/integers/encode.rs", 2),
    ("crates/constraints/src/horn/integers/expr.rs", 1),
    ("crates/constraints/src/horn/integers/reading.rs", 1),
    ("crates/prove/src/arc/model.rs", 1),
    ("crates/prove/src/backward.rs", 6),
    ("crates/prove/src/inductive.rs", 3),
    ("crates/prove/src/invariants/control.rs", 1),
    ("crates/prove/src/invariants/forward.rs", 5),
    ("crates/prove/src/invariants/kinduction.rs", 6),
    ("crates/prove/src/invariants/loops.rs", 3),
    ("crates/prove/src/invariants/mod.rs", 4),
    ("crates/prove/src/invariants/oracle.rs", 2),
    ("crates/prove/src/invariants/reduce.rs", 1),
    ("crates/prove/src/invariants/slice.rs", 1),
    ("crates/prove/src/invariants/templates.rs", 4),
    ("crates/prove/src/invariants/transport.rs", 2),
    ("crates/prove/src/invariants/value.rs", 1),
    ("crates/prove/src/invariants/walk.rs", 4),
    ("crates/prove/src/samples.rs", 6),
    ("crates/prove/src/spacer/clauses.rs", 4),
    ("crates/prove/src/spacer/collapse.rs", 1),
    ("crates/prove/src/spacer/mod.rs", 1),
    ("crates/transition/src/compiled.rs", 1),
    ("crates/transition/src/flow/build.rs", 1),
    ("crates/transition/src/flow/calls.rs", 2),
    ("crates/transition/src/flow/graph.rs", 1),
    ("crates/transition/src/flow/memory.rs", 2),
    ("crates/transition/src/flow/regions.rs", 1),
    ("crates/transition/src/justify.rs", 1),
    ("crates/transition/src/trace.rs", 5),
];

pub(crate) fn check(root: &Path, files: &[PathBuf], problems: &mut Vec<String>) {
    check_with(root, files, NOT_YET, problems);
}

fn check_with(root: &Path, files: &[PathBuf], not_yet: &[(&str, usize)], problems: &mut Vec<String>) {
    for file in files.iter().filter(|file| is_judged(file)) {
        let Ok(text) = fs::read_to_string(root.join(file)) else { continue };
        let found = constants(&text);
        let allowed = not_yet.iter().find(|(name, _)| file == Path::new(name)).map_or(0, |(_, count)| *count);
        if found.len() > allowed {
            for (line, name) in &found {
                problems.push(format!(
                    "{}:{line}: `{name}` belongs into the table of tuning, or says `{MARK}REASON`",
                    file.display()
                ));
            }
        } else if found.len() < allowed {
            let left = found.len();
            problems.push(format!("{}: {left} numbers are left, and tidy_tuning.rs allows {allowed}", file.display()));
        }
    }
}

fn is_judged(file: &Path) -> bool {
    let is_test = file.iter().any(|part| part == "tests" || part == "tests.rs");
    file.extension().is_some_and(|extension| extension == "rs")
        && FOLDERS.iter().any(|folder| file.starts_with(folder))
        && !is_test
}

/// The constants of a file that look like tuning, with their lines. What comes after the unit tests begin is not looked at.
fn constants(text: &str) -> Vec<(usize, String)> {
    let code = text.lines().take_while(|line| line.trim() != "#[cfg(test)]" || text.contains("mod tests;"));
    let mut found = Vec::new();
    for (number, line) in code.enumerate() {
        let Some((name, rest)) = line.split_once("const ").and_then(|(_, rest)| rest.split_once(": ")) else {
            continue;
        };
        let is_name =
            !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        let kind = rest.split_once(" =").map_or("", |(kind, _)| kind);
        if is_name && KINDS.contains(&kind) && !line.contains(MARK) {
            found.push((number + 1, name.to_owned()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_the_table_are_found() {
        let scratch = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = scratch.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
            PathBuf::from(name)
        };
        let files = [
            write("crates/search/src/wrong.rs", "const PATIENCE: u64 = 6;\npub(super) const WAIT: Duration = SOON;\n"),
            write(
                "crates/search/src/right.rs",
                "const SCHEMA: u32 = 1; // not tuning: a format\nconst NAME: &str = \"\";\n",
            ),
            write("crates/search/src/tests.rs", "const LONG: u64 = 6;\n"),
            write("crates/search/src/inner.rs", "#[cfg(test)]\nmod tests {\n    const LONG: u64 = 6;\n}\n"),
            write("crates/goals/src/other.rs", "const MOST: u64 = 6;\n"),
            write("crates/prove/src/old.rs", "const MOST: u64 = 6;\n"),
        ];
        let mut problems = Vec::new();
        check_with(scratch.path(), &files, &[("crates/prove/src/old.rs", 1)], &mut problems);
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems[0].starts_with("crates/search/src/wrong.rs:1: `PATIENCE` belongs"), "{problems:?}");
        problems.clear();
        check_with(scratch.path(), &files[5..], &[("crates/prove/src/old.rs", 2)], &mut problems);
        assert_eq!(problems, ["crates/prove/src/old.rs: 1 numbers are left, and tidy_tuning.rs allows 2"]);
    }
}
