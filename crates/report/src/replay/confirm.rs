//! Running tests in groups, and having llvm-cov confirm each group.
//!
//! One start of llvm-cov costs more than a hundred runs of a test. So what a test took is computed from its counters
//! ([`super::decoded`]), the server adds up the counters of a group and writes them as one profile, and what llvm-cov makes
//! of it must be what we make of the sum. If it is, our way from counters to branches is right for every counter that
//! these tests have touched. If it is not, every test of the group runs again and llvm-cov is asked about it alone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use covenant_goals::TestCase;

use super::build::Tools;
use super::coverage::{self, Places, Seen};
use super::decoded::{Mapping, Sparse};
use super::run::halts;
use super::server::{Answer, Counters, Lost, Server};
use super::{ReplayOptions, Replayed, TestReplay};
use crate::Error;
use crate::parallel::in_parallel;

/// Tests of a group: fewer are not worth another start of llvm-cov, and more would take long to repeat.
const SMALLEST: usize = 16;
const LARGEST: usize = 128;

pub(super) fn group_size(tests: usize, jobs: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    tests.div_ceil(if jobs == 0 { cores } else { jobs }).clamp(SMALLEST, LARGEST)
}

/// Sanitizers read these when they start. Memory is watched by the server.
pub(crate) fn settings(halt: bool) -> [(&'static str, String); 2] {
    [
        ("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1:strict_memcmp=0:symbolize=0".to_owned()),
        ("UBSAN_OPTIONS", format!("symbolize=0:halt_on_error={}", u8::from(halt))),
    ]
}

/// A built suite.
pub(super) struct Suite<'a> {
    pub(super) program: &'a Path,
    pub(super) scratch: &'a Path,
    pub(super) tools: &'a Tools,
    pub(super) places: &'a Places,
    /// Without it, llvm-cov is asked about each test.
    pub(super) mapping: Option<Mapping>,
    pub(super) options: &'a ReplayOptions,
}

/// The servers of a group: whether undefined arithmetic ends a test is decided when a server starts.
#[derive(Default)]
struct Servers {
    going_on: Option<Server>,
    halting: Option<Server>,
}

/// Names of profiles.
static PROFILES: AtomicUsize = AtomicUsize::new(0);

impl Suite<'_> {
    /// Runs all tests; the results are in their order.
    pub(super) fn run(&self, tests: &[TestCase]) -> Result<Vec<Replayed>, Error> {
        let all: Vec<&TestCase> = tests.iter().collect();
        let groups: Vec<&[&TestCase]> = all.chunks(group_size(tests.len(), self.options.jobs)).collect();
        let done = in_parallel(&groups, self.options.jobs, |group, _| self.run_group(group))?;
        Ok(done.into_iter().flatten().collect())
    }

    fn run_group(&self, tests: &[&TestCase]) -> Result<Vec<Replayed>, Error> {
        let Some(mapping) = &self.mapping else { return self.each_alone(tests) };
        let mut lost: BTreeMap<usize, Lost> = BTreeMap::new();
        // What a server that died has counted is gone, so the tests before run again; those that end it do not.
        let (answers, servers) = loop {
            let mut servers = Servers::default();
            match self.answers(tests, &lost, &mut servers)? {
                Ok(answers) => break (answers, servers),
                Err((_, why)) if why.at_start => return Ok(tests.iter().map(|test| gone(test, &why, false)).collect()),
                Err((index, why)) => drop(lost.insert(index, why)),
            }
        };
        if answers.iter().all(Option::is_none) {
            return Ok(tests.iter().zip(lost.values()).map(|(test, why)| gone(test, why, false)).collect());
        }
        let sum = sum(answers.iter().flatten());
        let Some(theirs) = self.llvm_cov(servers)? else { return self.each_alone(tests) };
        let seen = |counters: &Sparse| {
            let (functions, files) = mapping.export(counters);
            Seen::new(&functions, &files, self.places)
        };
        if seen(&sum) != theirs {
            return self.each_alone(tests);
        }
        let mut replayed = Vec::with_capacity(tests.len());
        for (index, (test, answer)) in tests.iter().zip(answers).enumerate() {
            if let Some(answer) = answer {
                let run = TestReplay::new(test, &answer);
                replayed.push(Replayed { run, seen: seen(&answer.counters), alone: false, took: answer.took });
            } else if let Some(why) = lost.get(&index) {
                replayed.push(gone(test, why, false));
            }
        }
        Ok(replayed)
    }

    /// Runs all tests but those that are lost already. Says which one ended its server, if one did.
    #[allow(clippy::type_complexity)]
    fn answers(
        &self,
        tests: &[&TestCase],
        lost: &BTreeMap<usize, Lost>,
        servers: &mut Servers,
    ) -> Result<Result<Vec<Option<Answer>>, (usize, Lost)>, Error> {
        let mut answers = Vec::with_capacity(tests.len());
        for (index, test) in tests.iter().enumerate() {
            if lost.contains_key(&index) {
                answers.push(None);
                continue;
            }
            match self.answer(test, servers)? {
                Ok(answer) => answers.push(Some(answer)),
                Err(why) => return Ok(Err((index, why))),
            }
        }
        Ok(Ok(answers))
    }

    fn answer(&self, test: &TestCase, servers: &mut Servers) -> Result<Result<Answer, Lost>, Error> {
        let halt = halts(test);
        let place = if halt { &mut servers.halting } else { &mut servers.going_on };
        let server = match place {
            Some(server) => server,
            None => {
                match Server::start(&self.tools.native, self.program, self.scratch, Counters::Shared, &settings(halt))?
                {
                    Ok(server) => place.insert(server),
                    Err(why) => return Ok(Err(why)),
                }
            }
        };
        Ok(server.run(&test.name, &self.options.limits(), 0))
    }

    /// What llvm-cov says of all that these servers have counted. Nothing if there is no profile.
    fn llvm_cov(&self, servers: Servers) -> Result<Option<Seen>, Error> {
        let mut profiles: Vec<PathBuf> = Vec::new();
        for mut server in [servers.going_on, servers.halting].into_iter().flatten() {
            let Some(profile) = server.profile().ok().filter(|profile| !profile.is_empty()) else { return Ok(None) };
            let number = PROFILES.fetch_add(1, Ordering::Relaxed);
            let file = self.scratch.join(format!("{number}.profraw"));
            std::fs::write(&file, profile).map_err(Error::file(&file))?;
            profiles.push(file);
        }
        coverage::read(self.program, &profiles, self.tools, self.places).map(Some)
    }

    /// Every test for itself, by llvm-cov's word.
    fn each_alone(&self, tests: &[&TestCase]) -> Result<Vec<Replayed>, Error> {
        tests.iter().map(|test| self.one_alone(test)).collect()
    }

    fn one_alone(&self, test: &TestCase) -> Result<Replayed, Error> {
        let mut servers = Servers::default();
        let (run, took) = match self.answer(test, &mut servers)? {
            Ok(answer) => (TestReplay::new(test, &answer), answer.took),
            Err(why) => return Ok(gone(test, &why, true)),
        };
        let seen = self.llvm_cov(servers)?.unwrap_or_default();
        Ok(Replayed { run, seen, alone: true, took })
    }
}

