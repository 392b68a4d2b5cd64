//! Native replay: every claim of a report, held against what the compiled program does.
//!
//! Subject and suite are built with clang's coverage and the address and undefined-behaviour sanitizers. Every test runs
//! in a process of its own, forked by a `server` that is started once for many; its counters live in memory that is
//! shared with the server, so that they survive however the test ends. `decoded` says from them which branches the test
//! took. llvm-cov then says, independently of us, what all tests of a group took together; if that is something else, it
//! is asked about each of them alone, and its word counts (`confirm`).
//!
//! Two things are told apart. A *difference* contradicts a claim and is a bug of ours. A *note* is worth reading and
//! contradicts nothing: a sanitizer saw something that Covenant was not asked to look for, say.

pub(crate) mod build;
mod compare;
pub(crate) mod confirm;
pub(crate) mod coverage;
mod decisions;
mod decoded;
mod emulated;
mod frameworks;
mod object_cache;
mod run;
mod segments;
pub(crate) mod server;
mod unjudged;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use covenant_goals::{Criterion, Outcome, Report, TestCase, VerdictKind};
use serde::Serialize;

use crate::fencing::{self, Fencing};
use crate::lines::{LineCoverage, spans};
use crate::subject::SubjectInfo;
use crate::{Error, files, lines};
use emulated::Player;

pub use coverage::BranchCount;
pub use frameworks::SuiteRun;
pub use run::{End, TestReplay};

/// Of code for another machine.
const ON_THIS_MACHINE: &str =
    "the code is for another machine: its tests ran on this one, with the same sizes, alignments and signs";

/// How a replay goes.
#[derive(Clone, Debug)]
pub struct ReplayOptions {
    /// The clang to use; `None` looks for one.
    pub clang: Option<PathBuf>,
    /// For one test.
    pub timeout: Duration,
    /// For one test, in bytes.
    pub memory: u64,
    /// Tests that run at the same time; 0: one for each core.
    pub jobs: usize,
    /// What the tests run behind.
    pub fencing: Fencing,
    /// Whether the lines that ran are left in the directory.
    pub keeps_lines: bool,
}

impl Default for ReplayOptions {
    fn default() -> ReplayOptions {
        ReplayOptions {
            clang: None,
            timeout: Duration::from_secs(10),
            memory: 2 << 30,
            jobs: 0,
            fencing: Fencing::default(),
            keeps_lines: true,
        }
    }
}

impl ReplayOptions {
    fn limits(&self) -> server::Limits {
        server::Limits { time: self.timeout, memory: self.memory }
    }
}

/// What a replay found.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct ReplayResult {
    /// In the order of the report.
    pub tests: Vec<TestReplay>,
    /// What all tests together took, at the places of the report's branches.
    pub branches: Vec<BranchCount>,
    /// Claims that do not hold, in words.
    pub differences: Vec<String>,
    /// Where the code does not do what people expect of it, in words.
    pub unexpected: Vec<String>,
    /// Worth reading, and contradicting nothing.
    pub notes: Vec<String>,
    /// Tests that were ended before they could confirm anything: by the sandbox or by a limit, and by which.
    pub inconclusive: std::collections::BTreeMap<String, String>,
    /// What played the tests, where they ran as code of another machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emulator: Option<String>,
    /// What fenced the runs, in words.
    pub sandbox: String,
    /// Claims that llvm-cov has no counts for: how many objectives of which criterion.
    pub unconfirmed: std::collections::BTreeMap<Criterion, u32>,
    /// Tests that llvm-cov was asked about one by one, because what it said of many together was not what we made of
    /// their counters.
    pub alone: usize,
    /// What it took.
    #[serde(skip)]
    pub times: Times,
}

/// What the replay took.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Times {
    /// Subject and suite.
    pub build: Duration,
    /// From the start of the first test until llvm-cov has confirmed all of them.
    pub tests: Duration,
    /// Each test, from the request to its counters.
    pub each: Vec<Duration>,
}

/// What one test did: how it ended, and the branches that llvm-cov saw.
struct Replayed {
    run: TestReplay,
    seen: coverage::Seen,
    /// llvm-cov was asked about this test alone.
    alone: bool,
    took: Duration,
}

