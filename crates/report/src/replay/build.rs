//! Building subject and suite for the replay.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use covenant_goals::TestCase;
use covenant_program::clang::FrontEnd;

use super::ReplayOptions;
use crate::Error;
use crate::subject::{SubjectFile, SubjectInfo};
use crate::suite::{self, SuiteFormat};

/// Branches as Covenant's own front end sees them, with counters that are mapped to the profile's file.
const COVERAGE: &[&str] =
    &["-O0", "-g", "-fprofile-instr-generate", "-fcoverage-mapping", "-mllvm", "-runtime-counter-relocation"];
/// The test vectors of decisions. Their bits cannot be mapped to a file, so only runs that end by themselves leave them.
const DECISIONS: &[&str] = &["-O0", "-g", "-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc"];
/// Undefined arithmetic is reported and goes on, because not all of it is a trap for Covenant.
const SANITIZERS: &[&str] = &["-fsanitize=address,undefined"];

pub(super) struct Tools {
    clang: PathBuf,
    pub(super) profdata: PathBuf,
    pub(super) cov: PathBuf,
}

impl Tools {
    pub(super) fn find(options: &ReplayOptions) -> Result<Tools, Error> {
        let clang = FrontEnd { clang: options.clang.clone(), ..FrontEnd::default() }.find_clang()?;
        let profdata = tool(&clang, "llvm-profdata")?;
        let cov = tool(&clang, "llvm-cov")?;
        Ok(Tools { clang, profdata, cov })
    }
}

/// LLVM's tools stand beside clang, or carry the version in their name.
fn tool(clang: &Path, name: &'static str) -> Result<PathBuf, Error> {
    let beside = clang.parent().filter(|p| !p.as_os_str().is_empty()).map(|p| p.join(name));
    let known = [format!("{name}-19"), format!("/usr/lib/llvm-19/bin/{name}")].map(PathBuf::from);
    let runs = |path: &PathBuf| {
        Command::new(path).arg("--version").stdin(Stdio::null()).output().is_ok_and(|o| o.status.success())
    };
    beside.into_iter().chain(known).find(runs).ok_or(Error::NoTool(name))
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
    match build.program("checked", SANITIZERS) {
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
        let mut objects = Vec::new();
        for (index, file) in self.subject.files.iter().enumerate() {
            let object = self.scratch.join(format!("{name}{index}.o"));
            self.subject_file(index, file, &object, sanitizers)?;
            objects.push(object);
        }
        for source in suite::SUPPORT {
            let object = self.scratch.join(format!("{name}-{source}.o"));
            let mut command = Command::new(self.clang);
            command.args(["-std=gnu11", "-O1", "-w", "-c", "-o"]).arg(&object).arg(self.sources.join(source));
            self.compile(command, source)?;
            objects.push(object);
        }
        let program = self.scratch.join(name);
        let mut command = Command::new(self.clang);
        command.args(["-fprofile-instr-generate", "-Wl,--wrap=main"]).args(sanitizers);
        command.arg("-o").arg(&program).args(&objects).args(["-lm", "-lpthread"]);
        self.compile(command, "the suite")?;
        Ok(program)
    }

    fn subject_file(&self, index: usize, file: &SubjectFile, object: &Path, sanitizers: &[&str]) -> Result<(), Error> {
        let path = file.absolute();
        let mut command = Command::new(self.clang);
        command.current_dir(file.absolute_directory()).args(&file.flags).args(self.coverage).args(sanitizers);
        command.args(["-w", "-c", "-o"]).arg(object);
        if index == self.subject.entry_file {
            command.arg(format!("-DCOVENANT_SUBJECT=\"{}\"", path.display()));
            command.arg(self.sources.join(suite::SUITE));
        } else {
            command.arg("--").arg(&path);
        }
        self.compile(command, &path.display().to_string())
    }

    fn compile(&self, mut command: Command, what: &str) -> Result<(), Error> {
        let output = command.stdin(Stdio::null()).output();
        let output = output.map_err(|source| Error::Program { program: self.clang.to_path_buf(), source })?;
        if output.status.success() {
            return Ok(());
        }
        Err(Error::Build { what: what.to_owned(), message: said(&output) })
    }
}

pub(super) fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    if text.is_empty() { format!("it failed without a word ({})", output.status) } else { text }
}
