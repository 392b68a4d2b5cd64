//! People's own expectations: `FUNCTION.cases.toml`, and `--expect`.

use super::{covenant, done, process, subject, trial};
use anyhow::{Result, ensure};
use libtest_mimic::Trial;
use std::fs;
use std::path::Path;
use std::process::Command;

pub(crate) fn add(trials: &mut Vec<Trial>) {
    trials.push(trial("expectations::cases".into(), &["lib:cmocka"], cases));
    trials.push(trial("expectations::named".into(), &[], named));
    trials.push(trial("expectations::texts".into(), &[], texts));
    trials.push(trial("expectations::mistakes".into(), &[], mistakes));
    trials.push(trial("expectations::oracle".into(), &[], oracle));
}

/// What `covenant gen` says, and its exit code.
fn generated(home: &Path, words: &[&str]) -> Result<(Option<i32>, String)> {
    let mut command = covenant(home);
    command.args(["gen", "--quiet"]).args(words);
    let run = process::run(command, &[], super::LIMIT)?;
    Ok((run.status, String::from_utf8_lossy(&run.stdout).into_owned() + &run.stderr))
}

/// A case more, and where the code differs from it.
fn cases() -> Result<()> {
    let home = tempfile::tempdir()?;
    fs::copy(subject("month_days.c"), home.path().join("month_days.c"))?;
    let file = home.path().join("tests/month_days.cases.toml");
    fs::create_dir_all(home.path().join("tests"))?;
    let wrong = "[[case]]\nname = \"leap_century\"\ninputs = { year = 2000, month = 2 }\nexpected = 30\n";
    fs::write(&file, wrong)?;
    let words = ["month_days.c", "-f", "month_days", "-o", "tests/month_days", "--suite", "c,cmocka"];
    for _ in 0..2 {
        let (code, said) = generated(home.path(), &words)?;
        ensure!(code == Some(1), "the code differs from what people expect: {code:?}\n{said}");
        let told = "month_days.cases.toml: leap_century: the returned value: expected 30 (0x1e), found 29 (0x1d)";
        ensure!(said.contains(told), "{said}");
        ensure!(fs::read_to_string(&file)? == wrong, "the file is people's own");
    }
    let folder = home.path().join("tests/month_days/suite/cmocka");
    let program = folder.join("suite");
    let mut gcc = Command::new("gcc");
    gcc.arg(folder.join("test_month_days.c")).args(["-lcmocka", "-lm", "-o"]).arg(&program);
    done(gcc)?;
    let run = process::run(Command::new(&program), &[], super::LIMIT)?;
    let said = String::from_utf8_lossy(&run.stdout).into_owned() + &run.stderr;
    ensure!(run.status == Some(1) && said.contains("leap_century: result: expected 30, got 29"), "{said}");
    fs::write(&file, wrong.replace("30", "29"))?;
    let (code, said) = generated(home.path(), &words)?;
    ensure!(code == Some(0), "the code does what people expect: {code:?}\n{said}");
    ensure!(home.path().join("tests/month_days/tests/leap_century.json").is_file(), "the case is a test");
    Ok(())
}

/// A test of the suite that people expect something else of.
fn named() -> Result<()> {
    let home = tempfile::tempdir()?;
    fs::copy(subject("split.c"), home.path().join("split.c"))?;
    let words = ["split.c", "-f", "split", "-o", "out"];
    generated(home.path(), &words)?;
    let test = fs::read_to_string(home.path().join("out/tests/test_001.json"))?;
    let text: serde_json::Value = serde_json::from_str(&test)?;
    let path = text["observed"]["written"][0]["path"].as_str().unwrap_or_default().to_owned();
    let path = path.trim_start_matches("(*").replace(')', "");
    let case = format!("[[case]]\nname = \"test_001\"\nexpected = {{ {path:?} = 77 }}\n");
    fs::write(home.path().join("out/split.cases.toml"), case)?;
    for _ in 0..2 {
        let (code, said) = generated(home.path(), &words)?;
        ensure!(code == Some(1) && said.contains("test_001: ") && said.contains("expected 77"), "{code:?}\n{said}");
    }
    Ok(())
}

