//! Random programs: csmith writes them, clang and covenant run them, and both must agree.
//!
//! A csmith program prints a checksum of its globals; with the argument `1` also one after each global. A program that
//! takes too long natively is skipped. After a disagreement a sanitizer build decides whether the program is defined at
//! all: csmith lets some undefined behaviour slip through.

use crate::process::{self, Finished};
use anyhow::{Context, Result, bail};
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// How many programs
    #[arg(long, default_value_t = 1000)]
    count: usize,
    /// The first seed; each program takes the next
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many programs at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// A small fixed set, for CI
    #[arg(long)]
    small: bool,
    /// The binary to test instead of building one
    #[arg(long, value_name = "PATH")]
    covenant: Option<PathBuf>,
    /// The machine that programs are compiled for: x86_64, i386, arm, aarch64, riscv64 or mips
    #[arg(long, value_name = "MACHINE", default_value = "x86_64", value_parser = machine)]
    target: &'static Machine,
    /// Time limit of covenant for one program, in seconds
    #[arg(long, default_value_t = 60)]
    limit: u64,
}

/// How clang compiles for a machine, and what runs its programs here; none: this machine does.
#[derive(Debug)]
struct Machine {
    name: &'static str,
    flags: &'static [&'static str],
    runs: Option<&'static str>,
}

const MACHINES: &[Machine] = &[
    Machine { name: "x86_64", flags: &[], runs: None },
    Machine { name: "i386", flags: &["-m32", "-msse2", "-mfpmath=sse"], runs: None },
    Machine { name: "arm", flags: &["--target=arm-linux-gnueabihf"], runs: Some("qemu-arm") },
    Machine { name: "aarch64", flags: &["--target=aarch64-linux-gnu"], runs: Some("qemu-aarch64") },
    Machine { name: "riscv64", flags: &["--target=riscv64-linux-gnu"], runs: Some("qemu-riscv64") },
    Machine { name: "mips", flags: &["--target=mips-linux-gnu"], runs: Some("qemu-mips") },
];

fn machine(name: &str) -> Result<&'static Machine, String> {
    let known = || MACHINES.iter().map(|machine| machine.name).collect::<Vec<_>>().join(", ");
    MACHINES.iter().find(|machine| machine.name == name).ok_or_else(|| format!("known are {}", known()))
}

const SMALL_COUNT: usize = 28;
const SMALL_SEED: u64 = 20_001;
/// Longer than this natively is too long for an interpreter.
const NATIVE_LIMIT: Duration = Duration::from_millis(500);
/// The status of an emulator whose program has used an address that is not aligned.
const MISALIGNED: i32 = 135; // not tuning: a signal
/// An emulator may take so many times as long.
const EMULATED: u32 = 4;
const CLANG_LIMIT: Duration = Duration::from_secs(120);
const CSMITH_HEADERS: &str = "-I/usr/include/csmith";

/// The option sets of csmith, used in turn.
const SETS: &[&[&str]] = &[
    &[],
    &["--float"],
    &["--builtins"],
    &["--no-volatiles", "--max-pointer-depth", "3"],
    &["--no-packed-struct", "--max-struct-nested-level", "4"],
    &["--random-random"],
    &["--max-funcs", "4", "--max-block-depth", "3", "--max-expr-complexity", "5"],
    &["--float", "--strict-float", "--paranoid"],
    &["--fixed-struct-fields", "--max-array-dim", "4", "--max-array-len-per-dim", "6"],
];

/// Goes in front of each program: zero has a count of leading and trailing zeros, and the one builtin that needs a
/// processor feature is another function.
const PRELUDE: &str = "\
#define __builtin_ia32_crc32qi(a, b) (((a) << 1) ^ (b))
#define __builtin_clz(x) ({ unsigned x_ = (x); x_ ? __builtin_clz(x_) : 32; })
#define __builtin_ctz(x) ({ unsigned x_ = (x); x_ ? __builtin_ctz(x_) : 32; })
#define __builtin_clzl(x) ({ unsigned long x_ = (x); x_ ? __builtin_clzl(x_) : (int)(8 * sizeof(long)); })
#define __builtin_ctzl(x) ({ unsigned long x_ = (x); x_ ? __builtin_ctzl(x_) : (int)(8 * sizeof(long)); })
#define __builtin_clzll(x) ({ unsigned long long x_ = (x); x_ ? __builtin_clzll(x_) : 64; })
#define __builtin_ctzll(x) ({ unsigned long long x_ = (x); x_ ? __builtin_ctzll(x_) : 64; })
#define __builtin_clzs(x) ({ unsigned short x_ = (x); x_ ? __builtin_clzs(x_) : 16; })
#define __builtin_ctzs(x) ({ unsigned short x_ = (x); x_ ? __builtin_ctzs(x_) : 16; })
";

