//! `covenant run`

use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use covenant_interpreter::{Checks, Image, Limits, Outcome, Trap, process};
use covenant_program::ir::{FuncId, Program};

use crate::args::{Check, RunArgs};
use crate::diagnose;
use crate::request::sources;
use crate::stop;
use crate::streams::Terminal;

pub(crate) fn run(args: &RunArgs) -> Result<u8> {
    let checks = checks(&args.check);
    // What was never written shows only in memory.
    let mut program = sources(&args.source, &[]).program(!checks.uninitialised, &mut diagnose::warning)?;
    process::prepare(&mut program);
    let main = entry(&program)?;
    let program = Arc::new(program);
    let image = Image::new(Arc::clone(&program), checks);
    let cancel = Arc::new(AtomicBool::new(false));
    if !args.timeout.is_zero() {
        stop::after(args.timeout, Arc::clone(&cancel));
    }
    let limits = Limits {
        steps: args.max_steps.unwrap_or(u64::MAX),
        memory: args.memory,
        cancel: Some(cancel),
        ..Limits::default()
    };
    let mut terminal = Terminal;
    let started = Instant::now();
    let words = (arguments(args), environment());
    let (outcome, steps) = match process::run_concrete(&image, &mut terminal, limits, main, (&words.0, &words.1)) {
        Ok(done) => done,
        Err(fault) => {
            anstream::eprintln!("error: {}: the globals do not fit [{}]", fault.message, fault.kind);
            return Ok(fault.kind.exit_status() as u8);
        }
    };
    if args.stats {
        let seconds = started.elapsed().as_secs_f64();
        anstream::eprintln!("instructions: {steps}");
        anstream::eprintln!("steps/s: {:.1} million in {seconds:.3} s", steps as f64 / seconds.max(1e-9) / 1e6);
    }
    Ok(status(&program, &outcome, args.timeout))
}

fn status(program: &Program, outcome: &Outcome, timeout: Duration) -> u8 {
    match outcome {
        Outcome::Returned(_) => 0,
        Outcome::Exited(status) => *status as u8,
        Outcome::Killed(signal, _) => (128 + *signal) as u8,
        Outcome::Trapped(trap) | Outcome::StepLimit(trap) => {
            diagnose::trap(program, trap);
            trap.kind.exit_status() as u8
        }
        Outcome::Interrupted(trap) => {
            let message = format!("still running after {timeout:?}, see --timeout");
            diagnose::trap(program, &Trap { message, ..Trap::clone(trap) });
            trap.kind.exit_status() as u8
        }
    }
}

fn entry(program: &Program) -> Result<FuncId> {
    match program.function("main") {
        Some(id) if program.functions[id].body.is_some() => Ok(id),
        _ => bail!("there is no function `main` in these files: nothing to run"),
    }
}

fn checks(wanted: &[Check]) -> Checks {
    let on = |check| wanted.contains(&check) || wanted.contains(&Check::All);
    Checks {
        signed_overflow: on(Check::SignedOverflow),
        shift: on(Check::Shift),
        uninitialised: on(Check::Uninitialised),
        array_bounds: on(Check::ArrayBounds),
        ..Checks::default()
    }
}

/// The program's name is its first file without the extension, as a compiler would name it.
fn arguments(args: &RunArgs) -> Vec<Vec<u8>> {
    let name = args.source.files.first().map(|file| file.with_extension("").into_os_string().into_vec());
    let rest = args.args.iter().map(|arg| arg.as_bytes().to_vec());
    name.into_iter().chain(rest).collect()
}

fn environment() -> Vec<Vec<u8>> {
    let pair = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
        let mut text = name.into_vec();
        text.push(b'=');
        text.extend(value.into_vec());
        text
    };
    std::env::vars_os().map(pair).collect()
}
