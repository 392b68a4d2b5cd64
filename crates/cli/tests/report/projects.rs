//! Projects: `--all`, `covenant.toml`, and suites that live on.

use super::{covenant, process, trial};
use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use process::Finished;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

pub(crate) fn add(trials: &mut Vec<Trial>) {
    trials.push(trial("project::all".into(), &[], all));
    trials.push(trial("project::held_against_each_other".into(), &[], held_against_each_other));
    trials.push(trial("project::a_caller_breaks_a_contract".into(), &[], broken_by_a_caller));
    trials.push(trial("project::configured".into(), &[], configured));
    trials.push(trial("project::bad_configuration".into(), &[], bad_configuration));
    trials.push(trial("project::existing_tests_stay".into(), &[], existing));
    trials.push(trial("project::since_a_change".into(), &[], since));
    trials.push(trial("project::since_for_all".into(), &[], since_for_all));
    trials.push(trial("project::interrupted".into(), &[], interrupted));
    trials.push(trial("project::bad_assumption".into(), &[], bad_assumption));
    trials.push(trial("project::man_and_completions".into(), &[], man));
    trials.push(trial("project::the_book_has_every_option".into(), &[], book));
    trials.push(trial("project::from_clone_to_suite".into(), &["lib:cmocka", "cmake"], example));
}

const LOW: &str = "int low(int x) { return x < 10 ? 1 : 0; }\n";
const HIGH: &str = "int low(int x);\nstatic int half(int x) { return x / 2; }\n\
    int high(int x) { if (low(x)) return 0; return half(x) > 50; }\nint main(void) { return high(3); }\n";

fn project(root: &Path) -> Result<()> {
    fs::create_dir_all(root.join("src"))?;
    fs::write(root.join("src/low.c"), LOW)?;
    fs::write(root.join("src/high.c"), HIGH)?;
    let command = |file: &str| serde_json::json!({"directory": root, "file": file, "arguments": ["cc", "-c", file]});
    let commands = serde_json::json!([command("src/low.c"), command("src/high.c")]);
    Ok(fs::write(root.join("compile_commands.json"), commands.to_string())?)
}

fn run(root: &Path, words: &[&str]) -> Result<Finished> {
    let mut command = covenant(root);
    command.args(words);
    process::run(command, &[], super::LIMIT)
}

fn json(path: &Path) -> Result<Value> {
    serde_json::from_slice(&fs::read(path)?).with_context(|| path.display().to_string())
}

/// Every function once; unchanged ones are left alone, and one that changed in a callee's file is not.
fn all() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path();
    project(root)?;
    let generate = || run(root, &["gen", "--all", "-p", ".", "--timeout", "120s"]);
    let done = generate()?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    ensure!(done.status == Some(0), "{said}{}", done.stderr);
    ensure!(said.contains("4 functions: "), "{said}");
    let index = json(&root.join("covenant-out/index.json"))?;
    let names: Vec<&str> =
        index["functions"].as_array().context("no list")?.iter().filter_map(|f| f["name"].as_str()).collect();
    ensure!(names.len() == 4 && ["half", "high", "low", "main"].iter().all(|name| names.contains(name)), "{names:?}");
    ensure!(index["totals"]["unknown"] == 0, "{index}");
    ensure!(fs::read_to_string(root.join("covenant-out/index.html"))?.contains("high/report.html"));
    let time = |name: &str| -> Result<SystemTime> {
        Ok(fs::metadata(root.join("covenant-out").join(name).join("report.json"))?.modified()?)
    };
    let first = [time("low")?, time("half")?, time("high")?];
    ensure!(generate()?.status == Some(0));
    ensure!(first == [time("low")?, time("half")?, time("high")?], "nothing has changed");
    fs::write(root.join("src/low.c"), LOW.replace("10", "20"))?;
    ensure!(generate()?.status == Some(0));
    let second = [time("low")?, time("half")?, time("high")?];
    ensure!(first[0] != second[0] && first[2] != second[2], "low and its caller have changed");
    ensure!(first[1] == second[1], "half does not call low");
    // With --keep a changed function keeps its tests that still pass.
    let before = tests(root, "covenant-out/low")?;
    fs::write(root.join("src/low.c"), LOW.replace("10", "30"))?;
    let done = run(root, &["gen", "--all", "--keep", "-p", ".", "--timeout", "120s"])?;
    ensure!(matches!(done.status, Some(0 | 1)), "{}", done.stderr);
    let report = json(&root.join("covenant-out/low/report.json"))?;
    ensure!(report["since"]["directory"].is_string() && !before.is_empty(), "{}", report["since"]);
    ensure!(run(root, &["gen", "--all", "--fresh", "-p", ".", "--timeout", "120s"])?.status == Some(0));
    let first = [time("low")?, time("half")?, time("high")?];
    // What was kept is still what `check` and `replay` work on, though its file has another function now.
    fs::write(root.join("src/high.c"), HIGH.replace("> 50", "> 60"))?;
    ensure!(generate()?.status == Some(0));
    ensure!(first[1] == time("half")?, "half is as it was");
    for command in ["check", "replay"] {
        let done = run(root, &[command, "covenant-out/half"])?;
        ensure!(done.status == Some(0), "{command}: {:?} {}", done.status, done.stderr);
    }
    Ok(())
}

