//! Which small changes of the source a suite notices, and tests for those that it does not.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use covenant_goals::report::{Report, TestEntry};
use covenant_goals::{Criterion, Objective, TestCase, Verdict};
use covenant_report::{Fate, Mutant, Mutants, MutateOptions, SubjectFile, SubjectInfo, files};
use covenant_report::{write_html, write_report, write_suites, write_tests};
use covenant_search::campaign::{self, Findings, Observer, Progress};

use crate::check::request_of;
use crate::crossing;
use crate::error::Error;
use crate::request::Request;
use crate::scope::Scope;
use crate::subject::{self, Loaded};
use crate::twin;

/// Why mutants are the same program.
const SAME_CODE: &str = "the compiler makes the same code of both";
const SAME_RESULT: &str = "the function gives the same for all arguments";
const SAME_VALUE: &str = "the expression has the same value in all runs";

/// What is done about mutants.
#[derive(Clone, Debug, Default)]
pub struct Mutate {
    /// Whether tests that kill survivors are added to the suite.
    pub improve: bool,
    /// How they are built and run.
    pub native: MutateOptions,
    /// Whoever sets this ends the search for proofs and tests, soon after.
    pub cancel: Arc<AtomicBool>,
}

/// What became of the mutants.
#[derive(Clone, Debug)]
pub struct Mutated {
    /// All of them.
    pub mutants: Vec<Mutant>,
    /// Tests in the suite, those that were added too.
    pub tests: usize,
    /// Names of tests that were added.
    pub added: Vec<String>,
}

pub(crate) fn mutate(dir: &Path, how: &Mutate, observer: Option<&mut dyn Observer>) -> Result<Mutated, Error> {
    let (report, stored, tests) = read(dir)?;
    let scope = request_of(&stored)?.scope;
    let mut mutants = build((&stored, scope), &tests, &how.native)?;
    let dir = std::path::absolute(dir).unwrap_or_else(|_| dir.to_path_buf());
    let mut added = Vec::new();
    if let Some(observer) = observer.filter(|_| mutants.survivors().next().is_some()) {
        let (request, mut loaded) = load(&stored, how.improve)?;
        let same = mutants.same_code(&mut || observer.progress(&Progress::default()).is_some());
        mark_same(&mut mutants.mutants, &same, SAME_CODE);
        let same = twin::same((&request, &stored, &loaded), &mutants, &how.cancel, observer);
        mark_same(&mut mutants.mutants, &same, SAME_RESULT);
        let findings = search((&request, &how.cancel), &mut loaded, &mutants, observer)?;
        mark_equivalent(&mut mutants.mutants, &findings);
        if how.improve {
            let pool: Vec<TestCase> = tests.iter().chain(&findings.tests).cloned().collect();
            let settings = request.settings(Arc::default())?;
            let crossed = crossing::tests(&loaded, &settings, &pool, (&mutants, &is_about), observer);
            let found = findings.tests.into_iter().map(|test| (test, None));
            let new = found.chain(crossed.into_iter().map(|(test, of)| (test, Some(of)))).collect();
            let what = (&request, &how.native);
            added = improve(&dir, (&report, &stored, &tests), &mut mutants, new, what)?;
        }
    }
    Ok(Mutated { mutants: mutants.mutants, tests: tests.len() + added.len(), added })
}

fn read(dir: &Path) -> Result<(Report, SubjectInfo, Vec<TestCase>)> {
    let report =
        files::read_report(dir).with_context(|| format!("{} has no results of `covenant gen`", dir.display()))?;
    let tests = files::read_tests(dir, &report)?;
    Ok((report, files::read_subject(dir)?, tests))
}

fn build((stored, scope): (&SubjectInfo, Scope), tests: &[TestCase], options: &MutateOptions) -> Result<Mutants> {
    let mut mutants = Mutants::build(stored, tests, options)?;
    // What the suite was not made for says nothing about it. A function may stand in a header that its file includes.
    let entry = stored.files.get(stored.entry_file).map(SubjectFile::absolute).unwrap_or_default();
    let is_compiled = |file: &Path| stored.files.iter().any(|compiled| compiled.absolute() == file);
    let is_tested = |mutant: &Mutant| {
        let file = Path::new(&mutant.file);
        mutant.function == stored.tested() && (file == entry || !is_compiled(file))
    };
    let files: BTreeSet<String> = mutants.mutants.iter().filter(|m| is_tested(m)).map(|m| m.file.clone()).collect();
    mutants.mutants.retain(|mutant| match scope {
        Scope::Reachable => true,
        Scope::File => Path::new(&mutant.file) == entry || files.contains(&mutant.file),
        Scope::Own => is_tested(mutant),
    });
    mutants.run()?;
    mutants.run_sanitized()?;
    Ok(mutants)
}

