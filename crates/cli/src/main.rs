//! The binary `covenant`: arguments in, exit codes out. The only place that prints, reads the clock or looks at the
//! environment.

mod args;
mod check;
mod config;
mod contracts;
mod diagnose;
mod doctor;
mod earlier;
mod generate;
mod guided;
mod ir;
mod log;
mod manual;
mod mutate;
mod project;
mod replay;
mod report;
mod request;
mod run;
mod streams;
mod traces;

use std::process::ExitCode;

use args::{Arguments, Command};
use clap::Parser;

/// What could not run at all: bad usage, input that clang rejects.
const COULD_NOT_RUN: u8 = 2; // not tuning: a status

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse().and_then(Arguments::checked) {
        Ok(arguments) => arguments,
        Err(error) => {
            if let Some(table) = args::asked_for(&error) {
                anstream::println!("{table}");
                return ExitCode::SUCCESS;
            }
            // Help and version are not failures.
            let code = if error.use_stderr() { COULD_NOT_RUN } else { 0 };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    arguments.color.apply();
    let result = match &arguments.command {
        Command::Gen(gen_args) if gen_args.project_wide.all => project::run(gen_args),
        Command::Gen(gen_args) => generate::run(gen_args),
        Command::Replay(replay) => replay::run(replay),
        Command::Check(check) => check::run(check),
        Command::Mutate(mutate) => mutate::run(mutate),
        Command::Report(report) => report::run(report),
        Command::Run(run) => run::run(run),
        Command::Ir(ir) => ir::print(ir),
        Command::Traces(traces) => traces::print(traces),
        Command::Doctor => doctor::doctor(),
        Command::Man(man) => manual::man(man),
        Command::Completions(completions) => manual::completions(completions),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            diagnose::failure(&error);
            ExitCode::from(COULD_NOT_RUN)
        }
    }
}
