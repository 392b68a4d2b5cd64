//! `covenant doctor`: what is installed, what is missing, how to get it.

use std::process::Command;

use anstyle::{AnsiColor, Style};
use anyhow::Result;
use covenant::Sources;
use covenant_program::clang::Emulated;
use covenant_program::ir::Target;

use crate::args::{DoctorArgs, Machine};
use crate::queue;

const GREEN: Style = AnsiColor::Green.on_default().bold();
const RED: Style = AnsiColor::Red.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();

/// A program that Covenant starts.
struct Tool {
    name: &'static str,
    purpose: &'static str,
    /// Debian's package.
    package: &'static str,
    needed: bool,
}

const TOOLS: &[Tool] = &[
    Tool { name: "clang-19", purpose: "reads C, builds suites", package: "clang-19", needed: true },
    Tool { name: "llvm-profdata-19", purpose: "confirms coverage natively", package: "llvm-19", needed: true },
    Tool { name: "llvm-cov-19", purpose: "confirms coverage natively", package: "llvm-19", needed: true },
    Tool { name: "cvc5", purpose: "re-checks proofs", package: "cvc5", needed: true },
    Tool { name: "make", purpose: "runs generated suites", package: "make", needed: true },
    Tool { name: "gcc", purpose: "a second compiler for suites", package: "gcc", needed: false },
    Tool { name: "csmith", purpose: "fuzzes Covenant itself", package: "csmith", needed: false },
];

/// `covenant doctor --uses`: what a program calls that no run can do.
pub(crate) fn uses(args: &DoctorArgs) -> Result<u8> {
    let sources = Sources { files: args.uses.clone(), flags: args.flags.clone(), ..Sources::default() };
    let all = covenant::lacking(&sources.program(true, &mut |_| {})?);
    for lacking in &all {
        let (style, word) = if lacking.needs.is_some() { (RED, "missing") } else { (YELLOW, "undefined") };
        let calls = if lacking.calls == 1 { String::new() } else { format!(" and {} more", lacking.calls - 1) };
        let what = match &lacking.needs {
            Some(needs) => format!("needs {needs}; a run ends there unless --stub or --stub-file says otherwise"),
            None => "nothing here defines it; runs let it return anything, --stub and --stub-file say more".to_owned(),
        };
        anstream::println!("  {style}{word:<9}{style:#} {} ({}{calls}): {what}", lacking.name, lacking.place);
    }
    if all.is_empty() {
        anstream::println!("Everything that the code calls is there.");
    }
    Ok(u8::from(!all.is_empty()))
}

/// What it takes to build and run tests for a machine: what it is called, a program that needs it, and flags.
const PARTS: &[(&str, &str, &[&str])] = &[
    (
        "headers of the C library",
        "#include <errno.h>\n#include <stdio.h>\n#include <stdlib.h>\nint main(void) { return 0; }\n",
        &["-fsyntax-only"],
    ),
    ("C library", "int main(void) { return 0; }\n", &[]),
    ("sanitizers", "int main(void) { return 0; }\n", &["-fsanitize=address,undefined"]),
    ("coverage", "int main(void) { return 0; }\n", &["-fprofile-instr-generate", "-fcoverage-mapping"]),
];

/// `covenant doctor --target`: whether tests for a machine can be built and run here.
pub(crate) fn target(machine: Machine) -> Result<u8> {
    let folder = tempfile::tempdir()?;
    let (source, program) = (folder.path().join("probe.c"), folder.path().join("probe"));
    let (mut missing, mut played) = (false, false);
    let compiles = |text: &str, machine: &[String], flags: &[&str]| -> Result<bool> {
        std::fs::write(&source, text)?;
        let mut clang = Command::new("clang-19");
        clang.args(machine).arg("-w").args(flags).arg("-o").arg(&program).arg(&source);
        Ok(clang.output().is_ok_and(|done| done.status.success()))
    };
    // Code for other machines is built for this one, with their data models.
    let mut here: Vec<String> = machine.here().map(str::to_owned).into_iter().collect();
    here.extend(covenant_program::clang::kernel_headers(&here));
    for (name, text, flags) in PARTS.iter().filter(|_| machine.here().is_some()) {
        let built = compiles(text, &here, flags)?;
        let runs = built && (flags.contains(&"-fsyntax-only") || runs(&program, folder.path()));
        let (style, word) = if runs { (GREEN, "found") } else { (RED, "missing") };
        anstream::println!("  {style}{word:<8}{style:#} {name}");
        missing |= !runs;
    }
    if let Some(package) = machine.headers() {
        let (_, text, flags) = PARTS[0];
        let is_there = compiles(text, &[machine.flag().to_owned()], flags)?;
        let (style, word) = if is_there { (GREEN, "found") } else { (YELLOW, "optional") };
        let how = if is_there { String::new() } else { format!("; {package}") };
        anstream::println!(
            "  {style}{word:<8}{style:#} the machine's own headers, for code that includes those of its C library{how}"
        );
    }
    if let Some(emulated) = machine.emulated() {
        // No sanitizers and no runtime of LLVM's are asked for there.
        let built = compiles(PARTS[1].1, &[machine.flag().to_owned()], &["-static"])?;
        played = built && plays(emulated, &program);
        tell_emulated(emulated, played);
    }
    let Some(here) = machine.here() else {
        anstream::println!(
            "\n`covenant run` runs programs for this machine. Tests and proofs there are none: it is big-endian."
        );
        return Ok(0);
    };
    let library = if here == "-m64" { "libc6-dev" } else { "gcc-multilib" };
    match missing && !played {
        false => anstream::println!("\nTests for this machine can be built and run here."),
        true => {
            anstream::println!("\nTo install what is missing: sudo apt-get install {library} libclang-rt-19-dev");
            anstream::println!(
                "Without it functions are analysed all the same (`gen --no-replay`) where they include no header."
            );
        }
    }
    Ok(u8::from(missing && !played))
}