/// Each branch counts once. What a test of the caller takes counts for what is open in the callee's own results, and refutes
/// what is called infeasible there.
fn held_against_each_other() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path();
    project(root)?;
    let generate = || run(root, &["gen", "--all", "-p", ".", "--timeout", "60s"]);
    generate()?;
    let index = || json(&root.join("covenant-out/index.json"));
    ensure!(index()?["totals"]["objectives"] == 4, "each branch once: {}", index()?["totals"]);
    let own = root.join("covenant-out/low/report.json");
    let say = |verdict: &str| -> Result<()> {
        let mut report = json(&own)?;
        report["objectives"][0]["verdict"] = verdict.into();
        report["objectives"][0]["tests"] = serde_json::json!([]);
        let (covered, other) = (1, if verdict == "unknown" { 1 } else { 0 });
        report["totals"]["branch"] =
            serde_json::json!({"objectives": 2, "covered": covered, "infeasible": 1 - other, "unknown": other});
        Ok(fs::write(&own, report.to_string())?)
    };
    say("unknown")?;
    let done = generate()?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    ensure!(done.status == Some(0) && said.contains("1 only by tests of other functions"), "{said}{}", done.stderr);
    say("infeasible")?;
    let done = generate()?;
    ensure!(done.status == Some(3), "{:?} {}", done.status, done.stderr);
    ensure!(done.stderr.contains("is infeasible in the results of `low`"), "{}", done.stderr);
    Ok(())
}

/// What a function expects of its callers is no defect of its own; where another one breaks it, that one has a defect.
fn broken_by_a_caller() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path();
    project(root)?;
    fs::write(root.join("src/low.c"), "int low(const int *x) { return *x < 10; }\n")?;
    let high =
        |given: &str| format!("int low(const int *x);\nint high(int x) {{ return x > 7 ? low({given}) : low(&x); }}\n");
    let defects = |function: &str| -> Result<Vec<bool>> {
        let report = json(&root.join("covenant-out").join(function).join("report.json"))?;
        let all = report["defects"].as_array().context("no list")?;
        Ok(all.iter().map(|defect| defect["contract"].is_null()).collect())
    };
    for (given, status, broken) in [("&x", 0, vec![]), ("0", 1, vec![true])] {
        fs::write(root.join("src/high.c"), high(given))?;
        let done = run(root, &["gen", "--all", "-p", ".", "--timeout", "60s"])?;
        ensure!(done.status == Some(status), "{}{}", String::from_utf8_lossy(&done.stdout), done.stderr);
        ensure!(!defects("low")?.contains(&true), "a contract of low: {:?}", defects("low")?);
        ensure!(defects("high")? == broken, "given {given}: {:?}", defects("high")?);
    }
    Ok(())
}

