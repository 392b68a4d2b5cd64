//! What is learned about memory while the flow is built.
//!
//! The builder starts from the best case (every local and global is an object of its own, accessed in pieces that do not
//! overlap) and takes it back where the program shows otherwise; then it builds again. The [`Plan`] is what it knows.

use std::collections::BTreeMap;

use covenant_interpreter::host::System;
use covenant_program::ir::{FuncId, GlobalId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// An object before contexts: what is true of it in one is taken as true in all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Key {
    Local(FuncId, Value),
    Global(GlobalId),
}

/// Pieces that an access through a computed offset may choose between.
pub(super) const MOST_PIECES: u64 = 32; // not tuning: who checks a proof builds the same flow

/// How the bytes of an object are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    /// Offset and size; they never overlap.
    pub(super) cells: BTreeMap<u64, u32>,
    /// One array of bytes instead.
    pub(super) bytes: bool,
}

impl Layout {
    /// Makes room for an access; false if it has to be bytes.
    fn fit(&mut self, offset: u64, size: u32) -> bool {
        if self.cells.get(&offset) == Some(&size) {
            return true;
        }
        let end = offset + u64::from(size);
        let before = self.cells.range(..end).next_back();
        let overlaps = before.is_some_and(|(&at, &len)| at + u64::from(len) > offset);
        if !overlaps {
            self.cells.insert(offset, size);
        }
        !overlaps
    }

    fn fit_all(&mut self, object: u64, size: u32, align: u32) -> bool {
        let pieces = object / u64::from(size);
        let aligned = align.is_multiple_of(size) && object.is_multiple_of(u64::from(size));
        aligned && pieces <= MOST_PIECES && (0..pieces).all(|i| self.fit(i * u64::from(size), size))
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Objects whose address somebody may know.
    pub(super) escaped: FxHashSet<Key>,
    /// Pointers at joins that may point to several objects.
    pub(super) opaque: FxHashSet<(FuncId, Value)>,
    /// What the offsets of pointers at joins are multiples of.
    pub(super) aligns: FxHashMap<(FuncId, Value), u32>,
    pub(super) layouts: FxHashMap<Key, Layout>,
    /// Whether objects of a caller may be freed.
    pub(super) frees: bool,
    /// Something changed since the flag was last cleared: what was built so far is not to be used.
    pub(super) changed: bool,
}

impl Plan {
    pub(super) fn escape(&mut self, key: Key) {
        self.changed |= self.escaped.insert(key);
    }

    /// Something may be freed that a caller gave.
    pub(super) fn free(&mut self) {
        self.changed |= !std::mem::replace(&mut self.frees, true);
    }

    /// The machine is asked for something that may be to free what a caller gave.
    pub(super) fn frees_by(&mut self, system: System) {
        if system == System::Free {
            self.free();
        }
    }

    pub(super) fn make_opaque(&mut self, function: FuncId, param: Value) {
        self.changed |= self.opaque.insert((function, param));
    }

    pub(super) fn layout(&mut self, key: Key) -> &Layout {
        self.layouts.entry(key).or_default()
    }

    /// An access of `size` bytes at a known offset, or at any multiple of `align`.
    pub(super) fn access(&mut self, key: Key, object: u64, offset: Option<u64>, align: u32, size: u32) {
        let layout = self.layouts.entry(key).or_default();
        if layout.bytes {
            return;
        }
        let before = layout.cells.len();
        let fits = match offset {
            Some(offset) => layout.fit(offset, size),
            None => layout.fit_all(object, size, align),
        };
        if !fits {
            *layout = Layout { cells: BTreeMap::new(), bytes: true };
        }
        self.changed |= !fits || layout.cells.len() != before;
    }

    /// What an offset that meets others at a join is a multiple of.
    pub(super) fn join_align(&mut self, function: FuncId, param: Value, align: u32) -> u32 {
        let entry = self.aligns.entry((function, param)).or_insert(align);
        let common = (*entry).min(align);
        if common != *entry {
            *entry = common;
            self.changed = true;
        }
        common
    }
}
