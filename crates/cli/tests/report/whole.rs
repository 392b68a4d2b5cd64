//! All functions of a project as one: totals, time, partitions, exports, and what the terminal says.

use super::{covenant, done, here, process, trial};
use anyhow::{Context, Result, ensure};
use expect_test::expect;
use libtest_mimic::Trial;
use process::Finished;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

pub(crate) fn add(trials: &mut Vec<Trial>) {
    trials.push(trial("whole::branches_as_llvm_cov_counts".into(), &[], as_llvm_cov_counts));
    trials.push(trial("whole::one_budget".into(), &[], one_budget));
    trials.push(trial("whole::partitions".into(), &[], partitions));
    trials.push(trial("whole::exports".into(), &["lcov", "xmllint"], exports));
    trials.push(trial("whole::a_screen".into(), &[], a_screen));
    trials.push(trial("whole::why_again".into(), &[], why_again));
    trials.push(trial("whole::level".into(), &[], level));
    trials.push(trial("whole::dead_in_this_program".into(), &[], dead));
    trials.push(trial("whole::from_init_to_results".into(), &["cmake"], init));
    trials.push(trial("whole::cmake_module".into(), &["cmake", "lib:cmocka"], cmake_module));
}

fn run(root: &Path, words: &[&str]) -> Result<Finished> {
    let mut command = covenant(root);
    command.args(words);
    process::run(command, &[], super::LIMIT)
}

fn json(path: &Path) -> Result<Value> {
    serde_json::from_slice(&fs::read(path)?).with_context(|| path.display().to_string())
}

/// Three files: one calls another, one has a defect, one has a branch that no input takes.
fn project(root: &Path) -> Result<()> {
    fs::create_dir_all(root.join("src"))?;
    let write = |name: &str, text: &str| fs::write(root.join("src").join(name), text);
    write("low.c", "int low(int x)\n{\n    return x < 10 ? 1 : 0;\n}\n")?;
    write(
        "high.c",
        "int low(int x);\nstatic int half(int x)\n{\n    return x / 2;\n}\nint high(int x)\n{\n    if (low(x))\n        return 0;\n    \
         return half(x) > 50;\n}\n",
    )?;
    write(
        "share.c",
        "int share(int sum, int n)\n{\n    if (sum < 0)\n        return 0;\n    return sum / n;\n}\n\
         int grade(unsigned char points)\n{\n    if (points / 2 > 200)\n        return -1;\n    return points > 7;\n}\n",
    )?;
    fs::write(root.join("covenant.toml"), "suite = [\"c\"]\n")?;
    Ok(())
}

const FILES: [&str; 3] = ["src/high.c", "src/low.c", "src/share.c"];

fn all<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["gen", "--all"], &FILES[..], &["--timeout", "170s"], more].concat()
}

/// Each branch once, whatever functions are analysed: as many as llvm-cov counts.
fn as_llvm_cov_counts() -> Result<()> {
    let examples = here("../../../../examples").canonicalize()?;
    let booking = examples.join("booking");
    let mut sources: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(booking.join("src"))? {
        sources.push(entry?.path());
    }
    sources.retain(|path| path.extension().is_some_and(|ending| ending == "c"));
    sources.sort();
    let include = format!("-I{}", booking.join("include").display());
    for files in [sources, vec![examples.join("parking.c")], vec![examples.join("thermostat.c")]] {
        let home = tempfile::tempdir()?;
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        let mut words = vec!["gen", "--all", "--no-config", "--no-replay", "--timeout", "5s", "-o", "out", &include];
        words.extend(names.iter().map(String::as_str));
        let finished = run(home.path(), &words)?;
        ensure!(matches!(finished.status, Some(0 | 1)), "{:?} {}", finished.status, finished.stderr);
        // Also those that there was no time for.
        let report = json(&home.path().join("out/report.json"))?;
        let totals = &report["totals"]["branch"];
        // A label of a switch has two sides for llvm-cov: taken, and another one taken.
        let objectives = report["objectives"].as_array().context("no objectives")?;
        let is_label =
            |o: &&Value| o["outcome"].as_str().is_some_and(|text| text.starts_with("case") || text == "default");
        let labels = objectives.iter().filter(is_label).count() as u64;
        let counted = counted(home.path(), &names, &include)? - labels;
        ensure!(totals["objectives"] == counted, "{totals} are not the {counted} of llvm-cov, {names:?}");
        let listed = objectives.len() as u64;
        ensure!(listed == counted, "{listed} are listed");
        let sum = ["covered", "infeasible", "unknown"].iter().filter_map(|name| totals[name].as_u64()).sum::<u64>();
        ensure!(sum == counted, "{totals}");
    }
    Ok(())
}

