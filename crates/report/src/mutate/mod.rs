//! Strong mutation: which small changes of the source a suite notices.
//!
//! All mutants are in one program (`rewrite`), compiled once; a variable says which one is alive. The
//! suite runs against each of them. It is killed if a test does not pass, also by not ending in time.

mod ast;
mod build;
mod rewrite;
mod same_code;
mod sanitized;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use covenant_goals::{TestCase, TestOutcome};
use covenant_program::clang::FrontEnd;
use serde::Serialize;

use crate::fencing::{self, Fencing, Native};
use crate::parallel::in_parallel;
use crate::replay::server::{Counters, Limits, Server};
use crate::subject::SubjectInfo;
use crate::{Error, files, suite};
use build::{Build, Program};

/// For one test of a mutant, at least; a mutant may take ten times as long as the program.
const LEAST_TIME: Duration = Duration::from_millis(1000);
/// A test may take so long on the program itself.
const MOST_TIME: Duration = Duration::from_secs(10);
/// For one test of a mutant, in bytes.
const MEMORY: u64 = 2 << 30;

/// How mutants are built and run.
#[derive(Clone, Debug, Default)]
pub struct MutateOptions {
    /// The clang to use; `None` looks for one.
    pub clang: Option<PathBuf>,
    /// Mutants that run at the same time; 0: one for each core.
    pub jobs: usize,
    /// What they run behind.
    pub fencing: Fencing,
}

/// What became of a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// A test notices it.
    Killed,
    /// No test does.
    Survived,
    /// Proved to be the same program.
    Equivalent,
}

/// A small change of the source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Mutant {
    /// By which the program is told to be this one.
    pub number: u32,
    /// Where the change is.
    pub file: String,
    /// The function that is changed.
    pub function: String,
    /// From 1.
    pub line: u32,
    /// From 1, in bytes.
    pub column: u32,
    /// `< becomes <=`
    pub change: String,
    /// What became of it.
    pub fate: Fate,
    /// Why it is the same program, or what alone notices it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
}

impl Mutant {
    /// Marks what is proved to be the same program.
    pub fn mark_same(&mut self, why: &'static str) {
        self.fate = Fate::Equivalent;
        self.why = Some(why);
    }
}