#[derive(Debug)]
enum Verdict {
    Agrees,
    /// csmith or clang gave nothing to run.
    NoProgram(String),
    NativeTimeout,
    CovenantTimeout,
    Undefined,
    Differs(String),
}

/// Returns whether nothing disagreed.
pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = crate::covenant(root, options.covenant.as_deref())?;
    let (count, seed) = if options.small { (SMALL_COUNT, SMALL_SEED) } else { (options.count, options.seed) };
    let kept = root.join("target/fuzz-interp");
    fs::create_dir_all(&kept)?;
    let campaign = Campaign { covenant, kept, machine: options.target, limit: Duration::from_secs(options.limit) };
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(Vec::new());
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    let verdict = campaign.one(seed + index as u64, SETS[index % SETS.len()]);
                    if let Ok(mut all) = verdicts.lock() {
                        all.push((seed + index as u64, index % SETS.len(), verdict));
                        progress(&all, count, start);
                    }
                }
            });
        }
    });
    let verdicts = verdicts.into_inner().map_err(|_| anyhow::anyhow!("a worker failed"))?;
    report(verdicts, &campaign.kept)
}

struct Campaign {
    covenant: PathBuf,
    /// Where programs stay that covenant got wrong.
    kept: PathBuf,
    machine: &'static Machine,
    limit: Duration,
}

impl Campaign {
    fn one(&self, seed: u64, set: &[&str]) -> Result<Verdict> {
        let scratch = tempfile::tempdir()?;
        let source = scratch.path().join(format!("seed{seed}.c"));
        if let Err(error) = generate(seed, set, &source) {
            return Ok(Verdict::NoProgram(format!("{error:#}")));
        }
        let native = match native(&source, self.machine, &["-O0"], NATIVE_LIMIT) {
            Ok(done) => done,
            Err(error) => return Ok(Verdict::NoProgram(format!("{error:#}"))),
        };
        if native.status.is_none() {
            return Ok(Verdict::NativeTimeout);
        }
        // Some machines fault where others only take their time.
        if self.machine.runs.is_some() && native.status == Some(MISALIGNED) {
            return Ok(Verdict::Undefined);
        }
        let mut command = Command::new(&self.covenant);
        command.arg("run").arg(format!("--cflag={CSMITH_HEADERS}")).arg("--cflag=-w").arg(&source);
        command.args(self.machine.flags.iter().map(|flag| format!("--cflag={flag}")));
        command.args(["--", "1"]).current_dir(scratch.path());
        let ours = process::run(&mut command, self.limit)?;
        if ours.status.is_none() {
            self.keep(seed, &source)?;
            return Ok(Verdict::CovenantTimeout);
        }
        if ours.status == native.status && ours.stdout == native.stdout {
            return Ok(Verdict::Agrees);
        }
        if undefined(&source, self.machine, &native) {
            return Ok(Verdict::Undefined);
        }
        self.keep(seed, &source)?;
        Ok(Verdict::Differs(difference(&native, &ours)))
    }

    fn keep(&self, seed: u64, source: &Path) -> Result<()> {
        fs::copy(source, self.kept.join(format!("seed{seed}.c")))?;
        Ok(())
    }
}

/// csmith leaves a file of its own in the current directory: that is the scratch directory.
fn generate(seed: u64, set: &[&str], source: &Path) -> Result<()> {
    let mut csmith = Command::new("csmith");
    csmith.args(["--seed", &seed.to_string(), "--concise"]).args(set);
    csmith.current_dir(source.parent().context("no directory")?);
    let done = process::run(&mut csmith, CLANG_LIMIT)?;
    if done.status != Some(0) || done.stdout.is_empty() {
        bail!("csmith gave no program for seed {seed}");
    }
    let mut text = PRELUDE.as_bytes().to_vec();
    text.extend(done.stdout);
    Ok(fs::write(source, text)?)
}

fn native(source: &Path, machine: &Machine, flags: &[&str], limit: Duration) -> Result<Finished> {
    let binary = source.with_extension("native");
    let mut clang = Command::new("clang-19");
    clang.args(["-w", CSMITH_HEADERS]).args(machine.flags).args(flags).arg(source).arg("-o").arg(&binary);
    clang.args(machine.runs.map(|_| "-static")).arg("-lm");
    let built = process::run(&mut clang, CLANG_LIMIT)?;
    if built.status != Some(0) {
        bail!("clang: {}", built.stderr.lines().next().unwrap_or_default());
    }
    match machine.runs {
        Some(emulator) => process::run(Command::new(emulator).arg(&binary).arg("1"), EMULATED * limit),
        None => process::run(Command::new(&binary).arg("1"), limit),
    }
}