/// The branches of these files, of a program that runs none of them.
fn counted(home: &Path, files: &[String], include: &str) -> Result<u64> {
    let text: String = files.iter().filter_map(|file| fs::read_to_string(file).ok()).collect();
    let mut command = Command::new("clang-19");
    command.args(["-O0", "-w", "-fprofile-instr-generate", "-fcoverage-mapping", include, "-o", "program"]).args(files);
    if !text.contains("int main(") {
        fs::write(home.join("nothing.c"), "int main(void) { return 0; }\n")?;
        command.arg("nothing.c");
    }
    command.current_dir(home);
    done(command)?;
    let mut program = Command::new("./program");
    program.current_dir(home).env("LLVM_PROFILE_FILE", "raw").stdin(std::process::Stdio::null());
    process::run(program, &[], super::LIMIT)?;
    let mut merge = Command::new("llvm-profdata-19");
    merge.args(["merge", "raw", "-o", "data"]).current_dir(home);
    done(merge)?;
    let mut export = Command::new("llvm-cov-19");
    export.args(["export", "-summary-only", "-instr-profile=data", "program"]).current_dir(home);
    let summary: Value = serde_json::from_slice(&done(export)?.stdout)?;
    summary["data"][0]["totals"]["branches"]["count"].as_u64().context("no count")
}

/// `--timeout` is of all functions: it goes to what is open, and what was tried for that long is
/// not tried again until there is more.
fn one_budget() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path();
    // To factor a number of 60 bits takes the solver longer than anybody waits.
    let slow = |name: &str| {
        format!(
            "int {name}(unsigned long x, unsigned long y)\n{{\n    if (x < 4294967296 && y < 4294967296 && x > 1 && y > x\n        \
             && x * y == 1000000016000000063)\n        return 1;\n    return 0;\n}}\n"
        )
    };
    fs::write(root.join("a.c"), slow("first") + &slow("second") + "int quick(int x) { return x > 3 ? 1 : 0; }\n")?;
    let generate = |time: &str| {
        let started = Instant::now();
        let words =
            ["gen", "--all", "a.c", "--no-replay", "--solver-timeout", "1h", "--timeout", time, "-v", "--jobs", "2"];
        run(root, &words).map(|done| (String::from_utf8_lossy(&done.stdout).into_owned(), started.elapsed().as_secs()))
    };
    let (said, took) = generate("12s")?;
    ensure!(said.contains("quick a.c: 2 covered") || said.contains("decided"), "{said}");
    ensure!((8..60).contains(&took), "both slow ones together: {took} s\n{said}");
    ensure!(said.matches("first a.c").count() >= 2, "it got more in a second round:\n{said}");
    // The same command goes on, until about as much as there is was in vain.
    let mut took = 12;
    for _ in 0..4 {
        let (said, now) = generate("12s")?;
        took = now;
        if said.contains("(3 unchanged)") {
            break;
        }
        ensure!(said.contains(" unchanged)") && said.contains("because there is more time"), "{said}");
    }
    ensure!(took < 8, "as much was in vain: {took} s");
    let (said, _) = generate("24s")?;
    ensure!(said.contains("(1 unchanged)") && said.contains("because there is more time"), "{said}");
    // What there was no time for is open, and its branches count.
    let words = ["gen", "--all", "a.c", "--no-replay", "--timeout", "1ms", "-o", "none"];
    let late = run(root, &words)?;
    let said = String::from_utf8_lossy(&late.stdout).into_owned();
    ensure!(
        late.status == Some(1) && said.contains("3 functions: 22 branches, 0 covered, 0 infeasible, 22 open"),
        "{said}"
    );
    ensure!(said.contains("time: 3 functions are not done; --timeout 1ms is of all functions together"), "{said}");
    Ok(())
}

