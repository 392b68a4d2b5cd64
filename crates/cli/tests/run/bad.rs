//! Unusable input: a clear message and the documented exit code, never a panic.

use crate::covenant;
use crate::process::{self, Finished};
use crate::run::failed;
use anyhow::{Context, Result, bail};
use libtest_mimic::Trial;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

/// One row of the table. Files of `tests/c/bad` are copied into an empty directory, `prepare` adds what cannot be
/// kept in a repository, then `covenant ARGS` runs there.
struct Bad {
    name: &'static str,
    args: &'static [&'static str],
    status: i32,
    /// Each must occur on stderr, or on stdout where the program is to run.
    needles: &'static [&'static str],
    prepare: fn(&Path) -> Result<()>,
}

const fn bad(
    name: &'static str,
    args: &'static [&'static str],
    status: i32,
    needles: &'static [&'static str],
    prepare: fn(&Path) -> Result<()>,
) -> Bad {
    Bad { name, args, status, needles, prepare }
}

fn nothing(_: &Path) -> Result<()> {
    Ok(())
}

fn pipe(dir: &Path) -> Result<()> {
    let made = Command::new("mkfifo").arg(dir.join("pipe.c")).status()?;
    if made.success() { Ok(()) } else { bail!("mkfifo") }
}

fn quoted(dir: &Path) -> Result<()> {
    fs::write(dir.join("a\"b.c"), "int main(void) { return 0; }\n")?;
    Ok(fs::write(dir.join("a\nb.c"), "int main(void) { return 0; }\n")?)
}

/// clang takes a name that begins with @ for a file of arguments.
fn at_sign(dir: &Path) -> Result<()> {
    Ok(fs::write(dir.join("@main.c"), "int puts(const char *); int main(void) { puts(\"all is well\"); return 0; }\n")?)
}