/// Whether a sanitizer build stops, or gives another result. Packed structs misalign their members: that is no finding.
fn undefined(source: &Path, machine: &Machine, native_result: &Finished) -> bool {
    // There are no sanitizers to link with for other machines.
    let kind = if machine.runs.is_some() { "-fsanitize=undefined" } else { "-fsanitize=address,undefined" };
    let end = if machine.runs.is_some() { "-fsanitize-trap=undefined" } else { "-fno-sanitize-recover=all" };
    let flags = ["-O1", kind, "-fno-sanitize=alignment", end];
    match native(source, machine, &flags, Duration::from_secs(60)) {
        Ok(done) => {
            done.status.is_some() && (done.status, &done.stdout) != (native_result.status, &native_result.stdout)
        }
        Err(_) => false,
    }
}

fn difference(native: &Finished, ours: &Finished) -> String {
    let mut text = format!("status {:?}, natively {:?}", ours.status, native.status);
    let (a, b) = (String::from_utf8_lossy(&native.stdout), String::from_utf8_lossy(&ours.stdout));
    if let Some((line, (a, b))) = a.lines().zip(b.lines()).enumerate().find(|(_, (a, b))| a != b) {
        text += &format!("; line {} is `{b}`, natively `{a}`", line + 1);
    } else if a.lines().count() != b.lines().count() {
        text += &format!("; {} lines, natively {}", b.lines().count(), a.lines().count());
    }
    if let Some(line) = ours.stderr.lines().find(|line| line.contains("error") || line.contains("panicked")) {
        text += &format!("; {line}");
    }
    text
}

fn progress(all: &[(u64, usize, Result<Verdict>)], count: usize, start: Instant) {
    if let Some((seed, set, Ok(Verdict::Differs(how)))) = all.last() {
        println!("seed {seed} {}: {how}", SETS[*set].join(" "));
    }
    if all.len().is_multiple_of(50) && all.len() < count {
        let agree = all.iter().filter(|(_, _, verdict)| matches!(verdict, Ok(Verdict::Agrees))).count();
        println!("{} of {count} programs, {agree} agree, {} s", all.len(), start.elapsed().as_secs());
    }
}

fn report(verdicts: Vec<(u64, usize, Result<Verdict>)>, kept: &Path) -> Result<bool> {
    let mut table = vec![[0usize; 6]; SETS.len()];
    let mut reasons = Vec::new();
    for (seed, set, verdict) in verdicts {
        let column = match verdict? {
            Verdict::Agrees => 0,
            Verdict::Differs(_) => 1,
            Verdict::CovenantTimeout => 2,
            Verdict::NativeTimeout => 3,
            Verdict::Undefined => 4,
            Verdict::NoProgram(why) => {
                reasons.push(format!("seed {seed}: {why}"));
                5
            }
        };
        table[set][column] += 1;
    }
    println!("agree  differ  slow  native-slow  undefined  no-program  csmith options");
    let mut sum = [0; 6];
    for (row, set) in table.iter().zip(SETS) {
        for (total, n) in sum.iter_mut().zip(row) {
            *total += n;
        }
        print_row(row, &set.join(" "));
    }
    print_row(&sum, "all");
    for reason in reasons.iter().take(3) {
        println!("no program: {reason}");
    }
    if sum[1] + sum[2] > 0 {
        println!("the programs that differ or are slow are in {}", kept.display());
    }
    if sum[0] == 0 {
        println!("nothing agreed: nothing was tested");
    }
    Ok(sum[1] == 0 && sum[0] > 0)
}

fn print_row(row: &[usize; 6], name: &str) {
    let [agree, differ, slow, native, undefined, none] = row;
    println!("{agree:5}  {differ:6}  {slow:4}  {native:11}  {undefined:9}  {none:10}  {name}");
}

#[cfg(test)]
mod tests {
    use super::{Finished, difference};
    use std::time::Duration;

    fn finished(stdout: &str, status: i32) -> Finished {
        Finished { stdout: stdout.into(), stderr: String::new(), status: Some(status), wall: Duration::ZERO }
    }

    #[test]
    fn a_difference_names_the_first_line() {
        let text = difference(&finished("a\nb\nc\n", 0), &finished("a\nx\nc\n", 1));
        assert_eq!(text, "status Some(1), natively Some(0); line 2 is `x`, natively `b`");
        let text = difference(&finished("a\nb\n", 0), &finished("a\n", 0));
        assert!(text.ends_with("1 lines, natively 2"));
    }
}
