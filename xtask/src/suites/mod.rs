//! `cargo xtask bench suites`: every suite of every function, built as users build it.
//!
//! A suite that does not compile or does not pass is worth nothing, however good its tests are. So each function of the subjects of
//! this repository, of the examples and of libraries that nobody here wrote gets a suite of each format, and each of these is
//! built by each compiler for each standard, with all warnings as errors and with what newer compilers take for errors.

mod build;
mod table;

use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::process;
use build::{Builder, Cell};

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// A directory that has a directory for each library.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Only groups with one of these names.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    group: Vec<String>,
    /// Only every Nth function of each group.
    #[arg(long, default_value_t = 1, value_name = "N")]
    every: usize,
    /// Only these formats.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    format: Vec<String>,
    /// Seconds for each function.
    #[arg(long, default_value_t = 3, value_name = "N")]
    seconds: u64,
    /// Functions at a time.
    #[arg(long, default_value_t = 1, value_name = "N")]
    jobs: usize,
    /// This binary instead of one that is built now.
    #[arg(long, value_name = "FILE")]
    covenant: Option<PathBuf>,
    /// The date of the results.
    #[arg(long)]
    date: Option<String>,
    /// Only print the table.
    #[arg(long)]
    no_save: bool,
}

/// The formats that are C or C++.
const FORMATS: &[&str] = &["c", "cmocka", "unity", "check", "gtest", "embedded"];
/// What a run may take beyond its time.
const GRACE: Duration = Duration::from_secs(120);

/// Files that are compiled together, with their flags.
struct Unit {
    group: String,
    files: Vec<PathBuf>,
    flags: Vec<String>,
}

/// A function and what came of its suites.
pub(crate) struct Row {
    pub(crate) group: String,
    pub(crate) file: String,
    pub(crate) function: String,
    /// What `covenant gen` ended with, if that is not 0 or 1.
    pub(crate) failed: Option<String>,
    pub(crate) cells: Vec<Cell>,
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = crate::covenant(root, options.covenant.as_deref())?;
    let formats: Vec<&str> = FORMATS
        .iter()
        .copied()
        .filter(|f| options.format.is_empty() || options.format.iter().any(|g| g == f))
        .collect();
    let builder = Builder::new(root, &formats)?;
    let mut jobs = Vec::new();
    for unit in units(root, options)? {
        for function in functions(&covenant, &unit)? {
            jobs.push((jobs.len(), unit.group.clone(), unit.files.clone(), unit.flags.clone(), function));
        }
    }
    // Every Nth of each group.
    let mut seen = std::collections::BTreeMap::new();
    jobs.retain(|(_, group, ..)| {
        let count: &mut usize = seen.entry(group.clone()).or_default();
        *count += 1;
        (*count - 1).is_multiple_of(options.every.max(1))
    });
    ensure!(!jobs.is_empty(), "there is no function");
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| {
                while let Some((number, group, files, flags, function)) = jobs.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let row = one(&covenant, &builder, (group, files, flags), function, options);
                    println!("{}", table::line(&row));
                    if let Ok(mut rows) = rows.lock() {
                        rows.push((*number, row));
                    }
                }
            });
        }
    });
    let mut rows = rows.into_inner().unwrap_or_default();
    rows.sort_by_key(|(number, _)| *number);
    let rows: Vec<Row> = rows.into_iter().map(|(_, row)| row).collect();
    let text = table::write(&rows, &formats, &builder.variants());
    println!("\n{text}");
    if !options.no_save {
        let date = options.date.clone().map_or_else(crate::bench::today, Ok)?;
        let file = root.join(format!("bench/results/suites-{date}.md"));
        let part = if options.every > 1 { format!(", every {}th function", options.every) } else { String::new() };
        fs::write(
            &file,
            format!("# Suites that compile and pass, {date}\n\n{} s a function{part}. {text}", options.seconds),
        )
        .with_context(|| file.display().to_string())?;
        println!("saved as {}", file.strip_prefix(root).unwrap_or(&file).display());
    }
    Ok(rows.iter().all(|row| row.failed.is_none() && row.cells.iter().all(Cell::is_good)))
}

/// The files of the repository one by one, libraries as a whole.
fn units(root: &Path, options: &Options) -> Result<Vec<Unit>> {
    let mut all = Vec::new();
    for folder in ["tests/c/gen", "tests/c/inputs", "tests/c/criteria", "examples"] {
        for file in c_files(&root.join(folder))? {
            all.push(Unit { group: folder.to_owned(), files: vec![file], flags: Vec::new() });
        }
    }
    let booking = root.join("examples/booking");
    for file in c_files(&booking.join("src"))? {
        let flags = vec![format!("-I{}", booking.join("include").display())];
        all.push(Unit { group: "examples".to_owned(), files: vec![file], flags });
    }
    if let Some(corpus) = &options.corpus {
        let corpus = corpus.canonicalize().with_context(|| format!("no {}", corpus.display()))?;
        let mut folders: Vec<PathBuf> = fs::read_dir(&corpus)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
        folders.sort();
        for folder in folders.into_iter().filter(|folder| folder.is_dir()) {
            let group = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let files = c_files(&folder)?;
            if !files.is_empty() {
                all.push(Unit { group, files, flags: Vec::new() });
            }
        }
    }
    all.retain(|unit| options.group.is_empty() || options.group.contains(&unit.group));
    Ok(all)
}

fn c_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut files: Vec<PathBuf> = entries.filter_map(|file| Some(file.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    Ok(files)
}

/// The functions with a body but `main`, which no framework can call.
fn functions(covenant: &Path, unit: &Unit) -> Result<Vec<String>> {
    let mut functions = crate::real::functions(covenant, &unit.files, &unit.flags)
        .with_context(|| unit.files.iter().map(|f| f.display().to_string()).collect::<Vec<_>>().join(" "))?;
    functions.retain(|name| name != "main");
    Ok(functions)
}

fn one(
    covenant: &Path,
    builder: &Builder,
    (group, files, flags): (&str, &[PathBuf], &[String]),
    function: &str,
    options: &Options,
) -> Row {
    let file = files.first().and_then(|f| f.file_name()).unwrap_or_default().to_string_lossy().into_owned();
    let mut row = Row { group: group.to_owned(), file, function: function.to_owned(), failed: None, cells: Vec::new() };
    let result = (|| -> Result<()> {
        let home = tempfile::tempdir()?;
        let mut command = Command::new(covenant);
        command.args(["gen", "--quiet", "--no-progress", "--no-replay", "--jobs", "1", "-o", "out", "-f", function]);
        command.args(["--suite", &FORMATS.join(","), "--timeout"]).arg(format!("{}s", options.seconds));
        command.args(files).arg("--").args(flags).current_dir(home.path());
        let done = process::run(&mut command, Duration::from_secs(options.seconds) + GRACE)?;
        if !matches!(done.status, Some(0 | 1)) {
            let words = done.stderr.lines().next().unwrap_or("killed").to_owned();
            row.failed = Some(format!("gen ends with {:?}: {words}", done.status));
            return Ok(());
        }
        row.cells = builder.all(&home.path().join("out"), function, files, flags)?;
        Ok(())
    })();
    if let Err(error) = result {
        row.failed = Some(format!("{error:#}"));
    }
    row
}
