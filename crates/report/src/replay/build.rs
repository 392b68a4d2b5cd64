//! Building subject and suite for the replay.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use covenant_goals::TestCase;
use covenant_program::clang::FrontEnd;
use sha2::Digest;

use super::{ReplayOptions, emulated, object_cache};
use crate::Error;
use crate::fencing::Native;
use crate::parallel::in_parallel;
use crate::subject::{SubjectFile, SubjectInfo};
use crate::suite::{self, SuiteFormat};

/// Branches as Covenant's own front end sees them, with counters that can live in shared memory, and a mapping that
/// can be read.
const COVERAGE: &[&str] = &[
    "-O0",
    "-g",
    "-fprofile-instr-generate",
    "-fcoverage-mapping",
    "-mllvm",
    "-runtime-counter-relocation",
    "-mllvm",
    "-enable-name-compression=false",
];
/// The test vectors of decisions. Their bits cannot live in shared memory, so only runs that end by themselves leave them.
const DECISIONS: &[&str] = &["-O0", "-g", "-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc"];
/// Undefined arithmetic is reported and goes on, because not all of it is a trap for Covenant. The check of a function's type looks
/// at what is called before its arguments are computed: with a null pointer, a run would end before what C has happen first.
pub(crate) const SANITIZERS: &[&str] = &["-fsanitize=address,undefined", "-fno-sanitize=function"];

const WITHOUT_ADDRESS: &[&str] = &["-fsanitize=undefined", "-fno-sanitize=function"];
/// What a sanitizer does without its library.
const DIVISION: &[&str] = &["-fsanitize=integer-divide-by-zero", "-fsanitize-trap=integer-divide-by-zero"];
/// Where the memory of the address sanitizer begins.
const SHADOW: u64 = 0x7fff_7000; // not tuning: an address
/// The same with 32 bits.
const SHADOW_32: u64 = 0x2000_0000; // not tuning: an address

#[derive(Clone, Debug)]
pub(crate) struct Tools {
    pub(super) clang: PathBuf,
    pub(super) profdata: PathBuf,
    pub(crate) cov: PathBuf,
    /// What fences the suite.
    pub(super) native: Native,
}

impl Tools {
    pub(super) fn clang(&self) -> &Path {
        &self.clang
    }

    pub(crate) fn find(options: &ReplayOptions) -> Result<Tools, Error> {
        let clang = FrontEnd { clang: options.clang.clone(), ..FrontEnd::default() }.find_clang()?;
        let profdata = tool(&clang, "llvm-profdata")?;
        let cov = tool(&clang, "llvm-cov")?;
        Ok(Tools { clang, profdata, cov, native: options.fencing.choose()? })
    }
}

/// LLVM's tools stand beside clang, or carry the version in their name.
fn tool(clang: &Path, name: &'static str) -> Result<PathBuf, Error> {
    let beside = clang.parent().filter(|p| !p.as_os_str().is_empty()).map(|p| p.join(name));
    let known = [format!("{name}-19"), format!("/usr/lib/llvm-19/bin/{name}")].map(PathBuf::from);
    beside.into_iter().chain(known).find(|path| is_there(path)).ok_or(Error::NoTool(name))
}

/// Starting a tool to see whether it starts takes as long as its work.
fn is_there(tool: &Path) -> bool {
    object_cache::find(tool).is_some_and(|file| file.is_file())
}

/// Builds the suite and returns the program. The files of `suite/c` are used if they are there, since they are what the
/// user gets; otherwise they are written for the occasion.
pub(super) fn build(
    dir: &Path,
    scratch: &Path,
    subject: &SubjectInfo,
    tests: &[TestCase],
    tools: &Tools,
    notes: &mut Vec<String>,
) -> Result<PathBuf, Error> {
    let sources = sources(dir, scratch, subject, tests)?;
    let build = Build { scratch, subject, sources: &sources, clang: &tools.clang, coverage: COVERAGE };
    if subject.emulated.is_some() {
        // There are no sanitizers to link with. What needs none is that a division by zero ends the program: there are machines on which
        // it gives 0.
        return build.program("played", DIVISION);
    }
    // The address sanitizer keeps its own memory where these devices are.
    let shadow = if subject.machine().iter().any(|flag| flag == "-m32") { SHADOW_32 } else { SHADOW };
    let is_taken = subject.devices.iter().any(|&(start, size)| start.saturating_add(size) > shadow);
    let sanitizers = if is_taken { WITHOUT_ADDRESS } else { SANITIZERS };
    match build.program("checked", sanitizers) {
        Err(Error::Build { message, .. }) => {
            let program = build.program("plain", &[])?;
            let first = message.lines().find(|l| l.contains("error")).unwrap_or("no reason given").trim();
            notes.push(format!("the subject cannot be built with sanitizers, so it ran without them: {first}"));
            Ok(program)
        }
        built => built,
    }
}

