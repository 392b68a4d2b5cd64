//! `cargo xtask bench strategies`: every strategy on the subjects of bench/strategies/subjects, side by side.
//!
//! Strategies that draw lots run once for each seed, the others once. A search ends after so many iterations, not after a
//! time, so that a loaded machine gives the same tables. What is printed is what the papers on expectation guided search
//! and on PathCrawler print, and what follows from it; all cells are in the CSV beside it, coverage over runs and time in
//! the SVG. Searches that were done are not done again while the binary is the same: see `store`.

mod conclusions;
mod measure;
mod notes;
mod plot;
mod store;
mod table;

use anyhow::{Context, Result, ensure};
use measure::{Cell, Limits, Runner};
use notes::Subject;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use store::Store;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Only these subjects
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    subjects: Vec<String>,
    /// Only these strategies
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    strategies: Vec<String>,
    /// How many seeds the strategies have that draw lots
    #[arg(long, value_name = "N", default_value_t = 10)]
    seeds: u64,
    /// The first of them
    #[arg(long, value_name = "N", default_value_t = 1)]
    first_seed: u64,
    /// Iterations of one search
    #[arg(long, value_name = "N", default_value_t = 16_000)]
    iterations: u64,
    /// Iterations of a second search where a strategy that ends by itself was out of them, with the first seed; 0: none
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    longer: u64,
    /// Seconds for one search, should it take too long
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    timeout: u64,
    /// Searches at the same time
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// The binary to measure instead of building one
    #[arg(long, value_name = "PATH")]
    covenant: Option<PathBuf>,
    /// Search again what was searched before
    #[arg(long)]
    fresh: bool,
    /// The date in the name of the results [default: today]
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<String>,
    /// Print the tables, save nothing
    #[arg(long)]
    no_save: bool,
}

/// All that are measured, in the order of the tables, and whether they draw lots.
const STRATEGIES: &[(&str, bool)] = &[
    ("dfs", false),
    ("bfs", false),
    ("random", true),
    ("uniform-random", true),
    ("random-input", true),
    ("shortest", true),
    ("shortest-local", true),
    ("residual", true),
    ("expectation", true),
    ("eager", false),
    ("lookahead", false),
    ("else", false),
    ("mt", false),
    ("coverage", false),
    ("novelty", true),
    ("mixed", true),
    ("expectation+arc", true),
    ("mt+arc", false),
    ("arc", true),
];
/// How much more time second searches have.
const LONGER: u64 = 5;
/// What `covenant gen` takes if nothing is said.
const DEFAULT: &str = "arc";
/// Whether a strategy draws lots, alone or joined with the model.
fn draws_lots(strategy: &str) -> bool {
    let alone = strategy.strip_suffix("+arc").unwrap_or(strategy);
    STRATEGIES.iter().any(|&(name, draws)| name == alone && draws)
}

#[derive(Default)]
pub(crate) struct Results {
    pub(crate) subjects: Vec<Subject>,
    pub(crate) strategies: Vec<String>,
    pub(crate) cells: Vec<Cell>,
    /// Second searches, with more iterations.
    pub(crate) longer: Vec<Cell>,
}

impl Results {
    /// One for each seed.
    pub(crate) fn cells(&self, subject: &str, strategy: &str) -> Vec<&Cell> {
        self.cells.iter().filter(|cell| cell.subject == subject && cell.strategy == strategy).collect()
    }
}

