//! The subjects of `tests/c/gen` and `tests/c/prove` as tests of `covenant gen`, one named test a subject.
//!
//! - `gen::NAME`: with replay, the exit code, the totals and every named branch are as the subject states, and
//!   the suite builds without a warning and passes with gcc or with clang, by turns.
//! - `both::NAME`, ignored unless asked for: it does so with both.
//! - `inputs::NAME`: the same for a subject of `tests/c/inputs`, each about one kind of input.
//! - `same::NAME`: a second run gives the same report, times aside.
//! - `steady::NAME`: the same with the second run beside threads that take all the time of two cores.
//! - `model::NAME`: `--dump-model` writes a picture for each step and a page that has them all.
//! - `criteria::NAME`: a subject of `tests/c/criteria`: the totals of each criterion are as it states, llvm-cov agrees, and
//!   `covenant check` refuses no proof.
//! - `notices::NAME`: each mutant shows in some test of the suite.
//! - `mutate::NAME`: the mutation score of its suite, and tests that improve it.
//! - `prove::NAME`: see [`prove`].
//! - `guided::NAME`: see [`guided`].
//! - `targets::NAME`: see [`targets`].
//! - `sound::NAME`, `longer::NAME`: see [`sound`].
//! - `strategy::NAME`, `seed::NAME`, `bounded::dfs`: see [`strategies`].
//!
//! What a subject states was found by reasoning and by trying inputs natively, not by asking covenant.

mod criteria;
mod guided;
mod kinds;
mod make;
mod notes;
#[path = "../run/process.rs"]
mod process;
mod prove;
mod reasons;
mod sound;
mod strategies;
mod targets;

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Arguments, Failed, Trial};
use make::suite_passes;
use notes::{Notes, Totals};
use process::Finished;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(240);
const TIMEOUT: &str = "60s";
/// With the level at which each is held to its warnings: gcc finds some only when it optimises, clang takes thrice the time for it
/// and finds none.
const COMPILERS: Compilers = &[("gcc", "-O1"), ("clang-19", "-O0")];
/// Subjects whose second run is compared too: one for each kind of input.
const REPEATED: &[&str] = &["list", "next_date", "tokenizer", "triangle"];
/// Subjects whose questions are hard enough for layers, provers and limits to matter: nothing of it may depend on how fast
/// the machine is.
///
/// The group, the name, and whether only a campaign runs it.
const STEADY: &[(&str, &str, bool)] = &[
    ("gen", "binary_search", true),
    ("gen", "calendar_week", false),
    ("prove", "assume_order", true),
    ("prove", "gcd_by_remainder", true),
    ("prove", "step_of_three", true),
    ("prove", "unsigned_countdown", false),
];
/// The subject of `covenant mutate`.
const MUTATED: &str = "mutants";
/// Subjects of which `gen` itself makes a test for each mutant, and how many mutants are the same function.
const NOTICED: &[(&str, u64)] = &[("noticed", 0), ("alike", 2), ("same_code", 1), ("left_alone", 0)];
/// The subject whose model is drawn.
const DRAWN: &str = "triangle";

