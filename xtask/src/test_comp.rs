//! `cargo xtask bench test-comp`: tasks of Test-Comp's kind (`bench/test-comp/subjects`), each given to `covenant test-comp`, and its suite
//! measured by TestCov, whose count must be ours.
//!
//! A task says in its leading comment how many of its edges no input takes (`missed: 2`). Edges that are missed are what the two can be
//! compared by: ours also counts functions and decisions that are no statement.

use anyhow::{Context, Result, ensure};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The date of the results.
    #[arg(long)]
    date: Option<String>,
    /// Use this binary instead of building one.
    #[arg(long)]
    covenant: Option<PathBuf>,
    /// For each task.
    #[arg(long, default_value = "20s")]
    timeout: String,
    /// Who measures the suites (`pip install testcov`; it needs gcc, lcov and clang-tidy on the path). Without it only what we say
    /// ourselves is held against the tasks, and nothing is saved.
    #[arg(long)]
    testcov: Option<PathBuf>,
    /// Only tasks whose name has this in it; nothing is saved.
    #[arg(long)]
    only: Option<String>,
}

const PROPERTY: &str = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n";

struct Measured {
    name: String,
    /// Edges that no input takes, by the task itself.
    expected: u64,
    goals: u64,
    missed: u64,
    /// TestCov's goals, and those that the suite misses.
    theirs: Option<(u64, u64)>,
}

impl Measured {
    /// TestCov counts as we do.
    fn agrees(&self) -> bool {
        self.theirs.is_none_or(|(_, missed)| missed == self.missed)
    }

    /// The suite takes every edge that some input takes.
    fn is_complete(&self) -> bool {
        self.missed == self.expected
    }

    fn in_words(&self) -> &'static str {
        match (self.agrees(), self.is_complete()) {
            (false, _) => "differs",
            (true, false) => "agrees, open",
            (true, true) => "agrees",
        }
    }
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = crate::covenant(root, options.covenant.as_deref())?;
    let mut files: Vec<PathBuf> =
        fs::read_dir(root.join("bench/test-comp/subjects"))?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "c"));
    files.retain(|path| options.only.as_ref().is_none_or(|only| path.display().to_string().contains(only)));
    files.sort();
    let mut all = Vec::new();
    for file in &files {
        let measured = measure(&covenant, file, options)?;
        eprintln!("{}: {}", measured.name, measured.in_words());
        all.push(measured);
    }
    let text = table(&all);
    print!("{text}");
    if options.only.is_none() && options.testcov.is_some() {
        save(root, options, &text)?;
    }
    Ok(all.iter().all(|m| m.agrees() && m.is_complete()))
}

fn measure(covenant: &Path, file: &Path, options: &Options) -> Result<Measured> {
    let name = file.file_stem().and_then(|stem| stem.to_str()).context("a name that is no text")?.to_owned();
    let text = fs::read_to_string(file)?;
    let expected =
        text.lines().find_map(|line| line.strip_prefix("// missed: ")).context("no number of missed edges")?;
    let home = tempfile::tempdir()?;
    fs::write(home.path().join("task.prp"), PROPERTY)?;
    let mut command = Command::new(covenant);
    command.current_dir(home.path()).args(["test-comp", "--property", "task.prp", "-o", "."]);
    let done = command.args(["--timeout", &options.timeout]).arg(file).output().context("cannot start covenant")?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    ensure!(matches!(done.status.code(), Some(0 | 1)), "{name}: {said}{}", String::from_utf8_lossy(&done.stderr));
    let (covered, goals) = ours(&said).with_context(|| format!("{name}: {said}"))?;
    let theirs = options.testcov.as_deref().map(|testcov| testcov_says(testcov, home.path(), file)).transpose()?;
    Ok(Measured { name, expected: expected.trim().parse()?, goals, missed: goals - covered, theirs })
}

/// From "17 of 20 goals covered, ...".
fn ours(said: &str) -> Option<(u64, u64)> {
    let line = said.lines().find(|line| line.contains(" goals covered"))?;
    let mut words = line.split_whitespace();
    let covered = words.next()?.parse().ok()?;
    Some((covered, words.nth(1)?.parse().ok()?))
}

/// The goals of TestCov, and how many the suite misses.
fn testcov_says(testcov: &Path, home: &Path, file: &Path) -> Result<(u64, u64)> {
    let zipped =
        Command::new("python3").current_dir(home).args(["-m", "zipfile", "-c", "suite.zip", "test-suite/"]).status()?;
    ensure!(zipped.success(), "the suite of {} cannot be packed", file.display());
    // It writes beside the file.
    fs::copy(file, home.join("task.c"))?;
    let mut command = Command::new(testcov);
    command.current_dir(home).args(["--no-isolation", "--no-plots", "-64", "--goal", "task.prp"]);
    let done = command.args(["--test-suite", "suite.zip", "task.c"]).output().context("cannot start testcov")?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    theirs(&said).with_context(|| format!("{}: {said}", file.display()))
}

/// From "Coverage: 87.5%" and "Number of goals: 16".
fn theirs(said: &str) -> Option<(u64, u64)> {
    let value = |name: &str| said.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let share: f64 = value("Coverage:")?.strip_suffix('%')?.parse().ok()?;
    let goals: u64 = value("Number of goals:")?.parse().ok()?;
    Some((goals, (goals as f64 * (100.0 - share) / 100.0).round() as u64))
}

fn table(all: &[Measured]) -> String {
    let mut text = String::from(
        "| task | goals | missed | that no input takes | TestCov's goals | missed | |\n|---|---:|---:|---:|---:|---:|---|\n",
    );
    for m in all {
        let (goals, missed) = m
            .theirs
            .map_or(("-".to_owned(), "-".to_owned()), |(goals, missed)| (goals.to_string(), missed.to_string()));
        let agrees = m.in_words();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {goals} | {missed} | {agrees} |",
            m.name, m.goals, m.missed, m.expected
        );
    }
    let count = |wanted: fn(&Measured) -> bool| all.iter().filter(|m| wanted(m)).count();
    let (agree, complete) = (count(Measured::agrees), count(Measured::is_complete));
    let _ =
        writeln!(text, "\nOf {} tasks, TestCov counts the same on {agree}, and {complete} are complete.", all.len());
    text
}

fn save(root: &Path, options: &Options, text: &str) -> Result<()> {
    let date = options.date.clone().map_or_else(crate::bench::today, Ok)?;
    let file = root.join(format!("bench/results/test-comp-{date}.md"));
    let head = format!(
        "# Tasks of Test-Comp's kind, {date}\n\n`covenant test-comp` with {} at most for each task of `bench/test-comp/subjects`, and its suite \
         measured by TestCov. Missed are edges that no test of the suite takes.\n\n",
        options.timeout
    );
    fs::write(&file, head + text).with_context(|| file.display().to_string())?;
    println!("saved as {}", file.strip_prefix(root).unwrap_or(&file).display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read() {
        assert_eq!(
            ours("17 of 20 goals covered, 0 infeasible, 3 open; 5 tests in ./test-suite, 10.1 s\n"),
            Some((17, 20))
        );
        assert_eq!(theirs("---Results---\nTests run: 5\nCoverage: 87.5%\nNumber of goals: 16\n"), Some((16, 2)));
        assert_eq!(theirs("No coverage information available"), None);
    }
}