fn configured() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path();
    project(root)?;
    let text = "no-replay = true\n\n[function.low]\nassume = [\"x > 100\"]\n\n[function.half]\nskip = true\n";
    fs::write(root.join("covenant.toml"), text)?;
    // From a folder below, as with other tools.
    let done = run(&root.join("src"), &["gen", "low.c", "-f", "low", "--json"])?;
    let report: Value = serde_json::from_slice(&done.stdout).with_context(|| done.stderr.clone())?;
    ensure!(report["totals"]["branch"]["infeasible"] == 1, "the assumption counts: {}", report["totals"]);
    let done = run(root, &["check", "src/covenant-out/low"])?;
    ensure!(done.status == Some(0), "the recorded command has what the file added: {}", done.stderr);
    let done = run(&root.join("src"), &["gen", "low.c", "-f", "low", "--json", "--no-config", "--no-replay"])?;
    let report: Value = serde_json::from_slice(&done.stdout)?;
    ensure!(report["totals"]["branch"]["infeasible"] == 0, "without the file: {}", report["totals"]);
    let done = run(root, &["gen", "--all", "-p", ".", "--timeout", "120s"])?;
    ensure!(String::from_utf8_lossy(&done.stdout).contains("3 functions: "), "half is skipped");
    // Where the files are and how they are compiled can stand there too.
    fs::write(root.join("covenant.toml"), "no-replay = true\nproject = \".\"\ncflag = [\"-DMORE\"]\n")?;
    fs::write(root.join("src/low.c"), format!("{LOW}#ifdef MORE\nint more(int x) {{ return x > 1; }}\n#endif\n"))?;
    let done = run(root, &["gen", "--all", "--timeout", "120s", "-v"])?;
    ensure!(String::from_utf8_lossy(&done.stdout).contains("more src/low.c: "), "{}", done.stderr);
    fs::remove_file(root.join("compile_commands.json"))?;
    let done = run(root, &["gen", "--all", "-p", "."])?;
    ensure!(done.status == Some(2) && done.stderr.contains("CMAKE_EXPORT_COMPILE_COMMANDS"), "{}", done.stderr);
    Ok(())
}

fn bad_configuration() -> Result<()> {
    let home = tempfile::tempdir()?;
    project(home.path())?;
    fs::write(home.path().join("covenant.toml"), "# limits\n\n[function.low]\ntimeout = \"soon\"\n")?;
    let done = run(home.path(), &["gen", "src/low.c", "-f", "low"])?;
    ensure!(done.status == Some(2), "{:?}", done.status);
    ensure!(done.stderr.contains("covenant.toml:4:11: invalid value 'soon'"), "{}", done.stderr);
    ensure!(done.stderr.contains("    4 | timeout = \"soon\"\n      |           ^^^^^^"), "{}", done.stderr);
    Ok(())
}

fn tests(root: &Path, out: &str) -> Result<Vec<String>> {
    let report = json(&root.join(out).join("report.json"))?;
    let tests = report["tests"].as_array().context("no tests")?;
    Ok(tests.iter().filter_map(|t| t["name"].as_str().map(str::to_owned)).collect())
}

