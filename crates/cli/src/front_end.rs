//! From the files on the command line to a program.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use covenant_interpreter::library::LIBRARY;
use covenant_program::clang::{FrontEnd, Look, Unit};
use covenant_program::ir::Program;
use covenant_program::lower::{self, lower};
use covenant_program::syntax::{self, Trees};

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

/// Users name files from where they are; compile_commands.json names them from where the compiler runs.
pub(crate) fn absolute(unit: &Unit) -> PathBuf {
    let path = unit.directory.join(&unit.file);
    std::fs::canonicalize(&unit.file).or_else(|_| std::fs::canonicalize(&path)).unwrap_or(path)
}

/// The syntax trees of the units, each read when it is asked for.
pub(crate) fn trees(units: &[Unit]) -> Trees {
    Trees::new(FrontEnd::default(), units.iter().map(source))
}

fn source(unit: &Unit) -> syntax::Source {
    syntax::Source { file: absolute(unit), directory: unit.directory.clone(), flags: unit.flags.clone() }
}

/// The text of a unit behind the preprocessor; empty if clang does not say.
pub(crate) fn preprocessed(unit: &Unit) -> String {
    FrontEnd::default().look_at_text(&source(unit).input(), Look::Text).unwrap_or_default()
}

/// The macros at the end of a unit: what stands behind their names.
pub(crate) fn macros(unit: &Unit) -> BTreeMap<String, String> {
    let text = FrontEnd::default().look_at_text(&source(unit).input(), Look::Macros).unwrap_or_default();
    let mut macros = BTreeMap::new();
    for definition in text.lines().filter_map(|line| line.strip_prefix("#define ")) {
        let end = definition.find([' ', '(']).unwrap_or(definition.len());
        macros.insert(definition[..end].to_owned(), definition[end..].to_owned());
    }
    macros
}
