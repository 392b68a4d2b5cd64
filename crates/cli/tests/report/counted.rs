//! `--existing-coverage`: what a hand-written suite covers is not searched for.

use super::{covenant, done, process, subject, trial};
use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use std::fs;
use std::path::Path;
use std::process::Command;

pub(crate) fn add(trials: &mut Vec<Trial>) {
    trials.push(trial("counted::profile".into(), &["llvm-profdata-19"], profile));
    trials.push(trial("counted::tracefile".into(), &["llvm-cov-19", "llvm-profdata-19"], tracefile));
    trials.push(trial("counted::gcc".into(), &["gcc", "lcov"], gcc));
}

/// A suite of three calls.
const BY_HAND: &str = "#include \"month_days.c\"\nint main(void)\n{\n    \
     return month_days(1, 2) == 28 && month_days(1, 0) == -1 && month_days(1, 1) == 31 && month_days(1, 13) == -1 ? 0 : 1;\n}\n";

/// Runs it, and leaves `suite` and `suite.profdata`.
fn by_hand(home: &Path) -> Result<()> {
    fs::copy(subject("month_days.c"), home.join("month_days.c"))?;
    fs::write(home.join("by_hand.c"), BY_HAND)?;
    let mut clang = Command::new("clang-19");
    clang.args(["-fprofile-instr-generate", "-fcoverage-mapping", "-O2", "by_hand.c", "-o", "suite"]).current_dir(home);
    done(clang)?;
    let mut suite = Command::new("./suite");
    suite.current_dir(home).env("LLVM_PROFILE_FILE", "suite.profraw");
    done(suite)?;
    let mut merge = Command::new("llvm-profdata-19");
    merge.args(["merge", "suite.profraw", "-o", "suite.profdata"]).current_dir(home);
    done(merge)?;
    Ok(())
}

/// The report of a run that starts from such a file, and its exit code.
fn generated(home: &Path, words: &[&str]) -> Result<(serde_json::Value, Option<i32>, String)> {
    let mut command = covenant(home);
    command.args(["gen", "month_days.c", "-f", "month_days", "-o", "out", "--suite", "c,cmocka"]).args(words);
    let run = process::run(command, &[], super::LIMIT)?;
    let said = String::from_utf8_lossy(&run.stdout).into_owned() + &run.stderr;
    let text = fs::read_to_string(home.join("out/report.json")).unwrap_or_else(|_| "null".to_owned());
    Ok((serde_json::from_str(&text)?, run.status, said))
}

/// The branches that the file is said to cover, as `LINE:OUTCOME`; none of them has a test of its own.
fn existing(report: &serde_json::Value, file: &str) -> Result<Vec<String>> {
    let all = report["objectives"].as_array().context("there are objectives")?;
    let told = all.iter().filter(|o| o["existing"] == file);
    Ok(told.map(|o| format!("{}:{}", o["line"], o["outcome"].as_str().unwrap_or_default())).collect())
}

fn profile() -> Result<()> {
    let home = tempfile::tempdir()?;
    by_hand(home.path())?;
    let (_, code, said) = generated(home.path(), &["--existing-coverage", "suite.profdata"])?;
    ensure!(code == Some(2) && said.contains("--existing-program"), "a profile alone is not enough: {said}");
    let (report, code, said) =
        generated(home.path(), &["--existing-coverage", "suite.profdata", "--existing-program", "suite"])?;
    ensure!(code == Some(0), "{code:?}\n{said}");
    let told = existing(&report, "suite.profdata")?;
    // Both outcomes of both conditions of line 8 and of line 10, and what January takes of line 12; not the leap years.
    for one in ["8:true", "8:false", "10:true", "10:false", "11:false", "12:false"] {
        ensure!(told.iter().any(|known| known == one), "{one} is not in {told:?}");
    }
    ensure!(!told.iter().any(|known| known == "12:true" || known == "11:true"), "{told:?}");
    let fewer = report["tests"].as_array().map_or(0, Vec::len);
    ensure!(said.contains(&format!("{} of them covered by the suite that is there", told.len())), "{said}");
    ensure!(report["totals"]["branch"]["covered"] == 20, "{}", report["totals"]);
    fs::remove_dir_all(home.path().join("out"))?;
    let (report, ..) = generated(home.path(), &[])?;
    let all = report["tests"].as_array().map_or(0, Vec::len);
    ensure!(fewer < all, "{fewer} tests beside the suite that is there, {all} without it");
    Ok(())
}

fn tracefile() -> Result<()> {
    let home = tempfile::tempdir()?;
    by_hand(home.path())?;
    let mut export = Command::new("llvm-cov-19");
    export.args(["export", "-format=lcov", "suite", "-instr-profile", "suite.profdata"]).current_dir(home.path());
    fs::write(home.path().join("coverage.info"), done(export)?.stdout)?;
    let (report, code, said) = generated(home.path(), &["--existing-coverage", "coverage.info"])?;
    ensure!(code == Some(0), "{code:?}\n{said}");
    let told = existing(&report, "coverage.info")?;
    // Only lines all of whose branches were taken.
    ensure!(told == ["8:true", "8:false", "8:true", "8:false", "10:true", "10:false"], "{told:?}");
    Ok(())
}

fn gcc() -> Result<()> {
    let home = tempfile::tempdir()?;
    fs::copy(subject("month_days.c"), home.path().join("month_days.c"))?;
    fs::write(home.path().join("by_hand.c"), BY_HAND)?;
    let in_home = |program: &str, words: &[&str]| -> Result<()> {
        let mut command = Command::new(program);
        command.args(words).current_dir(home.path());
        done(command).map(|_| ())
    };
    in_home("gcc", &["--coverage", "-O0", "by_hand.c", "-o", "suite"])?;
    in_home("./suite", &[])?;
    let words = ["--rc", "lcov_branch_coverage=1", "-q", "-c", "-d", ".", "-o", "coverage.info"];
    in_home("lcov", &words)?;
    let (report, code, said) = generated(home.path(), &["--existing-coverage", "coverage.info"])?;
    ensure!(code == Some(0), "{code:?}\n{said}");
    let told = existing(&report, "coverage.info")?;
    ensure!(told == ["8:true", "8:false", "8:true", "8:false", "10:true", "10:false"], "{told:?}");
    Ok(())
}
