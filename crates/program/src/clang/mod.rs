//! The clang driver: C files to LLVM bitcode.
//!
//! Each file is compiled by itself, with the user's flags (or those of `compile_commands.json`) in front and ours
//! behind: no optimisation, debug information, and clang's coverage instrumentation without the passes that would
//! rewrite it. So what clang calls a branch arrives as one.

mod database;
mod dependencies;
mod diagnostics;
mod emulated;
mod flags;
mod kept;
mod look;
mod vendor;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

pub use emulated::{Emulated, emulated};
pub use flags::{WITHOUT_SPACES, kernel_headers, machine, on_this_machine};
pub use kept::{Kept, keep_in, kept_in};
pub use look::{Input, Look};
use rayon::prelude::*;

/// The release whose bitcode this program reads.
const VERSION: u32 = 19;

/// Where to look for clang when the user names none.
const CANDIDATES: &[&str] = &["clang-19", "/usr/lib/llvm-19/bin/clang", "clang"];

/// Ours, behind the user's.
const FLAGS: &[&str] = &[
    "-O0",
    "-g",
    "-fprofile-instr-generate",
    "-fcoverage-mapping",
    "-Xclang",
    "-disable-llvm-passes",
    "-Xclang",
    "-disable-O0-optnone",
    "-mllvm",
    "-enable-name-compression=false",
    // Comments and empty lines are regions to clang, which walks all of a file for each of its functions.
    "-mllvm",
    "-emptyline-comment-coverage=false",
    "-emit-llvm",
    "-c",
];

/// Makes clang emit functions and variables that nothing uses, which it otherwise drops where they are `static`. What
/// it says about them (`-Wunused-function`) and the coverage mapping of the others stay as they are.
const KEEP_STATIC: &str = "-femit-all-decls";

/// Debian has the headers of the C library for 32-bit x86 in a package of their own.
const NO_HEADERS_I386: &str =
    "\nThe headers of the C library for 32-bit x86 may be missing: `apt-get install gcc-multilib` installs them.";

const MCDC: &str = "-fcoverage-mcdc";

/// How C files are compiled.
#[derive(Clone, Debug, Default)]
pub struct FrontEnd {
    /// The clang to use; `None` looks for one.
    pub clang: Option<PathBuf>,
    /// Flags for every file.
    pub flags: Vec<String>,
    /// What names of files are relative to, and where clang runs; empty: the directory of this process.
    pub directory: PathBuf,
    /// A directory with `compile_commands.json`, which has the flags of each file.
    pub project: Option<PathBuf>,
    /// How files were compiled before: in place of a `compile_commands.json` that is not there any more.
    pub recorded: Vec<Recorded>,
    /// Also compile `static` functions that nothing calls.
    pub keep_static: bool,
    /// Let the coverage mapping tell the decisions of MC/DC. The code then keeps track of their test vectors, so it is
    /// good for the mapping alone; counters are numbered as without.
    pub mcdc: bool,
}

/// How a file was compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// From the root of the file system.
    pub file: PathBuf,
    /// Where clang ran.
    pub directory: PathBuf,
    /// The flags, without ours.
    pub flags: Vec<String>,
}

/// A compiled file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// As the user named it.
    pub file: PathBuf,
    /// Where it is: users name files from where they are, `compile_commands.json` from where the compiler runs.
    pub path: PathBuf,
    /// LLVM bitcode.
    pub bitcode: Vec<u8>,
    /// The flags used for this file, without ours.
    pub flags: Vec<String>,
    /// Where clang ran.
    pub directory: PathBuf,
    /// What clang said about a file that it accepted.
    pub warnings: String,
    /// Whether `static` functions that nothing calls are there.
    pub has_all_static: bool,
    /// The project's own headers that went into it, from the root of the file system; not those of the system.
    pub headers: Vec<PathBuf>,
}

