//! `covenant gen --all`: every function of a project, each in a process of its own.
//!
//! A function that crashes the front end or fills the memory takes nothing with it, and all cores are used. What a run
//! depends on (the code that the function reaches, the options, covenant itself) makes a key; if the key is that of the
//! results that are there, the function is not analysed again.

mod catalogue;
mod key;
mod reach;
mod work;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anstyle::{AnsiColor, Style};
use anyhow::{Context as _, Result, bail};
use clap::Parser;
use covenant_program::analysis::callers::{Callers, callers};
use covenant_report::against::{Against, Clash};
use covenant_report::files;
use covenant_report::index::{self, FunctionRun};
use covenant_report::subject::sha256;

use crate::args::{Arguments, Command, Context, GenArgs};
use crate::config::{self, Config};
use crate::earlier;
use catalogue::{Catalogue, Entry};
use reach::Reach;
use work::End;

const GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const RED: Style = AnsiColor::Red.on_default().bold();
const BOLD: Style = Style::new().bold();

struct Job<'a> {
    entry: &'a Entry,
    dir: PathBuf,
    /// Its own file, then those of what it leads to.
    files: Vec<PathBuf>,
    key: String,
}

pub(crate) fn run(args: &GenArgs) -> Result<u8> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let started = Instant::now();
    // Options of covenant itself may come first.
    let start = words.iter().position(|word| word == "gen").unwrap_or(0);
    let words = &words[start..];
    let config = Config::find(args)?;
    let given = config::given(words);
    // Flags and files are the same for all functions, whoever says so.
    let general = config.as_ref().map(|config| config.words("", &given)).unwrap_or_default();
    let args = &*config::parse(&[&["gen".to_owned()], general.as_slice(), &words[1..]].concat())?;
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from("covenant-out"));
    if let Some(since) = args.project_wide.since.as_ref().filter(|since| !since.join("index.json").is_file()) {
        bail!("there is no earlier run of `gen --all` in {}", since.display());
    }
    let mut files = source_files(args)?;
    // The suites of an earlier run may be part of the project by now.
    let ours = out.canonicalize().ok();
    files.retain(|file| {
        let inside = ours.as_ref().is_some_and(|out| file.canonicalize().is_ok_and(|file| file.starts_with(out)));
        !inside && !config.as_ref().is_some_and(|config| config.excludes(file))
    });
    let catalogue = Catalogue::new(args, &files)?;
    for (file, message) in &catalogue.rejected {
        anstream::eprintln!("{RED}error:{RED:#} {}: {message}", file.display());
    }
    if let Some(config) = &config {
        unknown_functions(config, &catalogue);
    }
    let own = own_words(args, words);
    let jobs = jobs(&catalogue, config.as_ref(), &own, &given, (key::BUILD, &out));
    if jobs.is_empty() {
        bail!("there is no function to test in {} files", files.len());
    }
    let ends = work::work(args, &catalogue, &jobs, &own)?;
    let mut runs: Vec<FunctionRun> = jobs.iter().zip(&ends).map(|(job, end)| describe(job, *end)).collect();
    let clashes = compare(&catalogue, &jobs, &ends, &mut runs);
    let index = index::write(&out, &runs, &clashes)?;
    if !args.quiet {
        total(&runs, &ends, started, &index);
        orphans(&out, &jobs);
    }
    for clash in &clashes {
        anstream::eprintln!(
            "{RED}error:{RED:#} covenant contradicts itself: {clash}; please send us both folders below {} and the sources",
            out.display()
        );
    }
    if !clashes.is_empty() {
        return Ok(3);
    }
    Ok(exit_code(&catalogue, &runs, &ends, &jobs))
}

