//! The heads of the subjects in bench/arc/subjects: the notes of tests/c/gen, but one file may have several entries.
//!
//! ```c
//! // function: NAME                            an entry; what follows is about it
//! // options: --assume n<=8                    further options of `covenant gen`; no blanks inside one
//! // expect: covered 9 infeasible 1 unknown 0  what is true of it
//! ```

use anyhow::{Context, Result, bail};
use std::path::Path;

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) function: String,
    pub(crate) options: Vec<String>,
    pub(crate) covered: u64,
    pub(crate) infeasible: u64,
}

pub(crate) fn read(file: &Path) -> Result<Vec<Entry>> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    parse(&text).with_context(|| file.display().to_string())
}

fn parse(text: &str) -> Result<Vec<Entry>> {
    let mut all: Vec<Entry> = Vec::new();
    for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
        if let Some(name) = line.strip_prefix("function: ") {
            all.push(Entry { function: name.trim().to_owned(), ..Entry::default() });
        } else if let Some(options) = line.strip_prefix("options: ") {
            let entry = all.last_mut().context("options before the function")?;
            entry.options.extend(options.split_whitespace().map(str::to_owned));
        } else if let Some(expected) = line.strip_prefix("expect: covered ") {
            let entry = all.last_mut().context("an expectation before the function")?;
            let words: Vec<_> = expected.split_whitespace().collect();
            let [covered, "infeasible", infeasible, "unknown", "0"] = words[..] else {
                bail!("expected `covered N infeasible M unknown 0`: {line}");
            };
            (entry.covered, entry.infeasible) = (covered.parse()?, infeasible.parse()?);
        }
    }
    anyhow::ensure!(!all.is_empty(), "no `// function:`");
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_entries() {
        let text = "// Words.\n// function: a\n// options: --assume x<=1 --array-len 8\n// expect: covered 3 infeasible 1 \
                    unknown 0\n// function: b\n// expect: covered 4 infeasible 0 unknown 0\nint x;\n// function: c\n";
        let entries = parse(text).unwrap();
        assert_eq!(entries.len(), 2);
        assert_eq!(entries[0].options, ["--assume", "x<=1", "--array-len", "8"]);
        assert_eq!((entries[0].covered, entries[0].infeasible), (3, 1));
        assert_eq!((entries[1].function.as_str(), entries[1].covered), ("b", 4));
    }

    #[test]
    fn what_is_wrong_is_refused() {
        for text in ["int x;\n", "// options: -x\n", "// function: a\n// expect: covered 3 infeasible 1 unknown 2\n"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
