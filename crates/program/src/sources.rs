//! The lines of source files, each read once and shared by all that quote it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// Reads source files by the names that compilers gave them.
#[derive(Debug, Default)]
pub struct Sources {
    /// What names are relative to; the first in which there is such a file counts.
    directories: Vec<PathBuf>,
    read: Mutex<HashMap<String, Lines>>,
}

/// Nothing where a file cannot be read.
type Lines = Option<Arc<[String]>>;

impl Sources {
    /// Of compilers that ran in these directories.
    pub fn new(directories: Vec<PathBuf>) -> Sources {
        Sources { directories, read: Mutex::default() }
    }

    /// The lines of a file; `None` where it cannot be read.
    pub fn lines(&self, name: &str) -> Option<Arc<[String]>> {
        let mut read = self.read.lock().ok()?;
        if let Some(known) = read.get(name) {
            return known.clone();
        }
        let place = self.directories.iter().map(|directory| directory.join(name)).find(|place| place.exists());
        let text = place.and_then(|place| std::fs::read(place).ok());
        let lines = text.map(|text| String::from_utf8_lossy(&text).lines().map(str::to_owned).collect());
        read.entry(name.to_owned()).or_insert(lines).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_once() {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("a.c"), "int a;\nint b;\n").unwrap();
        let sources = Sources::new(vec![home.path().join("none"), home.path().to_path_buf()]);
        let lines = sources.lines("a.c").unwrap();
        assert_eq!(*lines, ["int a;".to_owned(), "int b;".to_owned()]);
        std::fs::remove_file(home.path().join("a.c")).unwrap();
        assert!(Arc::ptr_eq(&lines, &sources.lines("a.c").unwrap()));
        assert_eq!(sources.lines("b.c"), None);
    }
}
