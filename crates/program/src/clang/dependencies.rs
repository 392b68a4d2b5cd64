//! The headers that went into a file, from what clang writes for make (`-MMD`).

use std::path::{Path, PathBuf};

/// The files that the rule in `file` names, from the root of the file system and each once; `own` is not among them, nor is
/// what cannot be found. Where there is no rule, there is nothing to tell.
pub(super) fn read(file: &Path, directory: &Path, own: &Path) -> Vec<PathBuf> {
    let text = std::fs::read(file).map(|text| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default();
    let found = names(&text).into_iter().filter_map(|name| directory.join(name).canonicalize().ok());
    let mut headers: Vec<PathBuf> = found.filter(|path| path != own).collect();
    headers.sort();
    headers.dedup();
    headers
}

/// The words behind the first colon. A backslash before a space, a `#` or the end of a line is make's, `$$` is a dollar.
fn names(rule: &str) -> Vec<String> {
    let Some((_, rest)) = rule.split_once(": ") else { return Vec::new() };
    let (mut all, mut word) = (Vec::new(), String::new());
    let mut letters = rest.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some('\n' | '\r')) | (' ' | '\n' | '\r', _) => {
                all.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            }
            ('\\', Some(' ' | '#')) | ('$', Some('$')) => word.extend(letters.next()),
            _ => word.push(letter),
        }
    }
    all.extend((!word.is_empty()).then_some(word));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_name_files() {
        let rule = "x.o: src/a.c inc/b.h \\\n  ../odd\\ name.h a$$b.h c\\#.h\n";
        assert_eq!(names(rule), ["src/a.c", "inc/b.h", "../odd name.h", "a$b.h", "c#.h"]);
        assert!(names("").is_empty());
    }
}
