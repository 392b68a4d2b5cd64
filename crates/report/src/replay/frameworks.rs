//! Suites of frameworks, built and run as their users would: what we hand out must compile and pass.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use covenant_program::world::is_assembly;

use super::build::{Tools, compile};
use crate::Error;
use crate::subject::SubjectInfo;
use crate::suite::{self, Kit, SuiteFormat, framework_sources};

/// A suite runs all tests that end by themselves.
const PATIENCE: Duration = Duration::from_secs(60);

/// A system call that the fence does not allow.
const SIGSYS: i32 = 31; // not tuning: a signal

/// What came of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SuiteRun {
    /// It compiles and passes.
    Passed,
    /// The framework is not here, or the suite cannot run here.
    NotTried(String),
    /// It does not compile, which is our mistake.
    NotBuilt(String),
    /// A test fails.
    Failed(String),
}

/// Builds and runs the suites of frameworks that are in a directory.
pub(super) fn run(
    dir: &Path,
    scratch: &Path,
    subject: &SubjectInfo,
    tools: &Tools,
) -> Result<Vec<(SuiteFormat, SuiteRun)>, Error> {
    let mut runs = Vec::new();
    for format in suite::written(dir) {
        let folder = dir.join(format.folder());
        let (Some(kit), Some(sources)) = (format.kit(), framework_sources(format, &folder, subject)?) else { continue };
        let scratch = scratch.join(format.name());
        std::fs::create_dir_all(&scratch).map_err(Error::file(&scratch))?;
        let one = Suite { format, kit, sources: &sources, scratch: &scratch, subject, tools };
        runs.push((format, one.run()?));
    }
    Ok(runs)
}

/// What the preprocessor says where a header is not the framework's.
const ANOTHER_HEADER: &str = "this is another header";

struct Suite<'a> {
    format: SuiteFormat,
    kit: Kit,
    /// Of C and, for GoogleTest, of C++.
    sources: &'a [PathBuf],
    scratch: &'a Path,
    subject: &'a SubjectInfo,
    tools: &'a Tools,
}

