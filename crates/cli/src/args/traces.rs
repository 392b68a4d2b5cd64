//! The options of `covenant traces`.

use clap::Args;

use super::Source;

/// Print the traces of a function: its ways and those of what it calls, without data
///
/// They come from the control flow alone, with each loop going back to its head at most K times. The refined ones are those
/// that conditions over known values do not exclude. A trace is a list of BLOCK.WAY, calls stand in parentheses, and [_] is a
/// call whose way does not matter.
#[derive(Args, Debug)]
pub(crate) struct TracesArgs {
    #[command(flatten)]
    pub(crate) source: Source,
    /// The function
    #[arg(short, long, value_name = "NAME")]
    pub(crate) function: String,
    /// Times that a loop goes back to its head, and that a function is called inside itself
    #[arg(long, default_value_t = 2, value_name = "K")]
    pub(crate) loop_bound: u32,
    /// Only the ways of the function itself
    #[arg(long)]
    pub(crate) local: bool,
    /// Count them, list none
    #[arg(long)]
    pub(crate) count: bool,
    /// End after so many
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    pub(crate) limit: usize,
}
