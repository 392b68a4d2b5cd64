//! The refined trace abstraction: traces that the guards of the program exclude are not generated.
//!
//! [`modes`] finds which values a guard can depend on, over all calls; only these are kept. [`guards`] follows a trace with
//! them, as terms, and asks a solver at each guard, so often as it may. What it does not know (memory that may have been
//! written, what calls that are holes give back unless `results` can tell) may be anything, so no trace of a run is ever
//! left out.

pub mod bound;
pub mod guards;
mod guide;
mod memory;
pub mod modes;
pub mod paths;
pub mod proof;
mod results;
#[cfg(test)]
mod tests;

use covenant_goals::traces::{Abstraction, Free, Generator, Refine, Trace};
use covenant_program::ir::Program;

pub use guards::Tools;
pub use guide::Guide;

use guards::Guards;
use modes::Modes;

/// Traces of an abstraction, and whether there may be more.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The first of them.
    pub traces: Vec<Trace>,
    /// There may be more.
    pub more: bool,
    /// Not all guards were asked about that may exclude some of them.
    pub is_cut: bool,
}

/// The first traces of an abstraction that nothing is known about.
pub fn traces(abstraction: &Abstraction, bound: u32, most: usize) -> Found {
    let mut generator = Generator::new(abstraction, bound, Free);
    first(&mut generator, most)
}

/// The first traces that the guards of the program do not exclude. `whole` is the abstraction of all functions, from which
/// the modes are found; `slice` what is generated.
pub fn refined(
    program: &Program,
    (whole, slice): (&Abstraction, &Abstraction),
    (bound, most): (u32, usize),
    tools: Tools<'_>,
) -> Found {
    let modes = Modes::new(program, whole);
    let guards = Guards::new(program, &modes, tools);
    let mut generator = Generator::new(slice, bound, guards);
    let found = first(&mut generator, most);
    Found { is_cut: generator.into_refine().is_cut, ..found }
}

fn first<R: Refine>(generator: &mut Generator<'_, R>, most: usize) -> Found {
    let traces: Vec<Trace> = generator.by_ref().take(most).collect();
    let more = generator.is_cut() || (traces.len() == most && generator.next().is_some());
    Found { traces, more, is_cut: false }
}