impl Suite<'_> {
    fn run(&self) -> Result<SuiteRun, Error> {
        if self.subject.foreign && self.subject.stubs.iter().any(|stub| is_assembly(&stub.name)) {
            return Ok(SuiteRun::NotTried("its code has assembly for another machine".to_owned()));
        }
        let Some(headers) = self.kit.headers else {
            return Ok(SuiteRun::NotTried("where the framework is, the project says".to_owned()));
        };
        if !self.is_there(headers)? {
            return Ok(SuiteRun::NotTried(format!("{} is not installed here", self.format)));
        }
        let program = match self.build(self.kit.libraries) {
            Ok(program) => program,
            Err(Error::Build { .. }) if self.is_another_header(headers)? => {
                return Ok(SuiteRun::NotTried(format!("the code's headers are found before those of {}", self.format)));
            }
            Err(Error::Build { message, .. }) => {
                return Ok(SuiteRun::NotBuilt(format!("it does not build: {}", first_error(&message))));
            }
            Err(other) => return Err(other),
        };
        self.start(&program)
    }

    /// Whether the framework's header can be included.
    fn is_there(&self, headers: &str) -> Result<bool, Error> {
        let extension = if self.kit.cxx { "cc" } else { "c" };
        let source = self.scratch.join(format!("probe.{extension}"));
        std::fs::write(&source, headers).map_err(Error::file(&source))?;
        let mut command = Command::new(self.tools.clang());
        let machine = self.subject.machine();
        match machine.is_empty() {
            true => command.args(["-w", "-fsyntax-only"]).arg(&source),
            // A framework may be here, but not for that machine.
            false => {
                let program = self.scratch.join("probe.so");
                command.args(&machine).args(["-w", "-shared", "-o"]).arg(program).arg(&source).args(self.kit.libraries)
            }
        };
        match compile(command, self.scratch, "a header") {
            Ok(()) => Ok(true),
            Err(Error::Build { .. }) => Ok(false),
            Err(other) => Err(other),
        }
    }

    /// Whether the flags of the code lead to a header of its own with the name of the framework's.
    fn is_another_header(&self, headers: &str) -> Result<bool, Error> {
        let Some(name) = self.kit.defines else { return Ok(false) };
        let source = self.scratch.join("header.c");
        let text = format!("{headers}#ifndef {name}\n#error {ANOTHER_HEADER}\n#endif\n");
        std::fs::write(&source, text).map_err(Error::file(&source))?;
        let entry = self.subject.entry()?;
        let mut command = Command::new(self.tools.clang());
        command.current_dir(entry.absolute_directory()).args(&entry.flags).args(["-w", "-fsyntax-only"]).arg(&source);
        match compile(command, self.scratch, "a header") {
            Ok(()) => Ok(false),
            Err(Error::Build { message, .. }) => Ok(message.contains(ANOTHER_HEADER)),
            Err(other) => Err(other),
        }
    }

    fn build(&self, libraries: &[&str]) -> Result<PathBuf, Error> {
        let mut objects = Vec::new();
        let entry = self.subject.entry()?;
        for (index, source) in self.sources.iter().enumerate() {
            let object = self.scratch.join(format!("suite{index}.o"));
            let mut command = Command::new(self.tools.clang());
            if source.extension().is_some_and(|e| e == "c") {
                command.current_dir(entry.absolute_directory()).args(&entry.flags);
                command.arg(format!("-DCOVENANT_SUBJECT=\"{}\"", entry.absolute().display()));
                // As the other native runs: what C does not define may be something else otherwise.
                command.args(["-O0", "-Wall", "-Wextra", "-Werror"]);
            } else {
                command.args(self.subject.machine()).args(["-O0", "-w"]);
            }
            compile(
                {
                    command.arg("-c").arg("-o").arg(&object).arg(source);
                    command
                },
                self.scratch,
                "the suite",
            )?;
            objects.push(object);
        }
        let names = suite::other_names(&self.kit, self.subject);
        for (index, file) in self.subject.files.iter().enumerate().filter(|(i, _)| *i != self.subject.entry_file) {
            let object = self.scratch.join(format!("subject{index}.o"));
            let mut command = Command::new(self.tools.clang());
            command.current_dir(file.absolute_directory()).args(&file.flags);
            command.args(names.iter().map(|definition| format!("-D{definition}")));
            command.args(["-O0", "-w", "-c", "-o"]).arg(&object).arg("--").arg(file.absolute());
            compile(command, self.scratch, "the subject")?;
            objects.push(object);
        }
        let program = self.scratch.join("program");
        let mut command = Command::new(self.tools.clang());
        if self.kit.cxx {
            command.arg("--driver-mode=g++");
        }
        command.args(self.subject.machine());
        command.arg("-o").arg(&program).args(&objects).args(libraries).args(["-lm", "-lpthread"]);
        compile(command, self.scratch, "the suite")?;
        Ok(program)
    }

    fn start(&self, program: &Path) -> Result<SuiteRun, Error> {
        let output = self.scratch.join("output");
        let file = std::fs::File::create(&output).map_err(Error::file(&output))?;
        let again = file.try_clone().map_err(Error::file(&output))?;
        let mut command = self.tools.native.plain(program, self.scratch)?;
        // Check keeps what tests say in a file.
        command.env("TEMP", ".").env("TMPDIR", ".");
        command.stdin(Stdio::null()).stdout(file).stderr(again);
        let bad = |source| Error::Program { program: program.into(), source };
        let mut child = command.spawn().map_err(bad)?;
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().map_err(bad)? {
                break status;
            }
            if start.elapsed() > PATIENCE {
                let _ = child.kill();
                let _ = child.wait();
                return Ok(SuiteRun::NotTried(format!("it took more than {} seconds", PATIENCE.as_secs())));
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        if status.success() {
            return Ok(SuiteRun::Passed);
        }
        if status.signal() == Some(SIGSYS) {
            return Ok(SuiteRun::NotTried("the sandbox ended it".to_owned()));
        }
        let text = std::fs::read(&output).map(|text| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default();
        let why = first_error(&text);
        let kept = self.subject.hidden().next().filter(|_| self.format == SuiteFormat::Embedded);
        Ok(match kept.map(|global| &global.name) {
            // All tests of a board are in one process, others have one each where it matters.
            Some(name) => SuiteRun::NotTried(format!(
                "it fails ({why}), since {name} keeps its value from test to test and no test can set it"
            )),
            None => SuiteRun::Failed(format!("it fails: {why}")),
        })
    }
}

/// The line that says most.
fn first_error(text: &str) -> String {
    let says = |words: &[&str]| text.lines().find(|line| words.iter().any(|word| line.contains(word)));
    // Of a linker the compiler only says that it failed.
    let linked = says(&["undefined reference", "multiple definition"]);
    let line = linked.or_else(|| says(&["error", "expected", "FAIL", "Failure"])).or_else(|| text.lines().last());
    line.unwrap_or("no reason given").trim().to_owned()
}