/// Whether the emulator of a machine is here, and plays a program for it.
fn plays(emulated: &Emulated, program: &std::path::Path) -> bool {
    Command::new(emulated.emulator).arg(program).output().is_ok_and(|done| done.status.success())
}

fn tell_emulated(emulated: &Emulated, played: bool) {
    let Emulated { emulator, package, .. } = emulated;
    let (style, word) = if played { (GREEN, "found") } else { (YELLOW, "optional") };
    let how = if played { String::new() } else { format!("; sudo apt-get install qemu-user {package}") };
    anstream::println!(
        "  {style}{word:<8}{style:#} the machine itself, as {emulator} plays it, for tests to run on{how}"
    );
}

/// Whether a program starts and ends well.
fn runs(program: &std::path::Path, folder: &std::path::Path) -> bool {
    let mut command = Command::new(program);
    command.env("LLVM_PROFILE_FILE", folder.join("probe.profraw"));
    command.output().is_ok_and(|done| done.status.success())
}

pub(crate) fn doctor() -> Result<u8> {
    anstream::println!("covenant {}", env!("CARGO_PKG_VERSION"));
    anstream::println!("  C front end built in: LLVM 19, C library for interpreted programs: {} KiB\n", library_size());
    let mut missing: Vec<&str> = Vec::new();
    for tool in TOOLS {
        match version(tool.name) {
            Some(version) => anstream::println!("  {GREEN}found{GREEN:#}    {:<17} {version}", tool.name),
            None => {
                let (style, word) = if tool.needed { (RED, "missing") } else { (YELLOW, "optional") };
                anstream::println!("  {style}{word:<8}{style:#} {:<17} {}", tool.name, tool.purpose);
                missing.push(tool.package);
            }
        }
    }
    match sanitizers() {
        Some(true) => {
            anstream::println!("  {GREEN}found{GREEN:#}    {:<17} address, undefined behaviour", "sanitizers")
        }
        Some(false) => {
            anstream::println!("  {RED}missing{RED:#}  {:<17} replay tests with checks", "sanitizers");
            missing.push("libclang-rt-19-dev");
        }
        None => {}
    }
    missing.dedup();
    queues();
    native_runs();
    let needed = TOOLS.iter().any(|tool| tool.needed && missing.contains(&tool.package));
    let needed = needed || missing.contains(&"libclang-rt-19-dev");
    if missing.is_empty() {
        anstream::println!("\nEverything is there.");
    } else {
        anstream::println!("\nTo install what is missing: sudo apt-get install {}", missing.join(" "));
    }
    Ok(u8::from(needed))
}

/// The part for work queues, which only those build who want it.
fn queues() {
    let name = covenant_queue::PROGRAM;
    match queue::program() {
        Some(program) => anstream::println!("  {GREEN}found{GREEN:#}    {name:<17} {}", program.display()),
        None => anstream::println!(
            "  {YELLOW}optional{YELLOW:#} {name:<17} for `covenant worker` and `gen --all --on`; {}",
            queue::GET
        ),
    }
}

/// What would fence native runs on this machine.
fn native_runs() {
    anstream::println!();
    let offers = covenant_sandbox::offers();
    for offer in &offers {
        let (name, purpose) = (format!("sandbox: {}", offer.layer.name()), offer.layer.purpose());
        match &offer.problem {
            None => anstream::println!("  {GREEN}found{GREEN:#}    {name:<19} {purpose}"),
            Some(problem) => anstream::println!("  {YELLOW}missing{YELLOW:#}  {name:<19} {purpose}: {problem}"),
        }
    }
    if let Err(error) = covenant_sandbox::Fence::of(&offers, &[]) {
        anstream::println!("  {RED}no native runs{RED:#}: {error}; `--sandbox off` runs tests with your rights");
    }
}

fn library_size() -> usize {
    covenant_interpreter::library::library(Target::default()).len() / 1024
}

/// The first line of `--version` that has a number.
fn version(tool: &str) -> Option<String> {
    let output = Command::new(tool).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find(|line| line.contains(|c: char| c.is_ascii_digit()))?;
    Some(line.trim().to_owned())
}

/// Whether clang can link the address sanitizer; `None` without clang.
fn sanitizers() -> Option<bool> {
    let output = Command::new("clang-19").arg("--print-runtime-dir").output().ok()?;
    let given = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let directory = std::path::Path::new(&given);
    // Debian keeps the libraries beside the directory that clang prints.
    let places = [directory.to_owned(), directory.with_file_name("linux")];
    Some(
        places.iter().any(|place| {
            ["libclang_rt.asan-x86_64.a", "libclang_rt.asan.a"].iter().any(|name| place.join(name).exists())
        }),
    )
}