/// Texts are inputs, too.
fn texts() -> Result<()> {
    let home = tempfile::tempdir()?;
    let code = "int vowels(const char *text, int limit);\nint vowels(const char *text, int limit)\n{\n    int count = 0;\n    \
         for (; *text != 0 && count < limit; text++)\n        if (*text == 'a' || *text == 'e')\n            count++;\n    \
         return count;\n}\n";
    fs::write(home.path().join("vowels.c"), code)?;
    let case = "[[case]]\nname = \"banana\"\ninputs = { text = \"banana\", limit = 10 }\nexpected = 3\n";
    fs::write(home.path().join("out.cases.toml"), case)?;
    let words = ["vowels.c", "-f", "vowels", "-o", "out", "--pointers", "valid", "--suite", "c,cmocka"];
    let (code, said) = generated(home.path(), &words)?;
    ensure!(code == Some(0), "{code:?}\n{said}");
    fs::write(home.path().join("out.cases.toml"), case.replace("= 3", "= 2"))?;
    let (code, said) = generated(home.path(), &words)?;
    ensure!(code == Some(1) && said.contains("banana: the returned value: expected 2 (0x2), found 3 (0x3)"), "{said}");
    Ok(())
}

fn mistakes() -> Result<()> {
    let home = tempfile::tempdir()?;
    fs::copy(subject("month_days.c"), home.path().join("month_days.c"))?;
    let words = ["month_days.c", "-f", "month_days", "-o", "out"];
    let wrong = [
        ("name = \"a\"\ninputs = { day = 1 }\nexpected = 1", "`month_days` has no parameter `day`"),
        ("name = \"a\"\ninputs = { month = -1 }\nexpected = 1", "-1 does not fit `unsigned int month`"),
        ("name = \"a\"\ninputs = { year = 1 }", "case `a` has no `expected`"),
        ("name = \"a b\"\ninputs = { year = 1 }\nexpected = 1", "`a b` is no name for a test"),
        ("name = \"a\"\ninput = { year = 1 }\nexpected = 1", "`input` is not known here"),
        ("name = \"nobody\"\nexpected = 1", "a case without inputs names a test that is there"),
    ];
    for (case, told) in wrong {
        fs::write(home.path().join("out.cases.toml"), format!("[[case]]\n{case}\n"))?;
        let (code, said) = generated(home.path(), &words)?;
        ensure!(code == Some(2) && said.contains(told), "{code:?}, `{told}` is not in:\n{said}");
    }
    Ok(())
}

/// Another function says what is right.
fn oracle() -> Result<()> {
    let home = tempfile::tempdir()?;
    let source = fs::read_to_string(subject("month_days.c"))?;
    fs::write(home.path().join("month_days.c"), &source)?;
    let other = "int reference(int year, unsigned month);\nint reference(int year, unsigned month)\n{\n    \
         static const int days[] = { -1, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };\n    \
         int leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);\n    \
         return month > 12 ? -1 : days[month] + (month == 2 && leap);\n}\n";
    fs::write(home.path().join("reference.c"), other)?;
    let words = ["month_days.c", "reference.c", "-f", "month_days", "-o", "out", "--expect", "reference"];
    let (code, said) = generated(home.path(), &words)?;
    ensure!(code == Some(0), "both agree: {code:?}\n{said}");
    fs::write(home.path().join("month_days.c"), source.replace("month == 9", "month == 8"))?;
    let (code, said) = generated(home.path(), &words)?;
    ensure!(code == Some(1), "they differ: {code:?}\n{said}");
    let report: serde_json::Value = serde_json::from_str(&fs::read_to_string(home.path().join("out/report.json"))?)?;
    let defects = report["defects"].as_array().cloned().unwrap_or_default();
    let told = "month_days returns 30 (0x1e), but reference returns 31 (0x1f)";
    let found = defects.iter().any(|d| d["kind"] == "unexpected-result" && d["message"] == told);
    ensure!(found, "{defects:?}");
    Ok(())
}
