//! What clang says, without the text of files that are none of the project's business.
//!
//! clang quotes the lines that it complains about. `#include "/private/.netrc"` would so put a private file into a log
//! or a report. Messages about files outside the project and the system's headers are kept without quotations.

use std::path::{Path, PathBuf};

const SYSTEM: &[&str] = &["/usr", "/lib", "/opt"];
const INCLUDES: &[&str] = &["-isystem", "-iquote", "-idirafter", "-I"];

/// Directories whose files may be quoted.
pub(super) struct Sight {
    directory: PathBuf,
    open: Vec<PathBuf>,
}

impl Sight {
    pub(super) fn new(directory: &Path, own: impl IntoIterator<Item = PathBuf>, flags: &[String]) -> Sight {
        let mut open: Vec<PathBuf> = own.into_iter().collect();
        open.extend(SYSTEM.iter().map(PathBuf::from));
        let mut flags = flags.iter();
        while let Some(flag) = flags.next() {
            let named = INCLUDES.iter().find_map(|name| flag.strip_prefix(name));
            match named {
                Some("") => open.extend(flags.next().map(|path| directory.join(path))),
                Some(path) => open.push(directory.join(path)),
                None => {}
            }
        }
        // The whole disk is nobody's project.
        open.retain(|path| path.parent().is_some());
        let real = |path: PathBuf| path.canonicalize().unwrap_or(path);
        Sight { directory: directory.to_path_buf(), open: open.into_iter().map(real).collect() }
    }

    fn is_open(&self, file: &str) -> bool {
        let path = self.directory.join(file);
        let path = path.canonicalize().unwrap_or(path);
        // What clang made up itself, such as <built-in>.
        file.starts_with('<') || self.open.iter().any(|open| path.starts_with(open))
    }

    /// Messages are blocks: a line with a place, then lines that quote.
    pub(super) fn redact(&self, text: &str) -> String {
        let mut kept = String::new();
        let mut hidden = false;
        for line in text.lines() {
            if let Some((file, place)) = place(line) {
                hidden = !self.is_open(file);
                if hidden {
                    let severity = ["fatal error", "error", "warning", "note"].into_iter();
                    let severity = severity.into_iter().find(|word| line.contains(word)).unwrap_or("note");
                    kept.push_str(&format!(
                        "{file}:{place}: {severity}: in a file outside the project, whose text is not shown\n"
                    ));
                    continue;
                }
            }
            let quotes = line.starts_with(' ');
            if hidden && quotes {
                continue;
            }
            if !quotes && place(line).is_none() {
                hidden = false;
            }
            kept.push_str(line);
            kept.push('\n');
        }
        kept.trim_end().to_owned()
    }
}

/// `file:12:3: error: …` as the file and `12:3`.
fn place(line: &str) -> Option<(&str, &str)> {
    let end =
        [": fatal error: ", ": error: ", ": warning: ", ": note: "].iter().filter_map(|word| line.find(word)).min()?;
    let head = &line[..end];
    let mut parts = head.rsplitn(3, ':');
    let (column, number, file) = (parts.next()?, parts.next()?, parts.next()?);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    (digits(column) && digits(number)).then(|| (file, &head[file.len() + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_files_are_not_quoted() {
        let sight = Sight::new(Path::new("/p/build"), [PathBuf::from("/p/src")], &["-I../inc".to_owned()]);
        let text = "In file included from /p/src/a.c:1:\n/private/x/.netrc:1:1: error: unknown type name 'secret'\n    1 | secret\n      | ^\n\
                    /p/src/a.c:3:5: error: use of undeclared identifier 'y'\n    3 |     y;\n      |     ^\n2 errors generated.";
        let shown = sight.redact(text);
        assert!(!shown.contains("secret"), "{shown}");
        assert!(shown.contains("/private/x/.netrc:1:1: error: in a file outside the project"), "{shown}");
        assert!(shown.contains("3 |     y;") && shown.contains("2 errors generated."), "{shown}");
    }

    #[test]
    fn a_project_at_the_root_opens_nothing_else() {
        let sight = Sight::new(Path::new("/"), [PathBuf::from("/")], &[]);
        assert!(!sight.is_open("/private/x/.netrc"));
        assert!(sight.is_open("/usr/include/stdio.h"));
    }
}