fn existing() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path();
    fs::write(root.join("f.c"), "int f(int x) { if (x > 7) return 1; return 2; }\n")?;
    ensure!(run(root, &["gen", "f.c", "-f", "f", "-o", "a", "--quiet"])?.status == Some(0));
    let first = tests(root, "a")?;
    // Nothing is missing: the search has nothing to look for.
    let done = run(root, &["gen", "f.c", "-f", "f", "-o", "again", "--existing", "a", "--no-replay"])?;
    ensure!(done.status == Some(0), "{:?} {}", done.status, done.stderr);
    let stats = json(&root.join("again/report.json"))?["stats"].clone();
    ensure!(stats["solver_calls"] == 0 && stats["iterations"] == 0, "{stats}");
    ensure!(tests(root, "again")? == first, "the same tests");
    // Also of criteria that llvm-cov does not tell of single tests, and with a defect among them.
    fs::write(root.join("g.c"), "int g(int a, int b) { if (a > 3 && b < a) return a / b; return 0; }\n")?;
    let criteria = ["gen", "g.c", "-f", "g", "-c", "branch,mcdc,boundary", "--timeout", "60s"];
    ensure!(run(root, &[&criteria[..], &["-o", "g"]].concat())?.status == Some(1), "a division by zero");
    let done = run(root, &[&criteria[..], &["-o", "g2", "--since", "g"]].concat())?;
    ensure!(done.status == Some(1), "{:?} {}", done.status, done.stderr);
    ensure!(tests(root, "g")? == tests(root, "g2")?, "nothing is missing");
    let (old, new) = (json(&root.join("g/report.json"))?, json(&root.join("g2/report.json"))?);
    ensure!(old["totals"] == new["totals"] && old["defects"] == new["defects"], "{} {}", old["totals"], new["totals"]);
    ensure!(new["since"]["lost"].as_array().is_some_and(Vec::is_empty), "{}", new["since"]);
    // The code got a branch that no test reaches.
    fs::write(root.join("f.c"), "int f(int x) { if (x > 7) return 1; if (x == -1234567) return 3; return 2; }\n")?;
    let done = run(root, &["gen", "f.c", "-f", "f", "-o", "b", "--existing", "a"])?;
    ensure!(done.status == Some(0), "{:?} {}", done.status, done.stderr);
    let second = tests(root, "b")?;
    ensure!(second.starts_with(&first), "{first:?} and {second:?}");
    ensure!(second.len() == first.len() + 1, "only what is missing: {second:?}");
    let old = fs::read(root.join("a/tests").join(format!("{}.json", first[0])))?;
    ensure!(old == fs::read(root.join("b/tests").join(format!("{}.json", first[0])))?, "a kept test is as it was");
    Ok(())
}

fn since() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path();
    fs::write(root.join("f.c"), "int f(int x) { if (x > 7) return 1; return 2; }\n")?;
    ensure!(run(root, &["gen", "f.c", "-f", "f", "-o", "a", "--quiet"])?.status == Some(0));
    fs::write(root.join("f.c"), "int f(int x) { if (x > 7) return 1; if (x == 1234567) return 3; return 5; }\n")?;
    let done = run(root, &["gen", "f.c", "-f", "f", "-o", "b", "--since", "a"])?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    ensure!(done.status == Some(1), "a test does not pass any more: {said}");
    ensure!(said.contains("does not pass any more"), "{said}");
    ensure!(said.contains("new f.c:1: x == 1234567 is false: now test_"), "{said}");
    let report = json(&root.join("b/report.json"))?;
    ensure!(report["since"]["failing"].as_array().is_some_and(|list| list.len() == 1), "{}", report["since"]);
    Ok(())
}

/// Of a whole project only what has changed is analysed again; what the change left uncovered is named, as is what no longer
/// passes.
fn since_for_all() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path();
    project(root)?;
    let all = ["gen", "--all", "-p", ".", "--timeout", "120s"];
    ensure!(run(root, &[&all[..], &["-o", "a"]].concat())?.status == Some(0));
    fs::write(root.join("src/low.c"), "int low(int x) { if (x == 4321) return 0; return x < 10 ? 1 : 0; }\n")?;
    let done = run(root, &[&all[..], &["-o", "b", "--since", "a"]].concat())?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    ensure!(done.status == Some(0), "{:?} {said}{}", done.status, done.stderr);
    ensure!(!said.contains("half") && said.contains("4 functions (1 unchanged): "), "{said}");
    ensure!(said.contains("new src/low.c:1: x == 4321 is true: now test_"), "{said}");
    // What was not analysed is all there.
    for name in ["half", "low", "high"] {
        let done = run(root, &["replay", &format!("b/{name}")])?;
        ensure!(done.status == Some(0), "{name}: {:?} {}", done.status, done.stderr);
    }
    ensure!(fs::read(root.join("a/half/report.json"))? == fs::read(root.join("b/half/report.json"))?);
    // A function that is gone leaves its results; somebody must know.
    fs::write(root.join("src/low.c"), "int low(int x) { return x < 11; }\nint lower(int x) { return x < 9; }\n")?;
    fs::write(root.join("src/high.c"), HIGH.replace("half", "part"))?;
    let done = run(root, &[&all[..], &["-o", "b", "--since", "b"]].concat())?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    ensure!(said.contains("half is of a function that is not tested any more"), "{said}");
    let done = run(root, &[&all[..], &["--since", "nowhere"]].concat())?;
    ensure!(done.status == Some(2) && done.stderr.contains("no earlier run"), "{}", done.stderr);
    Ok(())
}