/// Two halves, made apart and put together, are the whole.
fn partitions() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path();
    project(root)?;
    let whole = run(root, &all(&["-o", "whole"]))?;
    ensure!(whole.status == Some(1), "{:?} {}", whole.status, whole.stderr);
    let mut functions = 0;
    for part in ["1/3", "2/3", "3/3"] {
        let out = format!("part-{}", &part[..1]);
        let done = run(root, &all(&["-o", &out, "--partition", part]))?;
        ensure!(matches!(done.status, Some(0 | 1)), "{:?} {}", done.status, done.stderr);
        functions += json(&root.join(out).join("index.json"))?["functions"].as_array().context("no list")?.len();
    }
    ensure!(functions == 5, "each function is in one part");
    let merged = run(root, &["merge", "part-1", "part-2", "part-3", "-o", "merged"])?;
    ensure!(merged.status == whole.status, "{:?} {}", merged.status, merged.stderr);
    let said = String::from_utf8_lossy(&merged.stdout).into_owned();
    ensure!(said.starts_with("5 functions: 8 branches, 7 covered, 1 infeasible, 0 open; "), "{said}");
    let report = |dir: &str| -> Result<Value> {
        let mut report = json(&root.join(dir).join("report.json"))?;
        // What a run took is another one each time, and the order is that of folders.
        for name in ["stats", "timeline", "assumptions"] {
            report[name] = Value::Null;
        }
        for name in ["objectives", "tests"] {
            let list = report[name].as_array_mut().context("no list")?;
            list.sort_by_key(|one| one["id"].as_str().or(one["name"].as_str()).unwrap_or_default().to_owned());
            for one in list {
                if let Some(tests) = one["tests"].as_array_mut() {
                    tests.sort_by_key(|test| test.as_str().unwrap_or_default().to_owned());
                }
            }
        }
        Ok(report)
    };
    let (one, other) = (report("whole")?, report("merged")?);
    ensure!(one == other, "{one:#}\n{other:#}");
    // The results of each function are all there, and mean the same files.
    for command in ["check", "replay"] {
        let done = run(root, &[command, "merged"])?;
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        ensure!(done.status == Some(0), "{command}: {:?} {said}{}", done.status, done.stderr);
        ensure!(["grade:", "half:", "high:", "low:", "share:"].iter().all(|name| said.contains(name)), "{said}");
    }
    let done = run(root, &["merge", "src", "-o", "other"])?;
    ensure!(
        done.status == Some(2) && done.stderr.contains("src is no output directory of `covenant gen --all`"),
        "{}",
        done.stderr
    );
    Ok(())
}

/// What `covenant report` makes of one function it makes of a project.
fn exports() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path();
    project(root)?;
    run(root, &all(&[]))?;
    let formats = "lcov,cobertura,junit,sarif,markdown,csv,html";
    let told = run(root, &["report", "covenant-out", "--format", formats])?;
    ensure!(told.status == Some(0), "{}", told.stderr);
    let tool = |program: &str, args: &[&str]| -> Result<String> {
        let mut command = Command::new(program);
        command.args(args).current_dir(root);
        let output = done(command)?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned() + &output.stderr)
    };
    let text = tool("lcov", &["--rc", "lcov_branch_coverage=1", "--summary", "covenant-out/lcov.info"])?;
    ensure!(text.contains("(7 of 8 branches)") && text.contains("(5 of 5 functions)"), "{text}");
    let (dtd, schema) = (here("cobertura.dtd").display().to_string(), here("junit.xsd").display().to_string());
    tool("xmllint", &["--nonet", "--noout", "--dtdvalid", &dtd, "covenant-out/cobertura.xml"])?;
    tool("xmllint", &["--nonet", "--noout", "--schema", &schema, "covenant-out/junit.xml"])?;
    let file = |name: &str| fs::read_to_string(root.join("covenant-out").join(name));
    let sarif = json(&root.join("covenant-out/report.sarif"))?;
    let results = sarif["runs"][0]["results"].as_array().context("no results")?;
    let place =
        |r: &Value| r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().map(str::to_owned);
    ensure!(results.iter().all(|r| place(r).as_deref() == Some("src/share.c")), "{sarif:#}");
    ensure!(file("report.md")?.contains("| branch | 8 | 7 | 1 | 0 |"), "{}", file("report.md")?);
    ensure!(file("objectives.csv")?.lines().count() == 9, "{}", file("objectives.csv")?);
    // Pages lead to each other.
    let page = file("index.html")?;
    ensure!(
        page.contains("high/report.html") && page.contains("src/share.c") && page == file("report.html")?,
        "{page}"
    );
    ensure!(file("high/report.html")?.contains("href=\"../index.html\""));
    let json_said = run(root, &all(&["--json"]))?;
    let printed: Value = serde_json::from_slice(&json_said.stdout)?;
    ensure!(printed == json(&root.join("covenant-out/report.json"))?, "--json prints the project's report");
    Ok(())
}

