//! The truth by brute force: every input, natively, and what llvm-cov saw.
//!
//! An input that divides by zero ends by a signal, and llvm-cov computes some counts by subtraction, which then says
//! too much. So there are two passes: all inputs (nothing beyond it can happen), and only those that return (all of it
//! really happens). Without such inputs both are the same and exact.
//!
//! An input on which a loop has too many turns is given up. What it would have done is not known, so then nothing is
//! known to be impossible.

use super::generate::Subject;
use crate::process;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);
/// Turns of unbounded loops: of one input, and of all together.
const TURNS: u32 = 2000;
const ALL_TURNS: u32 = 50_000_000;

/// Line and column of a condition or label to whether it was ever true (or its label taken), and ever false.
pub(crate) type Branches = BTreeMap<(u64, u64), (bool, bool)>;

pub(crate) struct Truth {
    /// What inputs that return do.
    pub(crate) certain: Branches,
    /// What no input that ended goes beyond.
    pub(crate) possible: Branches,
    /// Whether every input ended.
    pub(crate) ended: bool,
}

/// Builds and runs the harness in `dir`, beside `subject.c`.
pub(crate) fn brute_force(dir: &Path, subject: &Subject) -> Result<Truth> {
    fs::write(dir.join("harness.c"), harness(subject))?;
    let flags = ["-O0", "-w", "-fprofile-instr-generate", "-fcoverage-mapping", "harness.c", "-o", "harness"];
    tool(Command::new("clang-19").args(flags), dir)?;
    let said = tool(&mut Command::new(dir.join("harness")), dir)?;
    let ended = match said.trim_ascii() {
        b"ended" => true,
        b"given up" => false,
        other => anyhow::bail!("the harness says {}", String::from_utf8_lossy(other)),
    };
    Ok(Truth { certain: branches(dir, "certain")?, possible: branches(dir, "possible")?, ended })
}

fn harness(subject: &Subject) -> String {
    let Subject { call, inputs, .. } = subject;
    format!(
        r#"static void tick(void);
#define TICK tick();
#include "subject.c"
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
void __llvm_profile_set_filename(const char *);
int __llvm_profile_write_file(void);
void __llvm_profile_reset_counters(void);
enum {{ RETURNED, TRAPPED, GIVEN_UP }};
static sigjmp_buf home;
static unsigned turns, all_turns;
static char how[{inputs}];
static void caught(int signal) {{ siglongjmp(home, TRAPPED); }}
static void tick(void)
{{
  all_turns++;
  if (++turns > {TURNS})
    siglongjmp(home, GIVEN_UP);
}}
static void one(unsigned n) {{ turns = 0; {call} }}
int main(void)
{{
  signal(SIGFPE, caught);
  for (volatile unsigned n = 0; n < {inputs}; n++) {{
    if (all_turns > {ALL_TURNS}) {{
      how[n] = GIVEN_UP;
      continue;
    }}
    switch (sigsetjmp(home, 1)) {{
    case RETURNED: one(n); break;
    case TRAPPED: how[n] = TRAPPED; break;
    default: how[n] = GIVEN_UP;
    }}
  }}
  __llvm_profile_set_filename("possible.profraw");
  __llvm_profile_write_file();
  __llvm_profile_reset_counters();
  int ended = 1;
  for (unsigned n = 0; n < {inputs}; n++) {{
    ended &= how[n] != GIVEN_UP;
    if (how[n] == RETURNED)
      one(n);
  }}
  __llvm_profile_set_filename("certain.profraw");
  __llvm_profile_write_file();
  __llvm_profile_set_filename("rest.profraw");
  puts(ended ? "ended" : "given up");
  return 0;
}}
"#
    )
}

fn tool(command: &mut Command, dir: &Path) -> Result<Vec<u8>> {
    let done = process::run(command.current_dir(dir), LIMIT)?;
    let first = done.stderr.lines().next().unwrap_or_default();
    ensure!(done.status == Some(0), "{:?}: status {:?}: {first}", command.get_program(), done.status);
    Ok(done.stdout)
}

fn branches(dir: &Path, pass: &str) -> Result<Branches> {
    let (raw, merged) = (format!("{pass}.profraw"), format!("{pass}.profdata"));
    tool(Command::new("llvm-profdata-19").args(["merge", &raw, "-o", &merged]), dir)?;
    let export = ["export", "./harness", &format!("-instr-profile={merged}"), "--skip-expansions"];
    let json: Value = serde_json::from_slice(&tool(Command::new("llvm-cov-19").args(export), dir)?)?;
    let files = json.pointer("/data/0/files").and_then(Value::as_array).context("no files in what llvm-cov says")?;
    let of_subject = |file: &&Value| file["filename"].as_str().is_some_and(|name| name.ends_with("subject.c"));
    let file = files.iter().find(of_subject).context("llvm-cov does not know the subject")?;
    let mut found = Branches::new();
    for branch in file["branches"].as_array().context("no branches")? {
        let number = |index: usize| branch[index].as_u64().with_context(|| format!("no count in {branch}"));
        let entry = found.entry((number(0)?, number(1)?)).or_default();
        entry.0 |= number(4)? > 0;
        entry.1 |= number(5)? > 0;
    }
    Ok(found)
}
