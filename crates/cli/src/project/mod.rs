//! `covenant gen --all`: every function of a project, each in a process of its own.
//!
//! A function that crashes the front end or fills the memory takes nothing with it, and all cores are used. What a run
//! depends on (the code that the function reaches, the options, covenant itself) makes a key; if the key is that of the
//! results that are there, the function is not analysed again.

mod catalogue;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result, bail};
use covenant_report::files;
use covenant_report::index::{self, FunctionRun};

use crate::args::GenArgs;
use crate::config::{self, Config};
use catalogue::{Catalogue, Entry};

const GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const RED: Style = AnsiColor::Red.on_default().bold();
const BOLD: Style = Style::new().bold();
/// Where the key of the results stands.
pub(crate) const KEY: &str = "key";

struct Job<'a> {
    entry: &'a Entry,
    dir: PathBuf,
    key: String,
}

pub(crate) fn run(args: &GenArgs, words: Vec<String>) -> Result<u8> {
    let started = Instant::now();
    let config = Config::find(args)?;
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from("covenant-out"));
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
    let own = own_words(args, &words);
    let given = config::given(&words);
    let mut jobs = Vec::new();
    for entry in &catalogue.entries {
        if config.as_ref().is_some_and(|config| config.skips(&entry.name)) {
            continue;
        }
        let added = config.as_ref().map(|config| config.words(&entry.name, &given)).unwrap_or_default();
        let key = catalogue.key(entry, &[own.as_slice(), &added].concat());
        jobs.push(Job { entry, dir: out.join(&entry.folder), key });
    }
    if jobs.is_empty() {
        bail!("there is no function to test in {} files", files.len());
    }
    let codes = work(args, &catalogue, &jobs, &own)?;
    let runs: Vec<FunctionRun> = jobs.iter().zip(&codes).map(|(job, code)| describe(job, *code)).collect();
    let index = index::write(&out, &runs)?;
    if !args.quiet {
        total(&runs, started, &index);
    }
    let worst = if codes.contains(&Some(3)) {
        3
    } else if !catalogue.rejected.is_empty() || codes.iter().any(|code| !matches!(code, Some(0 | 1))) {
        2
    } else {
        u8::from(runs.iter().any(FunctionRun::needs_a_look))
    };
    Ok(worst)
}

/// The files of the command line, or all C files of the project.
fn source_files(args: &GenArgs) -> Result<Vec<PathBuf>> {
    if !args.source.files.is_empty() {
        return Ok(args.source.files.clone());
    }
    let Some(project) = &args.source.project else { bail!("--all needs files, or a project with -p DIR") };
    let path = project.join("compile_commands.json");
    let text = std::fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
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
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--" => {
                kept.push(word.clone());
                kept.extend(words.by_ref().cloned());
            }
            "--all" | "--fresh" | "--keep" | "--quiet" | "--verbose" | "--json" | "--no-progress" => {}
            "-o" | "--out" | "--jobs" => {
                words.next();
            }
            word if word.starts_with("--out=") || word.starts_with("--jobs=") || word.starts_with("-o") => {}
            word if files.contains(word) => {}
            word => kept.push(word.to_owned()),
        }
    }
    kept
}

/// Runs the jobs, as many at a time as there are cores. The result of each: its exit code, or that it was not needed.
fn work(args: &GenArgs, catalogue: &Catalogue, jobs: &[Job<'_>], own: &[String]) -> Result<Vec<Option<u8>>> {
    let program = std::env::current_exe().context("covenant does not find itself")?;
    let next = AtomicUsize::new(0);
    let codes = Mutex::new(vec![None; jobs.len()]);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.unwrap_or(cores).max(1).min(jobs.len()) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(index) else { break };
                    let code = match kept(args, catalogue, job) {
                        Some(code) => Some(code),
                        None => one(args, job, own, &program),
                    };
                    if !args.quiet {
                        said(job, code);
                    }
                    if let Ok(mut codes) = codes.lock() {
                        codes[index] = code;
                    }
                }
            });
        }
    });
    Ok(codes.into_inner().unwrap_or_default())
}

