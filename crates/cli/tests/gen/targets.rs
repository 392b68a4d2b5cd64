//! Subjects of `tests/c/targets`: functions whose verdicts depend on the machine that they are compiled for.
//!
//! ```c
//! // function: NAME                            the function to test
//! // infeasible on arm cortex-m: 7:9 true      on these machines no input has this outcome
//! // machines: cortex-m                        only for these; `project` is for what the command says, and for nothing else
//! // command: armcc -c FILE                    how another compiler is called, as `compile_commands.json` has it
//! ```
//!
//! All other branches are covered. Where this machine can build and run programs of the other one, llvm-cov agrees.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use anyhow::{Context, Result, bail, ensure};

use crate::process;
use crate::{LIMIT, objectives};

/// Names in the subjects, and the options.
const MACHINES: &[(&str, &[&str])] = &[
    ("x86_64", &["--target", "x86_64"]),
    ("i386", &["--target", "i386"]),
    ("arm", &["--target", "arm"]),
    ("aarch64", &["--target", "aarch64"]),
    ("riscv32", &["--target", "riscv32"]),
    ("riscv64", &["--target", "riscv64"]),
    (
        "cortex-m",
        &["--cflag=--target=arm-none-eabi", "--cflag=-mcpu=cortex-m4", "--cflag=-mthumb", "--cflag=-fshort-enums"],
    ),
];

/// The machine of a subject with a command.
const PROJECT: &str = "project";

pub(crate) fn check(file: &Path) -> Result<()> {
    let text = fs::read_to_string(file)?;
    let notes: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("// ")).collect();
    let function = notes.iter().find_map(|line| line.strip_prefix("function: ")).context("no function")?;
    let marks = notes.iter().filter_map(|line| line.strip_prefix("infeasible on ")).map(mark);
    let marks = marks.collect::<Result<Vec<_>>>()?;
    let only = notes.iter().find_map(|line| line.strip_prefix("machines: "));
    let is_meant = |machine: &str| only.is_none_or(|only| only.split(' ').any(|name| name == machine));
    if let Some(command) = notes.iter().find_map(|line| line.strip_prefix("command: ")) {
        let project = tempfile::tempdir()?;
        let source = file.canonicalize()?;
        let entry = serde_json::json!([{
            "directory": project.path(),
            "file": source,
            "command": command.replace("FILE", &source.display().to_string()),
        }]);
        fs::write(project.path().join("compile_commands.json"), entry.to_string())?;
        let folder = project.path().display().to_string();
        let expected = marks.iter().map(|(_, outcome)| outcome.clone()).collect();
        return holds(file, function, &["-p", &folder], &expected).context("by its command");
    }
    for (machine, options) in MACHINES.iter().filter(|(machine, _)| is_meant(machine)) {
        let of_it = marks.iter().filter(|(machines, _)| machines.iter().any(|name| name == machine));
        let expected: BTreeSet<String> = of_it.map(|(_, outcome)| outcome.clone()).collect();
        holds(file, function, options, &expected).with_context(|| format!("on {machine}"))?;
    }
    Ok(())
}

/// The machines, and `LINE:COLUMN OUTCOME`.
fn mark(text: &str) -> Result<(Vec<String>, String)> {
    let Some((machines, outcome)) = text.split_once(": ") else { bail!("expected `MACHINES: LINE:COLUMN OUTCOME`") };
    let machines: Vec<String> = machines.split(' ').map(str::to_owned).collect();
    let unknown = machines.iter().find(|name| *name != PROJECT && !MACHINES.iter().any(|(known, _)| known == name));
    ensure!(unknown.is_none(), "no machine {unknown:?}");
    Ok((machines, outcome.to_owned()))
}

fn holds(file: &Path, function: &str, options: &[&str], expected: &BTreeSet<String>) -> Result<()> {
    let home = tempfile::tempdir()?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_covenant"));
    command.arg("gen").arg(file).args(["-f", function, "--timeout", "60s", "--json", "-o", "out"]).args(options);
    command.args((!runs_32_bits()).then_some("--no-replay")).current_dir(home.path());
    let done = process::run(command, &[], LIMIT)?;
    let report = crate::report(&done)?;
    let place =
        |o: &serde_json::Value| format!("{}:{} {}", o["line"], o["column"], o["outcome"].as_str().unwrap_or("?"));
    let with = |verdict: &str| -> BTreeSet<String> {
        objectives(&report).iter().filter(|o| o["verdict"] == verdict).map(place).collect()
    };
    ensure!(with("unknown").is_empty(), "open: {:?}", with("unknown"));
    ensure!(with("infeasible") == *expected, "infeasible are {:?}, expected {expected:?}", with("infeasible"));
    ensure!(done.status == Some(0), "exit code {:?}\n{}", done.status, process::tail(&done.stderr, 10));
    Ok(())
}

/// Whether programs with 32 bits can be built and run here.
pub(crate) fn runs_32_bits() -> bool {
    static RUNS: OnceLock<bool> = OnceLock::new();
    let probe = || -> Option<bool> {
        let home = tempfile::tempdir().ok()?;
        let (source, program) = (home.path().join("probe.c"), home.path().join("probe"));
        fs::write(&source, "#include <errno.h>\n#include <stdlib.h>\nint main(void) { return 0; }\n").ok()?;
        let mut clang = Command::new("clang-19");
        clang.args(["-m32", "-fsanitize=address", "-o"]).arg(&program).arg(&source).stderr(Stdio::null());
        Some(clang.status().ok()?.success() && Command::new(&program).status().ok()?.success())
    };
    *RUNS.get_or_init(|| probe().unwrap_or(false))
}
