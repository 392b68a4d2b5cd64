//! The annotations in the leading `//` comment of a subject.
//!
//! ```c
//! // function: NAME                               the function to test
//! // options: --array-len 4                       further options of `covenant gen`
//! // expect: covered 9 infeasible 1 unknown 0     the totals
//! // expect: boundary covered 4 infeasible 0 unknown 0   the totals of another criterion (in tests/c/criteria)
//! // tests: 4                                     the most tests that the suite may have (in tests/c/criteria)
//! // expect: infeasible 24:13 true                a verdict at LINE:COLUMN for an outcome
//! // expect: defect out-of-bounds 26:9         a defect of this kind at LINE:COLUMN
//! // expect: contract 26:9 WORDS                a contract with these words that is broken at LINE:COLUMN
//! // open: NULL is not tried                      why covenant falls short so far: runs only with `--ignored`
//! // on i386 arm: expect: infeasible 24:13 true   on these machines that holds in place of all of its kind; see [`MARKED`]
//! // on i386 arm: refused: WORDS                  on these machines clang does not take it, and says so
//! ```

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;

/// The machines that subjects have words of their own for, where they depend on the data model.
pub(crate) const MARKED: &[&str] = &["i386", "arm"];

/// Says for which machine the other sets are tried.
pub(crate) const TARGET: &str = "COVENANT_TEST_TARGET";

#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// As `--target` has it; `None`: this one.
    pub(crate) machine: Option<String>,
    pub(crate) function: String,
    pub(crate) options: Vec<String>,
    pub(crate) totals: Totals,
    /// Of criteria, by their names.
    pub(crate) by_criterion: Vec<(String, Totals)>,
    pub(crate) most_tests: Option<u64>,
    pub(crate) named: Vec<Named>,
    pub(crate) defects: Vec<(String, u64, u64)>,
    /// Line, column and words.
    pub(crate) contracts: Vec<(u64, u64, String)>,
    pub(crate) open: bool,
    pub(crate) refused: Option<String>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) covered: u64,
    pub(crate) infeasible: u64,
    pub(crate) unknown: u64,
}

/// One branch whose verdict the subject states.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) verdict: String,
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) outcome: String,
}

impl Notes {
    /// For the machine that the environment names.
    pub(crate) fn read(file: &Path) -> Result<Self> {
        Notes::read_for(file, std::env::var(TARGET).ok())
    }

    pub(crate) fn read_for(file: &Path, machine: Option<String>) -> Result<Self> {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let lines = stated(&text, machine.as_deref()).with_context(|| file.display().to_string())?;
        let (mut notes, mut totals) = (Notes { machine, ..Notes::default() }, None);
        for line in lines {
            let wrong = || format!("{}: {line}", file.display());
            if let Some(name) = line.strip_prefix("function: ") {
                name.clone_into(&mut notes.function);
            } else if let Some(options) = line.strip_prefix("options: ") {
                // A file beside the subject begins with `./`.
                let beside = |word: &str| match word.strip_prefix("./") {
                    Some(name) => file.with_file_name(name).display().to_string(),
                    None => word.to_owned(),
                };
                notes.options = options.split_whitespace().map(beside).collect();
            } else if let Some(most) = line.strip_prefix("tests: ") {
                notes.most_tests = Some(most.parse().with_context(wrong)?);
            } else if let Some(words) = line.strip_prefix("refused: ") {
                notes.refused = Some(words.to_owned());
            } else if line.starts_with("open: ") {
                notes.open = true;
            } else if let Some(expected) = line.strip_prefix("expect: ") {
                if expected.starts_with("covered ") && expected.contains(" unknown ") {
                    totals = Some(parse_totals(expected).with_context(wrong)?);
                } else if let Some((criterion, rest)) = expected.split_once(" covered ") {
                    let found = parse_totals(&format!("covered {rest}")).with_context(wrong)?;
                    notes.by_criterion.push((criterion.to_owned(), found));
                } else if let Some(contract) = expected.strip_prefix("contract ") {
                    notes.contracts.push(parse_contract(contract).with_context(wrong)?);
                } else if let Some(defect) = expected.strip_prefix("defect ") {
                    notes.defects.push(parse_defect(defect).with_context(wrong)?);
                } else {
                    notes.named.push(parse_named(expected).with_context(wrong)?);
                }
            }
        }
        anyhow::ensure!(!notes.function.is_empty(), "{} names no function", file.display());
        if !notes.by_criterion.is_empty() {
            return Ok(notes);
        }
        notes.totals = totals.with_context(|| format!("{} states no totals", file.display()))?;
        let stated = notes.named.iter().filter(|named| named.verdict == "infeasible").count() as u64;
        anyhow::ensure!(stated == notes.totals.infeasible, "{}: each infeasible branch is named", file.display());
        Ok(notes)
    }
}