/// A project whose flags would load code into the compiler, and have it write a file.
fn plugin(dir: &Path) -> Result<()> {
    fs::write(dir.join("p.c"), "int f(int x) { return x > 3 ? 1 : 2; }\n")?;
    let arguments = r#"["cc", "-fplugin=./evil.so", "-Xclang", "-load", "-Xclang", "./evil.so", "-ftime-trace=trace", "-c", "p.c"]"#;
    Ok(fs::write(
        dir.join("compile_commands.json"),
        format!(r#"[{{"directory": ".", "file": "p.c", "arguments": {arguments}}}]"#),
    )?)
}

/// Flags from a file go through the same sieve, and those that say what the program means arrive.
fn response(dir: &Path) -> Result<()> {
    fs::write(dir.join("p.c"), "int f(int x) { return x > LIMIT ? 1 : 2; }\n")?;
    fs::write(dir.join("flags"), "-DLIMIT=3 -fplugin=./evil.so")?;
    let entry = r#"[{"directory": ".", "file": "p.c", "arguments": ["cc", "@flags", "-c", "p.c"]}]"#;
    Ok(fs::write(dir.join("compile_commands.json"), entry)?)
}

#[rustfmt::skip]
const TABLE: &[Bad] = &[
    // Nothing to run.
    bad("no_command", &[], 2, &["Usage", "run"], nothing),
    bad("no_file", &["run"], 2, &["Usage"], nothing),
    bad("missing_file", &["run", "nope.c"], 2, &["nope.c", "o such file"], nothing),
    bad("one_of_two_missing", &["run", "main_a.c", "nope.c"], 2, &["nope.c"], nothing),
    bad("empty_name", &["run", ""], 2, &["error"], nothing),
    bad("directory", &["run", "folder.c"], 2, &["folder.c", "directory"], folder),
    bad("symlink_loop", &["run", "loop.c"], 2, &["loop.c"], symlink_loop),
    bad("empty_file", &["run", "empty.c"], 2, &["main"], nothing),
    bad("no_main", &["run", "no_main.c"], 2, &["main"], nothing),
    bad("main_is_data", &["run", "main_is_data.c"], 2, &["main"], nothing),
    bad("main_is_static", &["run", "main_static.c"], 2, &["main"], nothing),
    // Sources that want more than to be compiled.
    bad("endless_include", &["run", "endless_include.c"], 0, &[], nothing),
    bad("incbin", &["run", "incbin.c"], 2, &["incbin.c", ".incbin"], nothing),
    bad("incbin_in_a_function", &["run", "incbin_inside.c"], 2, &["incbin_inside.c", ".incbin"], nothing),
    bad("macros_explode", &["run", "explode.c"], 2, &["explode.c"], nothing),
    bad("a_pipe", &["run", "pipe.c"], 2, &["pipe.c", "device or a pipe"], pipe),
    bad("a_quote_in_the_name", &["run", "a\"b.c"], 2, &["quote"], quoted),
    bad("a_newline_in_the_name", &["run", "a\nb.c"], 2, &["control character"], quoted),
    bad("at_sign", &["run", "@main.c"], 0, &["all is well"], at_sign),
    bad("plugin_in_the_project", &["gen", "p.c", "-f", "f", "-p", "."], 0, &["covered"], plugin),
    bad("arguments_in_a_file", &["gen", "p.c", "-f", "f", "-p", "."], 0, &["covered"], response),
    // What clang rejects is shown as clang said it.
    bad("syntax_error", &["run", "syntax_error.c"], 2, &["syntax_error.c:3:13: error: expected expression"], nothing),
    bad("missing_include", &["run", "missing_include.c"], 2, &["'no_such_header.h' file not found"], nothing),
    bad("includes_itself", &["run", "includes_itself.c"], 2, &["#include nested too deeply"], nothing),
    bad("error_directive", &["run", "error_directive.c"], 2, &["this configuration is not supported"], nothing),
    bad("missing_define", &["run", "uses_define.c"], 2, &["undeclared identifier 'STATUS'"], nothing),
    bad("unknown_cflag", &["run", "--cflag=-fno-such-flag", "main_a.c"], 2, &["-fno-such-flag"], nothing),
    bad("garbage_bytes", &["run", "garbage.c"], 2, &["garbage.c", "error:"], garbage),
    bad("zero_bytes", &["run", "zeros.c"], 2, &["main"], zeros),
    bad("object_file", &["run", "program.o"], 2, &["program.o"], object),
    bad("executable", &["run", "program"], 2, &["program"], executable),
    bad("executable_named_c", &["run", "program.c"], 2, &["program.c", "error:"], executable_named_c),
    // Linking.
    bad("duplicate_function", &["run", "duplicate_a.c", "duplicate_b.c"], 2, &["twice"], nothing),
    bad("duplicate_main", &["run", "main_a.c", "main_b.c"], 2, &["main"], nothing),
    bad("same_file_twice", &["run", "main_a.c", "main_a.c"], 2, &["main"], nothing),
    bad("undefined_called", &["run", "undefined_called.c"], 2,
        &["undefined_called.c:8:", "elsewhere", "[undefined-function]"], nothing),
    // Compilation databases.
    bad("no_database", &["run", "-p", ".", "main_a.c"], 2, &["compile_commands.json"], nothing),
    bad("database_directory_missing", &["run", "-p", "nowhere", "main_a.c"], 2, &["nowhere"], nothing),
    bad("malformed_database", &["run", "-p", ".", "main_a.c"], 2, &["compile_commands.json"], malformed_database),
    bad("wrong_shape_of_database", &["run", "-p", ".", "main_a.c"], 2, &["compile_commands.json"], wrong_database),
    bad("not_in_database", &["run", "-p", ".", "main_a.c"], 2, &["main_a.c", "compile_commands.json"], other_database),
    // Options.
    bad("unknown_option", &["run", "--bogus", "main_a.c"], 2, &["--bogus"], nothing),
    bad("unknown_check", &["run", "--check", "bogus", "main_a.c"], 2, &["bogus"], nothing),
    bad("bad_memory", &["run", "--memory", "lots", "main_a.c"], 2, &["--memory", "lots"], nothing),
    bad("bad_steps", &["run", "--max-steps", "-5", "main_a.c"], 2, &["-5"], nothing),
    bad("bad_timeout", &["run", "--timeout", "soon", "main_a.c"], 2, &["--timeout", "soon"], nothing),
    bad("unknown_command", &["walk", "main_a.c"], 2, &["walk"], nothing),
    // Assumptions.
    bad("nothing_is_left", &["gen", "no_main.c", "-f", "helper", "--assume", "n > 3", "--assume", "n < 2"], 2,
        &["no input satisfies", "n > 3", "n < 2"], nothing),
    bad("false_is_assumed", &["gen", "no_main.c", "-f", "helper", "--assume", "0", "-s", "dfs"], 2,
        &["no input satisfies"], nothing),
    bad("assignment_is_assumed", &["gen", "no_main.c", "-f", "helper", "--assume", "n = 3"], 2,
        &["--assume", "side effects", "n = 3"], nothing),
    bad("step_is_assumed", &["gen", "no_main.c", "-f", "helper", "--assume", "n++"], 2, &["side effects"], nothing),
    bad("main_is_assumed", &["gen", "main_a.c", "--assume", "1 > 0"], 2, &["1 > 0", "no inputs"], nothing),
    // Programs beyond all limits.
    bad("huge_global", &["run", "--memory", "100000000", "huge_global.c"], 137, &["[memory-limit]"], nothing),
    bad("huge_local", &["run", "huge_local.c"], 139, &["huge_local.c:", "[stack-overflow]"], nothing),
    bad("endless_loop", &["run", "--timeout", "1s", "endless_loop.c"], 124, &["endless_loop.c:", "time"], nothing),
    bad("endless_recursion", &["run", "endless_recursion.c"], 139,
        &["endless_recursion.c:3:", "[stack-overflow]"], nothing),
    // Odd, but fine natively.
    bad("latin1_strings", &["run", "latin1.c"], 3, &["caf"], nothing),
    bad("crlf_lines", &["run", "crlf.c"], 4, &["lines end in CR LF"], nothing),
    bad("byte_order_mark", &["run", "bom.c"], 5, &["byte order mark"], nothing),
    bad("main_with_argc_only", &["run", "main_argc_only.c", "--", "a", "b"], 3, &[], nothing),
    bad("define_given", &["run", "-D", "STATUS=6", "uses_define.c"], 6, &[], nothing),
];

pub(crate) fn trials(directory: &Path) -> Vec<Trial> {
    let mut trials: Vec<_> = TABLE
        .iter()
        .map(|row| {
            let directory = directory.to_owned();
            Trial::test(format!("bad::{}", row.name), move || check(row, &directory).map_err(failed))
        })
        .collect();
    let from = directory.to_owned();
    trials.push(Trial::test("bad::closed_output", move || closed_output(&from).map_err(failed)));
    let row = &UNREADABLE;
    let from = directory.to_owned();
    let unreadable = Trial::test("bad::unreadable_file", move || check(row, &from).map_err(failed));
    trials.push(unreadable.with_ignored_flag(reads_everything()));
    trials
}

const UNREADABLE: Bad = bad("unreadable_file", &["run", "secret.c"], 2, &["secret.c", "ermission denied"], secret);

fn check(row: &Bad, directory: &Path) -> Result<()> {
    let home = copied(directory)?;
    (row.prepare)(home.path())?;
    let mut command = Command::new(covenant::BINARY);
    command.args(row.args).current_dir(home.path());
    let done = process::run(command, &[], LIMIT)?;
    let text = format!("{}{}", done.stderr, String::from_utf8_lossy(&done.stdout));
    if covenant::panicked(&done) {
        bail!("covenant panicked\n{}", process::tail(&text, 10));
    }
    let missing: Vec<_> = row.needles.iter().filter(|needle| !text.contains(**needle)).collect();
    if done.status != Some(row.status) || !missing.is_empty() {
        bail!("{}", complaint(row, &done, &missing, &text));
    }
    Ok(())
}

fn complaint(row: &Bad, done: &Finished, missing: &[&&str], text: &str) -> String {
    let status = done.status.map_or("time-out".to_owned(), |status| status.to_string());
    let wanted = row.status;
    format!("status {status}, documented is {wanted}; not in the output: {missing:?}\n{}", process::tail(text, 10))
}

/// A reader that goes away after one line ends the program as SIGPIPE does natively: quietly, with 141.
fn closed_output(directory: &Path) -> Result<()> {
    let home = copied(directory)?;
    let mut command = Command::new(covenant::BINARY);
    command.args(["run", "--timeout", "30s", "endless_output.c"]).current_dir(home.path());
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut first = String::new();
    BufReader::new(child.stdout.take().context("no stdout")?).read_line(&mut first)?;
    let done = child.wait_with_output()?;
    let status = done.status.code().or(done.status.signal().map(|signal| 128 + signal));
    let stderr = String::from_utf8_lossy(&done.stderr);
    if status != Some(141) || !first.starts_with("more and more") || stderr.contains("panicked") {
        bail!("status {status:?} after the first line {first:?}\n{}", process::tail(&stderr, 10));
    }
    Ok(())
}

fn copied(directory: &Path) -> Result<tempfile::TempDir> {
    let home = tempfile::tempdir()?;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        fs::copy(entry.path(), home.path().join(entry.file_name()))?;
    }
    Ok(home)
}

