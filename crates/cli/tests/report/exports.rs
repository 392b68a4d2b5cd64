//! Exports, each read by a tool of its kind.

use super::{covenant, done, generate, here, process, trial};
use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn add(trials: &mut Vec<Trial>) {
    trials.push(trial("export::lcov".into(), &["lcov", "genhtml"], lcov));
    trials.push(trial("export::cobertura".into(), &["xmllint"], cobertura));
    trials.push(trial("export::junit".into(), &["xmllint"], junit));
    trials.push(trial("export::sarif".into(), &["py:jsonschema"], sarif));
    trials.push(trial("export::justification".into(), &["gcovr", "patch"], justification));
    trials.push(trial("export::to_standard_output".into(), &[], standard_output));
    trials.push(trial("export::no_directory_of_ours".into(), &[], no_directory));
}

/// A function with a branch that no input takes, in a project of its own, with the results in `out`.
fn project(home: &Path, replay: bool) -> Result<PathBuf> {
    let file = home.join("grade.c");
    fs::write(
        &file,
        "int grade(unsigned char points)\n{\n    int sum = points / 2;\n    if (sum > 200)\n        return -1;\n    \
         if (points == 77 || sum < 10)\n        return 0;\n    return sum;\n}\n",
    )?;
    generate(home, &file, "grade", if replay { &[] } else { &["--no-replay"] })?;
    Ok(file)
}

fn export(home: &Path, more: &[&str]) -> Result<()> {
    let mut command = covenant(home);
    command.args(["report", "out", "--quiet", "--format"]).args(more);
    done(command).map(|_| ())
}

fn run(home: &Path, program: &str, args: &[&str]) -> Result<String> {
    let mut command = Command::new(program);
    command.args(args).current_dir(home);
    let output = done(command)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned() + &output.stderr)
}

/// lcov counts what the report says, with and without what is infeasible.
fn lcov() -> Result<()> {
    let home = tempfile::tempdir()?;
    project(home.path(), true)?;
    export(home.path(), &["lcov"])?;
    let summary = |home: &Path| run(home, "lcov", &["--rc", "lcov_branch_coverage=1", "--summary", "out/lcov.info"]);
    let text = summary(home.path())?;
    ensure!(text.contains("(5 of 6 branches)") && text.contains("(1 of 1 function"), "{text}");
    ensure!(text.contains("(7 of 8 lines)"), "the line that no test runs: {text}");
    export(home.path(), &["lcov", "--exclude-infeasible"])?;
    let text = summary(home.path())?;
    ensure!(text.contains("(5 of 5 branches)"), "{text}");
    ensure!(text.contains("(7 of 7 lines)"), "the line that no input runs: {text}");
    let text = run(home.path(), "genhtml", &["--branch-coverage", "out/lcov.info", "-o", "html"])?;
    ensure!(text.contains("branches...: 100.0%"), "{text}");
    Ok(())
}

fn cobertura() -> Result<()> {
    let home = tempfile::tempdir()?;
    project(home.path(), false)?;
    export(home.path(), &["cobertura"])?;
    let dtd = here("cobertura.dtd").display().to_string();
    // Our own description of the format: the one that the file names is on another machine.
    run(home.path(), "xmllint", &["--nonet", "--noout", "--dtdvalid", &dtd, "out/cobertura.xml"])?;
    let rate =
        run(home.path(), "xmllint", &["--nonet", "--xpath", "string(/coverage/@branch-rate)", "out/cobertura.xml"])?;
    ensure!(rate.trim() == "0.8333", "{rate}");
    Ok(())
}

fn junit() -> Result<()> {
    let home = tempfile::tempdir()?;
    project(home.path(), false)?;
    export(home.path(), &["junit"])?;
    let schema = here("junit.xsd").display().to_string();
    run(home.path(), "xmllint", &["--nonet", "--noout", "--schema", &schema, "out/junit.xml"])?;
    let skipped = run(home.path(), "xmllint", &["--xpath", "count(//skipped)", "out/junit.xml"])?;
    ensure!(skipped.trim() == "1", "{skipped}");
    Ok(())
}

