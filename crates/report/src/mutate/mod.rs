//! Strong mutation: which small changes of the source a suite notices.
//!
//! All mutants are in one program ([`rewrite`]), compiled once; a variable of the environment says which one is alive. The
//! suite runs against each of them. It is killed if a test does not pass, also by not ending in time.

mod ast;
mod rewrite;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use covenant_goals::TestCase;
use covenant_program::clang::FrontEnd;
use serde::Serialize;

use crate::fencing::{self, Fencing, Native};
use crate::parallel::in_parallel;
use crate::subject::{SubjectFile, SubjectInfo};
use crate::{Error, files, suite};

/// For one test of a mutant, at least; a mutant may take ten times as long as the program.
const LEAST_TIME: Duration = Duration::from_millis(1000);

#[derive(Clone, Debug, Default)]
pub struct MutateOptions {
    /// The clang to use; `None` looks for one.
    pub clang: Option<PathBuf>,
    /// Mutants that run at the same time; 0: one for each core.
    pub jobs: usize,
    pub fencing: Fencing,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    Killed,
    Survived,
    /// Proved to be the same program.
    Equivalent,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Mutant {
    pub number: u32,
    pub file: String,
    pub function: String,
    pub line: u32,
    pub column: u32,
    /// `< becomes <=`
    pub change: String,
    pub fate: Fate,
}

/// A suite with all mutants of its subject, ready to run.
#[derive(Debug)]
pub struct Mutants {
    pub mutants: Vec<Mutant>,
    program: PathBuf,
    scratch: tempfile::TempDir,
    jobs: usize,
    limit: Duration,
    native: Native,
}

impl Mutants {
    /// Builds the program of all mutants for these tests. The mutants are the same whatever the tests are.
    pub fn build(subject: &SubjectInfo, tests: &[TestCase], options: &MutateOptions) -> Result<Mutants, Error> {
        // A macro may be used where only a constant will do, which clang's tree does not always show.
        match Mutants::build_with(subject, tests, options, true) {
            Err(Error::Build { .. }) => Mutants::build_with(subject, tests, options, false),
            done => done,
        }
    }

    fn build_with(
        subject: &SubjectInfo,
        tests: &[TestCase],
        options: &MutateOptions,
        macros: bool,
    ) -> Result<Mutants, Error> {
        let clang = FrontEnd { clang: options.clang.clone(), ..FrontEnd::default() }.find_clang()?;
        let scratch = fencing::scratch()?;
        let sources = scratch.path().join("suite");
        suite::write_c(&sources, subject, tests, true)?;
        let (mutants, texts) = changed(subject, &clang, macros)?;
        let mut objects = Vec::new();
        for (index, (file, text)) in subject.files.iter().zip(texts).enumerate() {
            let source = scratch.path().join(format!("mutants{index}.c"));
            files::write_file(&source, text.as_bytes())?;
            let object = scratch.path().join(format!("mutants{index}.o"));
            let mut command = command_for(&clang, file);
            if index == subject.entry_file {
                command.arg(format!("-DCOVENANT_SUBJECT=\"{}\"", source.display()));
                command.arg("-o").arg(&object).arg(sources.join(suite::SUITE));
            } else {
                command.arg("-o").arg(&object).arg("--").arg(&source);
            }
            compile(command, &clang, &file.absolute().display().to_string())?;
            objects.push(object);
        }
        for support in suite::SUPPORT {
            let object = scratch.path().join(format!("{support}.o"));
            let mut command = Command::new(&clang);
            command.args(["-std=gnu11", "-O1", "-w", "-c", "-o"]).arg(&object).arg(sources.join(support));
            compile(command, &clang, support)?;
            objects.push(object);
        }
        let native = options.fencing.choose()?;
        let program = scratch.path().join("mutants");
        let mut command = Command::new(&clang);
        command.arg("-Wl,--wrap=main").arg("-o").arg(&program).args(&objects).args(["-lm", "-lpthread"]);
        compile(command, &clang, "the suite")?;
        let mut built = Mutants { mutants, program, scratch, jobs: options.jobs, limit: LEAST_TIME, native };
        let started = Instant::now();
        if !built.passes(0, None)? {
            let message = "the suite does not pass on the program itself; see `covenant replay`".to_owned();
            return Err(Error::Build { what: "the suite".to_owned(), message });
        }
        built.limit = LEAST_TIME.max(10 * started.elapsed());
        Ok(built)
    }

