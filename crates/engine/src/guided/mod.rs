//! The refined trace abstraction: traces that the guards of the program exclude are not generated.
//!
//! [`modes`] finds which values a guard can depend on, over all calls; only these are kept. [`guards`] follows a trace with
//! them, as terms, and asks a solver at each guard. What it does not know (memory, calls that are holes) may be anything, so
//! no trace of a run is ever left out.

pub mod guards;
pub mod modes;
pub mod paths;
#[cfg(test)]
mod tests;

use std::time::Duration;

use covenant_constraints::Terms;
use covenant_constraints::solver::Solver;
use covenant_goals::traces::{Abstraction, Free, Generator, Trace};
use covenant_program::ir::Program;

use guards::Guards;
use modes::Modes;

/// Traces of an abstraction, and whether there may be more.
#[derive(Clone, Debug, Default)]
pub struct Found {
    pub traces: Vec<Trace>,
    pub more: bool,
}

/// The first traces of an abstraction that nothing is known about.
pub fn traces(abstraction: &Abstraction, bound: u32, most: usize) -> Found {
    let mut generator = Generator::new(abstraction, bound, Free);
    let traces: Vec<Trace> = generator.by_ref().take(most).collect();
    let more = generator.is_cut() || (traces.len() == most && generator.next().is_some());
    Found { traces, more }
}

/// The first traces that the guards of the program do not exclude. `whole` is the abstraction of all functions, from which
/// the modes are found; `slice` what is generated.
pub fn refined(
    program: &Program,
    (whole, slice): (&Abstraction, &Abstraction),
    (bound, most): (u32, usize),
    (terms, solver, timeout): (&mut Terms, &mut (dyn Solver + 'static), Duration),
) -> Found {
    let modes = Modes::new(program, whole);
    let guards = Guards::new(program, &modes, (terms, solver, timeout));
    let mut generator = Generator::new(slice, bound, guards);
    let traces: Vec<Trace> = generator.by_ref().take(most).collect();
    let more = generator.is_cut() || (traces.len() == most && generator.next().is_some());
    Found { traces, more }
}
