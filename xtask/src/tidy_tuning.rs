//! Numbers that somebody tuned belong into the table of tuning (`crates/constraints/src/tuning`), where they can be seen
//! together and changed for an experiment.
//!
//! Judged are the crates that search, prove and run. What reads programs (`program`), what keeps others in bounds (`sandbox`,
//! `check`) and what people see (`report`) have constants too, of formats, of the operating system and of how things look,
//! and nothing there decides what is found.

use std::fs;
use std::path::{Path, PathBuf};

/// Where a constant is taken for tuning unless it says why it is not.
const FOLDERS: &[&str] = &[
    "crates/cli/src",
    "crates/concolic/src",
    "crates/constraints/src",
    "crates/goals/src",
    "crates/horn/src",
    "crates/interpreter/src",
    "crates/prove/src",
    "crates/search/src",
    "crates/transition/src",
];
/// But not here: numbers of the kernel's interface.
const EXCEPT: &[&str] = &["crates/interpreter/src/host"];
const MARK: &str = "// not tuning: ";
const KINDS: &[&str] =
    &["u8", "u16", "u32", "u64", "usize", "u128", "i32", "i64", "isize", "i128", "f32", "f64", "Duration", "Steps"];

/// Numbers that were there before the table and have not moved yet, by file. The list may only become shorter: a file with fewer
/// than stated here is a problem too, and so is one that is not there.
const NOT_YET: &[(&str, usize)] = &[];

pub(crate) fn check(root: &Path, files: &[PathBuf], problems: &mut Vec<String>) {
    check_with(root, files, NOT_YET, problems);
}

fn check_with(root: &Path, files: &[PathBuf], not_yet: &[(&str, usize)], problems: &mut Vec<String>) {
    for (name, _) in not_yet.iter().filter(|(name, _)| !files.iter().any(|file| file == Path::new(name))) {
        problems.push(format!("{name} is not there, and tidy_tuning.rs allows numbers in it"));
    }
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
        && !EXCEPT.iter().any(|folder| file.starts_with(folder))
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
            write("crates/report/src/other.rs", "const MOST: u64 = 6;\n"),
            write("crates/prove/src/old.rs", "const MOST: u64 = 6;\n"),
        ];
        let mut problems = Vec::new();
        check_with(scratch.path(), &files, &[("crates/prove/src/old.rs", 1)], &mut problems);
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems[0].starts_with("crates/search/src/wrong.rs:1: `PATIENCE` belongs"), "{problems:?}");
        problems.clear();
        check_with(scratch.path(), &files[5..], &[("crates/prove/src/old.rs", 2)], &mut problems);
        assert_eq!(problems, ["crates/prove/src/old.rs: 1 numbers are left, and tidy_tuning.rs allows 2"]);
        problems.clear();
        check_with(scratch.path(), &files[..0], &[("crates/prove/src/gone.rs", 1)], &mut problems);
        assert_eq!(problems, ["crates/prove/src/gone.rs is not there, and tidy_tuning.rs allows numbers in it"]);
        let host = write("crates/interpreter/src/host/errors.rs", "const ENOENT: i64 = 2;\n");
        let machine = write("crates/interpreter/src/machine.rs", "const FUEL: i64 = 2;\n");
        problems.clear();
        check_with(scratch.path(), &[host, machine], &[], &mut problems);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].starts_with("crates/interpreter/src/machine.rs:1: `FUEL` belongs"), "{problems:?}");
    }
}