fn main() -> Result<ExitCode> {
    let mut args = Arguments::from_args();
    // Compilers and tests that are run natively leave time for others.
    args.test_threads = args.test_threads.or_else(|| Some(3 * std::thread::available_parallelism().ok()?.get() / 2));
    let all = subjects("gen")?;
    let mut trials = strategies::trials(&all)?;
    trials.extend(guided::trials());
    for (at, (name, file)) in all.into_iter().enumerate() {
        let open = Notes::read(&file)?.open;
        if name == DRAWN {
            let file = file.clone();
            trials.push(Trial::test(format!("model::{name}"), move || draws_its_model(&file).map_err(failed)));
        }
        if REPEATED.contains(&name.as_str()) {
            let file = file.clone();
            trials.push(Trial::test(format!("same::{name}"), move || same_twice(&file).map_err(failed)));
        }
        trials.extend(with_compilers("gen", &name, file, at).map(|trial| match open {
            true => trial.with_ignored_flag(true),
            false => trial,
        }));
    }
    for (at, (name, file)) in subjects("inputs")?.into_iter().enumerate() {
        for machine in notes::marked(&file)? {
            let (name, file) = (format!("on_{machine}::{name}"), file.clone());
            trials.push(Trial::test(name, move || check_on(&file, machine).map_err(failed)));
        }
        trials.extend(with_compilers("inputs", &name, file, at));
    }
    for (name, file) in subjects("criteria")? {
        if name == MUTATED {
            let file = file.clone();
            trials.push(Trial::test(format!("mutate::{name}"), move || criteria::mutates(&file).map_err(failed)));
        }
        if let Some(&(_, same)) = NOTICED.iter().find(|(noticed, _)| *noticed == name) {
            let file = file.clone();
            trials
                .push(Trial::test(format!("notices::{name}"), move || criteria::notices(&file, same).map_err(failed)));
        }
        trials.push(Trial::test(format!("criteria::{name}"), move || criteria::check(&file).map_err(failed)));
    }
    for (group, name, ignored) in STEADY {
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/c/{group}/{name}.c"));
        let file = file.canonicalize()?;
        let trial = Trial::test(format!("steady::{name}"), move || same_beside_others(&file).map_err(failed));
        trials.push(trial.with_ignored_flag(*ignored));
    }
    for (name, file) in subjects("targets")? {
        trials.push(Trial::test(format!("targets::{name}"), move || targets::check(&file).map_err(failed)));
    }
    for (name, file) in subjects("prove")? {
        trials.push(Trial::test(format!("prove::{name}"), move || prove::check(&file).map_err(failed)));
    }
    for case in kinds::CASES {
        trials.push(Trial::test(format!("kinds::{}", case.0), move || kinds::check(case).map_err(failed)));
    }
    for (group, name) in reasons::TOLD {
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/c/{group}/{name}.c"));
        let file = file.canonicalize()?;
        trials.push(Trial::test(format!("reasons::{name}"), move || reasons::check(&file, name).map_err(failed)));
    }
    for (name, file) in subjects("sound")? {
        let longer = file.clone();
        trials.push(Trial::test(format!("sound::{name}"), move || sound::check(&file, false).map_err(failed)));
        let longer = Trial::test(format!("longer::{name}"), move || sound::check(&longer, true).map_err(failed));
        trials.push(longer.with_ignored_flag(true));
    }
    let done = libtest_mimic::run(&args, trials).exit_code();
    make::clean();
    Ok(done)
}

/// A subject with one compiler, and with both.
fn with_compilers(kind: &str, name: &str, file: PathBuf, at: usize) -> impl Iterator<Item = Trial> {
    let other = file.clone();
    let one = &COMPILERS[at % COMPILERS.len()..][..1];
    let one = Trial::test(format!("{kind}::{name}"), move || check(&file, one).map_err(failed));
    let both = Trial::test(format!("both::{kind}::{name}"), move || check(&other, COMPILERS).map_err(failed));
    [one, both.with_ignored_flag(true)].into_iter()
}

/// The C files of a directory in `tests/c`, with their names.
fn subjects(group: &str) -> Result<Vec<(String, PathBuf)>> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/c").join(group).canonicalize()?;
    let mut all = Vec::new();
    for entry in fs::read_dir(&directory)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "c") {
            let name = path.file_stem().and_then(|stem| stem.to_str()).context("a name that is no text")?;
            all.push((name.to_owned(), path));
        }
    }
    all.sort();
    ensure!(!all.is_empty(), "no subjects in {}", directory.display());
    Ok(all)
}

fn failed(error: anyhow::Error) -> Failed {
    format!("{error:#}").into()
}

/// Compilers with the level at which each builds the suite.
type Compilers = &'static [(&'static str, &'static str)];

