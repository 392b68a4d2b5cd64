//! A job: one function with all that its analysis looks at, so that any machine like the one that asks can do it.
//!
//! Files are named from the root of the file system, as they are where somebody asks. A worker lays them out in the same way below a
//! folder of its own, *here*, whose name takes the place of [`HERE`] in words and texts. Files have digests, under which the store
//! has each of them once, whoever sent it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// Stands for the folder below which a worker has laid out the files.
pub(crate) const HERE: &str = "${here}";

/// Names of objects.
pub(crate) fn of_file(digest: &str) -> String {
    format!("file/{digest}")
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Job {
    /// What is analysed, for people.
    pub(crate) function: String,
    /// The object that results become, for everybody who has the same question.
    pub(crate) result: String,
    /// The object that they become if more time, or another try, may give other ones: for the one who asks alone.
    pub(crate) passing: String,
    /// Who asks.
    pub(crate) asker: String,
    /// Files with the digests of their content.
    pub(crate) files: BTreeMap<PathBuf, String>,
    /// Files with their content, in which places have been marked.
    pub(crate) texts: BTreeMap<PathBuf, String>,
    pub(crate) folders: BTreeSet<PathBuf>,
    /// Where covenant runs, and with which words.
    pub(crate) directory: PathBuf,
    pub(crate) words: Vec<String>,
    /// Where the results are.
    pub(crate) out: PathBuf,
}

/// What came of it, beside the files in `out`.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Outcome {
    /// The exit code; none if the process was killed.
    pub(crate) code: Option<u8>,
    /// What it said.
    pub(crate) said: String,
}

impl Job {
    /// Marks places in a word: paths below these folders, and those that lead to one of the files.
    pub(crate) fn mark(word: &str, roots: &[PathBuf], files: &BTreeMap<PathBuf, String>) -> String {
        let Some(at) = word.find('/') else { return word.to_owned() };
        let path = Path::new(&word[at..]);
        let leads = files.keys().any(|file| file.starts_with(path));
        // The root of the file system leads to everything and is nobody's place.
        match path.parent().is_some() && (leads || roots.iter().any(|root| path.starts_with(root))) {
            true => format!("{}{HERE}{}", &word[..at], &word[at..]),
            false => word.to_owned(),
        }
    }

    /// Where a path of the one who asks is below `here`.
    pub(crate) fn place(here: &Path, path: &Path) -> Result<PathBuf> {
        let parts: Vec<Component<'_>> = path.components().collect();
        let plain = matches!(parts.first(), Some(Component::RootDir))
            && parts[1..].iter().all(|part| matches!(part, Component::Normal(_)));
        ensure!(plain, "a job with a strange path: {}", path.display());
        Ok(parts[1..].iter().fold(here.to_path_buf(), |path, part| path.join(part)))
    }

    /// Words with places of this machine.
    pub(crate) fn placed(text: &str, here: &Path) -> String {
        text.replace(HERE, &here.display().to_string())
    }
}

/// Results with places of the machine that asks: what was below `here` is below the root.
pub(crate) fn as_asked(content: &[u8], here: &Path) -> Vec<u8> {
    let here = here.as_os_str().as_encoded_bytes();
    let mut out = Vec::with_capacity(content.len());
    let mut rest = content;
    while let Some(at) = rest.windows(here.len().max(1)).position(|window| window == here) {
        out.extend(&rest[..at]);
        rest = &rest[at + here.len()..];
    }
    out.extend(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_go_there_and_back() {
        let files = BTreeMap::from([(PathBuf::from("/opt/lib/include/x/a.h"), String::new())]);
        let roots = [PathBuf::from("/srv/u/p")];
        let mark = |word: &str| Job::mark(word, &roots, &files);
        assert_eq!(mark("-I/srv/u/p/include"), "-I${here}/srv/u/p/include");
        assert_eq!(mark("-I/opt/lib/include"), "-I${here}/opt/lib/include");
        assert_eq!(mark("/srv/u/p/a.c"), "${here}/srv/u/p/a.c");
        for same in ["-I/usr/include", "-Iinclude", "src/a.c", "-DX", "/", "/srv/u/pp/a.c", "-DD=4/2"] {
            assert_eq!(mark(same), same);
        }
        let here = Path::new("/tmp/w");
        assert_eq!(Job::placed("-I${here}/opt", here), "-I/tmp/w/opt");
        assert_eq!(as_asked(b"at /tmp/w/opt/a.h, /tmp/w/b\xff", here), b"at /opt/a.h, /b\xff");
        assert_eq!(Job::place(here, Path::new("/a/b")).unwrap(), Path::new("/tmp/w/a/b"));
        for strange in ["a/b", "/a/../../b", ""] {
            assert!(Job::place(here, Path::new(strange)).is_err(), "{strange}");
        }
    }
}
