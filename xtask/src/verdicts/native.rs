//! The truth by brute force: every input, natively, and what llvm-cov saw.
//!
//! A division by zero must end the run as it does for covenant. The processor alone does not see to it: even at -O0 the
//! back end drops a division whose result does not matter, and the run goes on. So the sanitizer traps.
//!
//! An input that traps ends in the middle of a region, and llvm-cov computes some counts by subtraction, which then says
//! too much. So there are two bounds. The upper one is what all inputs together count: nothing beyond it can happen.
//! The lower one is what inputs that return count, and what other inputs count in a counter of its own, not computed:
//! all of it really happens. Without inputs that trap both are the same and exact.
//!
//! Where functions are left by longjmp, no count is to be subtracted from. There, what a counter of its own counts is certain,
//! what such a counter does not count is impossible, and nothing is known of the rest.
//!
//! Code outside of the function is defined by its features, for each of some ways that it can be. Where these are examples, what
//! some input does is certain, and nothing is known to be impossible.
//!
//! An input on which a loop has too many turns is given up. What it would have done is not known, so then nothing is
//! known to be impossible.

use super::generate::Subject;
use super::tally::Known;
use crate::process::{self, Finished};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Builtins are left in, since what clang folds with them is a branch for nobody.
const FLAGS: [&str; 9] = [
    "-O0",
    "-Wno-everything",
    "-Wdivision-by-zero",
    "-fprofile-instr-generate",
    "-fcoverage-mapping",
    "-fsanitize-trap=integer-divide-by-zero",
    "-fsanitize=integer-divide-by-zero",
    "-oharness",
    "harness.c",
];
const LIMIT: Duration = Duration::from_secs(60);
/// Turns of unbounded loops: of one input, and of all together.
const TURNS: u32 = 2000;
const ALL_TURNS: u32 = 50_000_000;

/// Line and column of a condition or label to whether it was ever true (or its label taken), and ever false.
pub(crate) type Branches = BTreeMap<(u64, u64), (bool, bool)>;

pub(crate) struct Truth {
    /// What some input surely does.
    pub(crate) certain: Branches,
    /// What no input that ended goes beyond.
    pub(crate) possible: Branches,
    /// Whether every input ended, and the inputs are all that there are.
    pub(crate) ended: bool,
}

impl Truth {
    /// What is known of one side of the branch at `place`, if llvm-cov has such a branch.
    pub(crate) fn known(&self, place: (u64, u64), on_false: bool) -> Option<Known> {
        let holds = |branches: &Branches| branches.get(&place).map(|both| if on_false { both.1 } else { both.0 });
        let possible = holds(&self.possible)?;
        Some(match holds(&self.certain) {
            Some(true) => Known::Taken,
            _ if self.ended && !possible => Known::Never,
            _ => Known::Open,
        })
    }
}

/// Flags for code that runs here with the data model of a machine.
fn for_machine(machine: Option<&str>) -> Result<&'static [&'static str]> {
    Ok(match machine {
        None | Some("x86_64") => &[],
        // The kernel's headers for 64 bits are the same, where those for 32 bits are missing.
        Some("i386") => &["-m32", "-msse2", "-mfpmath=sse", "-idirafter/usr/include/x86_64-linux-gnu"],
        Some("arm") => &["-m32", "-msse2", "-mfpmath=sse", "-malign-double", "-mlong-double-64", "-funsigned-char"],
        Some(other) => anyhow::bail!("no machine {other}"),
    })
}