/// Ctrl-C: what is done stays, what runs is written as far as it is, and the next run goes on.
fn interrupted() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path();
    // To factor a number of 60 bits takes the solver longer than anybody waits.
    let slow = "int slow(unsigned long x, unsigned long y)\n{\n    if (x < 4294967296 && y < 4294967296 && x > 1 && y > x\n        \
        && x * y == 1000000016000000063)\n        return 1;\n    return 0;\n}\n";
    fs::write(root.join("quick.c"), LOW)?;
    fs::write(root.join("slow.c"), slow)?;
    let mut command = covenant(root);
    command.args(["gen", "--all", "quick.c", "slow.c", "--timeout", "1h", "--solver-timeout", "1h", "--jobs", "2"]);
    let (out, err) = (fs::File::create(root.join("out.txt"))?, fs::File::create(root.join("err.txt"))?);
    let mut child = command.stdout(out).stderr(err).spawn()?;
    let deadline = std::time::Instant::now() + super::LIMIT;
    let key = root.join("covenant-out/low/key");
    while !key.is_file() && std::time::Instant::now() < deadline {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let mut kill = std::process::Command::new("kill");
    super::done({
        kill.args(["-INT", &child.id().to_string()]);
        kill
    })?;
    let status = child.wait()?;
    let said = fs::read_to_string(root.join("out.txt"))?;
    ensure!(status.code() == Some(1), "{status:?} {said}{}", fs::read_to_string(root.join("err.txt"))?);
    ensure!(said.contains("interrupted: 1 function is not done"), "{said}");
    let index = json(&root.join("covenant-out/index.json"))?;
    ensure!(index["functions"].as_array().is_some_and(|list| list.len() == 2), "{index}");
    ensure!(key.is_file() && !root.join("covenant-out/slow/key").exists(), "only what is done has a key");
    Ok(())
}

/// A C expression that clang does not understand is told with its line in covenant.toml.
fn bad_assumption() -> Result<()> {
    let home = tempfile::tempdir()?;
    project(home.path())?;
    fs::write(home.path().join("covenant.toml"), "[function.low]\nassume = [\n  \"x > 0\",\n  \"y > 0\",\n]\n")?;
    let done = run(home.path(), &["gen", "src/low.c", "-f", "low"])?;
    ensure!(done.status == Some(2), "{:?}", done.status);
    ensure!(done.stderr.contains("covenant.toml:4:3: `assume` is not right here"), "{}", done.stderr);
    ensure!(done.stderr.contains("undeclared identifier 'y'"), "{}", done.stderr);
    // For a whole project, the page and the exit code know.
    fs::write(
        home.path().join("covenant.toml"),
        "[function.low]\nlength = { p = \"3\" }\n\n[function.lov]\nskip = true\n",
    )?;
    let done = run(home.path(), &["gen", "--all", "-p", ".", "--no-replay"])?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    ensure!(done.status == Some(2), "{:?} {said}", done.status);
    ensure!(said.contains("covenant.toml:2:16: `length` is not right here"), "{said}");
    ensure!(done.stderr.contains("covenant.toml:4:11: there is no function `lov`"), "{}", done.stderr);
    Ok(())
}

fn man() -> Result<()> {
    let home = tempfile::tempdir()?;
    let print = |words: &[&str]| -> Result<String> {
        let done = run(home.path(), words)?;
        ensure!(done.status == Some(0), "{}", done.stderr);
        Ok(String::from_utf8_lossy(&done.stdout).into_owned())
    };
    ensure!(print(&["man"])?.contains(".TH covenant 1"));
    ensure!(print(&["man", "gen"])?.contains("\\-\\-array\\-len"));
    for shell in ["bash", "zsh", "fish"] {
        ensure!(print(&["completions", shell])?.contains("array-len"), "{shell}");
    }
    let done = run(home.path(), &["man", "nothing"])?;
    ensure!(done.status == Some(2), "{:?}", done.status);
    Ok(())
}

