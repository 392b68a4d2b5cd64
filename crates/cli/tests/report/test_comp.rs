//! `covenant test-comp`: the suites of the tasks in `tests/c/test-comp`, measured natively.
//!
//! A task says in its leading comment what it is to be tested for (`property: branches`, or `property: call NAME`), which of its marks some
//! input passes (`goals: 1 2 3`), or whether some input leads to the call (`reached`, `never`).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;

use crate::process::{self, Finished};
use crate::{LIMIT, covenant, done, here, trial};

const BRANCHES: &str = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n";
/// Milliseconds after which searches are killed.
const KILLED_AFTER: [u64; 4] = [250, 600, 1200, 2500];
/// How often a campaign kills one.
const KILLS: u64 = 50;

pub(crate) fn add(trials: &mut Vec<Trial>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/test-comp");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "c"));
    files.sort();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        trials.push(trial(format!("test_comp::{name}"), &["gcc"], move || check(&file)));
    }
    trials.push(trial("test_comp::preprocessed".to_owned(), &["gcc"], preprocessed));
    trials.push(trial("test_comp::data_models".to_owned(), &[], data_models));
    trials.push(trial("test_comp::killed".to_owned(), &["gcc"], || {
        KILLED_AFTER.iter().try_for_each(|&after| killed(after).map(|_| ()))
    }));
    trials.push(trial("test_comp::killed_often".to_owned(), &["gcc"], killed_often).with_ignored_flag(true));
    trials.push(trial("test_comp::refused".to_owned(), &[], refused));
}

fn task(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/test-comp").join(name)
}

/// Writes the property and makes the command.
fn test_comp(home: &Path, property: &str, file: &Path, more: &[&str]) -> Result<Command> {
    fs::write(home.join("task.prp"), property)?;
    let mut command = covenant(home);
    command.args(["test-comp", "--property", "task.prp"]).arg(file).args(more);
    Ok(command)
}

fn check(file: &Path) -> Result<()> {
    let home = tempfile::tempdir()?;
    let text = fs::read_to_string(file)?;
    let note = |what: &str| {
        text.lines().map_while(|line| line.strip_prefix("// ")).find_map(|line| line.strip_prefix(what).map(str::trim))
    };
    let property = note("property: ").context("no property")?;
    let goal = match property.strip_prefix("call ") {
        Some(name) => format!("@CALL({name})"),
        None => "@DECISIONEDGE".to_owned(),
    };
    let property = format!("COVER( init(main()), FQL(COVER EDGES({goal})) )");
    let mut wanted: BTreeSet<u32> = BTreeSet::new();
    for number in note("goals: ").unwrap_or_default().split_whitespace() {
        wanted.insert(number.parse()?);
    }
    let reached = note("reached").is_some();
    wanted.extend(reached.then_some(1));
    // What is left open is searched for until the time is up.
    let ends = goal != "@DECISIONEDGE";
    let timeout = if ends { "120s" } else { "40s" };
    let finished = process::run(test_comp(home.path(), &property, file, &["--timeout", timeout])?, &[], LIMIT)?;
    let said = String::from_utf8_lossy(&finished.stdout).into_owned();
    ensure!(
        matches!(finished.status, Some(0 | 1)),
        "status {:?}\n{said}{}",
        finished.status,
        process::tail(&finished.stderr, 9)
    );
    if ends {
        ensure!(finished.status == Some(0), "undecided: {said}");
        ensure!(said.contains(if reached { "is called" } else { "no input leads to a call" }), "{said}");
    }
    let metadata = fs::read_to_string(home.path().join("test-suite/metadata.xml"))?;
    ensure!(metadata.contains(&format!("<specification>{property}</specification>")), "{metadata}");
    let passed = measured(home.path(), file)?;
    ensure!(passed == wanted, "the suite passes {passed:?}, expected {wanted:?}\n{said}");
    Ok(())
}

/// The marks that the suite of a directory passes, natively.
fn measured(home: &Path, file: &Path) -> Result<BTreeSet<u32>> {
    let mut build = Command::new("gcc");
    build.current_dir(home).args(["-DGOALS", "-w", "-o", "task"]).arg(file).arg(here("verifier.c"));
    done(build)?;
    let mut passed = BTreeSet::new();
    for inputs in suite(home)? {
        let run = process::run(Command::new(home.join("task")), inputs.join("\n").as_bytes(), Duration::from_secs(20))?;
        let Finished { stderr, .. } = run;
        passed.extend(stderr.lines().filter_map(|line| line.strip_prefix("goal ")?.parse::<u32>().ok()));
    }
    Ok(passed)
}

