//! Limits for a compiler: it is trusted itself, but reads source files that need not be.
//!
//! A source file may include an endless device, or macros that double at each line: so time, memory and the size of files
//! are bounded. Where there is Landlock, the compiler can write to the directory of its results only.
#![allow(unsafe_code, reason = "pre_exec: the closure makes system calls only")]

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use landlock::{
    ABI, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError,
};

use crate::Limits;

/// Far more than a file of a million lines takes.
const SECONDS: u64 = 60;
const MEMORY: u64 = 4 << 30;
const FILE: u64 = 2 << 30;

/// By the clock, for a compiler that waits for a pipe and so uses no time of the processor.
const PATIENCE: u32 = 180;

/// Puts the limits on a compiler that writes its results to `output`, a directory.
pub fn limit_compiler(command: &mut Command, output: &Path) {
    limit_to(command, output, PATIENCE);
}

fn limit_to(command: &mut Command, output: &Path, patience: u32) {
    let limits = Limits {
        file_size: Some(FILE),
        disk: 0,
        processes: None,
        descriptors: None,
        seconds: Some(SECONDS),
        address_space: Some(MEMORY),
    };
    // Without Landlock the flags that are passed on are all that keeps results in their place.
    let mut rules = rules(output).ok();
    // SAFETY: between fork and exec there are system calls only; the rules were made outside.
    unsafe {
        command.pre_exec(move || {
            limits.set(false).map_err(std::io::Error::from)?;
            nix::unistd::alarm::set(patience);
            if let Some(rules) = rules.take() {
                let _ = rules.restrict_self();
            }
            Ok(())
        });
    }
}

/// What a compiler that was stopped by its limits should be said to have done, if it was.
pub fn compiler_limit(status: std::process::ExitStatus, said: &str) -> Option<String> {
    use std::os::unix::process::ExitStatusExt;
    let signal = status.signal().or_else(|| status.code().filter(|code| *code > 128).map(|code| code - 128));
    let memory = ["out of memory", "bad_alloc", "LLVM ERROR: Allocation failed"].iter().any(|word| said.contains(word));
    match signal {
        Some(libc::SIGXCPU | libc::SIGKILL) => Some(format!("it took more than {SECONDS} s of the processor")),
        Some(libc::SIGALRM) => Some(format!("it did not end in {PATIENCE} s")),
        Some(libc::SIGXFSZ) => Some(format!("it wrote more than {} GiB", FILE >> 30)),
        _ if memory => Some(format!("it needed more than {} GiB of memory", MEMORY >> 30)),
        _ => None,
    }
}

fn rules(output: &Path) -> Result<RulesetCreated, RulesetError> {
    let abi = ABI::V3;
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_write(abi))?
        .create()?;
    for (path, access) in [
        (output, AccessFs::from_write(abi)),
        (Path::new("/dev/null"), AccessFs::from_write(abi) & AccessFs::from_file(abi)),
    ] {
        if let Ok(place) = PathFd::new(path) {
            rules = rules.add_rule(PathBeneath::new(place, access))?;
        }
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source file that includes a pipe is waited for without using the processor.
    #[test]
    fn waiting_has_an_end() {
        let output = tempfile::tempdir().unwrap();
        let mut command = Command::new("sleep");
        limit_to(command.arg("60"), output.path(), 1);
        let status = command.status().unwrap();
        assert!(compiler_limit(status, "").is_some_and(|what| what.contains("did not end")), "{status:?}");
    }

    #[test]
    fn results_go_to_their_directory_only() {
        let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for (folder, expected) in [(&inside, true), (&outside, false)] {
            let file = folder.path().join("result");
            let mut command = Command::new("touch");
            limit_to(command.arg(&file).stderr(std::process::Stdio::null()), inside.path(), 10);
            assert_eq!(command.status().unwrap().success(), expected);
            assert_eq!(file.exists(), expected);
        }
    }
}
