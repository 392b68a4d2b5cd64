//! Suites for boards: what `import-results` makes of their words, and the thermostat on a board that qemu plays.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;

use super::suites::build;
use super::{covenant, done, generate, process, subject, trial};

pub(crate) fn add(trials: &mut Vec<Trial>) {
    trials.push(trial("board::import".into(), &[], import));
    trials.push(trial("board::alone".into(), &[], alone));
    let tools = &["qemu-system-arm", "ld.lld-19", "cmake"];
    trials.push(trial("board::thermostat".into(), tools, thermostat));
}

/// Says what the command ends with and prints.
fn imported(home: &Path, log: &Path) -> Result<(Option<i32>, String)> {
    let mut command = covenant(home);
    command.arg("import-results").arg(log).arg("out").current_dir(home);
    let run = process::run(command, &[], super::LIMIT)?;
    Ok((run.status, String::from_utf8_lossy(&run.stdout).into_owned() + &run.stderr))
}

fn import() -> Result<()> {
    let home = tempfile::tempdir()?;
    let home = home.path();
    generate(home, &subject("split.c").canonicalize()?, "split", &["--suite", "c,embedded"])?;
    let folder = home.join("out/suite/embedded");
    let output = done(Command::new(build(&folder, "embedded", "gcc", "split")?))?;
    let (log, said) = (home.join("serial.log"), String::from_utf8_lossy(&output.stdout).into_owned());
    let expect = |text: &str, status: i32, words: &str| -> Result<()> {
        fs::write(&log, text)?;
        let (code, told) = imported(home, &log)?;
        ensure!(code == Some(status) && told.contains(words), "{code:?}, not {status} with `{words}`: {told}");
        Ok(())
    };
    let count = said.lines().filter(|line| line.contains(": pass ")).count();
    ensure!(count > 1, "it has tests: {said}");
    expect(&format!("boot\r\n{}", said.replace('\n', "\r\n")), 0, &format!("{count} of {count} tests passed"))?;
    ensure!(folder.join("results.json").is_file(), "what came back is kept");
    let failed = said.replacen("pass 1 ", "fail 1 line 7: rest: expected 0, got 1 ", 1);
    expect(&failed, 1, "failed: line 7: rest: expected 0, got 1")?;
    let cut = said.split(": pass 2").next().unwrap_or_default();
    expect(cut, 1, "nothing was heard of")?;
    expect("boot\n", 2, "says nothing of the suites")?;
    let digest = said.split(' ').nth(3).context("the suite says its digest")?;
    expect(&said.replace(digest, "0123456789abcdef"), 2, "of another suite")?;
    let (code, told) = imported(home, Path::new("absent.log"))?;
    ensure!(code == Some(2) && told.contains("absent.log"), "{code:?}: {told}");
    Ok(())
}

/// No C library is needed: not for the text, and not for linking.
fn alone() -> Result<()> {
    let home = tempfile::tempdir()?;
    let home = home.path();
    let file = home.join("scale.c");
    fs::write(
        &file,
        "struct scale { int factor; unsigned char used; };\nint measured(int channel);\n\
         int scaled(struct scale *s, int channel)\n{\n    int raw = measured(channel);\n    s->used++;\n    \
         return raw > 100 ? 100 * s->factor : raw * s->factor;\n}\n",
    )?;
    let flags = ["--pointers", "valid", "--suite", "embedded", "--", "-ffreestanding"];
    generate(home, &file, "scaled", &flags)?;
    let program = home.join("alone");
    let start = home.join("start.c");
    fs::write(
        &start,
        "void covenant_putchar(int c);\nint covenant_run(void);\nvoid covenant_putchar(int c)\n{\n    char letter = (char)c;\n    \
         long result = 1;\n    __asm__ volatile(\"syscall\" : \"+a\"(result) : \"D\"(1L), \"S\"(&letter), \"d\"(1L) : \"rcx\", \"r11\", \
         \"memory\");\n}\n\n\
         __attribute__((force_align_arg_pointer)) void _start(void);\nvoid _start(void)\n{\n    long status = covenant_run() != 0;\n    \
         __asm__ volatile(\"syscall\" : : \"a\"(60L), \"D\"(status));\n    __builtin_unreachable();\n}\n",
    )?;
    let mut command = Command::new("clang-19");
    command.args(["-O1", "-ffreestanding", "-nostdlib", "-static", "-o"]).arg(&program);
    command.arg(home.join("out/suite/embedded/test_scaled.c")).arg(&start);
    done(command)?;
    let said = done(Command::new(program))?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    ensure!(said.contains("covenant: pass 2 ") && said.contains("covenant: end "), "{said}");
    Ok(())
}

/// The example's own script, on its own code and on code that is broken.
fn thermostat() -> Result<()> {
    let home = tempfile::tempdir()?;
    let example = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/thermostat-mcu");
    let mut copy = Command::new("cp");
    copy.arg("-r").arg(example.canonicalize()?).arg(home.path().join("mcu"));
    done(copy)?;
    let root = home.path().join("mcu");
    let mut command = covenant(home.path());
    command.args(["gen", "--all", "-p", ".", "--suite", "c,embedded", "--no-replay"]).current_dir(&root);
    done(command)?;
    let run = || -> Result<process::Finished> {
        let mut command = Command::new("sh");
        command.arg("board/run.sh").current_dir(&root).env("COVENANT", env!("CARGO_BIN_EXE_covenant"));
        process::run(command, &[], super::LIMIT)
    };
    let first = run()?;
    let said = String::from_utf8_lossy(&first.stdout).into_owned() + &first.stderr;
    ensure!(first.status == Some(0) && said.matches("passed on the board").count() == 3, "{said}");
    let sensor = root.join("src/sensor.c");
    fs::write(&sensor, fs::read_to_string(&sensor)?.replace("OFFSET = 500", "OFFSET = 501"))?;
    let broken = run()?;
    let said = String::from_utf8_lossy(&broken.stdout).into_owned() + &broken.stderr;
    ensure!(broken.status == Some(1) && said.contains("tenths: expected -500, got -501"), "{said}");
    Ok(())
}
