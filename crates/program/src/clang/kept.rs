//! What clang said is kept where it will be asked for again.
//!
//! * Between runs: its version, by the identity of its file. To start clang for it takes as long as to compile a small file.
//! * Within a run that has several processes: what it made of each file ([`keep_in`]). A file that changes meanwhile is compiled
//!   anew. Headers of the system count as they were at the beginning of the run.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use super::{FLAGS, FrontEnd, Input, Job, Unit};

/// Where the processes of this run keep what clang made.
static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// Makes this process keep what clang makes in a folder, and take from there what is there. The folder is one of this run.
pub fn keep_in(folder: &Path) {
    let _ = FOLDER.set(folder.to_path_buf());
}

/// That folder, where one was named.
pub fn kept_in() -> Option<&'static Path> {
    FOLDER.get().map(PathBuf::as_path)
}

/// A result of clang in the folder of this run.
#[derive(Debug)]
pub struct Kept(PathBuf);

/// A file as it was.
#[derive(PartialEq, Serialize, Deserialize)]
struct Stamp {
    path: PathBuf,
    length: u64,
    modified: u128,
    changed: (i64, i64),
    number: u64,
}

impl Stamp {
    fn of(path: &Path) -> Option<Stamp> {
        use std::os::unix::fs::MetadataExt;
        let about = path.metadata().ok()?;
        let modified = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
        let changed = (about.ctime(), about.ctime_nsec());
        Some(Stamp { path: path.to_path_buf(), length: about.len(), modified, changed, number: about.ino() })
    }

    fn words(&self) -> String {
        format!("{:?} {} {} {:?} {}", self.path, self.length, self.modified, self.changed, self.number)
    }
}

/// A compiled file as it is kept, without what the job says itself.
#[derive(Serialize, Deserialize)]
struct Made {
    bitcode: Vec<u8>,
    warnings: String,
    has_all_static: bool,
    headers: Vec<PathBuf>,
    /// The file and its headers.
    stamps: Vec<Stamp>,
}

impl Kept {
    fn of(parts: &[&[u8]]) -> Option<Kept> {
        let folder = FOLDER.get()?;
        let mut context = md5::Context::new();
        for part in parts {
            context.consume(part.len().to_le_bytes());
            context.consume(part);
        }
        Some(Kept(folder.join(format!("{:x}", context.finalize()))))
    }

    /// Where the code of a file is kept, compiled as the job says.
    pub(super) fn unit(job: &Job<'_>, clang: &Path) -> Option<Kept> {
        let flags: Vec<&str> = job.flags.iter().map(String::as_str).chain(FLAGS.iter().copied()).collect();
        let flags = flags.join("\0");
        let names: [&OsStr; 4] =
            [clang.as_os_str(), job.input.as_os_str(), job.directory.as_os_str(), job.base.as_os_str()];
        let names = names.map(OsStr::as_encoded_bytes);
        let how = [u8::from(job.keep_static), u8::from(job.mcdc)];
        Kept::of(&[b"unit", flags.as_bytes(), names[0], names[1], names[2], names[3], &how])
    }

    /// Where the syntax tree of a file is kept, as the file and its headers are now.
    pub(crate) fn tree(front_end: &FrontEnd, input: &Input<'_>, headers: &[PathBuf]) -> Option<Kept> {
        FOLDER.get()?;
        let clang = front_end.find_clang().ok()?;
        let file = input.directory.join(input.file);
        let stamps: Option<Vec<String>> =
            std::iter::once(&file).chain(headers).map(|path| Stamp::of(path).map(|stamp| stamp.words())).collect();
        let (stamps, flags) = (stamps?.join("\0"), input.flags.join("\0"));
        let names = [clang.as_os_str(), input.directory.as_os_str()].map(OsStr::as_encoded_bytes);
        Kept::of(&[b"tree", flags.as_bytes(), names[0], names[1], stamps.as_bytes()])
    }

    /// What is kept, if it is whole.
    pub(crate) fn read(&self) -> Option<Vec<u8>> {
        let mut bytes = std::fs::read(&self.0).ok()?;
        let content = bytes.len().checked_sub(16)?;
        (*md5::compute(&bytes[..content]) == bytes[content..]).then(|| {
            bytes.truncate(content);
            bytes
        })
    }

    /// That it cannot be kept costs nothing but time.
    pub(crate) fn write(&self, bytes: &[u8]) {
        let write = || -> Option<()> {
            let mut new = tempfile::NamedTempFile::new_in(self.0.parent()?).ok()?;
            new.write_all(bytes).and_then(|()| new.write_all(&*md5::compute(bytes))).ok()?;
            new.persist(&self.0).ok()?;
            Some(())
        };
        write();
    }

