//! `cargo xtask bench real`: every function of libraries that nobody here wrote, each for the same short time.
//!
//! The numbers say what a user meets first: how much of a function's own branches is decided, why the rest is open, and whether
//! anything ends in a contradiction. A library is a directory of C files below the corpus.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::process;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The directory that has a directory for each library.
    #[arg(long, value_name = "DIR")]
    corpus: PathBuf,
    /// Only these libraries.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    library: Vec<String>,
    /// Seconds for each function.
    #[arg(long, default_value_t = 10, value_name = "N")]
    seconds: u64,
    /// This binary instead of one that is built now.
    #[arg(long, value_name = "FILE")]
    covenant: Option<PathBuf>,
    /// Words that `covenant gen` gets besides.
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    arg: Vec<String>,
    /// The date of the results.
    #[arg(long)]
    date: Option<String>,
    /// Only print the table.
    #[arg(long)]
    no_save: bool,
}

/// Exit code of a run that contradicted itself.
const CONTRADICTION: i32 = 3;
/// What a run may take beyond its time: compiling, replaying and writing.
const GRACE: Duration = Duration::from_secs(120);

/// What came of functions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Tally {
    branches: u64,
    covered: u64,
    infeasible: u64,
    /// By the kind of the reason.
    open: BTreeMap<String, u64>,
    defects: u64,
    contracts: u64,
    ms: u64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.branches += other.branches;
        self.covered += other.covered;
        self.infeasible += other.infeasible;
        for (kind, count) in &other.open {
            *self.open.entry(kind.clone()).or_default() += count;
        }
        self.defects += other.defects;
        self.contracts += other.contracts;
        self.ms += other.ms;
    }

    /// The function's own branches in a report; those of what it calls are told with their own functions.
    fn of(report: &Value, function: &str) -> Tally {
        let mut tally = Tally::default();
        let own = |o: &&Value| o["criterion"] == "branch" && o["function"] == function;
        for objective in report["objectives"].as_array().into_iter().flatten().filter(own) {
            tally.branches += 1;
            match objective["verdict"].as_str() {
                Some("covered") => tally.covered += 1,
                Some("infeasible") => tally.infeasible += 1,
                _ => {
                    let kind = objective["kind"].as_str().unwrap_or("other");
                    *tally.open.entry(kind.to_owned()).or_default() += 1;
                }
            }
        }
        let defects = report["defects"].as_array().map_or(&[][..], Vec::as_slice);
        tally.contracts = defects.iter().filter(|defect| defect["contract"].is_string()).count() as u64;
        tally.defects = defects.len() as u64 - tally.contracts;
        tally
    }

    fn row(&self, name: &str, exit: &str) -> String {
        let kinds: Vec<String> = self.open.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let open = if kinds.is_empty() { "0".to_owned() } else { kinds.join(", ") };
        let Tally { branches, covered, infeasible, defects, contracts, ms, .. } = self;
        let seconds = *ms as f64 / 1000.0;
        format!(
            "| {name} | {branches} | {covered} | {infeasible} | {open} | {defects} | {contracts} | {seconds:.1} | {exit} |"
        )
    }
}

const HEAD: &str = "| function | own branches | covered | infeasible | open | defects | contracts | seconds | exit |\n\
                    |---|---:|---:|---:|---|---:|---:|---:|---:|\n";

pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = crate::covenant(root, options.covenant.as_deref())?;
    let (mut text, mut all, mut good) = (String::new(), Vec::new(), true);
    for (name, files) in libraries(options)? {
        let mut table = format!("## {name}\n\n{HEAD}");
        let mut total = Tally::default();
        for function in functions(&covenant, &files, &[]).with_context(|| name.clone())? {
            let (tally, exit) = one(&covenant, &files, &function, options)?;
            good &= exit != Some(CONTRADICTION) && exit.is_some();
            let exit = exit.map_or_else(|| "killed".to_owned(), |code| code.to_string());
            let row = tally.row(&function, &exit);
            println!("{name} {row}");
            writeln!(table, "{row}")?;
            total.add(&tally);
        }
        writeln!(table, "{}", total.row("**all**", ""))?;
        writeln!(text, "{table}")?;
        all.push((name, total));
    }
    ensure!(!all.is_empty(), "no library in {}", options.corpus.display());
    let mut sums = HEAD.replace("function", "library");
    let mut total = Tally::default();
    for (name, tally) in &all {
        writeln!(sums, "{}", tally.row(name, ""))?;
        total.add(tally);
    }
    writeln!(sums, "{}", total.row("**all**", ""))?;
    println!("\n{sums}");
    if !options.no_save {
        save(root, options, &format!("{sums}\n{text}"))?;
    }
    Ok(good)
}

