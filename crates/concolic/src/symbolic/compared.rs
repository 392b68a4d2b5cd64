//! What happened to the bytes of an object in a run.

use covenant_interpreter::memory::Memory;

use super::Symbolic;
use super::parts;

/// Bytes before and after the run.
pub(super) struct Compared<'b, 'c> {
    pub(super) touched: &'b dyn Fn(u64, u64) -> bool,
    pub(super) before: Before<'b>,
    pub(super) now: &'b [u8],
    pub(super) memory: &'b Memory<Symbolic<'c>>,
    /// Bytes of an address.
    pub(super) pointer: usize,
}

/// What bytes were before the run.
#[derive(Clone, Copy)]
pub(super) enum Before<'b> {
    Bytes(&'b [u8]),
    /// The run made them, and they are at this address.
    Made(Option<u64>),
}

impl parts::Bytes for Compared<'_, '_> {
    fn is_touched(&self, offset: u64, size: u64) -> bool {
        (self.touched)(offset, size)
    }

    fn is_changed(&self, offset: u64) -> bool {
        match self.before {
            Before::Bytes(before) => before.get(offset as usize) != self.now.get(offset as usize),
            Before::Made(at) => at.is_none_or(|at| self.memory.is_written(at + offset, 1)),
        }
    }

    fn is_address(&self, offset: u64) -> bool {
        let start = offset as usize;
        let bytes = self.now.get(start..start + self.pointer);
        let word = bytes.map(|bytes| bytes.iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte)));
        word.is_some_and(|word| self.memory.object_near(word).is_some())
    }
}