/// A test of which nothing is known but that its server ended.
fn gone(test: &TestCase, why: &Lost, alone: bool) -> Replayed {
    Replayed { run: TestReplay::lost(test, why), seen: Seen::default(), alone, took: Duration::ZERO }
}

/// All counters of some answers together.
fn sum<'a>(answers: impl Iterator<Item = &'a Answer>) -> Vec<(usize, u64)> {
    let mut sum: BTreeMap<usize, u64> = BTreeMap::new();
    for (number, value) in answers.flat_map(|answer| &answer.counters) {
        let place = sum.entry(*number).or_default();
        *place = place.wrapping_add(*value);
    }
    sum.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use covenant_goals::report::{ObjectiveEntry, Report};

    use super::*;
    use crate::replay::{build, compare};
    use crate::{SubjectFile, SubjectInfo};

    /// If we read the counters wrongly, llvm-cov objects, and its word counts for each test.
    #[test]
    fn a_wrong_reading_of_counters_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let source = "int f(void)\n{\n    static volatile int x;\n    return x ? 1 : 2;\n}\n";
        std::fs::write(dir.path().join("f.c"), source).unwrap();
        let file = SubjectFile { path: "f.c".into(), directory: dir.path().into(), ..SubjectFile::default() };
        let subject = SubjectInfo { function: "f".into(), files: vec![file], ..SubjectInfo::default() };
        let test = |name: &str| TestCase {
            name: name.into(),
            function: "f".into(),
            outcome: covenant_goals::TestOutcome::Returned,
            ..TestCase::default()
        };
        let tests = [test("t1"), test("t2")];
        let claim = |outcome: &str| ObjectiveEntry {
            criterion: covenant_goals::Criterion::Branch,
            file: "f.c".into(),
            line: 4,
            column: 12,
            outcome: outcome.into(),
            verdict: covenant_goals::VerdictKind::Covered,
            tests: vec!["t1".into()],
            ..ObjectiveEntry::default()
        };
        let report = Report { objectives: vec![claim("true"), claim("false")], ..Report::default() };
        let options = ReplayOptions::default();
        let tools = Tools::find(&options).unwrap();
        let program = build::build(dir.path(), dir.path(), &subject, &tests, &tools, &mut Vec::new()).unwrap();
        let places = Places::new(&report, &subject);
        for spoiled in [false, true] {
            let mut mapping = Mapping::read(&program, &places).unwrap();
            if spoiled {
                mapping.spoil();
            }
            let (program, scratch, tools) = (program.as_path(), dir.path(), &tools);
            let suite = Suite { program, scratch, tools, places: &places, mapping: Some(mapping), options: &options };
            let replayed = suite.run(&tests).unwrap();
            assert!(replayed.iter().all(|r| r.alone == spoiled));
            let result = compare::compare(&report, &tests, &places, (&replayed, false));
            let words = "f.c:4:12: true is claimed covered by test t1, but the test does not take it";
            assert_eq!(result.differences, [words]);
        }
    }
}