/// What people see: at most a screen, the worst first, and one is not two.
fn a_screen() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path();
    project(root)?;
    fs::write(root.join("src/asm.c"), "int odd(int x)\n{\n    if (x == 3)\n        return 1;\n    return 2;\n}\n")?;
    let mut words = all(&["src/asm.c", "--no-replay"]);
    words.retain(|word| *word != "src/low.c");
    let finished = run(root, &words)?;
    let said = String::from_utf8_lossy(&finished.stdout).into_owned();
    // Numbers of seconds are not those of another machine.
    let lines: Vec<String> =
        said.lines().map(|line| line.split(" defect, ").next().unwrap_or(line).to_owned()).collect();
    expect![[r#"
        5 functions: 8 branches, 7 covered, 1 infeasible, 0 open; 8 tests, 1
          defect  src/share.c:5:16: division of 0 by zero [division-by-zero], see share/test_001
          see covenant-out/index.html"#]]
    .assert_eq(&lines.join("\n"));
    ensure!(said.lines().count() <= 24, "{said}");
    Ok(())
}

/// A function is analysed again only where something that it reaches has changed, and it is told what.
fn why_again() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path();
    project(root)?;
    let words = all(&["--no-replay", "-v", "--jobs", "1"]);
    let first = run(root, &words)?;
    let said = String::from_utf8_lossy(&first.stdout).into_owned();
    ensure!(said.matches("because it is new").count() == 5, "{said}");
    fs::write(root.join("src/low.c"), "int low(int x)\n{\n    return x < 11 ? 1 : 0;\n}\n")?;
    let second = run(root, &words)?;
    let said = String::from_utf8_lossy(&second.stdout).into_owned();
    ensure!(said.matches("because function low changed").count() == 2, "low and high: {said}");
    ensure!(said.contains("(3 unchanged)"), "{said}");
    let low = said.find("low src/low.c").context("no low")?;
    ensure!(said.find("high src/high.c").is_some_and(|high| low < high), "callees come first: {said}");
    let index = json(&root.join("covenant-out/index.json"))?;
    ensure!(index["before"]["totals"]["objectives"] == 8 && index["project"].is_string(), "{index}");
    Ok(())
}

/// A level of a standard chooses the criteria, and reports have its table.
fn level() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path();
    project(root)?;
    let words =
        ["gen", "src/share.c", "-f", "grade", "--level", "do178c-a", "--no-replay", "-o", "out", "--timeout", "120s"];
    let finished = run(root, &words)?;
    ensure!(finished.status == Some(0), "{:?} {}", finished.status, finished.stderr);
    let report = json(&root.join("out/report.json"))?;
    ensure!(report["level"] == "do178c-a", "{}", report["level"]);
    ensure!(
        report["criteria"] == serde_json::json!(["function", "statement", "decision", "mcdc"]),
        "{}",
        report["criteria"]
    );
    let markdown = run(root, &["report", "out", "--format", "markdown", "-o", "-"])?;
    let text = String::from_utf8_lossy(&markdown.stdout).into_owned();
    ensure!(text.contains("### Structural coverage: DO-178C, level A\n"), "{text}");
    ensure!(text.contains("| table A-7, objective 6: decision coverage | decision | 1 of 2 | 1 | 0 | yes |"), "{text}");
    let clash = run(root, &["gen", "src/share.c", "-f", "grade", "--level", "do178c-a", "-c", "branch"])?;
    ensure!(clash.status == Some(2), "{:?}", clash.status);
    Ok(())
}

/// What no caller can cause is told apart, and of two functions of one name each has its results.
fn dead() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path();
    fs::write(
        root.join("a.c"),
        "static int pick(int x) { return x > 3 ? 1 : 0; }\nint a(int x) { return pick(x); }\n",
    )?;
    let other = "static int pick(int x) { if (x == 2) return 6; return 0; }\nint b(int x) { return pick(x & 1); }\n";
    fs::write(root.join("b.c"), other)?;
    let words = ["gen", "--all", "a.c", "b.c", "--context", "callers", "--no-replay", "--timeout", "120s"];
    let finished = run(root, &words)?;
    let said = String::from_utf8_lossy(&finished.stdout).into_owned();
    let start = "4 functions: 4 branches, 3 covered, 1 infeasible (1 dead in this program), 0 open; ";
    ensure!(finished.status == Some(0) && said.starts_with(start), "{said}{}", finished.stderr);
    let report = json(&root.join("covenant-out/report.json"))?;
    let objectives = report["objectives"].as_array().context("no objectives")?;
    let dead: Vec<&Value> = objectives.iter().filter(|o| o["callers"].is_array()).collect();
    ensure!(dead.len() == 1 && dead[0]["file"] == "b.c" && dead[0]["callers"][0] == "b", "{dead:?}");
    // The same name twice: one says which is meant.
    let count = |name: &str| -> Result<Value> {
        let done = run(root, &["gen", "a.c", "b.c", "-f", name, "--no-replay", "--json", "--timeout", "60s"])?;
        let report: Value = serde_json::from_slice(&done.stdout).with_context(|| done.stderr.clone())?;
        Ok(report["objectives"][0]["text"].clone())
    };
    ensure!(count("b.c:pick")? == "x == 2" && count("a.c:pick")? == "x > 3");
    let wrong = run(root, &["gen", "a.c", "-f", "c.c:pick"])?;
    ensure!(wrong.status == Some(2) && wrong.stderr.contains("there is no c.c among a.c"), "{}", wrong.stderr);
    let wrong = run(root, &["gen", "a.c", "-f", "a", "--point", "a.c:99"])?;
    ensure!(wrong.status == Some(2) && wrong.stderr.contains("--point a.c:99: a.c has 2 lines"), "{}", wrong.stderr);
    Ok(())
}

