//! `covenant gen`

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result};
use covenant_goals::report::{ObjectiveEntry, Report, SCHEMA, Stats, TestEntry, Tool, Totals};
use covenant_goals::{Criterion, ModelStep, Objective, ObjectiveId, Status, Verdict, VerdictKind};
use covenant_report::model::Recorder;
use covenant_report::run_dir::plain;
use covenant_report::{ReplayOptions, files, lines, write_html, write_report, write_suites, write_tests};
use covenant_search::campaign::{self, Findings, Observer, Progress};

use crate::args::GenArgs;
use crate::diagnose::{meaning, shown};
use crate::replay::{self, CONTRADICTION};
use crate::request::settings;
use crate::subject::{self, Loaded};
use crate::{assumed, config, existing, guided, log, proofs};

const BOLD: Style = Style::new().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const RED: Style = AnsiColor::Red.on_default().bold();

/// From the command line, with what covenant.toml adds.
pub(crate) fn run(args: &GenArgs) -> Result<u8> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let given = config::given(&words);
    let (args, words, config) = config::expand(args, words)?;
    generate(&args, words).map_err(|error| match &config {
        Some(config) => config.explain(error, args.function.as_deref().unwrap_or("main"), &given),
        None => error,
    })
}

fn generate(args: &GenArgs, command: Vec<String>) -> Result<u8> {
    let started = Instant::now();
    if let Some(filter) = &args.log {
        log::start(filter.clone())?;
    }
    let mut loaded = subject::load(args)?;
    loaded.info.command = command;
    loaded.info.working_directory = std::env::current_dir().unwrap_or_default();
    for what in loaded.unsupported.iter().filter(|_| !args.quiet) {
        anstream::eprintln!("{YELLOW}note:{YELLOW:#} not supported: {what}; runs end there");
    }
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from("covenant-out").join(&loaded.subject.function));
    let earlier = existing::read(args, &loaded.subject.function)?;
    let cancel = Arc::new(AtomicBool::new(false));
    let mut watcher = Watcher::new(started, args, Arc::clone(&cancel));
    let seeds = earlier.as_ref().map(|earlier| earlier.tests.as_slice()).unwrap_or_default();
    let settings = guided::adapted(settings(args, cancel), args, &loaded);
    let begun = Instant::now();
    let findings = campaign::run_from(&loaded.subject, &settings, seeds, &mut watcher);
    let searched = begun.elapsed();
    watcher.clear();
    if let Some(dir) = &args.dump_model {
        dump_model(dir, watcher.recorder.take(), &loaded, findings.as_ref().ok())?;
    }
    let mut findings = match findings {
        Ok(findings) => findings,
        Err(contradiction) => {
            anstream::eprintln!("{RED}error:{RED:#} covenant contradicted itself: {contradiction}");
            anstream::eprintln!("Please send us the files and this command line.");
            return Ok(CONTRADICTION);
        }
    };
    findings.stats.search_us = searched.as_micros() as u64;
    let mut report = report(args, &loaded, &findings, started.elapsed());
    if let Some(earlier) = earlier {
        let name = |id: &ObjectiveId| findings.ledger.objective(*id).id.clone();
        let seeded = findings.seeded.iter().map(|reached| reached.iter().map(name).collect()).collect();
        let contradiction = existing::merge(args, &loaded, (earlier, seeded), &mut report, &mut findings.tests)?;
        if let Some(contradiction) = contradiction {
            anstream::eprintln!("{RED}error:{RED:#} covenant contradicted itself: {contradiction}");
            return Ok(CONTRADICTION);
        }
    }
    std::fs::create_dir_all(&out).with_context(|| format!("{} cannot be made", out.display()))?;
    proofs::write(&out, &loaded, &mut findings, &report.assumptions)?;
    write(&out, args, &loaded, &findings, &report)?;
    if !args.quiet && !args.json {
        summary(&report, &out);
        if args.verbose {
            statistics(&report);
        }
    }
    let mut unconfirmed = 0;
    if !args.no_replay && !findings.tests.is_empty() {
        let interrupted = || watcher.interrupted.load(Ordering::Relaxed);
        let begun = interrupted();
        let options =
            ReplayOptions { jobs: args.jobs.unwrap_or(0), fencing: args.native.fencing(), ..ReplayOptions::default() };
        let code = replay::confirm(&out, args.quiet || args.json, &options, &|| !begun && interrupted());
        // Ctrl-C in the middle of it ends the programs that it started, too.
        if !begun && interrupted() {
            anstream::eprintln!("interrupted: `covenant replay {}` confirms the tests", out.display());
            return Ok(1);
        }
        unconfirmed = code?;
        if unconfirmed == CONTRADICTION {
            return Ok(CONTRADICTION);
        }
        // What could not be confirmed is open now.
        report = files::read_report(&out)?;
        // Now with the lines that each test ran.
        write_html(&out)?;
    }
    if args.json {
        anstream::println!("{}", serde_json::to_string_pretty(&report)?);
    }
    let look = report.needs_a_look() || unconfirmed != 0;
    Ok(u8::from(look || report.since.as_ref().is_some_and(|since| !since.failing.is_empty())))
}

