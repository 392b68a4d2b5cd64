//! `covenant gen --all`: every function of a project, each in a process of its own.
//!
//! A function that crashes the front end or fills the memory takes nothing with it, and all cores are used. What a run
//! depends on (the code that the function reaches, the options, covenant itself) makes a key; if the key is that of the
//! results that are there, the function is not analysed again.

mod bar;
mod catalogue;
pub(crate) mod child;
mod components;
pub(crate) mod finish;
pub(crate) mod kept;
mod key;
mod plan;
mod reach;
mod remote;
pub(crate) mod told;
mod work;

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use clap::Parser;
use covenant_goals::ReasonKind;
use covenant_program::analysis::callers::{Callers, callers};
use covenant_program::clang;
use covenant_report::files;
use covenant_report::index::FunctionRun;
use covenant_report::subject::sha256;

use crate::args::{Arguments, Command, Context, GenArgs};
use crate::config::{self, Config};
use crate::identity;
use catalogue::{Catalogue, Entry};
use key::Keys;
use reach::Graph;
use told::{RED, YELLOW};
use work::End;

struct Job<'a> {
    entry: &'a Entry,
    dir: PathBuf,
    /// Its own file, then those of what it leads to.
    files: Vec<PathBuf>,
    key: String,
    /// How many calls deep it leads: callees have less than their callers.
    rank: usize,
    /// What covenant.toml says of its own time.
    limit: Option<Duration>,
    /// Why it is analysed.
    why: String,
    /// Files beside the sources that its options name.
    named: Vec<PathBuf>,
    /// The results of the functions that it calls.
    callees: Vec<PathBuf>,
}

impl Job<'_> {
    /// The time that it has at most, if all have `total`; zero: as long as it likes.
    fn most(&self, total: Duration) -> Duration {
        match self.limit {
            Some(limit) if total.is_zero() => limit,
            Some(limit) => limit.min(total),
            None => total,
        }
    }
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
    // All processes of this run compile a file once.
    let kept = tempfile::Builder::new().prefix("covenant-").tempdir().context("no temporary directory")?;
    clang::keep_in(kept.path());
    let catalogue = Catalogue::new(args, &files)?;
    for (file, message) in &catalogue.rejected {
        anstream::eprintln!("{RED}error:{RED:#} {}: {message}", file.display());
    }
    if let Some(config) = &config {
        unknown_functions(config, &catalogue);
    }
    let own = own_words(args, words);
    let mut jobs = jobs(&catalogue, config.as_ref(), &own, &given, (identity::BUILD, &out));
    let all = jobs.len();
    if let Some((part, parts)) = args.project_wide.partition {
        jobs.retain(|job| in_partition(&job.entry.shown, &job.entry.name, (part, parts)));
    }
    if all == 0 {
        bail!("there is no function to test in {} files", files.len());
    }
    let before = finish::announce(&out, &jobs)?;
    let ends = work::work(args, &catalogue, &mut jobs, &own, started)?;
    let mut runs: Vec<FunctionRun> = jobs.iter().zip(&ends).map(|(job, end)| describe(&catalogue, job, *end)).collect();
    let finished = finish::finish(&out, &mut runs, before)?;
    if args.json {
        anstream::println!("{}", serde_json::to_string_pretty(&finished.whole.report)?);
    } else if !args.quiet {
        told::summary(&finished, &runs, &ends, (started, args));
        if args.project_wide.partition.is_none() {
            told::orphans(&out, &jobs);
        }
    }
    if finished.contradicts() {
        return Ok(3);
    }
    Ok(exit_code(&catalogue, &runs, &ends, &jobs))
}

/// Whether a function belongs to the Kth of N parts. What it is called decides that, so that it stays in its part when the code changes.
fn in_partition(file: &str, name: &str, (part, parts): (u32, u32)) -> bool {
    let digest = sha256(format!("{file}\n{name}").as_bytes());
    let number = u64::from_str_radix(&digest[..15], 16).unwrap_or(0); // not tuning: what fits into a word
    number % u64::from(parts.max(1)) == u64::from(part - 1)
}

fn describe(catalogue: &Catalogue, job: &Job<'_>, end: End) -> FunctionRun {
    let mut run = job.described(end);
    if !run.error.is_empty() {
        let late = matches!(end, End::Late | End::Interrupted);
        let kind = if late { ReasonKind::Time } else { ReasonKind::Unsupported };
        run.open = catalogue.branches(job.entry, &run.error, kind);
        run.open.iter().for_each(|o| run.totals.count(o.verdict));
    }
    run
}