/// Holds the results of functions against each other: what tests of others take is covered, and what cannot all be right is
/// told.
fn compare(catalogue: &Catalogue, jobs: &[Job<'_>], ends: &[End], runs: &mut [FunctionRun]) -> Vec<Clash> {
    let mut against = Against::default();
    let mut added = Vec::new();
    for ((job, end), run) in jobs.iter().zip(ends).zip(runs) {
        if let (End::Same | End::Code(0 | 1), Ok(report)) = (end, files::read_report(&job.dir)) {
            against.add(&report, &catalogue.modules[job.entry.module].file);
            added.push(run);
        }
    }
    for (run, count) in added.into_iter().zip(against.elsewhere()) {
        run.taken_elsewhere(count);
    }
    against.clashes()
}

fn jobs<'a>(
    catalogue: &'a Catalogue,
    config: Option<&Config>,
    own: &[String],
    given: &BTreeSet<String>,
    (build, out): (&str, &Path),
) -> Vec<Job<'a>> {
    let mut jobs = Vec::new();
    for entry in &catalogue.entries {
        if config.is_some_and(|config| config.skips(&entry.name)) {
            continue;
        }
        let added = config.map(|config| config.words(&entry.name, given)).unwrap_or_default();
        let words = [added.as_slice(), own].concat();
        let Asked { names, counted, context } = asked(&words);
        let mut starts = vec![entry.function];
        if context == Some(Context::Callers)
            && let Callers::Known(found) = callers(&catalogue.modules[entry.module].program, entry.function)
        {
            starts.extend(found);
        }
        let reach = Reach::new(catalogue, entry.module, &starts, &names);
        let dir = out.join(&entry.folder);
        // What people expect of it is a part of its results.
        let expected = covenant::places_of_cases(&dir, &entry.name).into_iter().find_map(|file| fs::read(file).ok());
        let expected = expected.map(|text| sha256(&text));
        let words: Vec<String> = words.into_iter().chain(expected).chain(counted).collect();
        let key = key::key((build, &words), catalogue, entry, &reach, &names);
        let files = reach.modules.iter().map(|&m| catalogue.modules[m].file.clone()).collect();
        jobs.push(Job { entry, dir, files, key });
    }
    jobs
}

/// What the options of a function say that its key and its files depend on.
#[derive(Default)]
struct Asked {
    /// The names in C expressions.
    names: BTreeSet<String>,
    /// The digest of what a suite covers that is there.
    counted: Option<String>,
    /// What static functions are given.
    context: Option<Context>,
}

fn asked(words: &[String]) -> Asked {
    let words = ["covenant", "gen", "--all"].into_iter().chain(words.iter().map(String::as_str));
    match Arguments::try_parse_from(words).map(|arguments| arguments.command) {
        Ok(Command::Gen(args)) => {
            let counted = args.project_wide.existing_coverage.as_ref().and_then(|file| fs::read(file).ok());
            Asked {
                names: key::names(&args),
                counted: counted.map(|bytes| sha256(&bytes)),
                context: Some(args.context),
            }
        }
        _ => Asked::default(),
    }
}

/// A table about a function that is not there is a slip of the pen, or left from before a function had another name.
fn unknown_functions(config: &Config, catalogue: &Catalogue) {
    for (place, name) in config.sections() {
        if !catalogue.entries.iter().any(|entry| entry.name == name) {
            anstream::eprintln!("{YELLOW}warning:{YELLOW:#} {place}: there is no function `{name}` in these files");
        }
    }
}

fn exit_code(catalogue: &Catalogue, runs: &[FunctionRun], ends: &[End], jobs: &[Job<'_>]) -> u8 {
    let code = |wanted: u8| ends.contains(&End::Code(wanted));
    let failing = |job: &Job<'_>| {
        let report = files::read_report(&job.dir).ok();
        report.and_then(|report| report.since).is_some_and(|since| !since.failing.is_empty())
    };
    if code(3) {
        3
    } else if !catalogue.rejected.is_empty() || ends.iter().any(|end| matches!(end, End::Code(2..) | End::Lost)) {
        2
    } else {
        let fresh = jobs.iter().zip(ends).filter(|(_, end)| matches!(end, End::Code(_)));
        u8::from(
            runs.iter().any(FunctionRun::needs_a_look)
                || ends.contains(&End::Interrupted)
                || fresh.map(|(job, _)| job).any(failing),
        )
    }
}

/// The files of the command line, or all C files of the project.
fn source_files(args: &GenArgs) -> Result<Vec<PathBuf>> {
    if !args.source.files.is_empty() {
        return Ok(args.source.files.clone());
    }
    let Some(project) = &args.source.project else { bail!("--all needs files, or a project with -p DIR") };
    let path = project.join("compile_commands.json");
    let hint = "CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, other tools with `bear -- make`";
    let text = std::fs::read(&path).with_context(|| format!("{} cannot be read; {hint}", path.display()))?;
    let commands: Vec<serde_json::Value> =
        serde_json::from_slice(&text).with_context(|| format!("{} is no list of commands", path.display()))?;
    let mut files = BTreeSet::new();
    for command in &commands {
        let Some(file) = command["file"].as_str().filter(|file| file.ends_with(".c")) else { continue };
        files.insert(Path::new(command["directory"].as_str().unwrap_or(".")).join(file));
    }
    if files.is_empty() {
        bail!("{} has no C files", path.display());
    }
    Ok(files.into_iter().collect())
}

