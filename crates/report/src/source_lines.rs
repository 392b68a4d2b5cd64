//! Lines of the source, to quote them in what people read.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;

/// Reads each file once.
#[derive(Debug, Default)]
pub struct SourceLines {
    directories: Vec<PathBuf>,
    files: RefCell<HashMap<String, Option<Vec<String>>>>,
}

impl SourceLines {
    /// Files are looked for in these directories.
    pub fn new(directories: Vec<PathBuf>) -> SourceLines {
        SourceLines { directories, files: RefCell::default() }
    }

    /// Line `number`, counted from 1; nothing where the file cannot be read or has no such line.
    pub fn line(&self, file: &str, number: u32) -> Option<String> {
        let mut files = self.files.borrow_mut();
        let lines = files.entry(file.to_owned()).or_insert_with(|| self.read(file)).as_ref()?;
        lines.get(usize::try_from(number).ok()?.checked_sub(1)?).cloned()
    }

    fn read(&self, file: &str) -> Option<Vec<String>> {
        let place = self.directories.iter().map(|d| d.join(file)).find(|p| p.is_file())?;
        let text = std::fs::read(place).ok()?;
        Some(String::from_utf8_lossy(&text).lines().map(str::to_owned).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_or_not() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a.c"), "one\ntwo\n").unwrap();
        let lines = SourceLines::new(vec![dir.path().join("nowhere"), dir.path().to_path_buf()]);
        assert_eq!(lines.line("a.c", 2).as_deref(), Some("two"));
        assert_eq!((lines.line("a.c", 3), lines.line("a.c", 0), lines.line("b.c", 1)), (None, None, None));
    }
}
