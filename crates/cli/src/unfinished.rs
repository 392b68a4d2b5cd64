//! Tests of a search that goes on, each in a file as soon as it is found. They stay until the results are written, so that whoever ends
//! the search before, in whatever way, loses none: the next one starts from them.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use covenant::TestCase;
use covenant_report::files;

/// Where they are, below the output directory.
const FOLDER: &str = "found";

pub(crate) struct Unfinished {
    folder: PathBuf,
}

impl Unfinished {
    pub(crate) fn new(out: &Path) -> Unfinished {
        Unfinished { folder: out.join(FOLDER) }
    }

    /// What an earlier search left behind that was ended. What cannot be read is nothing to start from.
    pub(crate) fn read(&self) -> Vec<TestCase> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        let read = |path: &PathBuf| serde_json::from_slice(&std::fs::read(path).ok()?).ok();
        paths.iter().filter_map(read).collect()
    }

    /// Keeps a test. If that cannot be done, the results at the end have it all the same.
    pub(crate) fn keep(&self, test: &TestCase) {
        let unnamed = TestCase { name: String::new(), ..test.clone() };
        let Ok(text) = serde_json::to_vec(&unnamed) else { return };
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let _ = files::write_file(&self.folder.join(format!("{:016x}.json", hasher.finish())), &text);
    }

    /// The results are written.
    pub(crate) fn done(&self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_is_read_until_it_is_done() {
        let out = tempfile::tempdir().unwrap();
        let unfinished = Unfinished::new(out.path());
        assert!(unfinished.read().is_empty());
        let test =
            |name: &str, stdin: &[u8]| TestCase { name: name.into(), stdin: stdin.to_vec(), ..TestCase::default() };
        // The same inputs are one test, whatever its name.
        for kept in [test("a", b"x"), test("b", b"x"), test("c", b"y")] {
            unfinished.keep(&kept);
        }
        std::fs::write(out.path().join("found/half.json"), "{\"name\": ").unwrap();
        let mut read: Vec<Vec<u8>> = unfinished.read().into_iter().map(|test| test.stdin).collect();
        read.sort();
        assert_eq!(read, [b"x".to_vec(), b"y".to_vec()]);
        unfinished.done();
        assert!(unfinished.read().is_empty() && !out.path().join("found").exists());
    }
}