/// Whether permissions do not stop us (as root): then no file is unreadable.
fn reads_everything() -> bool {
    let Ok(home) = tempfile::tempdir() else { return true };
    secret(home.path()).is_err() || fs::read(home.path().join("secret.c")).is_ok()
}

fn secret(home: &Path) -> Result<()> {
    let file = home.join("secret.c");
    fs::write(&file, "int main(void) { return 0; }\n")?;
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000))?;
    Ok(())
}

fn folder(home: &Path) -> Result<()> {
    Ok(fs::create_dir(home.join("folder.c"))?)
}

fn symlink_loop(home: &Path) -> Result<()> {
    Ok(symlink("loop.c", home.join("loop.c"))?)
}

fn garbage(home: &Path) -> Result<()> {
    let mut state = 12345u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let bytes: Vec<u8> = (0..2000).map(|_| next()).collect();
    Ok(fs::write(home.join("garbage.c"), bytes)?)
}

fn zeros(home: &Path) -> Result<()> {
    Ok(fs::write(home.join("zeros.c"), [0u8; 100])?)
}

fn object(home: &Path) -> Result<()> {
    clang(home, &["-c", "main_a.c", "-o", "program.o"])
}

fn executable(home: &Path) -> Result<()> {
    clang(home, &["main_a.c", "-o", "program"])
}

fn executable_named_c(home: &Path) -> Result<()> {
    clang(home, &["main_a.c", "-o", "program.c"])
}

fn clang(home: &Path, args: &[&str]) -> Result<()> {
    let mut command = Command::new("clang-19");
    command.args(args).current_dir(home);
    let done = process::run(command, &[], LIMIT)?;
    if done.status != Some(0) {
        bail!("clang-19 failed: {}", done.stderr);
    }
    Ok(())
}

fn malformed_database(home: &Path) -> Result<()> {
    Ok(fs::write(home.join("compile_commands.json"), "[{\"directory\": \".\", \"file\": ")?)
}

fn wrong_database(home: &Path) -> Result<()> {
    Ok(fs::write(home.join("compile_commands.json"), "{\"main_a.c\": [\"-O2\"]}\n")?)
}

fn other_database(home: &Path) -> Result<()> {
    let text = "[{\"directory\": \".\", \"file\": \"main_b.c\", \"arguments\": [\"cc\", \"-c\", \"main_b.c\"]}]\n";
    Ok(fs::write(home.join("compile_commands.json"), text)?)
}
