//! Files of the output directory. All are written beside their place and then renamed: a killed run leaves the last
//! complete state, never half a file.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use covenant_goals::{Report, TestCase};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::subject::SubjectInfo;
use crate::{Error, root};

pub(crate) const REPORT: &str = "report.json";
pub(crate) const SUBJECT: &str = "subject.json";
/// The file by which `gen --all` knows whether results are those of the same question.
pub const KEY: &str = "key";
const TESTS: &str = "tests";
const PROOFS: &str = covenant_goals::certificate::FOLDER;

/// Writes a file atomically and makes its directory if need be.
pub fn write_file(path: &Path, content: &[u8]) -> Result<(), Error> {
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent).map_err(Error::file(parent))?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".covenant-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Temporary files are private by default; results are not, as far as the umask allows.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(parent).map_err(plain).map_err(Error::file(path))?;
    file.write_all(content).map_err(plain).map_err(Error::file(path))?;
    file.persist(path).map_err(|e| Error::File { path: path.to_path_buf(), source: e.error })?;
    Ok(())
}

/// A full disk in words, without the name of a file that was to become another one.
fn plain(error: std::io::Error) -> std::io::Error {
    match error.kind() {
        kind @ std::io::ErrorKind::StorageFull => std::io::Error::new(kind, "no space left on the disk"),
        _ => error,
    }
}

pub(crate) fn write_json(path: &Path, value: &impl Serialize) -> Result<(), Error> {
    let mut text = serde_json::to_vec_pretty(value)
        .map_err(|e| Error::Content { path: path.to_path_buf(), message: e.to_string() })?;
    text.push(b'\n');
    write_file(path, &text)
}

pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, Error> {
    let text = std::fs::read(path).map_err(Error::file(path))?;
    serde_json::from_slice(&text).map_err(|e| Error::Content { path: path.to_path_buf(), message: e.to_string() })
}

/// `report.json`
pub fn write_report(dir: &Path, report: &Report) -> Result<(), Error> {
    write_json(&dir.join(REPORT), report)
}

/// The report of an output directory.
pub fn read_report(dir: &Path) -> Result<Report, Error> {
    read_json(&dir.join(REPORT))
}

/// `subject.json`, in which places are relative to the project's root.
pub fn write_subject(dir: &Path, subject: &SubjectInfo) -> Result<(), Error> {
    write_json(&dir.join(SUBJECT), &root::kept(subject.clone(), dir))
}

/// What an output directory says of the code under test, wherever the project is now.
pub fn read_subject(dir: &Path) -> Result<SubjectInfo, Error> {
    Ok(root::placed(read_json(&dir.join(SUBJECT))?, dir))
}

/// `tests/NAME.json`. Tests of an earlier run that are not among these are removed.
pub fn write_tests(dir: &Path, tests: &[TestCase]) -> Result<(), Error> {
    let folder = dir.join(TESTS);
    for test in tests {
        write_json(&dir.join(test_file(&test.name)), test)?;
    }
    let names = tests.iter().map(|t| format!("{}.json", file_stem(&t.name))).collect();
    remove_others(&folder, ".json", &names)
}

/// The tests of an output directory, in the order of the report.
pub fn read_tests(dir: &Path, report: &Report) -> Result<Vec<TestCase>, Error> {
    report.tests.iter().map(|entry| read_json(&dir.join(&entry.file))).collect()
}

/// Where [`write_tests`] puts a test, below the output directory.
pub fn test_file(name: &str) -> PathBuf {
    Path::new(TESTS).join(format!("{}.json", file_stem(name)))
}

/// `proofs/NAME.smt2` for the certificates of these objectives. Those of an earlier run that are not among them are removed.
pub fn write_proofs<'a>(dir: &Path, proofs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<(), Error> {
    let mut names = BTreeSet::new();
    for (objective, text) in proofs {
        let file = covenant_goals::certificate::file(objective);
        write_file(&dir.join(&file), text.as_bytes())?;
        names.extend(file.file_name().map(|name| name.to_string_lossy().into_owned()));
    }
    remove_others(&dir.join(PROOFS), ".smt2", &names)
}

/// A test's name as the name of a file.
pub(crate) fn file_stem(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let stem: String = name.chars().map(plain).collect();
    if stem.is_empty() || stem.starts_with('.') { format!("_{stem}") } else { stem }
}

/// Removes a folder that is ours, if it is there.
pub(crate) fn remove_folder(folder: &Path) -> Result<(), Error> {
    match std::fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::file(folder)(e)),
        _ => Ok(()),
    }
}

/// Removes what an earlier run left in a folder that is ours.
pub(crate) fn remove_others(folder: &Path, ending: &str, keep: &BTreeSet<String>) -> Result<(), Error> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(Error::file(folder)(e)),
    };
    for entry in entries {
        let entry = entry.map_err(Error::file(folder))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(ending) && !keep.contains(&name) {
            std::fs::remove_file(entry.path()).map_err(Error::file(&entry.path()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(name: &str) -> TestCase {
        TestCase { name: name.into(), outcome: covenant_goals::TestOutcome::Returned, ..TestCase::default() }
    }

    #[test]
    fn tests_of_an_earlier_run_go() {
        let dir = tempfile::tempdir().unwrap();
        write_tests(dir.path(), &[test("a"), test("b")]).unwrap();
        write_tests(dir.path(), &[test("b"), test("c/d")]).unwrap();
        let mut names: Vec<_> = std::fs::read_dir(dir.path().join("tests"))
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, ["b.json", "c_d.json"]);
    }

    #[test]
    fn certificates_of_an_earlier_run_go() {
        let dir = tempfile::tempdir().unwrap();
        write_proofs(dir.path(), [("f:1:2:true", "a"), ("f:1:2:false", "b")]).unwrap();
        write_proofs(dir.path(), [("f:1:2:true", "c")]).unwrap();
        let read = |id: &str| std::fs::read_to_string(dir.path().join(covenant_goals::certificate::file(id))).ok();
        assert_eq!((read("f:1:2:true").as_deref(), read("f:1:2:false")), (Some("c"), None));
        write_proofs(dir.path(), []).unwrap();
        assert_eq!(read("f:1:2:true"), None);
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_and_nothing_else_stays() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep/er/x");
        write_file(&path, b"first, which is longer").unwrap();
        write_file(&path, b"second").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"second");
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_report_is_read_back() {
        let dir = tempfile::tempdir().unwrap();
        let report = Report { schema: 1, seed: 7, status: covenant_goals::Status::Complete, ..Report::default() };
        write_report(dir.path(), &report).unwrap();
        assert_eq!(read_report(dir.path()).unwrap(), report);
        assert!(read_subject(dir.path()).is_err());
    }
}