/// The same program, for the decisions of MC/DC.
pub(super) fn build_decisions(
    dir: &Path,
    scratch: &Path,
    subject: &SubjectInfo,
    tests: &[TestCase],
    tools: &Tools,
) -> Result<PathBuf, Error> {
    let sources = sources(dir, scratch, subject, tests)?;
    let build = Build { scratch, subject, sources: &sources, clang: &tools.clang, coverage: DECISIONS };
    build.program("decisions", &[])
}

/// The folder of the suite's files.
fn sources(dir: &Path, scratch: &Path, subject: &SubjectInfo, tests: &[TestCase]) -> Result<PathBuf, Error> {
    let mut sources = dir.join(SuiteFormat::C.folder());
    if !suite::SOURCES.iter().all(|name| sources.join(name).is_file()) {
        sources = scratch.join("suite");
        suite::write_c(&sources, subject, tests, true)?;
    }
    // Compilers run in directories of their own.
    std::path::absolute(&sources).map_err(Error::file(&sources))
}

struct Build<'a> {
    scratch: &'a Path,
    subject: &'a SubjectInfo,
    sources: &'a Path,
    clang: &'a Path,
    coverage: &'a [&'a str],
}

impl Build<'_> {
    fn program(&self, name: &str, sanitizers: &[&str]) -> Result<PathBuf, Error> {
        let mut parts: Vec<Option<usize>> = (0..self.subject.files.len()).map(Some).collect();
        parts.push(None);
        let objects = in_parallel(&parts, 0, |part, _| match *part {
            None => self.support(),
            Some(index) => {
                let object = self.scratch.join(format!("{name}{index}.o"));
                self.subject_file(index, &self.subject.files[index], &object, sanitizers)?;
                Ok(vec![object])
            }
        })?;
        let program = self.scratch.join(name);
        let mut command = Command::new(self.clang);
        command.args(self.subject.machine());
        // The runtime that goes with this flag is there for few machines; `support` has another one for the rest.
        command.arg(if self.subject.emulated.is_some() { "-static" } else { "-fprofile-instr-generate" });
        command.arg("-Wl,--wrap=main").args(sanitizers);
        command.arg("-o").arg(&program).args(objects.iter().flatten()).args(["-lm", "-lpthread"]);
        compile(command, self.scratch, "the suite")?;
        Ok(program)
    }

    fn support(&self) -> Result<Vec<PathBuf>, Error> {
        let mut machine = self.subject.machine();
        if self.subject.emulated.is_none() {
            return support_objects(self.clang, &machine, self.sources, self.scratch);
        }
        machine.push(emulated::IN_GUEST.to_owned());
        let mut objects = support_objects(self.clang, &machine, self.sources, self.scratch)?;
        objects.push(emulated::counting(self.clang, &machine, self.scratch)?);
        Ok(objects)
    }

    fn subject_file(&self, index: usize, file: &SubjectFile, object: &Path, sanitizers: &[&str]) -> Result<(), Error> {
        let what = file.absolute().display().to_string();
        if self.subject.emulated.is_some() {
            // Tests say what assembly gives, on its own machine too; and code that is not the kernel's may do less there.
            let again = self.command(index, file, sanitizers);
            if self.without_assembly(again, sanitizers, object, &what)? {
                return Ok(());
            }
        }
        let mut plain = self.command(index, file, sanitizers);
        plain.arg("-o").arg(object);
        match compile(plain, self.scratch, &what) {
            Err(Error::Build { what, message }) if self.subject.foreign => {
                let again = self.command(index, file, sanitizers);
                let is_done = self.without_assembly(again, sanitizers, object, &what)?;
                if is_done { Ok(()) } else { Err(Error::Build { what, message }) }
            }
            done => done,
        }
    }

    /// Without the name of the object.
    fn command(&self, index: usize, file: &SubjectFile, sanitizers: &[&str]) -> Command {
        let path = file.absolute();
        let mut command = Command::new(self.clang);
        command.current_dir(file.absolute_directory()).args(&file.flags).args(self.coverage).args(sanitizers);
        command.args(["-w", "-c"]);
        if index == self.subject.entry_file {
            command.arg(format!("-DCOVENANT_SUBJECT=\"{}\"", path.display()));
            command.arg(self.sources.join(suite::SUITE));
        } else {
            command.arg(&path);
        }
        command
    }

    /// The same without assembly, which is another machine's: the suite has functions in its place.
    fn without_assembly(
        &self,
        command: Command,
        sanitizers: &[&str],
        object: &Path,
        what: &str,
    ) -> Result<bool, Error> {
        let bitcode = object.with_extension("bc");
        let mut first = command;
        // Functions that are to be inlined are still there then, and what counts and checks is put in behind it.
        first.args(["-Xclang", "-disable-llvm-passes", "-emit-llvm", "-o"]).arg(&bitcode);
        compile(first, self.scratch, what)?;
        let read = std::fs::read(&bitcode).map_err(Error::file(&bitcode))?;
        let is_known = |name: &str| self.subject.stubs.iter().any(|stub| stub.name == name);
        let changed = covenant_program::lower::without_assembly(&read, &is_known);
        let Some(changed) = changed.map_err(|message| Error::Content { path: bitcode.clone(), message })? else {
            return Ok(false);
        };
        std::fs::write(&bitcode, changed).map_err(Error::file(&bitcode))?;
        let mut second = Command::new(self.clang);
        second.args(self.subject.machine()).args(self.coverage).args(sanitizers).args(["-w", "-c", "-o"]);
        second.arg(object).arg(&bitcode);
        compile(second, self.scratch, what)?;
        Ok(true)
    }
}