/// A suite with all mutants of its subject, ready to run.
#[derive(Debug)]
pub struct Mutants {
    /// In the order of the source.
    pub mutants: Vec<Mutant>,
    /// The change of each, which file it is in, and whether it is in the text of a macro.
    changes: Vec<(usize, ast::Change, bool)>,
    /// The files as they are: those that are compiled, and behind them headers.
    sources: Vec<Text>,
    /// How they are compiled, and by whom.
    subject: SubjectInfo,
    clang: PathBuf,
    program: Program,
    scratch: tempfile::TempDir,
    jobs: usize,
    limit: Duration,
    native: Native,
    /// The flags with which headers are changed, too.
    overlay: Vec<String>,
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
        let front_end = FrontEnd { clang: options.clang.clone(), ..FrontEnd::default() };
        let clang = front_end.find_clang()?;
        let scratch = fencing::scratch()?;
        let written = scratch.path().join("suite");
        suite::write_c(&written, subject, tests, true)?;
        let Changed { mutants, changes, sources, texts } = changed(subject, &front_end, macros)?;
        let mut overlaid = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            let written = scratch.path().join(format!("mutants{index}.c"));
            files::write_file(&written, text.as_bytes())?;
            if index >= subject.files.len() {
                overlaid.push((sources[index].path.as_path(), written));
            }
        }
        let overlay = build::overlay(&scratch.path().join("overlay.json"), &overlaid)?;
        let native = options.fencing.choose()?;
        let build = Build { clang: &clang, scratch: scratch.path(), subject, overlay };
        let path = build.program("mutants", &[])?;
        let overlay = build.overlay;
        // A test that may end in any way notices nothing, and one without an end takes its time.
        let notices = |test: &&TestCase| !matches!(test.outcome, TestOutcome::StepLimit | TestOutcome::Trapped);
        let tests = tests.iter().filter(notices).map(|test| test.name.clone()).collect();
        let program = Program { path, tests, settings: Vec::new(), reports: false };
        let (jobs, limit, subject) = (options.jobs, LEAST_TIME, subject.clone());
        let mut built =
            Mutants { mutants, changes, sources, subject, clang, program, scratch, jobs, limit, native, overlay };
        let Some(slowest) = built.slowest()? else {
            let message = "the suite does not pass on the program itself; see `covenant replay`".to_owned();
            return Err(Error::Build { what: "the suite".to_owned(), message });
        };
        built.limit = LEAST_TIME.max(10 * slowest);
        Ok(built)
    }

    /// How long the slowest test takes on the program itself; `None`: one does not pass.
    fn slowest(&self) -> Result<Option<Duration>, Error> {
        let (mut server, limits) = (self.serve(&self.program)?, Limits { time: MOST_TIME, memory: MEMORY });
        let mut slowest = Duration::ZERO;
        for name in &self.program.tests {
            let started = Instant::now();
            let answer = server.as_mut().and_then(|server| server.run(name, &limits, 0).ok());
            if !answer.is_some_and(|answer| self.program.is_passed(&answer)) {
                return Ok(None);
            }
            slowest = slowest.max(started.elapsed());
        }
        Ok(Some(slowest))
    }

    /// Which of these mutants all tests (or the named one) pass with, several at a time.
    fn passes(&self, program: &Program, numbers: &[u32], test: Option<&str>) -> Result<Vec<bool>, Error> {
        // Each worker has a server of its own, and a new one when a mutant ends it.
        let servers: Mutex<Vec<Server>> = Mutex::default();
        in_parallel(numbers, self.jobs, |number, _| {
            let free = servers.lock().ok().and_then(|mut servers| servers.pop());
            let (passes, server) = self.passes_one(program, (*number, test), free)?;
            if let (Some(server), Ok(mut servers)) = (server, servers.lock()) {
                servers.push(server);
            }
            Ok(passes)
        })
    }

    fn passes_one(
        &self,
        program: &Program,
        (number, test): (u32, Option<&str>),
        server: Option<Server>,
    ) -> Result<(bool, Option<Server>), Error> {
        let mut server = match server {
            Some(server) => server,
            None => match self.serve(program)? {
                Some(server) => server,
                None => return Ok((false, None)),
            },
        };
        let limits = Limits { time: self.limit, memory: MEMORY };
        for name in program.tests.iter().filter(|name| test.is_none_or(|test| test == name.as_str())) {
            match server.run(name, &limits, number) {
                Ok(answer) if program.is_passed(&answer) => {}
                Ok(_) => return Ok((false, Some(server))),
                Err(_) => return Ok((false, None)),
            }
        }
        Ok((true, Some(server)))
    }

    fn serve(&self, program: &Program) -> Result<Option<Server>, Error> {
        let Program { path, settings, .. } = program;
        Ok(Server::start(&self.native, path, self.scratch.path(), Counters::None, settings)?.ok())
    }

    /// Runs the suite against each mutant that is not decided yet.
    pub fn run(&mut self) -> Result<(), Error> {
        let alive: Vec<u32> = self.survivors().map(|m| m.number).collect();
        let passes = self.passes(&self.program, &alive, None)?;
        let killed: BTreeSet<u32> = alive.into_iter().zip(passes).filter(|(_, p)| !p).map(|(n, _)| n).collect();
        for mutant in self.mutants.iter_mut().filter(|m| killed.contains(&m.number)) {
            mutant.fate = Fate::Killed;
        }
        Ok(())
    }

    /// Which of these mutants a test kills.
    pub fn killed_by(&self, test: &str, numbers: &[u32]) -> Result<Vec<u32>, Error> {
        let numbers = numbers.to_vec();
        let passes = self.passes(&self.program, &numbers, Some(test))?;
        Ok(numbers.into_iter().zip(passes).filter(|(_, passes)| !passes).map(|(number, _)| number).collect())
    }

    /// The file of a mutant, and its text with this one change: it is there where the variable `covenant_mutant`, which somebody has to
    /// declare before, has its number. `None`: it is in a macro or a header, and changes more than the function that it is told of.
    pub fn alone(&self, mutant: &Mutant) -> Option<(&Path, String)> {
        let (file, change, is_macro) = self.changes.get((mutant.number as usize).checked_sub(1)?)?;
        if *is_macro {
            return None;
        }
        let Text { path, text, .. } = self.sources.get(*file).filter(|_| *file < self.subject.files.len())?;
        Some((path, rewrite::rewrite(text, &[(mutant.number, change)])))
    }

    /// Those that no test notices.
    pub fn survivors(&self) -> impl Iterator<Item = &Mutant> {
        self.mutants.iter().filter(|m| m.fate == Fate::Survived)
    }
}