    /// Whether all tests (or the named one) pass while this mutant is alive.
    fn passes(&self, number: u32, test: Option<&str>) -> Result<bool, Error> {
        let here = tempfile::tempdir_in(self.scratch.path()).map_err(Error::file(self.scratch.path()))?;
        let mut command = self.native.command(&self.program, here.path())?;
        command.args(test);
        command.env("COVENANT_MUTANT", number.to_string());
        command.env("COVENANT_TIMEOUT", self.limit.as_millis().to_string());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let failed = |source| Error::Program { program: self.program.clone(), source };
        Ok(command.status().map_err(failed)?.success())
    }

    /// Runs the suite against each mutant that is not decided yet.
    pub fn run(&mut self) -> Result<(), Error> {
        let alive: Vec<u32> = self.survivors().map(|m| m.number).collect();
        let passes = in_parallel(&alive, self.jobs, |number, _| self.passes(*number, None))?;
        let killed: BTreeSet<u32> = alive.into_iter().zip(passes).filter(|(_, p)| !p).map(|(n, _)| n).collect();
        for mutant in self.mutants.iter_mut().filter(|m| killed.contains(&m.number)) {
            mutant.fate = Fate::Killed;
        }
        Ok(())
    }

    /// Which of these mutants a test kills.
    pub fn killed_by(&self, test: &str, numbers: &[u32]) -> Result<Vec<u32>, Error> {
        let numbers = numbers.to_vec();
        let passes = in_parallel(&numbers, self.jobs, |number, _| self.passes(*number, Some(test)))?;
        Ok(numbers.into_iter().zip(passes).filter(|(_, passes)| !passes).map(|(number, _)| number).collect())
    }

    pub fn survivors(&self) -> impl Iterator<Item = &Mutant> {
        self.mutants.iter().filter(|m| m.fate == Fate::Survived)
    }
}

fn command_for(clang: &Path, file: &SubjectFile) -> Command {
    let mut command = Command::new(clang);
    let path = file.absolute();
    // What the file includes is beside where it was.
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    command.current_dir(file.absolute_directory()).args(&file.flags);
    command.arg("-iquote").arg(folder).args(["-O0", "-w", "-c"]);
    command
}

fn compile(mut command: Command, clang: &Path, what: &str) -> Result<(), Error> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|source| Error::Program { program: clang.to_path_buf(), source })?;
    if output.status.success() {
        return Ok(());
    }
    let message = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    Err(Error::Build { what: what.to_owned(), message })
}

/// All mutants of what the function under test can call, and the files with them.
fn changed(subject: &SubjectInfo, clang: &Path, macros: bool) -> Result<(Vec<Mutant>, Vec<String>), Error> {
    let mut sources = Vec::new();
    for file in &subject.files {
        let path = file.absolute();
        let text = std::fs::read(&path).map_err(Error::file(&path))?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let found = ast::find(clang, file, &text)?;
        sources.push((path, text, found));
    }
    let mut wanted = BTreeSet::from([subject.function.clone()]);
    let mut work = vec![subject.function.clone()];
    while let Some(name) = work.pop() {
        let named = sources.iter().filter_map(|(_, _, found)| found.names.get(&name)).flatten();
        work.extend(named.filter(|n| wanted.insert((*n).clone())).cloned());
    }
    let (mut mutants, mut texts) = (Vec::new(), Vec::new());
    for (path, text, found) in &sources {
        let mut numbered = Vec::new();
        let of_functions = found.changes.iter().flat_map(|(name, all)| all.iter().map(move |change| (name, change)));
        let of_macros = found.macros.iter().filter(|_| macros).filter_map(|(change, functions)| {
            functions.iter().find(|name| wanted.contains(*name)).map(|name| (name, change))
        });
        for (function, change) in of_macros.chain(of_functions.filter(|(name, _)| wanted.contains(*name))) {
            let number = mutants.len() as u32 + 1;
            let file = path.to_string_lossy().into_owned();
            let (line, column, words) = (change.line, change.column, change.words.clone());
            let function = function.clone();
            mutants.push(Mutant { number, file, function, line, column, change: words, fate: Fate::Survived });
            numbered.push((number, change));
        }
        texts.push(format!("{}{}", rewrite::HEAD, rewrite::rewrite(text, &numbered)));
    }
    Ok((mutants, texts))
}