/// What the user wrote, without what each function gets for itself.
fn own_words(args: &GenArgs, words: &[String]) -> Vec<String> {
    let files: BTreeSet<String> = args.source.files.iter().map(|file| file.display().to_string()).collect();
    let mut kept = Vec::new();
    if args.scope.is_none() {
        // The functions that are called are tested, too.
        kept.extend(["--scope".to_owned(), "own".to_owned()]);
    }
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--" => {
                kept.push(word.clone());
                kept.extend(words.by_ref().cloned());
            }
            "--all" | "--fresh" | "--keep" | "--quiet" | "--verbose" | "--json" | "--no-progress" => {}
            "-o" | "--out" | "--jobs" | "--since" => {
                words.next();
            }
            word if ["--out=", "--jobs=", "--since=", "-o"].iter().any(|start| word.starts_with(start)) => {}
            word if files.contains(word) => {}
            word => kept.push(word.to_owned()),
        }
    }
    kept
}

fn said(job: &Job<'_>, end: End) {
    let run = describe(job, end);
    let (style, word) = match (end, run.needs_a_look()) {
        (End::Interrupted, _) => (YELLOW, "stopped"),
        (End::Same | End::Code(0 | 1), false) => (GREEN, "decided"),
        (End::Same | End::Code(0 | 1), true) if run.defects > 0 => (RED, "defect"),
        (End::Same | End::Code(0 | 1), true) => (YELLOW, "open"),
        _ => (RED, "failed"),
    };
    let t = &run.totals;
    let same = if end == End::Same { ", unchanged" } else { "" };
    let error = if run.error.is_empty() { String::new() } else { format!("; {}", run.error) };
    anstream::println!(
        "{style}{word:>8}{style:#}  {BOLD}{}{BOLD:#} {}: {} covered, {} infeasible, {} open, {} tests{same}{error}",
        run.name,
        run.file,
        t.covered,
        t.infeasible,
        t.unknown,
        run.tests,
    );
    if let (End::Code(_), Ok(report)) = (end, files::read_report(&job.dir)) {
        earlier::summary(&report, &files::read_subject(&job.dir).map(|subject| subject.root).unwrap_or_default());
    }
}

fn describe(job: &Job<'_>, end: End) -> FunctionRun {
    let mut run = FunctionRun {
        name: job.entry.name.clone(),
        folder: job.entry.folder.clone(),
        file: job.entry.shown.clone(),
        ..FunctionRun::default()
    };
    match (end, files::read_report(&job.dir)) {
        (End::Same | End::Code(0 | 1) | End::Interrupted, Ok(report)) => run.read(&report),
        (End::Interrupted, Err(_)) => run.error = "interrupted before it was analysed".to_owned(),
        _ => {
            let text = std::fs::read_to_string(job.dir.join("error.txt")).unwrap_or_default();
            let line = text.lines().find(|line| line.contains("error")).or(text.lines().next());
            run.error = line.unwrap_or("it did not run").trim().to_owned();
        }
    }
    run
}

fn total(runs: &[FunctionRun], ends: &[End], started: Instant, index: &Path) {
    let sum = index::totals(runs);
    let same = ends.iter().filter(|end| **end == End::Same).count();
    let same = if same == 0 { String::new() } else { format!(" ({same} unchanged)") };
    let elsewhere = match runs.iter().map(|run| run.elsewhere).sum::<u32>() {
        0 => String::new(),
        count => format!(" ({count} only by tests of other functions)"),
    };
    anstream::println!(
        "{BOLD}{} functions{BOLD:#}{same}: {} objectives, {GREEN}{} covered{GREEN:#}{elsewhere}, {} infeasible, {} open; {} tests, \
         {} defects, {:.1} s",
        runs.len(),
        sum.objectives,
        sum.covered,
        sum.infeasible,
        sum.unknown,
        runs.iter().map(|r| r.tests).sum::<usize>(),
        runs.iter().map(|r| r.defects).sum::<usize>(),
        started.elapsed().as_secs_f64()
    );
    let stopped = ends.iter().filter(|end| **end == End::Interrupted).count();
    if stopped > 0 {
        anstream::println!(
            "  {YELLOW}interrupted{YELLOW:#}: {stopped} functions are not done; the same command goes on"
        );
    }
    anstream::println!("  see {}", index.display());
}

/// Results of functions that are gone: their suites no longer compile.
fn orphans(out: &Path, jobs: &[Job<'_>]) {
    let Ok(entries) = std::fs::read_dir(out) else { return };
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    for folder in folders.iter().filter(|folder| folder.join(files::KEY).is_file()) {
        if !jobs.iter().any(|job| job.dir == *folder) {
            anstream::println!(
                "  {YELLOW}note{YELLOW:#}: {} is of a function that is not tested any more; remove it",
                folder.display()
            );
        }
    }
}