fn save(root: &Path, options: &Options, tables: &str) -> Result<()> {
    let date = options.date.clone().map_or_else(crate::bench::today, Ok)?;
    let words = options.arg.join(" ");
    let how = if words.is_empty() { String::new() } else { format!(" with `{words}`") };
    let text = format!(
        "# Real libraries, {date}\n\nEvery function with a body, each by `covenant gen --scope own`{how} for {} s, one after the other. \
         Branches are those in the function itself; open ones by the kind of their reason. Contracts are errors that only \
         happen if a caller breaks what the code expects. Seconds include clang and the native replay on a shared machine.\n\n\
         {}\n",
        options.seconds,
        tables.trim_end()
    );
    let file = root.join(format!("bench/results/real-{date}.md"));
    fs::write(&file, text).with_context(|| file.display().to_string())?;
    println!("saved as {}", file.strip_prefix(root).unwrap_or(&file).display());
    Ok(())
}

/// The libraries that were asked for, with their C files.
fn libraries(options: &Options) -> Result<Vec<(String, Vec<PathBuf>)>> {
    let corpus = options.corpus.canonicalize().with_context(|| format!("no {}", options.corpus.display()))?;
    let mut found = Vec::new();
    for entry in fs::read_dir(&corpus)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|_| path.is_dir()) else { continue };
        if !options.library.is_empty() && !options.library.iter().any(|wanted| wanted == name) {
            continue;
        }
        let mut files: Vec<PathBuf> = fs::read_dir(&path)?.filter_map(|file| Some(file.ok()?.path())).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
        files.sort();
        if !files.is_empty() {
            found.push((name.to_owned(), files));
        }
    }
    found.sort();
    Ok(found)
}

/// The functions with a body, as covenant lists them where it is asked for one that nobody has.
pub(crate) fn functions(covenant: &Path, files: &[PathBuf], flags: &[String]) -> Result<Vec<String>> {
    let home = tempfile::tempdir()?;
    let mut command = Command::new(covenant);
    command.args(["gen", "-f", "no function has this name"]).args(files).arg("--").args(flags).current_dir(home.path());
    let done = process::run(&mut command, GRACE)?;
    listed(&done.stderr).with_context(|| format!("no list of functions:\n{}", done.stderr))
}

fn listed(words: &str) -> Option<Vec<String>> {
    let (_, list) = words.split_once("There are: ")?;
    let names = list.lines().next()?.split(',').map(|name| name.trim().to_owned());
    // Of functions of one name in several files the first is meant.
    let names: BTreeSet<String> = names.filter(|name| !name.is_empty()).collect();
    Some(names.into_iter().collect())
}

/// One function: what came of it, and the exit code, unless it had to be killed.
fn one(covenant: &Path, files: &[PathBuf], function: &str, options: &Options) -> Result<(Tally, Option<i32>)> {
    let home = tempfile::tempdir()?;
    let mut command = Command::new(covenant);
    command.args(["gen", "--scope", "own", "--json", "--no-progress", "-o", "out", "-f", function, "--timeout"]);
    command.arg(format!("{}s", options.seconds)).args(&options.arg).args(files).current_dir(home.path());
    let done = process::run(&mut command, Duration::from_secs(options.seconds) + GRACE)?;
    let mut tally = match serde_json::from_slice::<Value>(&done.stdout) {
        Ok(report) => Tally::of(&report, function),
        Err(_) => Tally::default(),
    };
    if tally == Tally::default() && done.status.is_none_or(|code| code > 1) {
        eprintln!("{function}: {:?}\n{}", done.status, done.stderr.trim_end());
    }
    tally.ms = done.wall.as_millis() as u64;
    Ok((tally, done.status))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_tells_own_branches_only() {
        let report = serde_json::json!({
            "objectives": [
                { "criterion": "branch", "function": "f", "verdict": "covered" },
                { "criterion": "branch", "function": "f", "verdict": "unknown", "kind": "model" },
                { "criterion": "branch", "function": "g", "verdict": "unknown", "kind": "time" },
                { "criterion": "branch", "function": "f", "verdict": "infeasible" },
            ],
            "defects": [{ "contract": "p is not NULL" }, { "kind": "overflow" }],
        });
        let mut tally = Tally::of(&report, "f");
        tally.ms = 1500;
        assert_eq!(tally.row("f", "1"), "| f | 3 | 1 | 1 | 1 model | 1 | 1 | 1.5 | 1 |");
        let mut sum = tally.clone();
        sum.add(&tally);
        assert_eq!(sum.row("all", ""), "| all | 6 | 2 | 2 | 2 model | 2 | 2 | 3.0 |  |");
    }

    #[test]
    fn functions_are_read_from_the_list() {
        let words = "error: there is no function `x` with a body in these files. There are: a, b_c, b_c, d\nmore";
        assert_eq!(listed(words), Some(vec!["a".to_owned(), "b_c".to_owned(), "d".to_owned()]));
        assert_eq!(listed("error: no file"), None);
    }
}