    /// The unit that is kept for a job, if its files are what they were.
    pub(super) fn read_unit(&self, job: &Job<'_>) -> Option<Unit> {
        let made: Made = postcard::from_bytes(&self.read()?).ok()?;
        if !made.stamps.iter().all(|stamp| Stamp::of(&stamp.path).as_ref() == Some(stamp)) {
            return None;
        }
        let Made { bitcode, warnings, has_all_static, headers, .. } = made;
        Some(Unit {
            file: job.file.to_path_buf(),
            path: job.path(),
            bitcode,
            flags: job.flags.clone(),
            directory: job.directory.clone(),
            warnings,
            has_all_static,
            headers,
        })
    }

    pub(super) fn write_unit(&self, unit: &Unit) {
        let files = std::iter::once(&unit.path).chain(&unit.headers);
        let Some(stamps) = files.map(|path| Stamp::of(path)).collect() else { return };
        let made = Made {
            bitcode: unit.bitcode.clone(),
            warnings: unit.warnings.clone(),
            has_all_static: unit.has_all_static,
            headers: unit.headers.clone(),
            stamps,
        };
        if let Ok(bytes) = postcard::to_stdvec(&made) {
            self.write(&bytes);
        }
    }
}

/// Where the user's caches are, if there is a place for them.
fn caches() -> Option<PathBuf> {
    let absolute = |path: PathBuf| path.is_absolute().then_some(path);
    let own = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).and_then(absolute);
    let home = || Some(std::env::var_os("HOME").map(PathBuf::from).and_then(absolute)?.join(".cache"));
    Some(own.or_else(home)?.join("covenant"))
}

/// The file of a program.
fn find(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return program.canonicalize().ok();
    }
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file());
    found?.canonicalize().ok()
}

/// Where the version of a compiler is kept. Another file, or the same one changed, has another place.
pub(super) struct Place(PathBuf);

impl Place {
    pub(super) fn of(clang: &Path) -> Option<Place> {
        let file = find(clang)?;
        let stamp = Stamp::of(&file)?;
        // A script starts a compiler that may change without it.
        let start = std::fs::File::open(&file).and_then(|mut file| {
            let mut start = [0; 2];
            std::io::Read::read_exact(&mut file, &mut start).map(|()| start)
        });
        if start.ok()? == *b"#!" {
            return None;
        }
        Some(Place(caches()?.join("versions").join(format!("{:x}", md5::compute(stamp.words())))))
    }

    pub(super) fn read(&self) -> Option<String> {
        let text = std::fs::read_to_string(&self.0).ok()?;
        // What was cut off is asked for again.
        Some(text.strip_suffix('\n')?.to_owned())
    }

    /// That it cannot be kept costs nothing but time.
    pub(super) fn write(&self, line: &str) {
        let write = || -> Option<()> {
            let folder = self.0.parent()?;
            std::fs::create_dir_all(folder).ok()?;
            let mut new = tempfile::NamedTempFile::new_in(folder).ok()?;
            writeln!(new, "{line}").ok()?;
            new.persist(&self.0).ok()?;
            Some(())
        };
        write();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_file_has_another_place() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other, script) =
            (folder.path().join("one"), folder.path().join("other"), folder.path().join("script"));
        for (file, text) in [(&one, "\x7fELF 1"), (&other, "\x7fELF 2"), (&script, "#!/bin/sh\n")] {
            std::fs::write(file, text).unwrap();
        }
        let place = |file: &Path| Place::of(file).map(|place| place.0);
        if let Some(here) = place(&one) {
            assert_eq!(place(&one).as_ref(), Some(&here));
            assert_ne!(place(&other).as_ref(), Some(&here));
            std::fs::write(&one, "\x7fELF longer").unwrap();
            assert_ne!(place(&one), Some(here));
        }
        assert_eq!(place(&script), None);
        assert_eq!(place(&folder.path().join("nothing")), None);
    }

    #[test]
    fn a_version_that_was_cut_off_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place(folder.path().join("versions/key"));
        assert_eq!(place.read(), None);
        place.write("clang version 19.1.7");
        assert_eq!(place.read().as_deref(), Some("clang version 19.1.7"));
        std::fs::write(&place.0, "clang vers").unwrap();
        assert_eq!(place.read(), None);
    }
}
