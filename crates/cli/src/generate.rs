//! `covenant gen`

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use anyhow::Result;
use covenant::{Error, ObjectiveEntry, Observer, Progress, Report, Results, Session, TestCase};
use covenant_goals::{Criterion, ModelStep, Status, VerdictKind};
use covenant_report::model::Recorder;
use covenant_report::run_dir::plain;
use covenant_report::{files, write_html, write_suites};

use crate::args::GenArgs;
use crate::args::project::Part;
use crate::contracts;
use crate::diagnose::{self, counted, meaning, shown_from};
use crate::project::child;
use crate::replay::{self, CONTRADICTION};
use crate::request::{native, request};
use crate::unfinished::Unfinished;
use crate::{config, earlier, guided, log, places, stop};

/// How assumptions begin that are no choice of the user's and no default either.
const OUR_LIMITS: &[&str] = &["not supported", "assembly in", "address space"];
const BOLD: Style = Style::new().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const RED: Style = AnsiColor::Red.on_default().bold();

/// From the command line, with what covenant.toml adds.
pub(crate) fn run(args: &GenArgs) -> Result<u8> {
    if args.tied {
        stop::with_stdin();
        child::take_up();
    }
    // Who starts this is nobody's business, when somebody makes the results anew.
    let is_own = |word: &String| word != "--tied" && !word.starts_with("--within=") && !word.starts_with("--part=");
    let words: Vec<String> = std::env::args().skip(1).filter(is_own).collect();
    let given = config::given(&words);
    let (mut all, words, config) = config::expand(args, words)?;
    (all.project_wide.within, all.project_wide.part) = (args.project_wide.within, args.project_wide.part);
    let args = all;
    if args.project_wide.part == Some(Part::Last) {
        return last(&args);
    }
    generate(&args, words).map_err(|error| match &config {
        Some(config) => {
            let name = places::function(args.function.as_deref()).map_or("main", |(_, name)| name);
            config.explain(error, name, &given)
        }
        None => error,
    })
}

fn generate(args: &GenArgs, command: Vec<String>) -> Result<u8> {
    let started = Instant::now();
    if let Some(filter) = &args.log {
        log::start(filter.clone())?;
    }
    places::check(args)?;
    let mut session = Session::load_with(request(args, command), &mut diagnose::warning)?;
    let existing = &args.project_wide.existing_coverage;
    if let Some(file) = existing {
        session.count_existing(file, args.project_wide.existing_program.as_deref(), &native(args))?;
    }
    let session = session;
    for what in session.unsupported().iter().filter(|_| !args.quiet) {
        anstream::eprintln!("{YELLOW}note:{YELLOW:#} not supported: {what}; runs end there");
    }
    for note in session.note().map(str::to_owned).into_iter().chain(session.unknown()).filter(|_| !args.quiet) {
        anstream::eprintln!("{YELLOW}note:{YELLOW:#} {note}");
    }
    let out = args.out.clone().unwrap_or_else(|| session.usual_directory());
    let cases = session.cases(&out)?;
    let mut watcher = Watcher::new(started, args, session.cancel(), Unfinished::new(&out));
    let found = match args.project_wide.existing.as_deref().or(args.project_wide.since.as_deref()) {
        Some(dir) => session.generate_from(session.earlier(dir)?, &native(args), &mut watcher),
        None => {
            let begun = watcher.unfinished.read();
            if !begun.is_empty() && !args.quiet {
                let count = begun.len();
                anstream::eprintln!("{YELLOW}note:{YELLOW:#} goes on from {count} tests of a search that was ended");
            }
            session.generate_on(&begun, &mut watcher)
        }
    };
    watcher.clear();
    if let Some(dir) = &args.dump_model {
        dump_model(dir, watcher.recorder.take(), session.function(), found.as_ref().ok())?;
    }
    let mut results = match found {
        Err(Error::Contradiction(contradiction)) => {
            anstream::eprintln!("{RED}error:{RED:#} covenant contradicted itself: {contradiction}");
            anstream::eprintln!("Please send us the files and this command line.");
            return Ok(CONTRADICTION);
        }
        found => found?,
    };
    if let Some(cases) = &cases {
        results.take_cases(cases)?;
    }
    if let Some(function) = &args.expect {
        results.hold_against(function, &native(args))?;
    }
    results.report.stats.peak_rss_bytes = peak_memory();
    if let Some(part) = args.project_wide.part {
        return for_now(args, &out, part, results, &watcher.unfinished);
    }
    results.write(&out)?;
    watcher.unfinished.done();
    if !args.quiet && !args.json {
        summary(&results.report, &session, &out, args.verbose);
        if args.verbose {
            statistics(&results.report);
        }
    }
    if args.project_wide.write_contracts {
        let told = contracts::write(args, &results.report.subject.function, &results.report.defects)?;
        told.iter().filter(|_| !args.quiet && !args.json).for_each(|line| anstream::println!("  {line}"));
    }
    let replayed = !args.no_replay && !results.tests().is_empty();
    let Some((report, unconfirmed)) = confirmed(args, &out, results.report, replayed, &watcher.interrupted)? else {
        return Ok(1);
    };
    if args.json && unconfirmed != CONTRADICTION {
        anstream::println!("{}", serde_json::to_string_pretty(&report)?);
    }
    Ok(exit_code(&report, unconfirmed))
}