fn check(file: &Path, compilers: Compilers) -> Result<()> {
    checked(file, &Notes::read(file)?, &[], compilers)
}

/// What a subject says of a machine of its own holds there, replayed or not.
fn check_on(file: &Path, machine: &str) -> Result<()> {
    let more: &[&str] = if targets::runs_32_bits() { &[] } else { &["--no-replay"] };
    checked(file, &Notes::read_for(file, Some(machine.to_owned()))?, more, &[])
}

fn checked(file: &Path, notes: &Notes, more: &[&str], compilers: Compilers) -> Result<()> {
    let home = tempfile::tempdir()?;
    let done = generate(file, notes, home.path(), TIMEOUT, more)?;
    if let Some(words) = &notes.refused {
        let said = &done.stderr;
        ensure!(done.status == Some(2) && said.contains(words.as_str()), "exit code {:?}\n{said}", done.status);
        return Ok(());
    }
    let report = report(&done)?;
    let found = totals(&report)?;
    ensure!(found == notes.totals, "{found:?}, expected {:?}; open:\n{}", notes.totals, not_covered(&report));
    named_branches(&report, notes)?;
    expected_defects(&report, notes)?;
    for o in objectives(&report).iter().filter(|o| o["verdict"] != "covered") {
        ensure!(
            o["reason"].as_str().is_some_and(|words| !words.is_empty()),
            "{} is {} without words",
            o["id"],
            o["verdict"]
        );
    }
    let needs_a_look = notes.totals.unknown > 0 || true_defects(&report) > 0;
    ensure!(
        done.status == Some(i32::from(needs_a_look)),
        "exit code {:?}\n{}",
        done.status,
        process::tail(&done.stderr, 10)
    );
    if notes.machine.is_some() {
        // Those compile for this machine.
        return Ok(());
    }
    compilers.iter().try_for_each(|&(compiler, level)| suite_passes(home.path(), compiler, level))
}

/// `covenant gen --json` with its results in `home/out`.
fn generate(file: &Path, notes: &Notes, home: &Path, timeout: &str, more: &[&str]) -> Result<Finished> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_covenant"));
    command.arg("gen").arg(file).args(["-f", &notes.function]).args(&notes.options);
    command.args(["--timeout", timeout, "--json", "-o", "out"]).args(more).current_dir(home);
    // A campaign tries all subjects for another machine.
    command.args(notes.machine.iter().flat_map(|machine| ["--target", machine]));
    process::run(command, &[], LIMIT)
}

fn report(done: &Finished) -> Result<Value> {
    let stderr = || format!("no report; status {:?}\n{}", done.status, process::tail(&done.stderr, 10));
    serde_json::from_slice(&done.stdout).with_context(stderr)
}

fn totals(report: &Value) -> Result<Totals> {
    let totals = &report["totals"]["branch"];
    let number = |name: &str| totals[name].as_u64().with_context(|| format!("no total `{name}`"));
    Ok(Totals { covered: number("covered")?, infeasible: number("infeasible")?, unknown: number("unknown")? })
}

fn objectives(report: &Value) -> &[Value] {
    report["objectives"].as_array().map_or(&[], Vec::as_slice)
}

fn not_covered(report: &Value) -> String {
    let open = objectives(report).iter().filter(|objective| objective["verdict"] != "covered");
    open.map(|o| format!("  {} {} {}\n", o["id"], o["verdict"], o["reason"])).collect()
}

fn named_branches(report: &Value, notes: &Notes) -> Result<()> {
    for named in &notes.named {
        let objective = objectives(report)
            .iter()
            .find(|o| o["line"] == named.line && o["column"] == named.column && o["outcome"] == named.outcome.as_str())
            .with_context(|| format!("no objective {named:?}; not covered:\n{}", not_covered(report)))?;
        ensure!(objective["verdict"] == named.verdict.as_str(), "{named:?}, but it is {}", objective["verdict"]);
    }
    Ok(())
}

