//! `covenant mutate`

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result};
use covenant_goals::report::{Report, TestEntry};
use covenant_goals::{Criterion, Objective, Status, TestCase, Verdict};
use covenant_report::{Fate, Mutant, Mutants, MutateOptions, SourceLines, SubjectInfo, files};
use covenant_report::{write_html, write_report, write_suites, write_tests};
use covenant_search::campaign::{self, Findings, Observer, Progress};
use serde_json::json;

use crate::args::{GenArgs, MutateArgs};
use crate::diagnose::shown;
use crate::subject::Loaded;
use crate::{check, request, subject};

const BOLD: Style = Style::new().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();

pub(crate) fn run(args: &MutateArgs) -> Result<u8> {
    let report = files::read_report(&args.dir)
        .with_context(|| format!("{} has no results of `covenant gen`", args.dir.display()))?;
    let stored = files::read_subject(&args.dir)?;
    let tests = files::read_tests(&args.dir, &report)?;
    let options =
        MutateOptions { jobs: args.jobs.unwrap_or(0), fencing: args.native.fencing(), ..MutateOptions::default() };
    let mut mutants = Mutants::build(&stored, &tests, &options)?;
    mutants.run()?;
    let dir = std::path::absolute(&args.dir).unwrap_or_else(|_| args.dir.clone());
    let mut added = Vec::new();
    if mutants.survivors().next().is_some() && !args.timeout.is_zero() {
        let (gen_args, mut loaded) = load(&stored, args.improve)?;
        let findings = search(&gen_args, &mut loaded, &mutants, args.timeout);
        let Ok(findings) = findings else {
            anstream::eprintln!(
                "error: covenant contradicted itself while it looked at mutants; please send us the files"
            );
            return Ok(crate::replay::CONTRADICTION);
        };
        mark_equivalent(&mut mutants.mutants, &findings);
        if args.improve {
            added = improve(&dir, (&report, &stored, &tests), &mut mutants, findings.tests, (&gen_args, &options))?;
        }
    }
    print(args, &mutants.mutants, tests.len() + added.len(), &added)?;
    Ok(u8::from(mutants.survivors().next().is_some()))
}

/// The subject with mutants as its objectives.
fn load(stored: &SubjectInfo, improve: bool) -> Result<(GenArgs, Loaded)> {
    let mut args = check::arguments_of(stored)?;
    args.criterion = vec![Criterion::Mutation];
    if improve {
        // A state that differs need not show in the end: the more ways lead to it, the better.
        args.criterion.extend([Criterion::Branch, Criterion::Mcdc, Criterion::Boundary]);
    }
    args.measure.clear();
    args.point.clear();
    let loaded = subject::load(&args)?;
    Ok((args, loaded))
}

/// Whether an objective is about this mutant.
fn is_about(objective: &Objective, mutant: &Mutant) -> bool {
    let same_file = Path::new(&mutant.file).ends_with(&objective.file) || objective.file == mutant.file;
    let place = (objective.line, objective.column) == (mutant.line, mutant.column);
    place && same_file && objective.outcome.to_string() == mutant.change
}

/// Looks for states in which survivors differ from the program.
fn search(
    args: &GenArgs,
    loaded: &mut Loaded,
    mutants: &Mutants,
    timeout: Duration,
) -> Result<Findings, covenant_goals::Contradiction> {
    let cancel = Arc::new(AtomicBool::new(false));
    let mut clock = Clock { started: Instant::now(), timeout, cancel: Arc::clone(&cancel) };
    let all = loaded.wanted.criteria.len() > 1;
    for objective in &mut loaded.subject.objectives {
        objective.measured = !all && !mutants.survivors().any(|mutant| is_about(objective, mutant));
    }
    campaign::run(&loaded.subject, &request::settings(args, cancel), &mut clock)
}

struct Clock {
    started: Instant,
    timeout: Duration,
    cancel: Arc<AtomicBool>,
}

impl Observer for Clock {
    fn elapsed(&mut self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    fn progress(&mut self, _: &Progress) -> Option<Status> {
        let over = self.started.elapsed() >= self.timeout;
        if over {
            self.cancel.store(true, Ordering::Relaxed);
        }
        over.then_some(Status::Timeout)
    }
}

/// A mutant whose expression can never have another value is the program itself.
fn mark_equivalent(mutants: &mut [Mutant], findings: &Findings) {
    for mutant in mutants.iter_mut().filter(|m| m.fate == Fate::Survived) {
        let mut about = findings.ledger.iter().filter(|(_, objective, _)| is_about(objective, mutant)).peekable();
        let known = about.peek().is_some();
        if known && about.all(|(_, _, verdict)| matches!(verdict, Verdict::Infeasible(_))) {
            mutant.fate = Fate::Equivalent;
        }
    }
}

/// Keeps of the new tests those that kill a survivor, and writes the suite anew with them.
fn improve(
    dir: &Path,
    (report, stored, tests): (&Report, &SubjectInfo, &[TestCase]),
    mutants: &mut Mutants,
    new: Vec<TestCase>,
    (args, options): (&GenArgs, &MutateOptions),
) -> Result<Vec<String>> {
    let mut all = tests.to_vec();
    for (number, mut test) in new.into_iter().enumerate() {
        test.name = format!("test_{:03}", tests.len() + number + 1);
        all.push(test);
    }
    let more = Mutants::build(stored, &all, options)?;
    let mut kept = tests.to_vec();
    for test in &all[tests.len()..] {
        let alive: Vec<u32> = mutants.survivors().map(|m| m.number).collect();
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
        write_suites(dir, stored, &kept, &report.objectives, &args.suite, !args.no_oracle)?;
        write_report(dir, &report)?;
        write_html(dir)?;
    }
    Ok(added)
}

fn print(args: &MutateArgs, mutants: &[Mutant], tests: usize, added: &[String]) -> Result<()> {
    let count = |fate: Fate| mutants.iter().filter(|m| m.fate == fate).count();
    let (killed, survived, equivalent) = (count(Fate::Killed), count(Fate::Survived), count(Fate::Equivalent));
    let score = 100.0 * killed as f64 / (mutants.len() - equivalent).max(1) as f64;
    if args.json {
        let totals =
            json!({ "mutants": mutants.len(), "killed": killed, "survived": survived, "equivalent": equivalent });
        let value = json!({ "schema": 1, "score": score, "totals": totals, "mutants": mutants, "added": added });
        anstream::println!("{}", serde_json::to_string_pretty(&value)?);
        return Ok(());
    }
    anstream::println!(
        "{BOLD}{} mutants{BOLD:#}: {GREEN}{killed} killed{GREEN:#} by {tests} tests, {survived} survived, {equivalent} \
         proved equivalent; score {score:.1}%",
        mutants.len()
    );
    if !added.is_empty() {
        anstream::println!("  added: {}", added.join(", "));
    }
    let lines = SourceLines::new(vec![Path::new("/").to_path_buf()]);
    for mutant in mutants.iter().filter(|m| m.fate != Fate::Killed) {
        let (style, word) = match mutant.fate {
            Fate::Equivalent => (GREEN, "equivalent"),
            _ => (YELLOW, "survived"),
        };
        let text = lines.line(&mutant.file, mutant.line).unwrap_or_default();
        let place = format!("{}:{}:{}", shown(Path::new(&mutant.file)), mutant.line, mutant.column);
        anstream::println!("  {style}{word}{style:#} {place}: {}: {}", mutant.change, text.trim());
    }
    Ok(())
}
