//! Address spaces, which embedded compilers have keywords for (`__flash`, `__xdata`, `__far`) and headers attributes.
//!
//! What is in a space of small number is taken for ordinary memory. Tests hand out ordinary objects, so the code that they call is compiled
//! without the attributes, by us as by whoever builds a suite.

use std::path::PathBuf;

use covenant_interpreter::library::library;
use covenant_program::clang::{FrontEnd, Unit, WITHOUT_SPACES};
use covenant_program::ir::{Program, is_ordinary_space};
use covenant_program::lower::{self, Covered, lower_covered};

/// What is taken for granted of them, in words.
pub(crate) fn told(program: &Program) -> Option<String> {
    let ordinary: Vec<String> =
        program.address_spaces.iter().filter(|space| is_ordinary_space(**space)).map(u32::to_string).collect();
    let (what, is) = if ordinary.len() == 1 { ("space", "is") } else { ("spaces", "are") };
    (!ordinary.is_empty()).then(|| format!("address {what} {} {is} taken for ordinary memory", ordinary.join(", ")))
}

/// The same without the attributes. `None`: there are none, or one with a meaning of clang's own, or the code is none without them.
pub(crate) fn left_out(
    program: &Program,
    front_end: &FrontEnd,
    files: &[PathBuf],
    options: &lower::Options,
) -> Option<(FrontEnd, Vec<Unit>, Covered)> {
    let spaces = &program.address_spaces;
    if spaces.is_empty() || !spaces.iter().all(|space| is_ordinary_space(*space)) {
        return None;
    }
    let mut front_end = front_end.clone();
    front_end.flags.extend(WITHOUT_SPACES.map(str::to_owned));
    let units = front_end.compile(files).ok()?;
    let covered = lower_covered(&units, Some(&library), options).ok()?;
    Some((front_end, units, covered))
}
