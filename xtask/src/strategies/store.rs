//! What searches said, kept in `target`: a bench that was stopped goes on where it was.
//!
//! The key has the binary, the subject and all options in it, so that nothing is ever taken for something else.

use anyhow::{Context, Result};
use serde_json::Value;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

pub(crate) struct Store {
    folder: PathBuf,
    binary: u64,
    /// Search anew, whatever is known.
    fresh: bool,
}

impl Store {
    pub(crate) fn new(folder: PathBuf, covenant: &Path, fresh: bool) -> Result<Store> {
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        Ok(Store { folder, binary: digest(&fs::read(covenant)?), fresh })
    }

    pub(crate) fn key(&self, file: &Path, options: &[String]) -> Result<String> {
        let text = fs::read(file).with_context(|| file.display().to_string())?;
        Ok(format!("{:016x}", digest(&(self.binary, text, options))))
    }

    pub(crate) fn find(&self, key: &str) -> Option<Value> {
        if self.fresh {
            return None;
        }
        serde_json::from_slice(&fs::read(self.file(key)).ok()?).ok()
    }

    pub(crate) fn keep(&self, key: &str, report: &Value) -> Result<()> {
        let file = self.file(key);
        let draft = file.with_extension("draft");
        fs::write(&draft, serde_json::to_vec(report)?)?;
        fs::rename(&draft, &file).with_context(|| file.display().to_string())
    }

    fn file(&self, key: &str) -> PathBuf {
        self.folder.join(key).with_extension("json")
    }
}

fn digest(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_was_kept_is_found_for_the_same_search_only() {
        let home = tempfile::tempdir().unwrap();
        let (binary, subject) = (home.path().join("binary"), home.path().join("subject.c"));
        fs::write(&binary, "1").unwrap();
        fs::write(&subject, "int x;").unwrap();
        let store = |fresh| Store::new(home.path().join("store"), &binary, fresh).unwrap();
        let options = |seed: &str| vec!["--seed".to_owned(), seed.to_owned()];
        let key = store(false).key(&subject, &options("1")).unwrap();
        store(false).keep(&key, &json!({"status": "complete"})).unwrap();
        assert_eq!(store(false).find(&key), Some(json!({"status": "complete"})));
        assert_eq!(store(true).find(&key), None);
        assert_ne!(store(false).key(&subject, &options("2")).unwrap(), key);
        fs::write(&binary, "2").unwrap();
        assert_ne!(store(false).key(&subject, &options("1")).unwrap(), key);
    }
}