fn draws_its_model(file: &Path) -> Result<()> {
    let home = tempfile::tempdir()?;
    let more = ["--no-replay", "--dump-model", "model"];
    let done = generate(file, &Notes::read(file)?, home.path(), TIMEOUT, &more)?;
    report(&done)?;
    let read = |name: &str| fs::read_to_string(home.path().join("model").join(name)).with_context(|| name.to_owned());
    let page = read("index.html")?;
    ensure!(read("flow.txt")?.starts_with("loc0: "), "no flow");
    let mut steps = 0;
    while let Ok(dot) = read(&format!("{:04}.dot", steps + 1)) {
        ensure!(dot.starts_with("digraph model {") && dot.ends_with("}\n"), "no graph: {dot}");
        steps += 1;
    }
    ensure!(page.matches("\"caption\":").count() == steps, "{steps} pictures, but the page has others");
    ensure!(page.contains("a test crosses the frontier to "), "no test crosses a frontier");
    let last = read(&format!("{steps:04}.dot"))?;
    ensure!(!last.contains("peripheries=2"), "a target is left, though every branch is decided: {last}");
    Ok(())
}

fn defects(report: &Value) -> &[Value] {
    report["defects"].as_array().map_or(&[], Vec::as_slice)
}

/// All that the subject states are found, and no others.
/// Those that do not only break what the code seems to expect of its callers.
fn true_defects(report: &Value) -> usize {
    defects(report).iter().filter(|defect| defect["contract"].is_null()).count()
}

fn expected_defects(report: &Value, notes: &Notes) -> Result<()> {
    for (kind, line, column) in &notes.defects {
        let is = |d: &Value| d["kind"] == **kind && d["line"] == *line && d["column"] == *column;
        ensure!(defects(report).iter().any(is), "no defect {kind} {line}:{column}; found {:?}", defects(report));
    }
    for (line, column, words) in &notes.contracts {
        let has = |d: &Value| d["contract"].as_str().is_some_and(|contract| contract.contains(words.as_str()));
        let is = |d: &Value| d["line"] == *line && d["column"] == *column && has(d);
        ensure!(defects(report).iter().any(is), "no contract {words} {line}:{column}; found {:?}", defects(report));
    }
    ensure!(true_defects(report) <= notes.defects.len(), "more defects than stated: {:?}", defects(report));
    Ok(())
}

fn same_twice(file: &Path) -> Result<()> {
    let (first, second) = (timeless(file)?, timeless(file)?);
    ensure!(first == second, "two runs differ:\n{first}\n{second}");
    Ok(())
}

/// The report without times.
fn timeless(file: &Path) -> Result<Value> {
    let home = tempfile::tempdir()?;
    let mut report = report(&generate(file, &Notes::read(file)?, home.path(), "200s", &["--no-replay"])?)?;
    without_times(&mut report);
    Ok(report)
}

fn same_beside_others(file: &Path) -> Result<()> {
    let alone = timeless(file)?;
    let done = AtomicBool::new(false);
    let busy = || {
        while !done.load(Ordering::Relaxed) {
            std::hint::spin_loop();
        }
    };
    let beside = std::thread::scope(|scope| {
        scope.spawn(busy);
        scope.spawn(busy);
        let report = timeless(file);
        done.store(true, Ordering::Relaxed);
        report
    })?;
    ensure!(alone["stats"]["solver_late"] == 0, "the clock ended questions: {}", alone["stats"]);
    ensure!(alone == beside, "beside others the search differs:\n{alone}\n{beside}");
    Ok(())
}

/// Takes out what measures time or memory rather than the search.
fn without_times(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|key, _| !["ms", "_us", "rss_bytes"].iter().any(|end| key.ends_with(end)));
            map.values_mut().for_each(without_times);
        }
        Value::Array(all) => all.iter_mut().for_each(without_times),
        _ => {}
    }
}
