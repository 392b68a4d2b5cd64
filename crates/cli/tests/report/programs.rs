//! Tests of whole programs, which run the program itself.

use super::{covenant, done, process, trial};
use anyhow::{Result, ensure};
use libtest_mimic::Trial;
use std::fs;
use std::path::Path;
use std::process::Command;

pub(crate) fn add(trials: &mut Vec<Trial>) {
    trials.push(trial("programs::files_that_are_left".into(), &["make"], files));
    trials.push(trial("programs::highest_byte_first".into(), &[], highest_byte_first));
}

/// Keeps the first line of its input in a file, and takes a lock away.
const KEEP: &str = "#include <stdio.h>\n\
    int main(void)\n{\n    int c;\n    FILE *kept = fopen(\"kept\", \"w\"), *lock = fopen(\"lock\", \"r\");\n    \
    if (kept == NULL)\n        return 2;\n    \
    if (lock != NULL) {\n        fclose(lock);\n        remove(\"lock\");\n        fputs(\"was locked\\n\", kept);\n    }\n    \
    while ((c = getchar()) != EOF && c != '\\n')\n        fputc(c, kept);\n    \
    return 0;\n}\n";

/// What a program writes to files and removes is expected of it, by the suite in C and by the script.
fn files() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path();
    fs::write(root.join("keep.c"), KEEP)?;
    let mut command = covenant(root);
    command.args(["gen", "keep.c", "--stdin", "3", "--suite", "c,sh", "-o", "out", "--timeout", "60s", "--quiet"]);
    let generated = process::run(command, &[], super::LIMIT)?;
    ensure!(generated.status == Some(1) || generated.status == Some(0), "{:?} {}", generated.status, generated.stderr);
    let script = |program: &str| -> Result<String> {
        let mut command = Command::new("clang-19");
        command.args(["-w", "-o", "program", program]).current_dir(root);
        done(command)?;
        let mut command = Command::new("sh");
        command.args(["out/suite/sh/run.sh", "./program"]).current_dir(root);
        Ok(String::from_utf8_lossy(&process::run(command, &[], super::LIMIT)?.stdout).into_owned())
    };
    let said = script("keep.c")?;
    ensure!(said.contains("ok 1 - ") && !said.contains("not ok"), "{said}");
    for (old, new, word) in [
        ("fputc(c, kept)", "fputc(c ^ 1, kept)", "file=kept"),
        ("remove(\"lock\")", "(void)lock", "file=lock(expected:none)"),
        ("was locked", "was lacked", "file=kept"),
    ] {
        fs::write(root.join("broken.c"), KEEP.replace(old, new))?;
        let said = script("broken.c")?;
        ensure!(said.contains(word), "`{new}` goes unnoticed:\n{said}");
    }
    fs::write(root.join("keep.c"), KEEP.replace("fputc(c, kept)", "fputc(c ^ 1, kept)"))?;
    let said = suite(&root.join("out/suite/c"))?;
    ensure!(said.contains("file kept: expected \""), "{said}");
    fs::write(root.join("keep.c"), KEEP.replace("remove(\"lock\")", "(void)lock"))?;
    let said = suite(&root.join("out/suite/c"))?;
    ensure!(said.contains("file lock: expected none, found \""), "{said}");
    Ok(())
}

/// Numbers, bit-fields, addresses and variadic arguments of a machine whose highest byte comes first.
const ORDER: &str = "int printf(const char *, ...);\n\
    struct parts { unsigned a : 4, b : 12, c : 16; };\nstatic unsigned long long wide = 0x0102030405060708;\nstatic int seven = 7, *where = &seven;\n\
    int main(int argc, char **argv)\n{\n    union { unsigned number; unsigned char bytes[4]; struct parts parts; } u = {0x12345678};\n    \
    double half = 0.5;\n    printf(\"%d %x %x %x\\n\", u.bytes[0], u.parts.a, u.parts.b, u.parts.c);\n    \
    printf(\"%d %d %d\\n\", *(unsigned char *)&wide, *where, *(unsigned char *)&half);\n    \
    printf(\"%d %s %lld %.1f\\n\", argc, argv[argc - 1], wide, half);\n    return 3;\n}\n";

/// Programs for such a machine run, and nothing is said of their functions.
fn highest_byte_first() -> Result<()> {
    let home = tempfile::tempdir()?;
    fs::write(home.path().join("order.c"), ORDER)?;
    let mut command = covenant(home.path());
    command.args(["run", "order.c", "--target", "mips", "--", "last"]);
    let done = process::run(command, &[], super::LIMIT)?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    ensure!(done.status == Some(3), "{:?} {said}{}", done.status, done.stderr);
    ensure!(said == "18 1 234 5678\n1 7 63\n2 last 72623859790382856 0.5\n", "{said}");
    let mut command = covenant(home.path());
    command.args(["gen", "order.c", "--target", "mips"]);
    let done = process::run(command, &[], super::LIMIT)?;
    ensure!(done.status == Some(2) && done.stderr.contains("big-endian"), "{:?} {}", done.status, done.stderr);
    Ok(())
}

/// What the suite in C says, built anew.
pub(crate) fn suite(folder: &Path) -> Result<String> {
    let mut command = Command::new("make");
    command.args(["-s", "-B", "check"]).current_dir(folder);
    let finished = process::run(command, &[], super::LIMIT)?;
    Ok(String::from_utf8_lossy(&finished.stdout).into_owned() + &finished.stderr)
}