/// Runs tests natively and says of each which of the objectives it reaches: their numbers. Only branches can be told.
pub fn reached(
    report: &Report,
    subject: &SubjectInfo,
    tests: &[TestCase],
    options: &ReplayOptions,
) -> Result<Vec<(TestReplay, Vec<usize>)>, Error> {
    let scratch = fencing::scratch()?;
    let tools = build::Tools::find(options)?;
    let stage = Stage { dir: scratch.path(), scratch: scratch.path(), report, tests, options };
    let Ran { places, replayed, .. } = stage.run(subject, &tools)?;
    let taken = |replayed: &Replayed| {
        let reaches = |(place, outcome): (&Option<coverage::Place>, &Outcome)| {
            let counts = place.as_ref().and_then(|place| replayed.seen.taken.get(place));
            counts.is_some_and(|counts| {
                counts.iter().all(|(yes, no)| if *outcome == Outcome::False { *no > 0 } else { *yes > 0 })
            })
        };
        let outcomes = report.objectives.iter().map(|o| &o.outcome);
        places.of.iter().zip(outcomes).enumerate().filter(|(_, one)| reaches(*one)).map(|(i, _)| i).collect()
    };
    Ok(replayed.into_iter().map(|r| (r.run.clone(), taken(&r))).collect())
}

/// Replays the suite of an output directory. All that is needed is read from it: `subject.json`, `report.json`,
/// `tests/*.json` and, if it is there, `suite/c`. The lines that ran are left in `coverage.json`.
pub fn replay(dir: &Path, options: &ReplayOptions) -> Result<ReplayResult, Error> {
    let subject = files::read_subject(dir)?;
    let report = files::read_report(dir)?;
    let tests = files::read_tests(dir, &report)?;
    let scratch = fencing::scratch()?;
    let tools = build::Tools::find(options)?;
    let stage = Stage { dir, scratch: scratch.path(), report: &report, tests: &tests, options };
    let Ran { mut notes, mut times, places, replayed, subject: ran, tools: used } = stage.run(&subject, &tools)?;
    if options.keeps_lines {
        lines::write(dir, &line_coverage(&report, &tests, &replayed))?;
    }
    let mut result = compare::compare(&report, &tests, &places, (&replayed, ran.emulated.is_some()));
    if report.objectives.iter().any(|o| o.decision.is_some()) {
        let start = Instant::now();
        let program = build::build_decisions(dir, scratch.path(), &ran, &tests, &used)?;
        let built = Instant::now();
        times.build += built - start;
        let calm: Vec<bool> = replayed.iter().map(|r| r.run.is_calm()).collect();
        let seen = decisions::read(&program, &tests, &calm, scratch.path(), &used, options)?;
        decisions::compare(&report, &tests, &calm, &seen, &mut result);
        times.tests += built.elapsed();
    }
    for (format, run) in
        frameworks::run(dir, scratch.path(), subject.on_this_machine().as_ref().unwrap_or(&subject), &tools)?
    {
        match run {
            SuiteRun::Passed => result.notes.push(format!("{} compiles and passes", format.folder())),
            SuiteRun::NotTried(why) => result.notes.push(format!("{} was not confirmed: {why}", format.folder())),
            // It asserts the same.
            SuiteRun::Failed(_) if !result.unexpected.is_empty() => {
                result.notes.push(format!("{} compiles and fails", format.folder()));
            }
            SuiteRun::NotBuilt(why) | SuiteRun::Failed(why) => {
                result.differences.push(format!("{}: {why}", format.folder()));
            }
        }
    }
    result.unconfirmed = unconfirmed(&report);
    result.sandbox = tools.native.describe();
    notes.append(&mut result.notes);
    result.notes = notes;
    result.emulator = ran.emulated.map(|emulated| emulated.emulator.to_owned());
    result.times = times;
    result.alone = replayed.iter().filter(|r| r.alone).count();
    result.tests = replayed.into_iter().map(|r| r.run).collect();
    Ok(result)
}

/// Covered objectives that only Covenant's own runs confirm, by criterion.
fn unconfirmed(report: &covenant_goals::Report) -> std::collections::BTreeMap<Criterion, u32> {
    let mut counts = std::collections::BTreeMap::new();
    for objective in report.objectives.iter().filter(|o| o.verdict == VerdictKind::Covered) {
        let seen = match objective.criterion {
            Criterion::Branch | Criterion::Condition | Criterion::Statement | Criterion::Function => true,
            Criterion::Mcdc => objective.decision.is_some(),
            // It is a part of what is confirmed.
            Criterion::McdcVector => true,
            _ => false,
        };
        if !seen {
            *counts.entry(objective.criterion).or_insert(0) += 1;
        }
    }
    counts
}