/// A file that is changed.
#[derive(Debug)]
struct Text {
    path: PathBuf,
    text: String,
    /// The file that is compiled: itself, or one that includes it.
    unit: usize,
}

/// All mutants, and the files with them.
struct Changed {
    mutants: Vec<Mutant>,
    changes: Vec<(usize, ast::Change, bool)>,
    sources: Vec<Text>,
    /// The files with all mutants.
    texts: Vec<String>,
}

/// All mutants of what the function under test can call.
fn changed(subject: &SubjectInfo, front_end: &FrontEnd, macros: bool) -> Result<Changed, Error> {
    let (mut sources, mut headers) = (Vec::new(), Vec::<(Text, ast::Found)>::new());
    for (unit, file) in subject.files.iter().enumerate() {
        let path = file.absolute();
        let text = std::fs::read(&path).map_err(Error::file(&path))?;
        let text = String::from_utf8_lossy(&text).into_owned();
        for (number, ast::Source { path, text, found }) in ast::find(front_end, file, &text)?.into_iter().enumerate() {
            let known = |(other, _): &(Text, ast::Found)| other.path == path;
            match number {
                0 => sources.push((Text { path, text, unit }, found)),
                _ if headers.iter().any(known) || subject.files.iter().any(|file| file.absolute() == path) => {}
                _ => headers.push((Text { path, text, unit }, found)),
            }
        }
    }
    sources.append(&mut headers);
    let mut wanted = BTreeSet::from([subject.tested().to_owned()]);
    let mut work = vec![subject.tested().to_owned()];
    while let Some(name) = work.pop() {
        let named = sources.iter().filter_map(|(_, found)| found.names.get(&name)).flatten();
        work.extend(named.filter(|n| wanted.insert((*n).clone())).cloned());
    }
    let (mut mutants, mut changes, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (Text { path, text, .. }, found)) in sources.iter().enumerate() {
        let mut numbered = Vec::new();
        let of_functions = found.changes.iter().flat_map(|(name, all)| all.iter().map(move |change| (name, change)));
        let of_macros = found.macros.iter().filter(|_| macros).filter_map(|(change, functions)| {
            functions.iter().find(|name| wanted.contains(*name)).map(|name| (name, change))
        });
        let of_functions = of_functions.filter(|(name, _)| wanted.contains(*name)).map(|of| (of, false));
        for ((function, change), is_macro) in of_macros.map(|of| (of, true)).chain(of_functions) {
            let number = mutants.len() as u32 + 1;
            let file = path.to_string_lossy().into_owned();
            let (line, column, words) = (change.line, change.column, change.words.clone());
            let function = function.clone();
            mutants.push(Mutant {
                number,
                file,
                function,
                line,
                column,
                change: words,
                fate: Fate::Survived,
                why: None,
            });
            changes.push((index, change.clone(), is_macro));
            numbered.push((number, change));
        }
        texts.push(format!("{}{}", rewrite::HEAD, rewrite::rewrite(text, &numbered)));
    }
    let sources = sources.into_iter().map(|(text, _)| text).collect();
    Ok(Changed { mutants, changes, sources, texts })
}