/// Why there is no bitcode, in words for the user.
#[expect(missing_docs, reason = "the messages say it")]
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("clang {VERSION} was not found; install it with `apt-get install clang-{VERSION}`")]
    NoClang,
    #[error("`{}` cannot be run: {source}", .path.display())]
    NotRunnable { path: PathBuf, source: std::io::Error },
    #[error("`{}` is {found}; clang {VERSION} is needed (`apt-get install clang-{VERSION}`)", .path.display())]
    WrongVersion { path: PathBuf, found: String },
    #[error("no file was given")]
    NoFiles,
    #[error("{}: no such file", .0.display())]
    Missing(PathBuf),
    #[error("{}: is a directory", .0.display())]
    Directory(PathBuf),
    #[error("{}: cannot be read: {source}", .file.display())]
    Unreadable { file: PathBuf, source: std::io::Error },
    #[error("{}: is {what}, not a C source file", .file.display())]
    NotC { file: PathBuf, what: &'static str },
    #[error("{}: a name with a quote, a backslash or a control character is not supported", .0.display())]
    OddName(PathBuf),
    #[error("{}: clang was stopped: {what}", .file.display())]
    Stopped { file: PathBuf, what: String },
    #[error("no space left on the disk of {}, where clang writes (TMPDIR names another place)", .0.display())]
    Full(PathBuf),
    /// clang's own words.
    #[error("{message}")]
    Rejected { file: PathBuf, message: String },
    #[error("{}: no such file; CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON", .0.display())]
    NoDatabase(PathBuf),
    #[error("{}: not a compilation database: {message}", .file.display())]
    BadDatabase { file: PathBuf, message: String },
    #[error("{}: has no entry in {}", .file.display(), .database.display())]
    NotInDatabase { file: PathBuf, database: PathBuf },
    #[error("the temporary directory cannot be used: {0}")]
    Temporary(#[source] std::io::Error),
}

/// One run of clang.
struct Job<'a> {
    /// As the user named it.
    file: &'a Path,
    /// The same from where this process runs.
    place: PathBuf,
    /// As clang is told, relative to `directory`.
    input: PathBuf,
    directory: PathBuf,
    /// What the user's names are relative to.
    base: PathBuf,
    flags: Vec<String>,
    keep_static: bool,
    mcdc: bool,
}

impl FrontEnd {
    /// Compiles each file, several at a time. The units are in the order of the files; of several failures the first
    /// in that order is returned.
    pub fn compile(&self, files: &[PathBuf]) -> Result<Vec<Unit>, Error> {
        if files.is_empty() {
            return Err(Error::NoFiles);
        }
        let jobs = self.jobs(files)?;
        let clang = self.find_clang()?;
        let scratch = tempfile::Builder::new().prefix("covenant-").tempdir().map_err(Error::Temporary)?;
        let unit = |(index, job): (usize, &Job<'_>)| job.run(&clang, &scratch.path().join(format!("{index}.bc")));
        let units: Vec<Result<Unit, Error>> = jobs.par_iter().enumerate().map(unit).collect();
        units.into_iter().collect()
    }

    /// The clang that will be used. Its version is checked, since older and newer ones write other bitcode.
    pub fn find_clang(&self) -> Result<PathBuf, Error> {
        if let Some(path) = &self.clang {
            let found = version(path).map_err(|source| Error::NotRunnable { path: path.clone(), source })?;
            return match found.major {
                Some(VERSION) => Ok(path.clone()),
                _ => Err(Error::WrongVersion { path: path.clone(), found: found.line }),
            };
        }
        static FOUND: OnceLock<PathBuf> = OnceLock::new();
        if let Some(path) = FOUND.get() {
            return Ok(path.clone());
        }
        let usable = |name: &&str| version(Path::new(name)).is_ok_and(|v| v.major == Some(VERSION));
        let path = CANDIDATES.iter().find(|name| usable(name)).map(PathBuf::from).ok_or(Error::NoClang)?;
        Ok(FOUND.get_or_init(|| path).clone())
    }

    fn jobs<'a>(&self, files: &'a [PathBuf]) -> Result<Vec<Job<'a>>, Error> {
        let (common, _) = flags::filter(&self.flags);
        let project = self.project.as_ref().map(|project| self.directory.join(project));
        let database = match project.as_deref().map(database::Database::read).transpose() {
            Err(Error::NoDatabase(_)) if !self.recorded.is_empty() => Some(database::Database::of(&self.recorded)),
            read => read?,
        };
        let base = self.base()?;
        let mut jobs = Vec::new();
        for file in files {
            let place = self.directory.join(file);
            let (input, directory, mut flags) = match &database {
                None => (file.clone(), base.clone(), Vec::new()),
                Some(database) => {
                    check_readable(file, &place)?;
                    let entry = database.entry(&place)?;
                    (entry.file.clone(), entry.directory.clone(), entry.flags.clone())
                }
            };
            flags.extend(common.iter().cloned());
            flags::settle(&mut flags);
            check_source(file, &place, flags::language(&flags))?;
            let (base, keep_static, mcdc) = (base.clone(), self.keep_static, self.mcdc);
            jobs.push(Job { file, place, input, directory, base, flags, keep_static, mcdc });
        }
        Ok(jobs)
    }

    /// The directory, from the root.
    fn base(&self) -> Result<PathBuf, Error> {
        if self.directory.as_os_str().is_empty() {
            return std::env::current_dir().map_err(Error::Temporary);
        }
        std::path::absolute(&self.directory).map_err(Error::Temporary)
    }
}

