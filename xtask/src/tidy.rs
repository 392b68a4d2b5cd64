//! What a reviewer should not have to check by hand. Format and lints are cargo's own: scripts/test.sh calls them first.

use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

// The tests' own reader of annotations judges them here too; it has fields that only the tests use.
#[allow(dead_code)]
#[path = "../../crates/cli/tests/run/annotations.rs"]
mod annotations;
#[path = "../../crates/cli/tests/run/kinds.rs"]
mod kinds;

mod arrows;

use annotations::Annotations;

/// The most lines of a source file.
const TOO_LONG: usize = 500;
/// It goes into suites as it is, and users want few files there.
const WHOLE: &[&str] = &["crates/report/src/suite/c/runner.c"];

// Written in two halves, so that this file does not contain them.
/// Not in Rust files: clippy sees them only where they are compiled.
const UNFINISHED: &[&str] = &[concat!("todo", "!("), concat!("unimplemented", "!("), concat!("dbg", "!(")];
/// In no file, as whole words: what they stand for is done or it is written down where users can find it.
const LEFTOVERS: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X"), concat!("HA", "CK")];
const MACHINE_PATHS: &[&str] =
    &[concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/wo", "rk/"), concat!("/Us", "ers/")];
/// Written by others.
const FOREIGN: &[&str] = &["Cargo.lock", "LICENSE-APACHE", "LICENSE-MIT"];

/// Returns whether everything is in order.
pub(crate) fn run(root: &Path) -> Result<bool> {
    let mut problems = Vec::new();
    let files = listed(root, &[])?;
    for file in files.iter().filter(|file| !FOREIGN.iter().any(|foreign| file.ends_with(foreign))) {
        check_text(root, file, &mut problems);
    }
    for file in listed(root, &["--cached", "--ignored", "--exclude-standard"])? {
        problems.push(format!("{} is under version control and in .gitignore", file.display()));
    }
    check_c_tests(root, &files, &mut problems);
    arrows::check(root, &mut problems);
    crate::tidy_tuning::check(root, &files, &mut problems);
    for problem in &problems {
        println!("problem: {problem}");
    }
    println!("{} files, {} problems", files.len(), problems.len());
    Ok(problems.is_empty())
}

/// The files under version control, relative to the root.
pub(crate) fn listed(root: &Path, options: &[&str]) -> Result<Vec<PathBuf>> {
    let mut git = Command::new("git");
    let done = git.args(["ls-files", "-z"]).args(options).current_dir(root).output().context("cannot start git")?;
    anyhow::ensure!(done.status.success(), "git ls-files fails: {}", String::from_utf8_lossy(&done.stderr));
    let names = String::from_utf8_lossy(&done.stdout);
    let exists = |path: &PathBuf| root.join(path).is_file();
    Ok(names.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from).filter(exists).collect())
}

fn check_text(root: &Path, file: &Path, problems: &mut Vec<String>) {
    let Ok(text) = fs::read_to_string(root.join(file)) else { return };
    let extension = file.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let lines = text.lines().count();
    if matches!(extension, "rs" | "c" | "h" | "sh")
        && lines > TOO_LONG
        && !WHOLE.iter().any(|whole| file.ends_with(whole))
    {
        problems.push(format!("{} has {lines} lines", file.display()));
    }
    for (number, line) in text.lines().enumerate() {
        let unfinished = UNFINISHED.iter().filter(|word| extension == "rs" && line.contains(**word));
        let paths = MACHINE_PATHS.iter().filter(|path| line.contains(**path));
        let leftovers = LEFTOVERS.iter().filter(|word| has_word(line, word));
        for word in unfinished.chain(paths).chain(leftovers) {
            problems.push(format!("{}:{}: `{word}`", file.display(), number + 1));
        }
    }
}

fn has_word(line: &str, word: &str) -> bool {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == word)
}

