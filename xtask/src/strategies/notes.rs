//! The heads of the subjects in bench/strategies/subjects. One file may have several entries.
//!
//! ```c
//! // name: echo-nu                             the name in the tables; the function's if nothing is said
//! // function: echo                            an entry; what follows is about it
//! // options: -D ALL_REACHABLE                 further options of `covenant gen`; no blanks inside one
//! // expect: covered 9 infeasible 1 unknown 0  what is true of it
//! ```

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) file: PathBuf,
    pub(crate) lines: usize,
    pub(crate) function: String,
    pub(crate) options: Vec<String>,
    pub(crate) covered: u64,
    pub(crate) infeasible: u64,
}

/// All subjects of the directory.
pub(crate) fn all(directory: &Path) -> Result<Vec<Subject>> {
    let mut files: Vec<_> = std::fs::read_dir(directory)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "c"));
    files.sort();
    let mut subjects = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        subjects.extend(parse(&text, &file).with_context(|| file.display().to_string())?);
    }
    Ok(subjects)
}

fn parse(text: &str, file: &Path) -> Result<Vec<Subject>> {
    let mut all: Vec<Subject> = Vec::new();
    let mut name = None;
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("//")).count();
    for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
        if let Some(given) = line.strip_prefix("name: ") {
            name = Some(given.trim().to_owned());
        } else if let Some(function) = line.strip_prefix("function: ") {
            let function = function.trim().to_owned();
            let name = name.take().unwrap_or_else(|| function.clone());
            all.push(Subject { name, function, lines, file: file.to_owned(), ..Subject::default() });
        } else if let Some(options) = line.strip_prefix("options: ") {
            let subject = all.last_mut().context("options before the function")?;
            subject.options.extend(options.split_whitespace().map(str::to_owned));
        } else if let Some(expected) = line.strip_prefix("expect: covered ") {
            let subject = all.last_mut().context("an expectation before the function")?;
            let words: Vec<_> = expected.split_whitespace().collect();
            let [covered, "infeasible", infeasible, "unknown", "0"] = words[..] else {
                bail!("expected `covered N infeasible M unknown 0`: {line}");
            };
            (subject.covered, subject.infeasible) = (covered.parse()?, infeasible.parse()?);
        }
    }
    anyhow::ensure!(!all.is_empty(), "no `// function:`");
    anyhow::ensure!(all.iter().all(|subject| subject.covered > 0), "an entry without what is true of it");
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_entries() {
        let text = "// Words.\n// function: a\n// options: --array-len 8\n// expect: covered 3 infeasible 1 unknown 0\n// \
                    name: a-nu\n// function: a\n// expect: covered 4 infeasible 0 unknown 0\nint x;\n\nint y;\n";
        let subjects = parse(text, Path::new("a.c")).unwrap();
        let [a, b] = &subjects[..] else { panic!("{subjects:?}") };
        assert_eq!((a.name.as_str(), a.covered, a.infeasible, a.lines), ("a", 3, 1, 2));
        assert_eq!(a.options, ["--array-len", "8"]);
        assert_eq!((b.name.as_str(), b.function.as_str(), b.covered), ("a-nu", "a", 4));
    }

    #[test]
    fn what_is_wrong_is_refused() {
        for text in ["int x;\n", "// options: -x\n", "// function: a\n"] {
            assert!(parse(text, Path::new("a.c")).is_err(), "{text}");
        }
    }
}