/// The inputs of each test. Every file must be whole.
fn suite(home: &Path) -> Result<Vec<Vec<String>>> {
    let mut tests = Vec::new();
    for entry in fs::read_dir(home.join("test-suite"))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // What is being written has another name until it is whole.
        if !name.starts_with("testcase-") {
            continue;
        }
        let text = fs::read_to_string(&path)?;
        let whole = text.starts_with("<?xml ") && text.trim_end().ends_with("</testcase>");
        ensure!(whole, "{name} is not whole:\n{text}");
        let value = |line: &str| {
            Some(line.trim().strip_prefix("<input")?.split_once('>')?.1.strip_suffix("</input>")?.to_owned())
        };
        tests.push(text.lines().filter_map(value).collect());
    }
    Ok(tests)
}

/// The same task says where its lines come from, and needs no header any more.
fn preprocessed() -> Result<()> {
    let home = tempfile::tempdir()?;
    let mut command = Command::new("gcc");
    command.current_dir(home.path()).args(["-E", "-o", "task.i"]).arg(task("structures.c"));
    done(command)?;
    let command = test_comp(home.path(), BRANCHES, Path::new("task.i"), &["--timeout", "20s", "-o", "."])?;
    let finished = process::run(command, &[], LIMIT)?;
    ensure!(matches!(finished.status, Some(0 | 1)), "{}", process::tail(&finished.stderr, 9));
    let said = String::from_utf8_lossy(&finished.stdout).into_owned();
    let metadata = fs::read_to_string(home.path().join("test-suite/metadata.xml"))?;
    ensure!(metadata.contains("<programfile>task.i</programfile>") && metadata.contains("64bit"), "{metadata}");
    let passed = measured(home.path(), &task("structures.c"))?;
    ensure!([1, 2, 3, 4, 5].iter().all(|goal| passed.contains(goal)), "{passed:?}\n{said}");
    Ok(())
}

/// A `long` is wider in one data model than in the other, and so is what an input can reach.
fn data_models() -> Result<()> {
    let text = "long __VERIFIER_nondet_long(void);\nint main(void)\n{\n    long x = __VERIFIER_nondet_long();\n    if (x / 65536 > 65535)\n                        return 1;\n    return 0;\n}\n";
    for (model, infeasible, bits) in
        [("ILP32", " 1 infeasible, 0 open", "32bit"), ("LP64", " 0 infeasible, 0 open", "64bit")]
    {
        let home = tempfile::tempdir()?;
        fs::write(home.path().join("task.c"), text)?;
        let more = ["--timeout", "20s", "--data-model", model, "-o", "."];
        let finished = process::run(test_comp(home.path(), BRANCHES, Path::new("task.c"), &more)?, &[], LIMIT)?;
        let said = String::from_utf8_lossy(&finished.stdout).into_owned();
        ensure!(finished.status == Some(0) && said.contains(infeasible), "{model}: {said}\n{}", finished.stderr);
        let metadata = fs::read_to_string(home.path().join("test-suite/metadata.xml"))?;
        ensure!(metadata.contains(bits), "{metadata}");
    }
    Ok(())
}

/// Kills a search without a word. What was found until then is whole, and can be run. How many tests that are.
fn killed(after: u64) -> Result<usize> {
    let home = tempfile::tempdir()?;
    let file = task("endless_machine.c");
    let mut command = test_comp(home.path(), BRANCHES, &file, &["--timeout", "60s"])?;
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    std::thread::sleep(Duration::from_millis(after));
    child.kill()?;
    child.wait()?;
    if !home.path().join("test-suite").is_dir() {
        return Ok(0);
    }
    let tests = suite(home.path())?.len();
    measured(home.path(), &file)?;
    Ok(tests)
}

fn killed_often() -> Result<()> {
    let mut most = 0;
    for number in 0..KILLS {
        most = most.max(killed(97 * number % 4000)?);
    }
    ensure!(most > 0, "no search was killed that had found something");
    Ok(())
}

fn refused() -> Result<()> {
    let home = tempfile::tempdir()?;
    let file = task("floats.c");
    let run = |property: &str| -> Result<Finished> {
        process::run(test_comp(home.path(), property, &file, &[])?, &[], LIMIT)
    };
    let finished = run("CHECK( init(main()), LTL(G ! call(reach_error())) )")?;
    ensure!(finished.status == Some(2) && finished.stderr.contains("@DECISIONEDGE"), "{}", finished.stderr);
    ensure!(!home.path().join("test-suite").exists(), "a suite of nothing");
    Ok(())
}
