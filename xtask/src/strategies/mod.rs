//! `cargo xtask bench strategies`: every strategy on the subjects of bench/strategies/subjects, side by side.
//!
//! Strategies that draw lots run once for each seed, the others once. What is printed is what the papers on expectation
//! guided search and on PathCrawler print; all cells are in the CSV beside it, and coverage over runs and time in the SVG.

mod measure;
mod notes;
mod plot;
mod table;

use anyhow::{Context, Result, ensure};
use measure::{Cell, Runner};
use notes::Subject;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Only these subjects
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Only these strategies
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    strategy: Vec<String>,
    /// Seeds of the strategies that draw lots: 1 to N
    #[arg(long, value_name = "N", default_value_t = 10)]
    seeds: u64,
    /// Seconds for one search
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    timeout: u64,
    /// The binary to measure instead of building one
    #[arg(long, value_name = "PATH")]
    covenant: Option<PathBuf>,
    /// The date in the name of the results [default: today]
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<String>,
    /// Print the tables, save nothing
    #[arg(long)]
    no_save: bool,
}

/// All that are measured, in the order of the tables.
const STRATEGIES: &[&str] = &[
    "dfs",
    "bfs",
    "random",
    "uniform-random",
    "random-input",
    "shortest",
    "residual",
    "expectation",
    "eager",
    "lookahead",
    "else",
    "mt",
    "coverage",
    "mixed",
    "arc",
    "expectation+arc",
    "mt+arc",
    "mixed+arc",
];
/// What `covenant gen` takes if nothing is said.
const DEFAULT: &str = "arc";
/// Strategies that draw lots.
const RANDOM: &[&str] = &["random", "uniform-random", "random-input", "shortest", "residual", "expectation", "mixed"];

pub(crate) struct Results {
    pub(crate) subjects: Vec<Subject>,
    pub(crate) strategies: Vec<String>,
    pub(crate) cells: Vec<Cell>,
}

impl Results {
    /// One for each seed.
    pub(crate) fn cells(&self, subject: &str, strategy: &str) -> Vec<&Cell> {
        self.cells.iter().filter(|cell| cell.subject == subject && cell.strategy == strategy).collect()
    }
}

/// Returns whether every search ended well and no verdict is false.
pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = match &options.covenant {
        Some(path) => path.canonicalize().with_context(|| format!("no binary {}", path.display()))?,
        None => crate::build_covenant(root)?,
    };
    let runner = Runner { covenant, timeout: options.timeout };
    let mut subjects = notes::all(&root.join("bench/strategies/subjects"))?;
    subjects.retain(|s| options.only.is_empty() || options.only.contains(&s.name));
    ensure!(!subjects.is_empty(), "--only names no subject");
    let strategies = match &options.strategy[..] {
        [] => STRATEGIES.iter().map(|&name| name.to_owned()).collect(),
        some => some.to_vec(),
    };
    let mut results = Results { subjects, strategies, cells: Vec::new() };
    let problems = measure_all(&runner, options.seeds, &mut results)?;
    let mut text = table::text(&results);
    text.push_str(&format!("## The default against the best\n\n{}", table::against_best(&results, DEFAULT)));
    if !problems.is_empty() {
        text.push_str(&format!("\n## Problems\n\n{}\n", problems.join("\n")));
    }
    print!("\n{text}");
    if !options.no_save {
        save(root, options, &results, &text)?;
    }
    Ok(problems.is_empty())
}

fn measure_all(runner: &Runner, seeds: u64, results: &mut Results) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for subject in &results.subjects {
        for strategy in &results.strategies {
            let draws = RANDOM.iter().any(|name| strategy.split('+').any(|part| part == *name));
            for seed in 1..=if draws { seeds } else { 1 } {
                match runner.run(subject, strategy, seed)? {
                    Ok(cell) => {
                        let Cell { covered, infeasible, unknown, runs, wall_ms, .. } = cell;
                        println!(
                            "{} {strategy} {seed}: {covered} covered, {infeasible} infeasible, {unknown} open, {runs} runs, \
                             {wall_ms} ms",
                            subject.name
                        );
                        problems
                            .extend(wrong(subject, &cell).map(|why| format!("- {} {strategy}: {why}", subject.name)));
                        results.cells.push(cell);
                    }
                    Err(why) => problems.push(format!("- {} {strategy} with seed {seed}: {why}", subject.name)),
                }
            }
        }
    }
    Ok(problems)
}

/// What contradicts the truth about the subject.
fn wrong(subject: &Subject, cell: &Cell) -> Option<String> {
    let all = subject.covered + subject.infeasible;
    if cell.branches != all {
        return Some(format!("{} branches, expected {all}", cell.branches));
    }
    if cell.covered > subject.covered || cell.infeasible > subject.infeasible {
        return Some(format!("{} covered and {} infeasible cannot be", cell.covered, cell.infeasible));
    }
    None
}

fn save(root: &Path, options: &Options, results: &Results, tables: &str) -> Result<()> {
    let date = options.date.clone().map_or_else(crate::bench::today, Ok)?;
    let folder = root.join("bench/results");
    let text = format!(
        "# Search strategies, {date}\n\n{}\nEach search had {} s; strategies that draw lots ran with {} seeds and their \
         numbers are means, the others are the same for every seed and ran once. A run is a test input of the papers; in \
         brackets, how many of the seeds covered everything; `cut`: not all was decided in the time, so that the number is \
         not that of a whole search. Bold: the best of a row. All cells are in strategies-{date}.csv, coverage over runs and \
         over time in strategies-{date}.svg.\n\n{tables}",
        crate::bench::machine(),
        options.timeout,
        options.seeds,
    );
    let mut csv = measure::CSV_HEAD.to_owned();
    for cell in &results.cells {
        let reachable = results.subjects.iter().find(|s| s.name == cell.subject).map_or(0, |s| s.covered);
        measure::csv(&mut csv, cell, reachable);
    }
    for (extension, content) in [("md", text), ("csv", csv), ("svg", plot::svg(results))] {
        let name = format!("strategies-{date}.{extension}");
        fs::write(folder.join(&name), content).with_context(|| name.clone())?;
        println!("saved as bench/results/{name}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn false_verdicts_are_seen() {
        let subject = Subject { covered: 5, infeasible: 1, ..Subject::default() };
        let cell = |covered, infeasible, unknown| Cell {
            branches: covered + infeasible + unknown,
            covered,
            infeasible,
            unknown,
            ..Cell::default()
        };
        assert_eq!(wrong(&subject, &cell(5, 1, 0)), None);
        assert_eq!(wrong(&subject, &cell(3, 0, 3)), None);
        assert!(wrong(&subject, &cell(4, 2, 0)).is_some());
        assert!(wrong(&subject, &cell(6, 0, 0)).is_some());
        assert!(wrong(&subject, &cell(5, 0, 0)).is_some());
    }
}