impl Job<'_> {
    /// What was made of the file in this run, or is now.
    fn run(&self, clang: &Path, output: &Path) -> Result<Unit, Error> {
        let kept = Kept::unit(self, clang);
        if let Some(unit) = kept.as_ref().and_then(|kept| kept.read_unit(self)) {
            return Ok(unit);
        }
        let unit = self.compile(clang, output)?;
        if let Some(kept) = kept {
            kept.write_unit(&unit);
        }
        Ok(unit)
    }

    fn compile(&self, clang: &Path, output: &Path) -> Result<Unit, Error> {
        let mut has_all_static = self.keep_static;
        let mut result = self.call(clang, output, self.keep_static.then_some(KEEP_STATIC))?;
        // Some headers have functions that clang cannot compile and never has to: clang 19's own <immintrin.h> is one.
        if self.keep_static && !result.status.success() {
            has_all_static = false;
            result = self.call(clang, output, None)?;
        }
        if !result.status.success() {
            let file = self.file.to_path_buf();
            let message = said(&result);
            if let Some(what) = covenant_sandbox::compiler_limit(result.status, &message) {
                return Err(Error::Stopped { file, what });
            }
            // clang takes it for a bug of its own.
            if message.contains("No space left on device") {
                return Err(Error::Full(std::env::temp_dir()));
            }
            let mut message = self.sight().redact(&message);
            if flags::is_i386(&self.flags) && message.contains("file not found") {
                message.push_str(NO_HEADERS_I386);
            }
            return Err(Error::Rejected { file, message });
        }
        let bitcode = std::fs::read(output).map_err(Error::Temporary)?;
        Ok(Unit {
            file: self.file.to_path_buf(),
            path: self.path(),
            bitcode,
            flags: self.flags.clone(),
            directory: self.directory.clone(),
            warnings: self.sight().redact(&String::from_utf8_lossy(&result.stderr)),
            has_all_static,
            headers: dependencies::read(&output.with_extension("d"), &self.directory, &self.path()),
        })
    }

    fn call(&self, clang: &Path, output: &Path, extra: Option<&str>) -> Result<Output, Error> {
        let mut command = Command::new(clang);
        if let Some(folder) = output.parent() {
            covenant_sandbox::limit_compiler(&mut command, folder);
        }
        let result = command
            .current_dir(&self.directory)
            .args(&self.flags)
            .args(FLAGS)
            .args(extra)
            .args(self.mcdc.then_some(MCDC))
            .args(["-MMD", "-MF"])
            .arg(output.with_extension("d"))
            .arg("-o")
            .arg(output)
            .arg("--")
            .arg(plain_name(&self.input))
            .stdin(Stdio::null())
            .output();
        result.map_err(|source| Error::NotRunnable { path: clang.to_path_buf(), source })
    }
}