fn exit_code(report: &Report, unconfirmed: u8) -> u8 {
    if unconfirmed == CONTRADICTION {
        return CONTRADICTION;
    }
    let look = report.needs_a_look() || unconfirmed != 0;
    u8::from(look || report.since.as_ref().is_some_and(|since| !since.failing.is_empty()))
}

/// Writes what the next search goes on from, unless there is more already.
fn for_now(args: &GenArgs, out: &Path, part: Part, mut results: Results<'_>, unfinished: &Unfinished) -> Result<u8> {
    let decided = |report: &Report| report.asked().covered + report.asked().infeasible;
    let before = files::read_report(out).ok().filter(|_| part == Part::Again);
    if let Some(before) = before.filter(|before| decided(before) > decided(&results.report)) {
        return Ok(exit_code(&before, 0));
    }
    if !args.no_replay && !results.tests().is_empty() {
        results.report.sandbox = Some("no native runs yet: they come when the search is over".to_owned());
    }
    results.write_for_now(out)?;
    unfinished.done();
    Ok(exit_code(&results.report, 0))
}

/// Makes the suites of results that are there, and runs their tests natively.
fn last(args: &GenArgs) -> Result<u8> {
    let out = args.out.clone().unwrap_or_default();
    let mut report = files::read_report(&out)?;
    let (subject, tests) = (files::read_subject(&out)?, files::read_tests(&out, &report)?);
    write_suites(&out, &subject, &tests, &report.objectives, &args.suite, !args.no_oracle)?;
    Unfinished::new(&out).done();
    let replayed = !args.no_replay && !tests.is_empty();
    if !replayed {
        report.sandbox = None;
        files::write_report(&out, &report)?;
        write_html(&out)?;
    }
    let interrupted = stop::at_interrupt(Arc::default());
    let confirmed = confirmed(args, &out, report, replayed, &interrupted)?;
    Ok(confirmed.map_or(1, |(report, unconfirmed)| exit_code(&report, unconfirmed)))
}

/// The report after the native replay, and the exit code that this means; `None` if somebody interrupted it.
fn confirmed(
    args: &GenArgs,
    out: &Path,
    report: Report,
    replayed: bool,
    flag: &AtomicBool,
) -> Result<Option<(Report, u8)>> {
    if !replayed {
        return Ok(Some((report, 0)));
    }
    let begun = flag.load(Ordering::Relaxed);
    let interrupted = || !begun && flag.load(Ordering::Relaxed);
    let code = replay::confirm(out, args.quiet || args.json, &native(args), &interrupted);
    // Ctrl-C in the middle of it ends the programs that it started, too.
    if interrupted() {
        anstream::eprintln!("interrupted: `covenant replay {}` confirms the tests", out.display());
        return Ok(None);
    }
    let code = code?;
    if code == CONTRADICTION {
        return Ok(Some((report, code)));
    }
    // What could not be confirmed is open now, and lines that each test ran are known.
    write_html(out)?;
    Ok(Some((files::read_report(out)?, code)))
}

/// The clock, the progress line, and Ctrl-C.
struct Watcher {
    /// When the time of the search began.
    started: Instant,
    /// How long that is; zero: it has no end.
    timeout: Duration,
    interrupted: Arc<AtomicBool>,
    shows: bool,
    shown: Option<Instant>,
    /// The tests so far.
    unfinished: Unfinished,
    /// Draws the model.
    recorder: Option<Recorder>,
}