/// What is linked with the subject: what is the same for all, and what has symbols that the subject names, which are nobody else's.
pub(crate) fn support_objects(
    clang: &Path,
    machine: &[String],
    sources: &Path,
    scratch: &Path,
) -> Result<Vec<PathBuf>, Error> {
    let build = |name: &str, all: &[&str]| support_object((clang, machine), sources, &scratch.join(name), all);
    Ok(vec![build("support", suite::SUPPORT)?, build("support_externs", &[suite::OTHERS])?])
}

/// These files as one object.
fn support_object(
    (clang, machine): (&Path, &[String]),
    sources: &Path,
    place: &Path,
    all: &[&str],
) -> Result<PathBuf, Error> {
    let text: String = all.iter().map(|name| format!("#include \"{name}\"\n")).collect();
    let mut hash = object_cache::digest(clang);
    machine.iter().for_each(|flag| hash.update(format!("\0{flag}")));
    hash.update(&text);
    let others = |name: &&&str| **name != suite::SUITE && (**name != suite::OTHERS || all.contains(name));
    for name in suite::SOURCES.iter().filter(others) {
        let path = sources.join(name);
        hash.update(std::fs::read(&path).map_err(Error::file(&path))?);
        hash.update([0]);
    }
    let key: [u8; 32] = hash.finalize().into();
    let object = place.with_extension("o");
    if let Some(known) = object_cache::load(key) {
        std::fs::write(&object, &*known).map_err(Error::file(&object))?;
        return Ok(object);
    }
    let source = place.with_extension("c");
    std::fs::write(&source, text).map_err(Error::file(&source))?;
    let mut command = Command::new(clang);
    // It is compiled more often than it runs long.
    command
        .args(machine)
        .args(covenant_program::clang::kernel_headers(machine))
        .args(["-std=gnu11", "-O0", "-w", "-c", "-iquote"])
        .arg(sources);
    command.arg("-o").arg(&object).arg(&source);
    compile(command, place.parent().unwrap_or(place), "the suite")?;
    object_cache::store(key, std::fs::read(&object).map_err(Error::file(&object))?, !all.contains(&suite::OTHERS));
    Ok(object)
}

/// Runs a compiler that writes to `folder` only.
pub(crate) fn compile(mut command: Command, folder: &Path, what: &str) -> Result<(), Error> {
    covenant_sandbox::limit_compiler(&mut command, folder);
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|source| Error::Program { program: command.get_program().into(), source })?;
    if output.status.success() {
        return Ok(());
    }
    let message = said(&output);
    let message = covenant_sandbox::compiler_limit(output.status, &message).unwrap_or(message);
    Err(Error::Build { what: what.to_owned(), message })
}

pub(super) fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    if text.is_empty() { format!("it failed without a word ({})", output.status) } else { text }
}
