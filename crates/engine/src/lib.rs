//! Execution of programs: objects with bounds and lifetimes, a pre-decoded instruction form, and the machine that runs
//! it. Everything a run needs is an argument ([`Limits`], [`Checks`], [`Console`]); nothing here prints, reads the
//! clock or looks at the environment.

pub mod campaign;
pub mod code;
pub mod guided;
pub mod host;
pub mod library;
pub mod machine;
pub mod memory;
mod outcome;
pub mod process;
pub mod prover;
pub mod shadow;
pub mod symbolic;

pub use code::{Checks, Image};
pub use host::Console;
pub use machine::{Limits, Machine};
pub use outcome::{Outcome, StackEntry, Trap, TrapKind};
