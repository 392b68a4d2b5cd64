//! Options of the commands that take a whole program: `run`, `ir`.

use std::time::Duration;

use clap::{Args, ValueEnum};

use super::Source;
use super::values::{bytes, count, duration};

/// Interpret the program: arguments, standard input, output and exit status as natively
///
/// The program runs on an interpreter that checks every access. What a native build would silently survive
/// (out of bounds, use after free, ...) ends the run with a message, the line and the call stack.
///
/// The exit status is the program's own, or 128 plus the signal that fits a trap: 134 abort or failed assertion,
/// 136 division, 139 memory, 132 undefined arithmetic, 137 memory limit; 124 time or step limit; 2 it could not run.
/// Files that the program opens live in memory.
#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) source: Source,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) args: Vec<std::ffi::OsString>,
    /// Trap on these as well
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LIST")]
    pub(crate) check: Vec<Check>,
    /// End the run after this long, e.g. 500ms, 10s, 5m, 0 for never
    #[arg(long, default_value = "60s", value_parser = duration, value_name = "DUR")]
    pub(crate) timeout: Duration,
    /// End the run after so many instructions
    #[arg(long, value_parser = count, value_name = "N")]
    pub(crate) max_steps: Option<u64>,
    /// End the run when its objects take more memory, e.g. 64M or 1G
    #[arg(long, default_value = "2G", value_parser = bytes, value_name = "BYTES")]
    pub(crate) memory: u64,
    /// Say at the end how many instructions were executed
    #[arg(long)]
    pub(crate) stats: bool,
}

/// Print the intermediate representation of the program
#[derive(Args, Debug)]
pub(crate) struct IrArgs {
    #[command(flatten)]
    pub(crate) source: Source,
    /// Only this function
    #[arg(short, long, value_name = "NAME")]
    pub(crate) function: Option<String>,
    /// Leave locals in memory instead of promoting them to values
    #[arg(long)]
    pub(crate) no_promote: bool,
    /// Also the C library's functions that the program uses
    #[arg(long)]
    pub(crate) library: bool,
}

/// Checks that are off unless asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Check {
    /// Signed arithmetic that does not fit its type
    SignedOverflow,
    /// Shifts by a negative amount, or by the width or more
    Shift,
    /// Reads of memory none of which was ever written
    Uninitialised,
    /// An index past the end of an array inside a larger object
    ArrayBounds,
    /// All of these
    All,
}