impl Job<'_> {
    fn path(&self) -> PathBuf {
        let joined = self.directory.join(self.file);
        self.place.canonicalize().or_else(|_| joined.canonicalize()).unwrap_or(joined)
    }

    /// What diagnostics may quote: the project's files and those that its flags name.
    fn sight(&self) -> diagnostics::Sight {
        let real = self.directory.join(&self.input);
        let own = real.parent().map(Path::to_path_buf).unwrap_or_default();
        diagnostics::Sight::new(&self.directory, [own, self.base.clone(), self.directory.clone()], &self.flags)
    }
}

/// clang takes what begins with @ for a file of arguments, even behind `--`.
fn plain_name(input: &Path) -> PathBuf {
    if input.as_os_str().as_encoded_bytes().starts_with(b"@") {
        Path::new(".").join(input)
    } else {
        input.to_path_buf()
    }
}

fn said(result: &Output) -> String {
    let text = String::from_utf8_lossy(&result.stderr).trim_end().to_owned();
    if text.is_empty() { format!("clang failed without a word ({})", result.status) } else { text }
}

struct Version {
    line: String,
    major: Option<u32>,
}

fn version(clang: &Path) -> std::io::Result<Version> {
    let place = kept::Place::of(clang);
    if let Some(line) = place.as_ref().and_then(kept::Place::read) {
        return Ok(Version::of(line));
    }
    let output = Command::new(clang).arg("--version").stdin(Stdio::null()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().next().unwrap_or("something without a version").trim().to_owned();
    let version = Version::of(line);
    if let Some(place) = place.filter(|_| version.major.is_some()) {
        place.write(&version.line);
    }
    Ok(version)
}

impl Version {
    fn of(line: String) -> Version {
        let number = line.split_once("clang version ").map(|(_, rest)| rest);
        let major = number.and_then(|n| n.split('.').next()?.parse().ok());
        Version { line, major }
    }
}

/// `place` is where the file is that the user calls `file`.
fn check_readable(file: &Path, place: &Path) -> Result<(), Error> {
    match std::fs::metadata(place) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Err(Error::Missing(file.to_path_buf())),
        Err(source) => Err(Error::Unreadable { file: file.to_path_buf(), source }),
        Ok(meta) if meta.is_dir() => Err(Error::Directory(file.to_path_buf())),
        Ok(_) => Ok(()),
    }
}

/// Says what a file is when clang would only be confused by it. `language` is what the flags say.
fn check_source(file: &Path, place: &Path, language: Option<&str>) -> Result<(), Error> {
    check_readable(file, place)?;
    // Such a name could not be written into a suite.
    if file.to_string_lossy().chars().any(|c| c.is_control() || matches!(c, '"' | '\\')) {
        return Err(Error::OddName(file.to_path_buf()));
    }
    // A pipe or a device would be read for ever.
    if !std::fs::metadata(place).is_ok_and(|meta| meta.is_file()) {
        return Err(Error::NotC { file: file.to_path_buf(), what: "a device or a pipe" });
    }
    let mut start = Vec::new();
    std::fs::File::open(place)
        .and_then(|f| f.take(8).read_to_end(&mut start))
        .map_err(|source| Error::Unreadable { file: file.to_path_buf(), source })?;
    let not_c = |what| Err(Error::NotC { file: file.to_path_buf(), what });
    match &start[..] {
        [0x7f, b'E', b'L', b'F', ..] => return not_c("a compiled object or program"),
        [b'!', b'<', b'a', b'r', b'c', b'h', b'>', ..] => return not_c("a library archive"),
        [b'B', b'C', 0xc0, 0xde, ..] => return not_c("LLVM bitcode"),
        _ => {}
    }
    if let Some(language) = language {
        return if language.starts_with('c') && !language.starts_with("c++") {
            Ok(())
        } else {
            not_c("another language")
        };
    }
    match file.extension().and_then(|e| e.to_str()) {
        Some("c" | "i") => Ok(()),
        Some("h") => not_c("a header"),
        Some("cc" | "cpp" | "cxx" | "c++" | "C" | "cp" | "hpp" | "hh" | "ii") => not_c("C++"),
        Some("s" | "S" | "asm") => not_c("assembly"),
        Some("ll") => not_c("LLVM assembly"),
        _ => not_c("a file of another kind (its name does not end in .c)"),
    }
}

#[cfg(test)]
mod tests;
