//! `cargo xtask bench arc`: the tables of the paper on abstraction refinement and coarsening, with programs of ours.
//!
//! The first table has generated programs of growing size (`programs`), the second compares with and without
//! coarsening, the third has the subjects of bench/arc/subjects. What was generated stays in target/bench-arc, each
//! file with the options it was run with.

mod measure;
mod notes;
mod paper;
mod programs;
mod table;

use anyhow::{Context, Result, ensure};
use measure::{Job, Measured, Runner};
use programs::{Family, Program};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use table::{Line, Pair};

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Also 1,000 copies
    #[arg(long)]
    large: bool,
    /// Only these subjects, such as scan10; a name without its number is all its sizes
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Run everything without coarsening, and leave out the comparison
    #[arg(long)]
    no_coarsening: bool,
    /// The largest number of copies in the comparison with and without coarsening
    #[arg(long, value_name = "N", default_value_t = 20)]
    compare_up_to: usize,
    /// Let `covenant check` confirm the certificates too
    #[arg(long)]
    check: bool,
    /// Another strategy than the default
    #[arg(long, value_name = "NAME")]
    strategy: Option<String>,
    /// Seconds for one search
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
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

const COPIES: &[usize] = &[1, 2, 5, 10, 20, 50, 100];
const LARGE: usize = 1000;

/// Returns whether every row keeps the bar.
pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = crate::covenant(root, options.covenant.as_deref())?;
    let runner =
        Runner { covenant, timeout: options.timeout, strategy: options.strategy.clone(), check: options.check };
    let kept = root.join("target/bench-arc");
    fs::create_dir_all(&kept)?;

    let generated = first_table(&runner, options, &kept)?;
    let pairs = if options.no_coarsening { Vec::new() } else { compare(&runner, options, &kept, &generated)? };
    let subjects = third_table(&runner, options, &root.join("bench/arc/subjects"))?;
    ensure!(!generated.is_empty() || !subjects.is_empty(), "--only names no subject");

    let promises = table::promises(&generated);
    let mut text = String::new();
    if !generated.is_empty() {
        writeln!(text, "## Copies of a loop\n\n{}\n{}", table::verdicts(&generated), table::list(&promises))?;
    }
    if !pairs.is_empty() {
        writeln!(text, "## With and without coarsening\n\n{}", table::coarsening(&pairs))?;
    }
    if !subjects.is_empty() {
        writeln!(text, "## Searches, resolution logic, calendar\n\n{}", table::verdicts(&subjects))?;
    }
    print!("\n{text}");
    if !options.no_save {
        save(root, options, &text)?;
    }
    let rows = generated.iter().chain(&subjects).all(|line| line.missed().is_none());
    Ok(rows && promises.iter().all(|(_, kept, must)| *kept || !must))
}

fn wanted(options: &Options, name: &str) -> bool {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
    options.only.is_empty() || options.only.iter().any(|only| only == name || only == bare)
}

fn first_table(runner: &Runner, options: &Options, kept: &Path) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for family in Family::ALL {
        for &copies in COPIES.iter().chain(options.large.then_some(&LARGE)) {
            let program = family.program(copies);
            if !wanted(options, &program.name) {
                continue;
            }
            let (covered, infeasible) = family.branches();
            let truth = (covered * copies as u64, infeasible * copies as u64);
            let result = generated(runner, &program, kept, !options.no_coarsening)?;
            let paper = paper::find(paper::TABLE_1, &program.name);
            lines.push(Line { name: program.name, paper, truth, same_program: true, result });
        }
    }
    Ok(lines)
}

fn generated(runner: &Runner, program: &Program, kept: &Path, coarsening: bool) -> Result<Result<Measured, String>> {
    let file = kept.join(format!("{}.c", program.name));
    fs::write(&file, program.file())?;
    let job = Job { file: &file, function: program.function, options: &program.options, coarsening };
    let name = if coarsening { program.name.clone() } else { format!("{} without coarsening", program.name) };
    announced(&name, runner.run(&job))
}

/// What took how long, as it happens: the tables come only at the end.
fn announced(name: &str, result: Result<Result<Measured, String>>) -> Result<Result<Measured, String>> {
    let result = result.with_context(|| name.to_owned())?;
    match &result {
        Ok(m) => println!("{name}: {:.2} s, {} open", m.seconds, m.unknown),
        Err(words) => println!("{name}: {words}"),
    }
    Ok(result)
}

fn compare(runner: &Runner, options: &Options, kept: &Path, lines: &[Line]) -> Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    for family in Family::ALL {
        for &copies in COPIES.iter().filter(|&&copies| copies <= options.compare_up_to) {
            let program = family.program(copies);
            let Some(line) = lines.iter().find(|line| line.name == program.name) else { continue };
            let without = generated(runner, &program, kept, false)?;
            pairs.push(Pair { name: program.name, with: line.result.clone(), without });
        }
    }
    Ok(pairs)
}

fn third_table(runner: &Runner, options: &Options, directory: &Path) -> Result<Vec<Line>> {
    let mut files: Vec<_> = fs::read_dir(directory)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "c"));
    files.sort();
    let mut lines = Vec::new();
    for file in &files {
        for entry in notes::read(file)? {
            if !wanted(options, &entry.function) {
                continue;
            }
            let coarsening = !options.no_coarsening;
            let job = Job { file, function: &entry.function, options: &entry.options, coarsening };
            let result = announced(&entry.function, runner.run(&job))?;
            let paper = paper::find(paper::TABLE_2, &entry.function);
            let truth = (entry.covered, entry.infeasible);
            lines.push(Line { name: entry.function, paper, truth, same_program: false, result });
        }
    }
    Ok(lines)
}

fn save(root: &Path, options: &Options, tables: &str) -> Result<()> {
    let date = options.date.clone().map_or_else(crate::bench::today, Ok)?;
    let how = if options.no_coarsening { " Everything ran without coarsening." } else { "" };
    let text = format!(
        "# Abstraction refinement and coarsening, {date}\n\n{}\nbr: branches, it: iterations, tc: tests, cbr: covered, \
         ibr: infeasible, cov: covered of those not infeasible. Behind the stroke is what the paper reports; in the last \
         table its programs are others of the same kind. Times are of the whole process without the native replay, \
         clang included.{how}\n\n{tables}",
        crate::bench::machine()
    );
    let name = format!("arc-{date}.md");
    fs::write(root.join("bench/results").join(&name), text).with_context(|| name.clone())?;
    println!("saved as bench/results/{name}");
    Ok(())
}