/// The machines that a subject has words of its own for.
pub(crate) fn marked(file: &Path) -> Result<Vec<&'static str>> {
    let text = fs::read_to_string(file)?;
    let mut found = Vec::new();
    for machine in MARKED {
        if stated(&text, Some(machine))? != stated(&text, None)? {
            found.push(*machine);
        }
    }
    Ok(found)
}

/// The lines that hold on a machine: what is said of it stands in place of all else of its kind.
fn stated<'t>(text: &'t str, machine: Option<&str>) -> Result<Vec<&'t str>> {
    let (mut common, mut own) = (Vec::new(), Vec::new());
    for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
        let Some((machines, rest)) = line.strip_prefix("on ").and_then(|line| line.split_once(": ")) else {
            common.push(line);
            continue;
        };
        let machines: Vec<&str> = machines.split(' ').collect();
        let unknown = machines.iter().find(|name| !MARKED.contains(name));
        anyhow::ensure!(unknown.is_none(), "no machine {unknown:?}");
        if machine.is_some_and(|machine| machines.contains(&machine)) {
            own.push(rest);
        }
    }
    common.retain(|line| !own.iter().any(|other| kind(other) == kind(line)));
    common.extend(own);
    Ok(common)
}

/// What a line says something about. Totals and the branches that they count belong together.
fn kind(line: &str) -> &str {
    match line.strip_prefix("expect: ").map(|rest| (rest, rest.split(' ').next().unwrap_or_default())) {
        Some((_, word @ ("defect" | "contract"))) => word,
        Some((_, "covered" | "infeasible" | "unknown")) => "totals",
        Some((rest, _)) => rest.split_once(" covered ").map_or(rest, |(criterion, _)| criterion),
        None => line.split(':').next().unwrap_or(line),
    }
}

fn parse_totals(text: &str) -> Result<Totals> {
    let words: Vec<_> = text.split_whitespace().collect();
    let ["covered", covered, "infeasible", infeasible, "unknown", unknown] = words[..] else {
        bail!("expected `covered N infeasible M unknown K`");
    };
    Ok(Totals { covered: covered.parse()?, infeasible: infeasible.parse()?, unknown: unknown.parse()? })
}

/// `VERDICT LINE:COLUMN OUTCOME`, where the outcome may have blanks: `case 3`.
fn parse_named(text: &str) -> Result<Named> {
    let mut words = text.splitn(3, ' ');
    let (Some(verdict), Some(place), Some(outcome)) = (words.next(), words.next(), words.next()) else {
        bail!("expected `VERDICT LINE:COLUMN OUTCOME`");
    };
    anyhow::ensure!(matches!(verdict, "covered" | "infeasible" | "unknown"), "no verdict `{verdict}`");
    let (line, column) = parse_place(place)?;
    Ok(Named { verdict: verdict.to_owned(), line, column, outcome: outcome.to_owned() })
}

/// `KIND LINE:COLUMN`
fn parse_contract(text: &str) -> Result<(u64, u64, String)> {
    let (place, words) = text.split_once(' ').context("no words")?;
    let (line, column) = place.split_once(':').context("no LINE:COLUMN")?;
    Ok((line.parse()?, column.parse()?, words.to_owned()))
}

fn parse_defect(text: &str) -> Result<(String, u64, u64)> {
    let (kind, place) = text.split_once(' ').context("expected `defect KIND LINE:COLUMN`")?;
    let (line, column) = parse_place(place)?;
    Ok((kind.to_owned(), line, column))
}

fn parse_place(place: &str) -> Result<(u64, u64)> {
    let (line, column) = place.split_once(':').context("expected LINE:COLUMN")?;
    Ok((line.parse()?, column.parse()?))
}