impl Watcher {
    fn new(started: Instant, args: &GenArgs, cancel: Arc<AtomicBool>, unfinished: Unfinished) -> Watcher {
        let interrupted = stop::at_interrupt(Arc::clone(&cancel));
        // As a part of a whole, a function has its time for the search alone.
        let (started, timeout) = match args.project_wide.within {
            Some(within) => {
                let left = within.saturating_sub(started.elapsed()).max(Duration::from_millis(1));
                (Instant::now(), if args.timeout.is_zero() { left } else { left.min(args.timeout) })
            }
            None => (started, args.timeout),
        };
        if !timeout.is_zero() {
            // However long clang took, something is tried.
            let left = timeout.saturating_sub(started.elapsed());
            stop::after(left.max(timeout / 4), cancel);
        }
        let recorder = args.dump_model.as_deref().map(Recorder::new);
        let shows = !args.no_progress && !args.quiet && args.log.is_none() && std::io::stderr().is_terminal();
        Watcher { started, timeout, interrupted, shows, shown: None, unfinished, recorder }
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
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

    fn ends_at(&self) -> Option<u64> {
        (!self.timeout.is_zero()).then_some(self.timeout.as_millis() as u64)
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
        if self.is_interrupted() {
            return Some(Status::Interrupted);
        }
        let over = !self.timeout.is_zero() && self.started.elapsed() >= self.timeout;
        over.then_some(Status::Timeout)
    }

    fn kept(&mut self, test: &TestCase) {
        self.unfinished.keep(test);
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
fn dump_model(dir: &Path, recorder: Option<Recorder>, function: &str, results: Option<&Results<'_>>) -> Result<()> {
    let steps = recorder.map(|recorder| recorder.finish(function)).transpose()?;
    if steps == Some(0) {
        anstream::eprintln!(
            "{YELLOW}warning:{YELLOW:#} there is no model to show; `--strategy arc` makes one if it can"
        );
    }
    if let Some(text) = results.and_then(Results::flow_text) {
        files::write_file(&dir.join("flow.txt"), text.as_bytes())?;
    }
    Ok(())
}

fn summary(report: &Report, session: &Session, out: &Path, verbose: bool) {
    let root = session.root();
    let mut verdicts: Vec<String> = report.criteria.iter().map(|&name| verdicts(report, name)).collect();
    verdicts.extend(report.measured.iter().map(|name| {
        let totals = report.totals.get(name).copied().unwrap_or_default();
        let noun = name.noun(totals.objectives as usize);
        format!("measured: {} of {} {noun} covered", totals.covered, totals.objectives)
    }));
    let tests = counted(report.tests.len(), "test", "tests");
    let runs = counted(report.stats.executions as usize, "run", "runs");
    let work = format!("{tests} of {runs}, {:.1} s", report.stats.wall_ms as f64 / 1000.0);
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
        let (style, word) = match o.verdict {
            VerdictKind::Infeasible if !o.callers.is_empty() => (GREEN, "dead in this program"),
            VerdictKind::Infeasible => (GREEN, "infeasible"),
            _ => (YELLOW, "open"),
        };
        let reason = plain(o.reason.as_deref().unwrap_or_default());
        anstream::println!(
            "  {style}{word}{style:#} {}:{}:{}: {}: {reason}",
            shown_from(root, &o.file),
            o.line,
            o.column,
            meaning(o)
        );
    }
    for d in &report.defects {
        let place = shown_from(root, &d.file);
        if let Some(contract) = &d.contract {
            anstream::println!(
                "  {YELLOW}contract{YELLOW:#} {place}:{}:{}: {} [{}] unless {contract}, see {}{}",
                d.line,
                d.column,
                d.message,
                d.kind,
                d.test,
                d.option.as_ref().map_or(String::new(), |option| format!("; `{option}` says that it is so"))
            );
            continue;
        }
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
    let existing = report.objectives.iter().filter_map(|o| o.existing.as_ref());
    if let Some(file) = existing.clone().next() {
        anstream::println!("  {} of them covered by the suite that is there, as {file} says", existing.count());
    }
    earlier::summary(report, root);
    // What is so unless somebody says otherwise is in the report.
    let users = session.users_assumptions();
    let is_told =
        |words: &&String| verbose || users.contains(words) || OUR_LIMITS.iter().any(|limit| words.starts_with(limit));
    for assumption in report.assumptions.iter().filter(is_told) {
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