/// Held against the schema of the standard, with defects, open objectives and without any.
fn sarif() -> Result<()> {
    let Some(schema) = sarif_schema()? else {
        eprintln!("export::sarif: skipped, the package that carries the schema cannot be had here");
        return Ok(());
    };
    let home = tempfile::tempdir()?;
    project(home.path(), false)?;
    let check = |home: &Path| -> Result<Value> {
        export(home, &["sarif"])?;
        let script = "import json, sys, jsonschema\n\
             schema, document = [json.load(open(name)) for name in sys.argv[1:]]\n\
             jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker()).validate(document)\n";
        run(home, "python3", &["-c", script, &schema.display().to_string(), "out/report.sarif"])?;
        Ok(serde_json::from_slice(&fs::read(home.join("out/report.sarif"))?)?)
    };
    check(home.path())?;
    // A division by zero, and a branch that nobody has the time for.
    let file = home.path().join("share.c");
    fs::write(
        &file,
        "int share(int sum, int n)\n{\n    if (sum == 77777777)\n        return 0;\n    return sum / n;\n}\n",
    )?;
    generate(home.path(), &file, "share", &["--no-replay", "--max-iterations", "0", "-s", "random-input"])?;
    let document = check(home.path())?;
    let results = document["runs"][0]["results"].as_array().context("no results")?;
    let levels: Vec<&str> = results.iter().filter_map(|result| result["level"].as_str()).collect();
    ensure!(levels.contains(&"error") && levels.contains(&"note"), "{document}");
    Ok(())
}

/// The schema is part of a package that is a dependency of these tests on no system at all: cargo knows where it is, and
/// nothing is compiled.
fn sarif_schema() -> Result<Option<PathBuf>> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version", "1", "--locked"]).current_dir(env!("CARGO_MANIFEST_DIR"));
    let metadata = process::run(command, &[], super::LIMIT)?;
    if metadata.status != Some(0) {
        return Ok(None);
    }
    let metadata: Value = serde_json::from_slice(&metadata.stdout)?;
    let packages = metadata["packages"].as_array().context("no packages")?;
    let package = packages.iter().find(|p| p["name"] == "serde-sarif").context("serde-sarif is no dependency")?;
    let manifest = package["manifest_path"].as_str().context("no manifest")?;
    let schema = Path::new(manifest).with_file_name("src").join("schema.json");
    ensure!(schema.is_file(), "{} is not there", schema.display());
    Ok(Some(schema))
}

/// After the patch gcovr, with gcc's own counters, no longer asks for the infeasible branch.
fn justification() -> Result<()> {
    let home = tempfile::tempdir()?;
    project(home.path(), true)?;
    let build = |home: &Path| -> Result<Value> {
        let support = ["runner.c", "tools.c", "externs.c", "device.c"].map(|name| format!("out/suite/c/{name}"));
        for stray in ["suite.gcda", "suite.gcno"] {
            let _ = fs::remove_file(home.join(stray));
        }
        let subject = format!("-DCOVENANT_SUBJECT=\"{}\"", home.join("grade.c").display());
        run(home, "gcc", &["--coverage", "-O0", "-c", &subject, "out/suite/c/suite.c", "-o", "suite.o"])?;
        let mut link = vec!["--coverage", "-Wl,--wrap=main", "suite.o"];
        link.extend(support.iter().map(String::as_str));
        link.extend(["-o", "suite"]);
        run(home, "gcc", &link)?;
        run(home, "./suite", &[])?;
        let json = run(home, "gcovr", &["--json-summary", "--filter", ".*grade\\.c", "."])?;
        let start = json.find('{').context("no JSON")?;
        serde_json::from_str(&json[start..]).context(json.clone())
    };
    let before = build(home.path())?;
    ensure!(before["branch_covered"] != before["branch_total"], "nothing to exclude: {before}");
    export(home.path(), &["justification"])?;
    let patch = fs::read_to_string(home.path().join("out/justification.patch"))?;
    ensure!(patch.contains("`sum > 200 is true` cannot be"), "{patch}");
    run(home.path(), "patch", &["-p1", "-i", "out/justification.patch"])?;
    let after = build(home.path())?;
    ensure!(after["branch_covered"] == after["branch_total"], "still asked for: {after}");
    ensure!(after["line_covered"] == after["line_total"], "lines that are still asked for: {after}");
    Ok(())
}

fn standard_output() -> Result<()> {
    let home = tempfile::tempdir()?;
    project(home.path(), false)?;
    let print = |format: &str| -> Result<String> {
        let mut command = covenant(home.path());
        command.args(["report", "out", "--format", format, "-o", "-"]);
        Ok(String::from_utf8_lossy(&done(command)?.stdout).into_owned())
    };
    ensure!(print("markdown")?.contains("| branch | 6 | 5 | 1 | 0 |"), "{}", print("markdown")?);
    ensure!(print("csv")?.lines().count() == 7);
    let sarif: Value = serde_json::from_str(&print("sarif")?)?;
    // Nothing to mend: only why one branch is infeasible.
    let results = sarif["runs"][0]["results"].as_array().context("no results")?;
    ensure!(results.len() == 1 && results[0]["kind"] == "informational", "{sarif}");
    Ok(())
}

fn no_directory() -> Result<()> {
    let home = tempfile::tempdir()?;
    let mut command = covenant(home.path());
    command.args(["report", "nowhere"]);
    let done = process::run(command, &[], super::LIMIT)?;
    ensure!(done.status == Some(2) && done.stderr.contains("nowhere/report.json"), "{:?} {}", done.status, done.stderr);
    Ok(())
}
