//! From files to a program.

use std::path::PathBuf;

use covenant_interpreter::library::library;
use covenant_program::clang::{FrontEnd, Recorded, Unit};
use covenant_program::ir::Program;
use covenant_program::lower::{self, lower};
use serde::{Deserialize, Serialize};

use crate::Error;

/// The files under test, and how they are compiled.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sources {
    /// C files; they are compiled one by one and linked.
    pub files: Vec<PathBuf>,
    /// Flags for clang, for every file.
    pub flags: Vec<String>,
    /// A directory whose `compile_commands.json` has the flags of each file.
    pub project: Option<PathBuf>,
    /// What names of files are relative to; empty: the directory of this process.
    pub directory: PathBuf,
    /// How the files were compiled before, should `compile_commands.json` not be there any more: it is seldom committed.
    #[serde(skip)]
    pub recorded: Vec<Recorded>,
}

impl Sources {
    /// The compiler as it is called for these files.
    pub fn front_end(&self) -> FrontEnd {
        FrontEnd {
            flags: self.flags.clone(),
            project: self.project.clone(),
            directory: self.directory.clone(),
            recorded: self.recorded.clone(),
            ..FrontEnd::default()
        }
    }

    /// Compiles, links and lowers, together with Covenant's C library. With `promote`, locals are values, not memory.
    /// `warn` gets what clang says of files that it accepts.
    pub fn program(&self, promote: bool, warn: &mut dyn FnMut(&str)) -> Result<Program, Error> {
        let units = self.front_end().compile(&self.files).map_err(anyhow::Error::from)?;
        tell(&units, warn);
        let options = lower::Options { promote, ..lower::Options::default() };
        Ok(lower(&units, Some(&library), &options).map_err(anyhow::Error::from)?)
    }
}

/// Hands on the warnings of clang.
pub(crate) fn tell(units: &[Unit], warn: &mut dyn FnMut(&str)) {
    units.iter().filter(|unit| !unit.warnings.is_empty()).for_each(|unit| warn(&unit.warnings));
}
