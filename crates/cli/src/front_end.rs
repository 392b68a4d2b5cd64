//! From the files on the command line to a program.

use anyhow::Result;
use covenant_interpreter::library::LIBRARY;
use covenant_program::clang::FrontEnd;
use covenant_program::ir::Program;
use covenant_program::lower::{self, lower};

use crate::args::Source;

/// The front end with the flags of the command line; `more` are those behind `--`.
pub(crate) fn of(source: &Source, more: &[String]) -> FrontEnd {
    let mut flags = Vec::new();
    flags.extend(source.include.iter().map(|dir| format!("-I{dir}")));
    flags.extend(source.define.iter().map(|name| format!("-D{name}")));
    flags.extend(source.cflag.iter().cloned());
    flags.extend(more.iter().cloned());
    FrontEnd { flags, project: source.project.clone(), ..FrontEnd::default() }
}

/// Compiles, links and lowers. Warnings of clang go to standard error.
pub(crate) fn load(source: &Source, promote: bool) -> Result<Program> {
    let units = of(source, &[]).compile(&source.files)?;
    for unit in units.iter().filter(|unit| !unit.warnings.is_empty()) {
        anstream::eprint!("{}", unit.warnings);
    }
    Ok(lower(&units, Some(LIBRARY), &lower::Options { promote, ..lower::Options::default() })?)
}