/// Builds and runs the harness in `dir`, beside `subject.c`.
pub(crate) fn brute_force(dir: &Path, subject: &Subject, machine: Option<&str>) -> Result<Truth> {
    fs::write(dir.join("harness.c"), harness(subject))?;
    let wrapped = subject.wrapped.iter().map(|name| format!("-Wl,--wrap={name}"));
    let warnings =
        tool(Command::new("clang-19").args(for_machine(machine)?).args(FLAGS).args(wrapped).arg("-lm"), dir)?.stderr;
    let said = String::from_utf8(tool(&mut Command::new(dir.join("harness")), dir)?.stdout)?;
    let mut words = said.split_ascii_whitespace();
    let worst = words.next().unwrap_or_default();
    let all = counts(dir, "all")?.branches;
    let ended = subject.exact && worst != "given-up";
    let (certain, possible) = match worst {
        "returned" if !subject.jumps => {
            let taken = branches(all.iter().map(|count| (count.place, count.taken.map(|taken| taken > 0))));
            (taken.clone(), taken)
        }
        "returned" | "trapped" | "given-up" | "unstable" => {
            let labels = words.map(str::parse).collect::<Result<BTreeSet<u64>, _>>()?;
            let returned = counts(dir, "returned")?.branches;
            let trusted = !subject.jumps && worst != "unstable";
            bounds(&all, &returned, &counts(dir, "labels")?, &labels, trusted)?
        }
        other => anyhow::bail!("the harness says {other}"),
    };
    // Clang folds a division by zero that it sees away, so that nothing is there that fails unless the sanitizer puts
    // it back: then there are two programs, and the truth about one is none about the other.
    if warnings.contains("division-by-zero") {
        return Ok(Truth { certain: Branches::new(), possible, ended: false });
    }
    let mut truth = Truth { certain, possible, ended };
    for place in ambiguous(&all) {
        truth.certain.insert(place, (false, false));
        truth.possible.insert(place, (true, true));
    }
    Ok(truth)
}

/// Places where one condition starts and another one that is a part of it.
fn ambiguous(counts: &[Count]) -> BTreeSet<(u64, u64)> {
    let mut ends: BTreeMap<(u64, u64), BTreeSet<(u64, u64)>> = BTreeMap::new();
    for count in counts {
        ends.entry(count.place).or_default().insert(count.end);
    }
    ends.into_iter().filter(|(_, ends)| ends.len() > 1).map(|(place, _)| place).collect()
}

