//! Results that live on: in a project that moves, without the directory of its build, and beside code that changes.

use super::{covenant, done, process, trial};
use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn add(trials: &mut Vec<Trial>) {
    trials.push(trial("moved::clone".into(), &["cvc5", "make"], clone));
    trials.push(trial("moved::above".into(), &[], above));
    trials.push(trial("changed::code".into(), &["cvc5"], changed));
    trials.push(trial("changed::suites".into(), &[], suites));
}

/// A project of a source and a header, with a database that names places from the root of the file system.
fn project(root: &Path) -> Result<()> {
    for folder in ["src", "include", "build"] {
        fs::create_dir_all(root.join(folder))?;
    }
    fs::write(root.join("covenant.toml"), "")?;
    fs::write(root.join("include/limits_of.h"), "#define MOST 40\nint limit(int x);\n")?;
    fs::write(root.join("src/limit.c"), SOURCE)?;
    let root = root.display();
    let database = format!(
        "[{{\"directory\": \"{root}/build\", \"file\": \"{root}/src/limit.c\", \"arguments\": [\"cc\", \"-I{root}/include\", \
         \"-DLEAST=3\", \"-c\", \"{root}/src/limit.c\"]}}]"
    );
    fs::write(format!("{root}/build/compile_commands.json"), database)?;
    Ok(())
}

const SOURCE: &str = "#include \"limits_of.h\"\n\
                      int helper(int x) { return x + 1; }\n\
                      int limit(int x)\n{\n    if (x < LEAST) {\n        return LEAST;\n    }\n    if (x > MOST) {\n        return MOST;\n    }\n    \
                      int sum = 0, i;\n    for (i = 0; i < x; i++) {\n        sum += 2;\n    }\n    if (i < x) {\n        return -1;\n    }\n    return sum / 2;\n}\n";

fn status(home: &Path, words: &[&str]) -> Result<(Option<i32>, String)> {
    let mut command = covenant(home);
    command.args(words);
    let done = process::run(command, &[], super::LIMIT)?;
    Ok((done.status, String::from_utf8_lossy(&done.stdout).into_owned() + &done.stderr))
}

fn generated(home: &Path, more: &[&str]) -> Result<()> {
    let mut words = vec!["gen", "-p", "build", "src/limit.c", "-f", "limit", "-o", "tests/limit", "--quiet"];
    words.extend(more);
    let (status, said) = status(home, &words)?;
    ensure!(status == Some(0), "covenant gen: {status:?}\n{said}");
    Ok(())
}

/// All that is in a directory, as text.
fn texts(folder: &Path) -> Result<Vec<(PathBuf, String)>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            all.extend(texts(&path)?);
        } else {
            let text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
            all.push((path, text));
        }
    }
    Ok(all)
}

fn clone() -> Result<()> {
    let home = tempfile::tempdir()?;
    let old = home.path().canonicalize()?.join("old");
    project(&old)?;
    generated(&old, &["--suite", "c,unity"])?;
    for (file, text) in texts(&old.join("tests/limit"))? {
        ensure!(!text.contains(&old.display().to_string()), "{} names {}", file.display(), old.display());
    }
    let report: serde_json::Value = serde_json::from_slice(&fs::read(old.join("tests/limit/report.json"))?)?;
    ensure!(report["subject"]["files"] == serde_json::json!(["src/limit.c"]), "{}", report["subject"]);
    ensure!(report["objectives"][0]["file"] == "src/limit.c", "{}", report["objectives"][0]);
    // Nobody commits what a build makes.
    let new = old.with_file_name("new");
    fs::rename(&old, &new)?;
    fs::remove_dir_all(new.join("build"))?;
    for folder in [new.as_path(), home.path()] {
        let dir = new.join("tests/limit");
        let dir = dir.strip_prefix(folder.canonicalize()?)?.to_string_lossy().into_owned();
        let (replayed, said) = status(folder, &["replay", &dir])?;
        ensure!(replayed == Some(0) && said.contains("llvm-cov agrees"), "replay: {replayed:?}\n{said}");
        let (checked, said) = status(folder, &["check", &dir])?;
        ensure!(checked == Some(0) && said.contains(" 1 infeasible, 1 confirmed"), "check: {checked:?}\n{said}");
    }
    let mut make = Command::new("make");
    make.args(["-s", "check"]).current_dir(new.join("tests/limit/suite/c"));
    done(make)?;
    Ok(())
}

/// Covenant was called above the root of the project.
fn above() -> Result<()> {
    let home = tempfile::tempdir()?;
    let home = home.path().canonicalize()?;
    project(&home.join("lib/old"))?;
    let words =
        ["gen", "lib/old/src/limit.c", "-Ilib/old/include", "-DLEAST=3", "-f", "limit", "-o", "lib/old/out", "--quiet"];
    let (made, said) = status(&home, &words)?;
    ensure!(made == Some(0), "covenant gen: {made:?}\n{said}");
    fs::rename(home.join("lib/old"), home.join("new"))?;
    for word in ["replay", "check"] {
        let (code, said) = status(&home, &[word, "new/out"])?;
        ensure!(code == Some(0), "{word}: {code:?}\n{said}");
    }
    Ok(())
}

/// What its tests do now is no contradiction of ours.
fn changed() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path().canonicalize()?;
    project(&root)?;
    generated(&root, &[])?;
    let report = fs::read(root.join("tests/limit/report.json"))?;
    fs::write(root.join("src/limit.c"), SOURCE.replace("return MOST;", "return MOST - 1;"))?;
    let (code, said) = status(&root, &["replay", "tests/limit"])?;
    ensure!(code == Some(1) && !said.contains("contradict"), "{code:?}\n{said}");
    ensure!(said.contains("src/limit.c has changed: limit\n") && said.contains("covenant gen"), "{said}");
    ensure!(said.contains("expected 40 (0x28), found 39 (0x27)"), "{said}");
    ensure!(report == fs::read(root.join("tests/limit/report.json"))?, "the report stays as it is");
    let (code, said) = status(&root, &["check", "tests/limit"])?;
    ensure!(code == Some(2) && said.contains("src/limit.c has changed: limit"), "{code:?}\n{said}");
    fs::write(root.join("src/limit.c"), SOURCE.replace("int limit(int x)\n", "int limited(int x)\n"))?;
    let (code, said) = status(&root, &["replay", "tests/limit"])?;
    ensure!(code == Some(2) && said.contains("do not compile any more"), "{code:?}\n{said}");
    fs::write(root.join("src/limit.c"), SOURCE)?;
    fs::write(root.join("include/limits_of.h"), "#define MOST 30\nint limit(int x);\n")?;
    let (code, said) = status(&root, &["replay", "tests/limit"])?;
    ensure!(code == Some(1) && said.contains("include/limits_of.h has changed"), "{code:?}\n{said}");
    fs::write(root.join("include/limits_of.h"), "#define MOST 40\nint limit(int x);\n")?;
    let (code, said) = status(&root, &["replay", "tests/limit"])?;
    ensure!(code == Some(0), "all is as it was: {code:?}\n{said}");
    Ok(())
}

/// Suites of another format would be of other tests.
fn suites() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path().canonicalize()?;
    project(&root)?;
    let there = || -> Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(root.join("tests/limit/suite"))? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        Ok(names)
    };
    generated(&root, &["--suite", "c,unity", "--no-replay"])?;
    ensure!(there().context("suites")? == ["c", "unity"]);
    generated(&root, &["--suite", "check", "--no-replay"])?;
    ensure!(there()? == ["check"], "{:?}", there()?);
    Ok(())
}