fn jobs<'a>(
    catalogue: &'a Catalogue,
    config: Option<&Config>,
    own: &[String],
    given: &BTreeSet<String>,
    (build, out): (&str, &Path),
) -> Vec<Job<'a>> {
    let graph = Graph::new(catalogue);
    let keys = Keys::new(catalogue, &graph, build);
    let (mut jobs, mut known, mut roots) = (Vec::new(), HashMap::new(), HashMap::new());
    for entry in &catalogue.entries {
        if config.is_some_and(|config| config.skips(&entry.name)) {
            continue;
        }
        let added = config.map(|config| config.words(&entry.name, given)).unwrap_or_default();
        // However long it was searched, what was found is right.
        let added: Vec<String> = added.into_iter().filter(|word| !word.starts_with("--timeout=")).collect();
        let limit = config.and_then(|config| config.own(&entry.name, "timeout", given));
        let limit = limit.and_then(|text| crate::args::duration(text).ok()).filter(|limit| !limit.is_zero());
        let words = [added.as_slice(), own].concat();
        let Asked { names, contents, context, named } =
            known.entry(words.clone()).or_insert_with_key(|words| asked(words)).clone();
        let mut starts = vec![entry.function];
        if context == Some(Context::Callers)
            && let Callers::Known(found) = callers(&catalogue.modules[entry.module].program, entry.function)
        {
            starts.extend(found);
        }
        let reach = graph.reach(catalogue, entry.module, &starts, &names);
        let dir = out.join(&entry.folder);
        // What people expect of it is a part of its results.
        let expected = covenant::places_of_cases(&dir, &entry.name).into_iter().find_map(|file| fs::read(file).ok());
        let expected = expected.map(|text| sha256(&text));
        let words: Vec<String> = words.into_iter().chain(expected).chain(contents).collect();
        let files: Vec<PathBuf> = reach.modules.iter().map(|&m| catalogue.modules[m].file.clone()).collect();
        let root = roots.entry(reach.modules.clone()).or_insert_with_key(|modules| catalogue.root_of(modules.clone()));
        let key = keys.key(&words, root, entry, &reach, &names);
        let rank = reach.height;
        let callees = catalogue.callees(entry).map(|folder| out.join(folder)).collect();
        jobs.push(Job { entry, dir, files, key, rank, limit, why: String::new(), callees, named });
    }
    jobs
}

/// What the options of a function say that its key and its files depend on.
#[derive(Clone, Default)]
struct Asked {
    /// The names in C expressions.
    names: BTreeSet<String>,
    /// What static functions are given.
    context: Option<Context>,
    /// Files that are no sources: stand-ins, and what a suite covers that is there.
    named: Vec<PathBuf>,
    /// The digests of those.
    contents: Vec<String>,
}

fn asked(words: &[String]) -> Asked {
    let words = ["covenant", "gen", "--all"].into_iter().chain(words.iter().map(String::as_str));
    match Arguments::try_parse_from(words).map(|arguments| arguments.command) {
        Ok(Command::Gen(args)) => {
            let more = [&args.project_wide.existing_coverage, &args.project_wide.existing_program];
            let named: Vec<PathBuf> = args.stub_file.iter().chain(more.into_iter().flatten()).cloned().collect();
            Asked {
                contents: named.iter().filter_map(|file| fs::read(file).ok()).map(|text| sha256(&text)).collect(),
                named,
                names: key::names(&args),
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
                || ends.iter().any(|end| matches!(end, End::Interrupted | End::Late))
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
    commanded(project)
}

/// The C files of DIR/compile_commands.json.
pub(crate) fn commanded(project: &Path) -> Result<Vec<PathBuf>> {
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

/// Options with their values that are about the whole.
const LEFT: &[&str] = &[
    "--out=",
    "--jobs=",
    "--since=",
    "--timeout=",
    "--partition=",
    "--on=",
    "--creds=",
    "--tlsca=",
    "--tlscert=",
    "--tlskey=",
    "-o",
];

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
            "--all" | "--fresh" | "--keep" | "--quiet" | "--verbose" | "-v" | "--json" | "--no-progress" => {}
            "-o" | "--out" | "--jobs" | "--since" | "--timeout" | "--partition" | "--on" | "--creds" | "--tlsca"
            | "--tlscert" | "--tlskey" => {
                words.next();
            }
            word if LEFT.iter().any(|start| word.starts_with(start)) => {}
            word if files.contains(word) => {}
            word => kept.push(word.to_owned()),
        }
    }
    kept
}

impl Job<'_> {
    fn described(&self, end: End) -> FunctionRun {
        let mut run = FunctionRun {
            name: self.entry.name.clone(),
            folder: self.entry.folder.clone(),
            file: self.entry.shown.clone(),
            ..FunctionRun::default()
        };
        match (end, files::read_report(&self.dir)) {
            (End::Same | End::Code(0 | 1) | End::Interrupted, Ok(report)) => run.read(&report),
            (End::Interrupted, Err(_)) => run.error = told::INTERRUPTED.to_owned(),
            (End::Late, _) => run.error = told::LATE.to_owned(),
            _ => {
                let text = fs::read_to_string(self.dir.join("error.txt")).unwrap_or_default();
                let line = text.lines().find(|line| line.contains("error")).or(text.lines().next());
                run.error = line.unwrap_or("it did not run").trim().to_owned();
            }
        }
        run
    }
}