/// Returns whether every search ended well and no verdict is false.
pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = crate::covenant(root, options.covenant.as_deref())?;
    let store = Store::new(root.join("target/bench-strategies"), &covenant, options.fresh)?;
    let runner = Runner { covenant, store };
    let limits = Limits { iterations: options.iterations, seconds: options.timeout };
    let mut subjects = notes::all(&root.join("bench/strategies/subjects"))?;
    for name in &options.subjects {
        ensure!(subjects.iter().any(|s| s.name == *name), "there is no subject {name}");
    }
    subjects.retain(|s| options.subjects.is_empty() || options.subjects.contains(&s.name));
    let strategies = match &options.strategies[..] {
        [] => STRATEGIES.iter().map(|(name, _)| (*name).to_owned()).collect(),
        some => some.to_vec(),
    };
    let mut results = Results { subjects, strategies, ..Results::default() };
    let mut problems = Vec::new();
    let cells = search(&runner, options, &jobs(&results, options), limits, &mut problems)?;
    results.cells = cells;
    if options.longer > options.iterations {
        let open = conclusions::undecided(&results, options.first_seed);
        let limits = Limits { iterations: options.longer, seconds: LONGER * options.timeout };
        let longer = search(&runner, options, &open, limits, &mut problems)?;
        results.longer = longer;
    }
    let mut text = conclusions::text(&results, DEFAULT);
    text.push_str(&table::text(&results));
    if !problems.is_empty() {
        text.push_str(&format!("\n## Problems\n\n{}\n", problems.join("\n")));
    }
    print!("\n{text}");
    if !options.no_save {
        save(root, options, &results, &text)?;
    }
    Ok(problems.is_empty())
}

/// A search: what, how, with which seed.
pub(crate) type Job<'r> = (&'r Subject, &'r str, u64);

/// All searches, in the order of the tables.
fn jobs<'r>(results: &'r Results, options: &Options) -> Vec<Job<'r>> {
    let mut jobs = Vec::new();
    for subject in &results.subjects {
        for strategy in &results.strategies {
            let seeds = if draws_lots(strategy) { options.seeds as usize } else { 1 };
            jobs.extend((options.first_seed..).take(seeds).map(|seed| (subject, strategy.as_str(), seed)));
        }
    }
    jobs
}

/// Searches, some at a time; what is wrong with some, in words.
fn search(
    runner: &Runner,
    options: &Options,
    jobs: &[Job<'_>],
    limits: Limits,
    problems: &mut Vec<String>,
) -> Result<Vec<Cell>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let work = || -> Result<()> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(subject, strategy, seed)) = jobs.get(number) else { return Ok(()) };
            let found = runner.run(subject, strategy, seed, limits)?;
            show(subject, strategy, seed, &found);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((number, found));
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..options.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap_or_else(|_| anyhow::bail!("a search panicked")))
    })?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(number, _)| *number);
    let mut cells = Vec::new();
    for (number, found) in done {
        let (subject, strategy, seed) = jobs[number];
        let why = match &found {
            Ok(cell) => wrong(subject, cell),
            Err(why) => Some(why.clone()),
        };
        problems.extend(why.map(|why| format!("- {} {strategy} with seed {seed}: {why}", subject.name)));
        cells.extend(found);
    }
    Ok(cells)
}

fn show(subject: &Subject, strategy: &str, seed: u64, found: &Result<Cell, String>) {
    let name = &subject.name;
    match found {
        Ok(Cell { covered, infeasible, unknown, runs, solver_calls, wall_ms, .. }) => println!(
            "{name} {strategy} {seed}: {covered} covered, {infeasible} infeasible, {unknown} open, {runs} runs, \
             {solver_calls} solver calls, {wall_ms} ms"
        ),
        Err(why) => println!("{name} {strategy} {seed}: {why}"),
    }
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
        "# Search strategies, {date}\n\n{}\nEach search had {} iterations (ways, frontiers or inputs that are tried; {} \
         inputs for random-input) and at most {} s. Strategies that draw lots ran with {} seeds from {} on and their \
         numbers are means, the others are the same for every seed and ran once. A *run* is one of the program on inputs \
         of ours: the test inputs of the papers. A *test* is a run that covered something new, and so is in the suite. A \
         *solver call* is a question to our solver, and many are decided by bounds, propagation or earlier answers: the \
         others an SMT solver had to resolve. What is asked when all is decided, for proofs that others can check, does \
         not count. In brackets, how many of the seeds covered everything; `cut`: not all was decided, so that the number \
         is not that of a whole search. Bold: the best of a row. All cells are in strategies-{date}.csv, coverage over runs \
         and over time in strategies-{date}.svg.\n\n{tables}",
        crate::bench::machine(),
        options.iterations,
        measure::FEW,
        options.timeout,
        options.seeds,
        options.first_seed,
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