fn book() -> Result<()> {
    let home = tempfile::tempdir()?;
    let done = run(home.path(), &["man", "--markdown"])?;
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/options.md");
    let same = fs::read(&page)? == done.stdout;
    ensure!(same, "options have changed: covenant man --markdown > docs/src/options.md");
    // Every page is in the summary, and every link leads to a page.
    let folder = page.parent().context("no folder")?;
    let summary = fs::read_to_string(folder.join("SUMMARY.md"))?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        ensure!(name == "SUMMARY.md" || summary.contains(&format!("({name})")), "{name} is not in the summary");
        let text = fs::read_to_string(&path)?;
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            ensure!(link.contains("://") || folder.join(link).is_file(), "{name}: no page {link}");
        }
    }
    Ok(())
}

/// The example of the README: a library with CMake and cmocka gets suites for all its functions in its own test run.
fn example() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path().join("booking");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/booking"), &root)?;
    let tool = |program: &str, words: &[&str]| -> Result<String> {
        let mut command = std::process::Command::new(program);
        command.args(words).current_dir(&root);
        Ok(String::from_utf8_lossy(&super::done(command)?.stdout).into_owned())
    };
    tool("cmake", &["-S", ".", "-B", "build"])?;
    let done = run(&root, &["gen", "--all", "-p", "build", "-o", "tests/covenant"])?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    ensure!(done.status == Some(0), "everything is decided: {:?}\n{said}{}", done.status, done.stderr);
    tool("cmake", &["-S", ".", "-B", "build"])?;
    tool("cmake", &["--build", "build"])?;
    let tests = tool("ctest", &["--test-dir", "build"])?;
    // Each test of each suite has an entry of its own.
    let passed = tests.split_once("100% tests passed, 0 tests failed out of ").map(|(_, rest)| rest);
    let count = passed.and_then(|rest| rest.split_whitespace().next()?.parse::<usize>().ok());
    let written: usize = json(&root.join("tests/covenant/index.json"))?["functions"]
        .as_array()
        .context("no list")?
        .iter()
        .filter_map(|function| usize::try_from(function["tests"].as_u64()?).ok())
        .sum();
    ensure!(count == Some(written + 1), "{written} tests, and one by hand:\n{tests}");
    change(&root, &tool)?;
    // The suites are in compile_commands.json now, and are no code to be tested.
    let done = run(&root, &["gen", "--all", "-p", "build", "-o", "tests/covenant"])?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    ensure!(said.contains("6 functions (5 unchanged): "), "{said}");
    Ok(())
}

/// A change of what the code does makes a test fail; `--since` names it and brings the suite up to date.
fn change(root: &Path, tool: &dyn Fn(&str, &[&str]) -> Result<String>) -> Result<()> {
    let file = root.join("src/duration.c");
    let text = fs::read_to_string(&file)?;
    fs::write(&file, text.replace("return hours * 60 + minutes;", "return hours * 60 + minutes + 1;"))?;
    tool("cmake", &["--build", "build"])?;
    let noticed = tool("ctest", &["--test-dir", "build", "-R", "test_duration_minutes"]);
    ensure!(noticed.is_err(), "no generated test has noticed");
    let out = "tests/covenant/duration_minutes";
    let words = ["gen", "-p", "build", "src/duration.c", "-f", "duration_minutes", "--since", out, "-o", out];
    let done = run(root, &words)?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    ensure!(
        done.status == Some(1) && said.contains("does not pass any more"),
        "{:?} {said}{}",
        done.status,
        done.stderr
    );
    tool("cmake", &["--build", "build"])?;
    tool("ctest", &["--test-dir", "build", "-R", "test_duration_minutes"]).map(|_| ())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