/// With the list that CMake writes, `covenant init` is all that `gen --all` needs.
fn init() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path();
    project(root)?;
    fs::remove_file(root.join("covenant.toml"))?;
    let missing = run(root, &["init"])?;
    ensure!(
        missing.status == Some(2) && missing.stderr.contains("CMAKE_EXPORT_COMPILE_COMMANDS"),
        "{}",
        missing.stderr
    );
    let list =
        "cmake_minimum_required(VERSION 3.13)\nproject(parts C)\nadd_library(parts src/high.c src/low.c src/share.c)\n";
    fs::write(root.join("CMakeLists.txt"), list)?;
    let mut cmake = Command::new("cmake");
    cmake.args(["-S", ".", "-B", "build", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]).current_dir(root);
    done(cmake)?;
    let made = run(root, &["init"])?;
    let said = String::from_utf8_lossy(&made.stdout).into_owned();
    ensure!(
        made.status == Some(0) && said.contains("covenant.toml: 3 C files of build/compile_commands.json"),
        "{said}"
    );
    let again = run(root, &["init"])?;
    ensure!(again.status == Some(2) && again.stderr.contains("covenant.toml is there already"), "{}", again.stderr);
    let finished = run(root, &["gen", "--all", "--no-replay"])?;
    let said = String::from_utf8_lossy(&finished.stdout).into_owned();
    ensure!(finished.status == Some(1) && said.starts_with("5 functions: 8 branches"), "{said}{}", finished.stderr);
    Ok(())
}

/// A target of CMake gets its tests by one line.
fn cmake_module() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path();
    project(root)?;
    fs::create_dir_all(root.join("include"))?;
    fs::write(root.join("include/limit.h"), "#define LIMIT (10 + MORE)\n")?;
    fs::write(root.join("src/low.c"), "#include \"limit.h\"\nint low(int x)\n{\n    return x < LIMIT ? 1 : 0;\n}\n")?;
    let module = here("../../../../integrations/cmake/Covenant.cmake").canonicalize()?;
    let list = format!(
        "cmake_minimum_required(VERSION 3.13)\nproject(parts C)\nenable_testing()\n\
         add_library(parts src/high.c src/low.c)\ntarget_include_directories(parts PRIVATE include)\n\
         target_compile_definitions(parts PRIVATE MORE=1)\ninclude({})\n\
         covenant_add_tests(parts OUT ${{CMAKE_CURRENT_SOURCE_DIR}}/tests/covenant SUITE cmocka OPTIONS --timeout 150s)\n",
        module.display()
    );
    fs::write(root.join("CMakeLists.txt"), list)?;
    let tool = |program: &str, args: &[&str]| -> Result<String> {
        let mut command = Command::new(program);
        command.args(args).current_dir(root);
        Ok(String::from_utf8_lossy(&done(command)?.stdout).into_owned())
    };
    let program = format!("-DCOVENANT_EXECUTABLE={}", env!("CARGO_BIN_EXE_covenant"));
    tool("cmake", &["-S", ".", "-B", "build", &program])?;
    tool("cmake", &["--build", "build", "--target", "parts_covenant"])?;
    ensure!(root.join("tests/covenant/low/suite/cmocka").is_dir(), "no suite");
    tool("cmake", &["-S", ".", "-B", "build"])?;
    tool("cmake", &["--build", "build"])?;
    let said = tool("ctest", &["--test-dir", "build"])?;
    ensure!(
        said.contains("covenant.parts") && said.contains("test_low") && said.contains("100% tests passed"),
        "{said}"
    );
    Ok(())
}