fn harness(subject: &Subject) -> String {
    let Subject { call, inputs, outside, .. } = subject;
    format!(
        r#"static void tick(void);
static void keep(void *at, unsigned long size);
#define TICK tick();
#define KEEP(variable) keep(&(variable), sizeof(variable));
#include "subject.c"
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
void __llvm_profile_set_filename(const char *);
int __llvm_profile_write_file(void);
void __llvm_profile_reset_counters(void);
uint64_t *__llvm_profile_begin_counters(void);
uint64_t *__llvm_profile_end_counters(void);
enum {{ RETURNED, TRAPPED, GIVEN_UP, UNSTABLE }};
static sigjmp_buf home;
static volatile int inside;
static unsigned turns, all_turns;
static char how[{inputs}];
static void caught(int signal) {{ siglongjmp(home, TRAPPED); }}
static void tick(void)
{{
  all_turns++;
  if (++turns > {TURNS})
    siglongjmp(home, GIVEN_UP);
}}
/* Variables that live on from call to call, as they were at first and before this call. */
static struct {{ char *at, first[8], before[8]; unsigned long size; }} kept_variables[64];
static unsigned kept_count;
static void keep(void *at, unsigned long size)
{{
  for (unsigned i = 0; i < kept_count; i++)
    if (kept_variables[i].at == at)
      return;
  kept_variables[kept_count].at = at;
  kept_variables[kept_count].size = size;
  memcpy(kept_variables[kept_count].first, at, size);
  memcpy(kept_variables[kept_count++].before, at, size);
}}
static void remember(void)
{{
  for (unsigned i = 0; i < kept_count; i++)
    memcpy(kept_variables[i].before, kept_variables[i].at, kept_variables[i].size);
}}
static void restore(int first)
{{
  for (unsigned i = 0; i < kept_count; i++)
    memcpy(kept_variables[i].at, first ? kept_variables[i].first : kept_variables[i].before, kept_variables[i].size);
}}
{outside}
static void one(unsigned n) {{ turns = 0; {call} }}
static int tried(unsigned n)
{{
  remember();
  int came = sigsetjmp(home, 0);
  if (came == RETURNED)
    one(n);
  else
    restore(0);
  inside = 0;
  return came;
}}
static void save(const char *name)
{{
  __llvm_profile_set_filename(name);
  __llvm_profile_write_file();
  __llvm_profile_reset_counters();
}}
static uint64_t label(uint64_t z)
{{
  z = (z + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return (z ^ (z >> 31)) >> 16;
}}
static void save_labels(void)
{{
  uint64_t *counter = __llvm_profile_begin_counters(), *end = __llvm_profile_end_counters();
  for (uint64_t number = 0; counter < end; number++) {{
    *counter++ = label(number);
    printf("%llu\n", (unsigned long long)label(number));
  }}
  save("labels.profraw");
}}
int main(void)
{{
  /* Nothing is blocked while it is handled, so that who jumps out need not restore it: that would be two calls of the
     system for each input. */
  struct sigaction action = {{.sa_handler = caught, .sa_flags = SA_NODEFER}};
  sigaction(SIGFPE, &action, 0);
  sigaction(SIGILL, &action, 0);
  sigaction(SIGSEGV, &action, 0);
  for (unsigned n = 0; n < {inputs}; n++)
    how[n] = all_turns > {ALL_TURNS} ? GIVEN_UP : tried(n);
  save("all.profraw");
  restore(1);
  char worst = RETURNED;
  for (unsigned n = 0; n < {inputs}; n++) {{
    char came = how[n];
    if (came == RETURNED && tried(n) != RETURNED)
      came = UNSTABLE;
    if (worst < came)
      worst = came;
  }}
  save("returned.profraw");
  puts(worst == RETURNED ? "returned" : worst == TRAPPED ? "trapped" : worst == GIVEN_UP ? "given-up" : "unstable");
  save_labels();
  __llvm_profile_set_filename("rest.profraw");
  return 0;
}}
"#
    )
}

fn tool(command: &mut Command, dir: &Path) -> Result<Finished> {
    let done = process::run(command.current_dir(dir), LIMIT)?;
    let mut lines = done.stderr.lines();
    let first = lines.clone().find(|line| line.contains("error")).or(lines.next()).unwrap_or_default();
    ensure!(done.status == Some(0), "{:?}: status {:?}: {first}", command.get_program(), done.status);
    Ok(done)
}

/// What llvm-cov counts for one condition or label.
struct Count {
    place: (u64, u64),
    end: (u64, u64),
    /// How often it was true (or taken), and false.
    taken: [u64; 2],
}

struct Counts {
    branches: Vec<Count>,
    /// Where regions of code start, and how often each was run.
    regions: Vec<((u64, u64), u64)>,
}

fn counts(dir: &Path, pass: &str) -> Result<Counts> {
    let (raw, merged) = (format!("{pass}.profraw"), format!("{pass}.profdata"));
    tool(Command::new("llvm-profdata-19").args(["merge", &raw, "-o", &merged]), dir)?;
    let export = ["export", "./harness", &format!("-instr-profile={merged}"), "--skip-expansions"];
    let json: Value = serde_json::from_slice(&tool(Command::new("llvm-cov-19").args(export), dir)?.stdout)?;
    let files = json.pointer("/data/0/files").and_then(Value::as_array).context("no files in what llvm-cov says")?;
    let of_subject = |file: &&Value| file["filename"].as_str().is_some_and(|name| name.ends_with("subject.c"));
    let file = files.iter().find(of_subject).context("llvm-cov does not know the subject")?;
    let one = |branch: &Value| {
        let number = |index: usize| branch[index].as_u64().with_context(|| format!("no count in {branch}"));
        let (place, end) = ((number(0)?, number(1)?), (number(2)?, number(3)?));
        Ok(Count { place, end, taken: [number(4)?, number(5)?] })
    };
    let branches: Result<Vec<Count>> = file["branches"].as_array().context("no branches")?.iter().map(one).collect();
    let functions = json.pointer("/data/0/functions").and_then(Value::as_array).context("no functions")?;
    let listed = functions.iter().filter_map(|f| f["regions"].as_array()).flatten();
    // The sixth number is the file, which is not the first one for what macros expand to.
    let own = listed.filter(|region| region[5].as_u64() == Some(0));
    let regions = own.filter_map(|r| Some(((r[0].as_u64()?, r[1].as_u64()?), r[4].as_u64()?))).collect();
    Ok(Counts { branches: branches?, regions })
}

fn branches(seen: impl Iterator<Item = ((u64, u64), [bool; 2])>) -> Branches {
    let mut found = Branches::new();
    for (place, [on_true, on_false]) in seen {
        let entry = found.entry(place).or_default();
        entry.0 |= on_true;
        entry.1 |= on_false;
    }
    found
}

/// Both bounds. In the pass `labelled` each counter holds its own one of the random `labels`, so that a count is one
/// of them just if it is one counter, and no sum or difference. Such a count is right whatever ended the run, if the counter
/// is for what comes after the branch: the exit of a loop is counted by what is before the loop, trap or not. If counts are
/// not `trusted`, such a count alone says anything.
fn bounds(
    all: &[Count],
    returned: &[Count],
    labelled: &Counts,
    labels: &BTreeSet<u64>,
    trusted: bool,
) -> Result<(Branches, Branches)> {
    let Counts { branches: labelled, regions } = labelled;
    let places = |counts: &[Count]| counts.iter().map(|count| count.place).collect::<Vec<_>>();
    let alike = places(all) == places(returned) && places(all) == places(labelled);
    ensure!(alike, "llvm-cov lists other branches in other passes");
    let each = || all.iter().zip(returned).zip(labelled);
    let is_own = |place: (u64, u64), count: u64| {
        let before = regions.iter().any(|(start, of)| *of == count && *start <= place);
        labels.contains(&count) && !before
    };
    let certain = each().map(|((all, returned), labelled)| {
        let own = |side: usize| all.taken[side] > 0 && is_own(all.place, labelled.taken[side]);
        (all.place, [0, 1].map(|side| trusted && returned.taken[side] > 0 || own(side)))
    });
    let possible = each().map(|((all, _), labelled)| {
        let open = |side: usize| !trusted && !is_own(all.place, labelled.taken[side]);
        (all.place, [0, 1].map(|side| all.taken[side] > 0 || open(side)))
    });
    Ok((branches(certain), branches(possible)))
}

#[cfg(test)]
mod tests {
    use super::{Known, Subject, Truth, brute_force};
    use std::fs;

    /// The truth of a function of one `short`.
    fn truth(body: &str) -> Truth {
        let text = format!("int subject(short a)\n{{\n{body}}}\n");
        let subject =
            Subject { text, call: "subject((short)n);".to_owned(), inputs: 1 << 16, exact: true, ..Subject::default() };
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("subject.c"), &subject.text).unwrap();
        brute_force(dir.path(), &subject, None).unwrap()
    }

    #[test]
    fn a_division_by_zero_ends_the_run_even_if_its_result_does_not_matter() {
        let truth = truth(
            "  int t = a, end = a & 15;
  if (end > 0)
    return 1;
  t = (t - t) * (end / end);
  switch (end & 7) {
  case 7:
    return 2;
  default:
    return 3;
  }
",
        );
        assert!(truth.ended);
        assert_eq!((truth.certain[&(4, 7)], truth.possible[&(4, 7)]), ((true, false), (true, true)));
        let labels = [(8, 3), (10, 3)];
        assert!(labels.iter().all(|label| truth.known(*label, false) == Some(Known::Never)));
    }

    #[test]
    fn what_a_trap_cuts_short_is_possible_but_not_certain() {
        let truth = truth(
            "  int r = 0;
  if (a == 7)
    r = 1 / (a - 7);
  r += 10 / (a - 5);
  if (a != 5)
    r++;
  if (a == 5)
    r--;
  return r;
",
        );
        assert!(truth.ended);
        // Only an input that traps takes it, but in a counter of its own.
        assert_eq!((truth.certain[&(4, 7)], truth.possible[&(4, 7)]), ((true, true), (true, true)));
        // No input goes on with a == 5, but by subtraction it looks as if one did.
        assert_eq!((truth.certain[&(7, 7)], truth.possible[&(7, 7)]), ((true, false), (true, true)));
        assert_eq!((truth.certain[&(9, 7)], truth.possible[&(9, 7)]), ((false, true), (false, true)));
    }

    #[test]
    fn without_traps_the_bounds_are_the_same() {
        let truth = truth("  if (a == 7 && a > 8)\n    return 1;\n  return 0;\n");
        assert!(truth.ended);
        assert_eq!(truth.certain, truth.possible);
        assert_eq!((truth.certain[&(3, 7)], truth.certain[&(3, 17)]), ((true, true), (false, true)));
    }

    #[test]
    fn an_input_that_is_given_up_leaves_what_its_own_counters_say() {
        let truth = truth("  while (a == 7)\n    TICK\n  return 0;\n");
        assert!(!truth.ended);
        assert_eq!(truth.certain[&(3, 10)], (true, true));
    }

    #[test]
    fn a_condition_that_starts_with_another_one_is_not_told_apart_from_it() {
        let truth = truth("  if (a > 3 ? a < 9 : a > 5)\n    return 1;\n  return 0;\n");
        assert_eq!(truth.known((3, 7), true), Some(Known::Open));
        assert_eq!(truth.known((3, 7), false), Some(Known::Open));
    }

    /// llvm-cov subtracts, and behind setjmp there is nothing to subtract from.
    #[test]
    fn behind_a_jump_only_counters_of_their_own_are_believed() {
        let text = "#include <setjmp.h>
static jmp_buf back;
int subject(short a)
{
  if (setjmp(back) == 0) {
    if (a > 7)
      longjmp(back, 1);
    return 1;
  }
  if (a == 3)
    return 2;
  return 3;
}
";
        let call = "subject((short)n);".to_owned();
        let subject =
            Subject { text: text.to_owned(), call, inputs: 1 << 16, exact: true, jumps: true, ..Subject::default() };
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("subject.c"), &subject.text).unwrap();
        let truth = brute_force(dir.path(), &subject, None).unwrap();
        assert_eq!(truth.known((5, 7), false), Some(Known::Taken));
        assert_eq!(truth.known((5, 7), true), Some(Known::Open));
        assert_eq!(truth.known((6, 9), false), Some(Known::Taken));
        assert_eq!(truth.known((10, 7), false), Some(Known::Never));
    }

    /// llvm-cov counts the exit of a loop by what came before it, and no run leaves this one.
    #[test]
    fn the_exit_of_a_loop_that_traps_is_not_certain() {
        let truth = truth(
            "  int turns = a & 3, zero = a - a;
  while (turns-- >= 0)
    turns = turns / zero;
  return 1;
",
        );
        assert!(matches!(truth.known((4, 10), false), Some(Known::Taken)));
        assert!(matches!(truth.known((4, 10), true), Some(Known::Open)));
    }

    #[test]
    fn nothing_is_known_where_clang_folds_a_division_by_zero() {
        let truth = truth(
            "  int t = a;
  if (t > 3)
    t = 1 / 0;
  return t > 0;
",
        );
        assert!(matches!(truth.known((4, 7), false), Some(Known::Open)));
        assert!(matches!(truth.known((4, 7), true), Some(Known::Open)));
    }
}