/// What tests are replayed from, and how.
struct Stage<'a> {
    /// Its suite is used if there is one.
    dir: &'a Path,
    scratch: &'a Path,
    report: &'a Report,
    tests: &'a [TestCase],
    options: &'a ReplayOptions,
}

/// What came of a suite's tests, and how they were built.
struct Ran {
    notes: Vec<String>,
    times: Times,
    places: coverage::Places,
    replayed: Vec<Replayed>,
    subject: SubjectInfo,
    tools: build::Tools,
}

impl Stage<'_> {
    /// Builds the suite and runs every test: as code of the machine that it is for where that can be played here, otherwise as code of
    /// this one, and then says why.
    fn run(&self, subject: &SubjectInfo, tools: &build::Tools) -> Result<Ran, Error> {
        let mut why = None;
        match emulated::player(subject, self.tests, self.scratch, tools)? {
            Player::None => {}
            Player::Away(reason) => why = Some(reason),
            Player::There(played) => match self.run_as(&played.0, &played.1) {
                Ok(mut ran) if !never_began(&ran.replayed) => {
                    ran.notes.push(played_by(&played.0));
                    return Ok(ran);
                }
                Ok(ran) => why = ran.replayed.first().map(|one| one.run.end.to_string()),
                Err(Error::Build { message, .. }) => why = Some(emulated::first_error(&message)),
                Err(other) => return Err(other),
            },
        }
        let here = subject.on_this_machine();
        let is_foreign = here.is_some();
        let mut ran = self.run_as(&here.unwrap_or_else(|| subject.clone()), tools)?;
        if is_foreign {
            let why = why.map(|why| format!("; as code of its own they cannot: {why}")).unwrap_or_default();
            ran.notes.push(format!("{ON_THIS_MACHINE}{why}"));
        }
        Ok(ran)
    }

    fn run_as(&self, subject: &SubjectInfo, tools: &build::Tools) -> Result<Ran, Error> {
        let mut notes = Vec::new();
        let start = Instant::now();
        let program = build::build(self.dir, self.scratch, subject, self.tests, tools, &mut notes)?;
        let built = Instant::now();
        let places = coverage::Places::new(self.report, subject);
        let mapping = decoded::Mapping::read(&program, &places).ok();
        let suite = confirm::Suite {
            program: &program,
            scratch: self.scratch,
            tools,
            places: &places,
            mapping,
            options: self.options,
        };
        let replayed = suite.run(self.tests)?;
        let each = replayed.iter().map(|r| r.took).collect();
        let times = Times { build: built - start, tests: built.elapsed(), each };
        Ok(Ran { notes, times, places, replayed, subject: subject.clone(), tools: tools.clone() })
    }
}

/// The program ended before the first test, so that nothing was tried.
fn never_began(replayed: &[Replayed]) -> bool {
    !replayed.is_empty() && replayed.iter().all(|one| matches!(one.run.end, End::Server(_)))
}

fn played_by(subject: &SubjectInfo) -> String {
    let emulator = subject.emulated.map_or("an emulator", |emulated| emulated.emulator);
    format!("the code is for another machine: its tests ran as code of that machine in {emulator}, without sanitizers")
}

fn line_coverage(report: &Report, tests: &[TestCase], replayed: &[Replayed]) -> LineCoverage {
    let mut coverage = LineCoverage::default();
    for (test, Replayed { run, seen, .. }) in tests.iter().zip(replayed) {
        let mut lines = seen.lines.clone();
        for (file, own) in &seen.functions {
            coverage.functions.entry(file.clone()).or_insert_with(|| own.clone());
        }
        let place = test.trap.as_ref().and_then(|trap| Some((trap, lines.get_mut(&trap.file)?)));
        if let Some((trap, own)) = place {
            let taken = report.objectives.iter().filter(|o| o.file == trap.file && o.tests.contains(&run.name));
            // A branch further down was taken in an earlier turn of a loop or an earlier call.
            let last = taken.map(|o| o.line).filter(|line| *line > trap.line).max();
            lines::end_at(own, trap.line, last.unwrap_or(0));
        }
        let ran = coverage.tests.entry(run.name.clone()).or_default();
        for (file, lines) in &lines {
            coverage.files.entry(file.clone()).or_insert_with(|| spans(lines.keys().copied()));
            ran.insert(file.clone(), spans(lines.iter().filter(|(_, ran)| **ran).map(|(line, _)| *line)));
        }
    }
    coverage
}
