//! Mutants that do what C leaves undefined, and seem to work: only a sanitizer notices them.
//!
//! A mutant that reads one element too many gives what the program gives, if what it reads there is of no consequence. Such code is
//! wrong all the same, and whoever runs the suite with sanitizers, as `covenant replay` does, is told.

use std::collections::BTreeSet;

use super::build::{Build, Program};
use super::{Fate, LEAST_TIME, MEMORY, Mutants};
use crate::Error;
use crate::replay::build::SANITIZERS;
use crate::replay::confirm::settings;
use crate::replay::server::Limits;

/// What is said of them.
const ONLY_SANITIZERS: &str = "only sanitizers notice it";

impl Mutants {
    /// Runs the survivors once more, built with sanitizers. A test of which they have something to say without any mutant has no say.
    pub fn run_sanitized(&mut self) -> Result<(), Error> {
        // Devices are where the sanitizer has its own memory.
        if self.survivors().next().is_none() || self.subject.has_devices() {
            return Ok(());
        }
        let overlay = self.overlay.clone();
        let build = Build { clang: &self.clang, scratch: self.scratch.path(), subject: &self.subject, overlay };
        // Not all code can be built so.
        let Ok(path) = build.program("sanitized", SANITIZERS) else { return Ok(()) };
        let mut program = Program { path, tests: Vec::new(), settings: settings(false).to_vec(), reports: true };
        program.tests = self.quiet(&program)?;
        if program.tests.is_empty() {
            return Ok(());
        }
        let alive: Vec<u32> = self.survivors().map(|m| m.number).collect();
        let passes = self.passes(&program, &alive, None)?;
        let killed: BTreeSet<u32> = alive.into_iter().zip(passes).filter(|(_, p)| !p).map(|(n, _)| n).collect();
        for mutant in self.mutants.iter_mut().filter(|m| killed.contains(&m.number)) {
            mutant.fate = Fate::Killed;
            mutant.why = Some(ONLY_SANITIZERS);
        }
        Ok(())
    }

    /// The tests that pass without a word of the sanitizers, as the program is.
    fn quiet(&self, program: &Program) -> Result<Vec<String>, Error> {
        let mut quiet = Vec::new();
        let mut server = self.serve(program)?;
        let limits = Limits { time: self.limit.max(LEAST_TIME), memory: MEMORY };
        for name in &self.program.tests {
            let Some(running) = &mut server else { break };
            match running.run(name, &limits, 0) {
                Ok(answer) if program.is_passed(&answer) => quiet.push(name.clone()),
                Ok(_) => {}
                Err(_) => server = self.serve(program)?,
            }
        }
        Ok(quiet)
    }
}