/// The subject with mutants as its objectives.
fn load(stored: &SubjectInfo, improve: bool) -> Result<(Request, Loaded)> {
    let mut request = request_of(stored)?;
    request.criteria = vec![Criterion::Mutation];
    if improve {
        // A state that differs need not show in the end: the more ways lead to it, the better.
        request.criteria.extend([Criterion::Branch, Criterion::Mcdc, Criterion::Boundary]);
    }
    request.measured.clear();
    request.points.clear();
    let loaded = subject::load(&request, &mut |_| {})?;
    (request.files, request.dirs) = loaded.files.clone();
    Ok((request, loaded))
}

/// Whether an objective is about this mutant.
fn is_about(objective: &Objective, mutant: &Mutant) -> bool {
    let same_file = Path::new(&mutant.file).ends_with(&objective.file) || objective.file == mutant.file;
    let place = (objective.line, objective.column) == (mutant.line, mutant.column);
    place && same_file && objective.outcome.to_string() == mutant.change
}

/// Looks for states in which survivors differ from the program.
fn search(
    (request, cancel): (&Request, &Arc<AtomicBool>),
    loaded: &mut Loaded,
    mutants: &Mutants,
    observer: &mut dyn Observer,
) -> Result<Findings, Error> {
    let all = loaded.wanted.criteria.len() > 1;
    for objective in &mut loaded.subject.objectives {
        objective.measured =
            objective.passing || !all && !mutants.survivors().any(|mutant| is_about(objective, mutant));
    }
    Ok(campaign::run(&loaded.subject, &request.settings(Arc::clone(cancel))?, observer)?)
}

fn mark_same(mutants: &mut [Mutant], same: &[u32], why: &'static str) {
    mutants.iter_mut().filter(|m| same.contains(&m.number)).for_each(|m| m.mark_same(why));
}

/// A mutant whose expression can never have another value is the program itself.
fn mark_equivalent(mutants: &mut [Mutant], findings: &Findings) {
    for mutant in mutants.iter_mut().filter(|m| m.fate == Fate::Survived) {
        let mut about = findings.ledger.iter().filter(|(_, objective, _)| is_about(objective, mutant)).peekable();
        let known = about.peek().is_some();
        if known && about.all(|(_, _, verdict)| matches!(verdict, Verdict::Infeasible(_))) {
            mutant.mark_same(SAME_VALUE);
        }
    }
}

/// Keeps of the new tests those that kill a survivor, and writes the suite anew with them. Some say which they may kill.
fn improve(
    dir: &Path,
    (report, stored, tests): (&Report, &SubjectInfo, &[TestCase]),
    mutants: &mut Mutants,
    new: Vec<(TestCase, Option<Vec<u32>>)>,
    (request, options): (&Request, &MutateOptions),
) -> Result<Vec<String>> {
    let mut all = tests.to_vec();
    let mut of = Vec::new();
    for (number, (mut test, mutants)) in new.into_iter().enumerate() {
        test.name = format!("test_{:03}", tests.len() + number + 1);
        all.push(test);
        of.push(mutants);
    }
    let more = Mutants::build(stored, &all, options)?;
    let mut kept = tests.to_vec();
    for (test, of) in all[tests.len()..].iter().zip(of) {
        // Those that it may kill, if that is known.
        let is_its = |number: &u32| of.as_ref().is_none_or(|of| of.contains(number));
        let alive: Vec<u32> = mutants.survivors().map(|m| m.number).filter(is_its).collect();
        if alive.is_empty() {
            continue;
        }
        let killed = more.killed_by(&test.name, &alive)?;
        if killed.is_empty() {
            continue;
        }
        mutants.mutants.iter_mut().filter(|m| killed.contains(&m.number)).for_each(|m| m.fate = Fate::Killed);
        let name = format!("test_{:03}", kept.len() + 1);
        kept.push(TestCase { name, ..test.clone() });
    }
    let added: Vec<String> = kept[tests.len()..].iter().map(|test| test.name.clone()).collect();
    if !added.is_empty() {
        let mut report = report.clone();
        for test in &kept[tests.len()..] {
            let file = files::test_file(&test.name).display().to_string();
            report.tests.push(TestEntry { name: test.name.clone(), file, outcome: test.outcome });
        }
        report.stats.tests = report.tests.len() as u64;
        write_tests(dir, &kept)?;
        write_suites(dir, stored, &kept, &report.objectives, &request.suites, request.oracle)?;
        write_report(dir, &report)?;
        write_html(dir)?;
    }
    Ok(added)
}