/// Each C test has what its kind needs.
fn check_c_tests(root: &Path, files: &[PathBuf], problems: &mut Vec<String>) {
    let bad_table = fs::read_to_string(root.join("crates/cli/tests/run/bad.rs")).unwrap_or_default();
    for file in files {
        let Ok(inside) = file.strip_prefix("tests/c") else { continue };
        let full = root.join(file);
        let extension = inside.extension().and_then(|e| e.to_str()).unwrap_or_default();
        let parts: Vec<_> = inside.iter().filter_map(|part| part.to_str()).collect();
        let wrong = match (&parts[..], extension) {
            (["run" | "trap", _], "stdin") if !full.with_extension("c").exists() => {
                Some("belongs to no program".to_owned())
            }
            (["run", _], "c") => check_run(&full).err().map(|e| format!("{e:#}")),
            (["run", _, _], _) if !full.with_file_name("main.c").exists() => {
                Some("its directory has no main.c".to_owned())
            }
            (["trap", _], "c") => check_trap(&full).err().map(|e| format!("{e:#}")),
            (["bad", name], _) if !bad_table.contains(&format!("\"{name}\"")) => {
                Some("is in no row of bad.rs".to_owned())
            }
            _ => None,
        };
        problems.extend(wrong.map(|why| format!("{}: {why}", file.display())));
    }
}

fn check_run(file: &Path) -> Result<()> {
    let notes = Annotations::read(file)?;
    anyhow::ensure!(notes.expect.is_none(), "a program that traps belongs to tests/c/trap");
    described(file)
}

fn check_trap(file: &Path) -> Result<()> {
    let expect = Annotations::read(file)?.expect.context("no `// expect: trap KIND LINE`")?;
    for kind in &expect.kinds {
        let known = kinds::EXIT_CODES.iter().any(|(_, kinds)| kinds.contains(&kind.as_str()));
        anyhow::ensure!(known, "unknown kind `{kind}`");
    }
    let text = String::from_utf8_lossy(&fs::read(file)?).into_owned();
    let line = expect.line.checked_sub(1).and_then(|n| text.lines().nth(n)).unwrap_or_default().trim();
    anyhow::ensure!(line.len() > 1 && !line.starts_with("//"), "line {} holds no statement", expect.line);
    described(file)
}

/// The leading comment says in prose what the program shows.
fn described(file: &Path) -> Result<()> {
    let text = String::from_utf8_lossy(&fs::read(file)?).into_owned();
    let prose = |line: &str| line.ends_with('.') && line.starts_with("// ");
    let found = text.lines().take_while(|line| line.starts_with("//")).any(prose);
    anyhow::ensure!(found, "no leading comment says what the program shows");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forbidden_words_and_long_files_are_found() {
        let scratch = tempfile::tempdir().unwrap();
        let name = Path::new("x.rs");
        let body =
            format!("fn f() {{ {}) }}\n// see {}me\n// {}: {2}S\n", UNFINISHED[0], MACHINE_PATHS[0], LEFTOVERS[0]);
        fs::write(scratch.path().join(name), body + &"\n".repeat(TOO_LONG)).unwrap();
        let mut problems = Vec::new();
        check_text(scratch.path(), name, &mut problems);
        assert_eq!(problems.len(), 4, "{problems:?}");
    }

    #[test]
    fn a_trap_needs_a_statement_at_its_line() {
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join("t.c");
        let program = "// A trap.\nint main(void)\n{\n    __builtin_trap();\n}\n";
        fs::write(&file, format!("// expect: trap trap 5\n{program}")).unwrap();
        check_trap(&file).unwrap();
        fs::write(&file, format!("// expect: trap trap 2\n{program}")).unwrap();
        assert!(check_trap(&file).is_err());
        fs::write(&file, format!("// expect: trap sneeze 5\n{program}")).unwrap();
        assert!(check_trap(&file).is_err());
        fs::write(&file, program).unwrap();
        assert!(check_trap(&file).is_err());
    }
}
