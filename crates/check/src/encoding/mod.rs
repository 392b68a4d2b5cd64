//! A second reading of the program: from the IR straight to SMT-LIB, to hold certificates against.
//!
//! Nothing here is shared with the provers, with the transition system or with the terms of runs: who checks knows the IR by
//! its own documentation and the certificate by its form, and has cvc5 answer. Simple rather than fast.
//!
//! # What a certificate speaks of
//!
//! * A *place* is a chain of calls and a spot of the last function: `main/i4>work:bb2`. Calls are expanded in place.
//! * A *variable* is an SSA value of a chain (`value CHAIN v7`: what it was given last), the distance of a pointer from the
//!   start of its object (`offset CHAIN v7 OBJECT`), bytes of an object that only direct accesses reach (`cell OBJECT 8 4`,
//!   `bytes OBJECT`), or all other memory by address (`memory`). An object is `global:NAME` or `local:CHAIN:v3`.
//! * Some places have a formula over these; all others have `true`, and where the objective is stands `false`.
//!
//! # What is asked
//!
//! From the start, and from each place that some walk arrives at, the program is walked up to the next places: those with
//! a formula, blocks with several ways in, and where a call comes back from several returns. Along the way each
//! instruction is a definition and each condition an assertion; at the end cvc5 is asked whether the formula there can
//! fail. Each loop has a place, so walks end. By induction over the walks of a run, what all answers `unsat` say is
//! true: no run is where the objective is. A certificate decides neither which places there are nor what a step does.
//!
//! A value of which the definition dominates the place where a walk starts is what its definition says: that is how SSA is
//! made. All others are constants of which nothing is known but what the formula says.
//!
//! # What is not known is free
//!
//! Inputs, volatile reads, results and effects of code that nobody has, memory behind pointers that may point anywhere:
//! all are new constants (`step`, `memory`). So a walk allows more than a run does, never less. Where the *encoding*
//! knows less than the IR says (floats of 80 bits, functions that are not expanded, recursion, addresses that got
//! out), the question remembers it in words, and an answer `sat` to it means `not checked`; without such words it means that the
//! certificate does not hold. A run ends at its first run-time error, as the report says, so that what comes behind an access is
//! asserted to be inside its object, and a divisor not to be zero. Code that nobody has may call the functions whose
//! address is somewhere in the program; what these reach is then not shown completely, and not checked.
//!
//! * `sexp`, `form`: reading certificates. Formulas are read, never pasted.
//! * `chains`: which calls are expanded, and what all others do. `objects`: which objects only direct accesses reach.
//! * `ops`: instructions as text. `state`: values and memory at a point of a walk. `step`: what an
//!   instruction does there. `walk`: the walks. `paths`: all paths from the start, for what was
//!   proved by knowing them.

mod chains;
mod form;
mod memory;
mod objects;
mod ops;
mod paths;
mod sexp;
mod shape;
mod state;
mod step;
mod walk;

use std::collections::BTreeSet;

use covenant_goals::Objective;
use covenant_program::ir::{FuncId, GlobalId, Program};

pub use paths::{Found, Goal, Oracle, follow};
pub use walk::{Made, made};

/// What is held against certificates: the program, and what is assumed of its inputs.
#[derive(Clone, Debug)]
pub struct Subject<'p> {
    /// With the labels of the objectives.
    pub program: &'p Program,
    /// What a run calls.
    pub entry: FuncId,
    /// Globals that may have any value on entry. Others have their initial values.
    pub inputs: BTreeSet<GlobalId>,
    /// Undefined functions of which the user says that they write nothing.
    pub harmless: BTreeSet<String>,
    /// What is to be reached.
    pub objectives: &'p [Objective],
}

/// The first address that an object can have, fixed ones aside: the page of null has none.
const FIRST_ADDRESS: u128 = 1 << 12; // not tuning: an address

#[cfg(test)]
mod tests;
