//! Execution of programs: objects with bounds and lifetimes, a pre-decoded instruction form, and the machine that runs
//! it. Everything a run needs is an argument ([`Limits`], [`Checks`], [`Console`]); nothing here prints, reads the
//! clock or looks at the environment.
//!
//! From the bottom: [`given`] names what a process is given, [`shadow`] is the seam by which others go along with a run, [`memory`] its objects, [`code`] the form
//! of a program that the [`machine`] runs, [`host`] what the machine does itself instead of interpreting it, [`process`] a
//! whole program, and [`library`] the C library that programs are linked with.

pub mod code;
pub mod given;
pub mod host;
pub mod library;
pub mod machine;
pub mod memory;
mod outcome;
pub mod process;
pub mod shadow;

pub use code::{Checks, Image};
pub use host::Console;
pub use machine::{Limits, Machine};
pub use outcome::{About, Outcome, StackEntry, Trap, TrapKind};
