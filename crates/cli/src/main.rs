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
mod identity;
mod import;
mod init;
mod ir;
mod log;
mod manual;
mod merge;
mod mutate;
mod places;
mod project;
mod queue;
mod replay;
mod report;
mod request;
mod run;
mod stop;
mod streams;
mod test_comp;
mod traces;
mod unfinished;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use args::{Arguments, CheckArgs, Command, ReplayArgs};
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
        Command::Replay(replay) => of_each(&replay.dir, |dir| replay::run(&ReplayArgs { dir, ..replay.clone() })),
        Command::Check(check) => of_each(&check.dir, |dir| check::run(&CheckArgs { dir, ..check.clone() })),
        Command::Mutate(mutate) => mutate::run(mutate),
        Command::Report(report) => report::run(report),
        Command::Merge(merge) => merge::run(merge),
        Command::Worker(worker) => queue::worker::run(worker),
        Command::ImportResults(import) => import::run(import),
        Command::Init(init) => init::run(init),
        Command::Run(run) => run::run(run),
        Command::TestComp(task) => test_comp::run(task),
        Command::Ir(ir) => ir::print(ir),
        Command::Traces(traces) => traces::print(traces),
        Command::Doctor(doctor) if !doctor.uses.is_empty() => doctor::uses(doctor),
        Command::Doctor(doctor) => match doctor.target {
            Some(machine) => doctor::target(machine),
            None => doctor::doctor(),
        },
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

/// Does with each function of a project what is done with one; the worst exit code counts.
fn of_each(dir: &Path, work: impl Fn(PathBuf) -> anyhow::Result<u8>) -> anyhow::Result<u8> {
    if !covenant_report::project::is_project(dir) {
        return work(dir.to_path_buf());
    }
    let mut worst = 0;
    for run in covenant_report::project::functions(dir)?.iter().filter(|run| run.error.is_empty()) {
        anstream::println!("{}:", run.name);
        worst = worst.max(work(dir.join(&run.folder))?);
    }
    Ok(worst)
}