/// The clock, the progress line, and Ctrl-C.
struct Watcher {
    started: Instant,
    timeout: Duration,
    interrupted: Arc<AtomicBool>,
    shows: bool,
    shown: Option<Instant>,
    /// Draws the model.
    recorder: Option<Recorder>,
}

impl Watcher {
    fn new(started: Instant, args: &GenArgs, cancel: Arc<AtomicBool>) -> Watcher {
        let interrupted = Arc::new(AtomicBool::new(false));
        let (flag, stop) = (Arc::clone(&interrupted), Arc::clone(&cancel));
        // Without a handler Ctrl-C ends the process at once, which loses results but harms nothing. So does a second one.
        let _ = ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
            stop.store(true, Ordering::Relaxed);
        });
        if !args.timeout.is_zero() {
            let left = args.timeout.saturating_sub(started.elapsed());
            std::thread::spawn(move || {
                std::thread::sleep(left);
                cancel.store(true, Ordering::Relaxed);
            });
        }
        let recorder = args.dump_model.as_deref().map(Recorder::new);
        let shows = !args.no_progress && !args.quiet && args.log.is_none() && std::io::stderr().is_terminal();
        Watcher { started, timeout: args.timeout, interrupted, shows, shown: None, recorder }
    }

    fn clear(&mut self) {
        if self.shown.is_some() {
            eprint!("\r\x1b[K");
        }
    }
}

