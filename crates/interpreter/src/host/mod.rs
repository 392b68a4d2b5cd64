//! What the machine does itself instead of interpreting it: the functions that the C library declares in `covenant.h`,
//! moves of memory, jumps, and mathematics.

mod builtin;
pub(crate) mod files;
mod libm;
pub(crate) mod math;
pub(crate) mod number;
pub(crate) mod paths;

use std::io;

pub use builtin::{Builtin, System};
pub(crate) use files::Files;

/// Standard input, output and error of the program.
///
/// Why the seam exists: a run from the command line is connected to real streams, a run of the engine to bytes.
pub trait Console {
    /// Fills as much of `to` as there is now; 0 means the end.
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize>;
    /// `stream` is 1 or 2.
    fn write(&mut self, stream: u32, from: &[u8]) -> io::Result<()>;
}

/// Input from bytes, output kept.
#[derive(Clone, Default, Debug)]
pub struct Buffers {
    /// What the program reads.
    pub input: io::Cursor<Vec<u8>>,
    /// What it wrote to standard output.
    pub output: Vec<u8>,
    /// What it wrote to standard error.
    pub error: Vec<u8>,
}

impl Console for Buffers {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        io::Read::read(&mut self.input, to)
    }

    fn write(&mut self, stream: u32, from: &[u8]) -> io::Result<()> {
        let to = if stream == 1 { &mut self.output } else { &mut self.error };
        to.extend_from_slice(from);
        Ok(())
    }
}