/// The exit code of results that are still right. Other functions of their files may have changed; the digests then do too.
fn kept(args: &GenArgs, catalogue: &Catalogue, job: &Job<'_>) -> Option<u8> {
    let same = std::fs::read_to_string(job.dir.join(KEY)).is_ok_and(|key| key == job.key);
    if args.project_wide.fresh || !same {
        return None;
    }
    let report = files::read_report(&job.dir).ok()?;
    let before = files::read_subject(&job.dir).ok()?;
    let mut subject = before.clone();
    for (path, digests) in catalogue.digests(job.entry) {
        for file in subject.files.iter_mut().filter(|file| file.absolute() == path) {
            (file.sha256, file.module_sha256) = digests.clone();
        }
    }
    if subject != before {
        files::write_subject(&job.dir, &subject).ok()?;
        covenant_report::write_html(&job.dir).ok()?;
    }
    Some(u8::from(report.needs_a_look()))
}

fn one(args: &GenArgs, job: &Job<'_>, own: &[String], program: &Path) -> Option<u8> {
    // Results of other code must not look like those of this one.
    let _ = std::fs::remove_file(job.dir.join(KEY));
    let mut command = Command::new(program);
    let (options, flags) = match own.iter().position(|word| word == "--") {
        Some(at) => own.split_at(at),
        None => (own, &[][..]),
    };
    command.arg("gen").args(options).args(&job.entry.files);
    if args.project_wide.keep && files::read_report(&job.dir).is_ok() {
        command.arg("--existing").arg(&job.dir);
    }
    command.args(["-f", &job.entry.name, "--jobs", "1", "--quiet", "--no-progress", "-o"]).arg(&job.dir).args(flags);
    let output = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output().ok()?;
    let code = output.status.code().and_then(|code| u8::try_from(code).ok());
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    match code {
        Some(0 | 1) => {
            let _ = files::write_file(&job.dir.join(KEY), job.key.as_bytes());
        }
        _ => {
            let _ = files::write_file(&job.dir.join("error.txt"), words.as_bytes());
        }
    }
    code
}

fn said(job: &Job<'_>, code: Option<u8>) {
    let run = describe(job, code);
    let (style, word) = match (code, run.needs_a_look()) {
        (Some(0 | 1), false) => (GREEN, "decided"),
        (Some(0 | 1), true) if run.defects > 0 => (RED, "defect"),
        (Some(0 | 1), true) => (YELLOW, "open"),
        _ => (RED, "failed"),
    };
    let t = &run.totals;
    anstream::println!(
        "{style}{word:>8}{style:#}  {BOLD}{}{BOLD:#} {}: {} covered, {} infeasible, {} open, {} tests{}",
        run.name,
        run.file,
        t.covered,
        t.infeasible,
        t.unknown,
        run.tests,
        if run.error.is_empty() { String::new() } else { format!("; {}", run.error) }
    );
}

fn describe(job: &Job<'_>, code: Option<u8>) -> FunctionRun {
    let mut run = FunctionRun {
        name: job.entry.name.clone(),
        folder: job.entry.folder.clone(),
        file: job.entry.shown.clone(),
        ..FunctionRun::default()
    };
    match (code, files::read_report(&job.dir)) {
        (Some(0 | 1), Ok(report)) => run.read(&report),
        _ => {
            let text = std::fs::read_to_string(job.dir.join("error.txt")).unwrap_or_default();
            let line = text.lines().find(|line| line.contains("error")).or(text.lines().next());
            run.error = line.unwrap_or("it did not run").trim().to_owned();
        }
    }
    run
}

fn total(runs: &[FunctionRun], started: Instant, index: &Path) {
    let sum = index::totals(runs);
    anstream::println!(
        "{BOLD}{} functions{BOLD:#}: {} objectives, {GREEN}{} covered{GREEN:#}, {} infeasible, {} open; {} tests, {} defects, {:.1} s",
        runs.len(),
        sum.objectives,
        sum.covered,
        sum.infeasible,
        sum.unknown,
        runs.iter().map(|r| r.tests).sum::<usize>(),
        runs.iter().map(|r| r.defects).sum::<usize>(),
        started.elapsed().as_secs_f64()
    );
    anstream::println!("  see {}", index.display());
}