impl Observer for Watcher {
    fn elapsed(&mut self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    fn micros(&mut self) -> u64 {
        self.started.elapsed().as_micros() as u64
    }

    fn progress(&mut self, p: &Progress) -> Option<Status> {
        if self.shows && self.shown.is_none_or(|last| last.elapsed() > Duration::from_millis(100)) {
            self.shown = Some(Instant::now());
            let left = self.timeout.saturating_sub(self.started.elapsed()).as_secs();
            eprint!(
                "\r\x1b[K{} covered, {} infeasible, {} open; {} tests of {} runs; {left} s left",
                p.covered, p.infeasible, p.open, p.tests, p.executions
            );
            let _ = std::io::stderr().flush();
        }
        if self.interrupted.load(Ordering::Relaxed) {
            return Some(Status::Interrupted);
        }
        let over = !self.timeout.is_zero() && self.started.elapsed() >= self.timeout;
        over.then_some(Status::Timeout)
    }

    fn wants_model(&self) -> bool {
        self.recorder.as_ref().is_some_and(Recorder::wants_more)
    }

    fn model_changed(&mut self, step: ModelStep) {
        if let Some(recorder) = &mut self.recorder {
            recorder.add(step);
        }
    }
}

/// The pictures of `--dump-model` and the flow that they are about, also of a run that ended badly.
fn dump_model(dir: &Path, recorder: Option<Recorder>, loaded: &Loaded, findings: Option<&Findings>) -> Result<()> {
    let steps = recorder.map(|recorder| recorder.finish(&loaded.subject.function)).transpose()?;
    if steps == Some(0) {
        anstream::eprintln!(
            "{YELLOW}warning:{YELLOW:#} there is no model to show; `--strategy arc` makes one if it can"
        );
    }
    if let Some(evidence) = findings.and_then(|findings| findings.evidence.as_ref()) {
        let text = evidence.flow.text(&evidence.terms, &loaded.subject.image);
        files::write_file(&dir.join("flow.txt"), text.as_bytes())?;
    }
    Ok(())
}

fn report(args: &GenArgs, loaded: &Loaded, findings: &Findings, time: Duration) -> Report {
    let mut report = Report {
        schema: SCHEMA,
        tool: Tool { name: "covenant".into(), version: env!("CARGO_PKG_VERSION").into() },
        criteria: loaded.wanted.criteria.clone(),
        mcdc: loaded.wanted.criteria.contains(&Criterion::Mcdc).then_some(loaded.wanted.mcdc),
        strategy: findings.strategy.clone(),
        seed: args.seed,
        status: findings.status,
        assumptions: loaded.assumptions.iter().chain(&findings.limits).cloned().collect(),
        defects: findings.defects.clone(),
        timeline: findings.timeline.clone(),
        stats: Stats { wall_ms: time.as_millis() as u64, peak_rss_bytes: peak_memory(), ..findings.stats.clone() },
        ..Report::default()
    };
    report.subject.files = args.source.files.iter().map(|f| f.display().to_string()).collect();
    report.subject.function.clone_from(&loaded.subject.function);
    report.subject.flags = loaded.info.user_flags();
    for case in &findings.tests {
        let file = files::test_file(&case.name).display().to_string();
        report.tests.push(TestEntry { name: case.name.clone(), file, outcome: case.outcome });
    }
    let measured = loaded.wanted.measured.iter().filter(|c| !loaded.wanted.criteria.contains(c));
    report.measured = measured.copied().collect();
    for name in report.criteria.iter().chain(&report.measured) {
        report.totals.insert(*name, Totals::default());
    }
    let assumed = assumed::users_assumptions(args);
    for (id, objective, verdict) in findings.ledger.iter() {
        // Parts are of use for what they are parts of; those that nobody needed are not told.
        if findings.ledger.is_part(id) && matches!(verdict, Verdict::Unknown(_)) {
            continue;
        }
        let mut entry = entry(objective, verdict, findings);
        if matches!(verdict, Verdict::Infeasible(_)) && objective.has_code() {
            entry.rests_on.clone_from(&assumed);
        }
        entry.details = guided::details(id, objective, findings).map(Box::new);
        let totals = report.totals.entry(objective.criterion).or_default();
        totals.objectives += 1;
        match verdict {
            Verdict::Covered(_) => totals.covered += 1,
            Verdict::Infeasible(_) => totals.infeasible += 1,
            Verdict::Unknown(_) => totals.unknown += 1,
        }
        report.objectives.push(entry);
    }
    report
}

fn entry(objective: &Objective, verdict: &Verdict, findings: &Findings) -> ObjectiveEntry {
    let mut entry = ObjectiveEntry {
        id: objective.id.clone(),
        criterion: objective.criterion,
        function: objective.function.clone(),
        file: objective.file.clone(),
        line: objective.line,
        column: objective.column,
        text: objective.text.clone(),
        outcome: objective.outcome.clone(),
        verdict: verdict.kind(),
        region: objective.region,
        decision: objective.decision,
        parts: objective.parts.as_ref().map(|all| {
            let id = |id: &ObjectiveId| findings.ledger.objective(*id).id.clone();
            all.iter().map(|parts| parts.iter().map(id).collect()).collect()
        }),
        ..ObjectiveEntry::default()
    };
    match verdict {
        Verdict::Covered(tests) => {
            let name = |&test: &u32| findings.tests.get(test as usize).map(|case| case.name.clone());
            entry.tests = tests.iter().filter_map(name).collect();
        }
        Verdict::Infeasible(proof) => {
            entry.proof.clone_from(&proof.file);
            entry.prover = Some(proof.by.clone());
            entry.reason = Some(proof.words.clone());
        }
        Verdict::Unknown(reason) => {
            entry.reason = Some(reason.words.clone());
            entry.kind = Some(reason.kind);
        }
    }
    entry
}

fn write(out: &Path, args: &GenArgs, loaded: &Loaded, findings: &Findings, report: &Report) -> Result<()> {
    write_tests(out, &findings.tests)?;
    for query in &findings.unanswered {
        let file = out.join("queries").join(format!("{}.smt2", query.name));
        files::write_file(&file, query.script.as_bytes())?;
    }
    write_suites(out, &loaded.info, &findings.tests, &report.objectives, &args.suite, !args.no_oracle)?;
    // Lines that tests of an earlier run took.
    lines::remove(out)?;
    // The key of `--all` is about the results that it wrote.
    let _ = std::fs::remove_file(out.join(existing::KEY));
    write_report(out, report)?;
    write_html(out)?;
    Ok(())
}

fn summary(report: &Report, out: &Path) {
    let mut verdicts: Vec<String> = report.criteria.iter().map(|&name| verdicts(report, name)).collect();
    verdicts.extend(report.measured.iter().map(|name| {
        let totals = report.totals.get(name).copied().unwrap_or_default();
        let noun = name.noun(totals.objectives as usize);
        format!("measured: {} of {} {noun} covered", totals.covered, totals.objectives)
    }));
    let (tests, runs, seconds) = (report.tests.len(), report.stats.executions, report.stats.wall_ms as f64 / 1000.0);
    let work = format!("{tests} tests of {runs} runs, {seconds:.1} s");
    match &verdicts[..] {
        [one] => anstream::println!("{BOLD}{}{BOLD:#}: {one}; {work}", report.subject.function),
        several => {
            anstream::println!("{BOLD}{}{BOLD:#}: {work}", report.subject.function);
            several.iter().for_each(|line| anstream::println!("  {line}"));
        }
    }
    let searched = |o: &&ObjectiveEntry| !report.measured.contains(&o.criterion);
    let told = |o: &&ObjectiveEntry| o.verdict != VerdictKind::Covered && o.criterion != Criterion::McdcVector;
    for o in report.objectives.iter().filter(told).filter(searched) {
        let (style, word) = if o.verdict == VerdictKind::Infeasible { (GREEN, "infeasible") } else { (YELLOW, "open") };
        let reason = plain(o.reason.as_deref().unwrap_or_default());
        anstream::println!(
            "  {style}{word}{style:#} {}:{}:{}: {}: {reason}",
            shown(Path::new(&o.file)),
            o.line,
            o.column,
            meaning(o)
        );
    }
    for d in &report.defects {
        let place = shown(Path::new(&d.file));
        anstream::println!(
            "  {RED}defect{RED:#} {place}:{}:{}: {} [{}], see {}",
            d.line,
            d.column,
            d.message,
            d.kind,
            d.test
        );
    }
    guided::summary(report);
    existing::summary(report);
    for assumption in &report.assumptions {
        anstream::println!("  assumed: {assumption}");
    }
    anstream::println!("  results in {0}, to look at in {0}/report.html", out.display());
}

/// How many objectives of a criterion there are, and what came of them.
fn verdicts(report: &Report, name: Criterion) -> String {
    let totals = report.totals.get(&name).copied().unwrap_or_default();
    let noun = name.noun(totals.objectives as usize);
    let open = if totals.unknown > 0 { YELLOW } else { Style::new() };
    format!(
        "{} {noun}, {GREEN}{} covered{GREEN:#}, {} infeasible, {open}{} open{open:#}",
        totals.objectives, totals.covered, totals.infeasible, totals.unknown
    )
}

fn statistics(report: &Report) {
    let s = &report.stats;
    anstream::println!(
        "  search: strategy {}, {} flips, {} of them in hope, {} runs of {} instructions; {} ms to choose",
        report.strategy,
        s.iterations,
        s.hopeful_flips,
        s.executions,
        s.instructions,
        s.choosing_ms
    );
    anstream::println!(
        "  solver: {} queries ({} sat, {} unsat, {} unknown) in {} ms; peak memory {} MiB",
        s.solver_calls,
        s.solver_sat,
        s.solver_unsat,
        s.solver_unknown,
        s.solver_ms,
        s.peak_rss_bytes >> 20
    );
}

/// The most memory that this process had, as the system tells it.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok()).map_or(0, |kb| kb * 1024)
}
