//! What a run leaves on the heap: objects that it made and did not free, and which of them nobody can reach any more.
//!
//! Only what the program itself asked for counts (natively the suites' own malloc and free see no more), from where the function
//! under test begins.

use std::collections::BTreeSet;

use covenant_goals::test_case::Allocated;
use covenant_interpreter::memory::{Kind, Memory, Object};
use covenant_program::ir::{FuncId, Origin};
use covenant_program::world::allocates;

use super::Symbolic;

/// So many objects are counted; suites remember no more.
const MOST_MADE: usize = 4096; // not tuning: a format, see failures.c
/// Functions of the C library that may move an object of the program.
const MOVING: &[&str] = &["getline", "getdelim", "__getdelim"];
/// Functions of the C library that make what is its own: what is in there is another thing in each library.
const OPENING: &[&str] = &[
    "fopen",
    "fopen64",
    "fdopen",
    "freopen",
    "fmemopen",
    "open_memstream",
    "tmpfile",
    "popen",
    "opendir",
    "fdopendir",
];

impl Symbolic<'_> {
    /// A function of the library, which the program has called, made an object.
    pub(super) fn count_allocated(&mut self, function: u32, address: u64) {
        if !self.cx.observes {
            return;
        }
        let name = &self.image.program().functions[FuncId::from_u32(function)].name;
        if self.has_begun() && allocates(name) {
            self.made.insert(address);
        } else {
            // Somebody else's, at a place that was used before.
            self.made.remove(&address);
        }
        match OPENING.contains(&name.as_str()) {
            true => self.opened.insert(address),
            false => self.opened.remove(&address),
        };
    }

    /// What is left of these objects; `None`: the program has no heap, or who counts natively may find another number.
    pub(super) fn allocated(&self, memory: &Memory<Self>) -> Option<Allocated> {
        let program = self.image.program();
        let library = program.functions.iter().filter(|(_, f)| f.origin == Origin::Library && f.body.is_some());
        let is_entered = |id: FuncId| self.entered.get(id.as_u32() as usize) == Some(&true);
        let (mut uses, mut moves) = (false, false);
        for (id, function) in library {
            uses |= function.name == "free" || allocates(&function.name);
            moves |= is_entered(id) && MOVING.contains(&function.name.as_str());
        }
        if !uses || moves || self.made.len() > MOST_MADE {
            return None;
        }
        let is_left = |address: &&u64| memory.object_near(**address).is_some_and(|o| is_heap(o) && o.base == **address);
        let left: BTreeSet<u64> = self.made.iter().filter(is_left).copied().collect();
        let reached = if left.is_empty() { BTreeSet::new() } else { self.reached(memory) };
        Some(Allocated { objects: left.len() as u64, lost: left.difference(&reached).count() as u64 })
    }

    /// Objects on the heap that a caller can get at: from the result, from globals, and from the inputs.
    fn reached(&self, memory: &Memory<Self>) -> BTreeSet<u64> {
        let mut reached = BTreeSet::new();
        let mut open: Vec<&[u8]> = self.returned.as_deref().into_iter().collect();
        open.extend(memory.living().filter(|o| !is_heap(o)).filter_map(|o| memory.bytes(o.base, o.size).ok()));
        while let Some(bytes) = open.pop() {
            for word in bytes.chunks_exact(8) {
                let Ok(word) = word.try_into().map(u64::from_le_bytes) else { continue };
                let Some(object) = memory.object_near(word).filter(|o| is_heap(o)) else { continue };
                let inside = word >= object.base && word <= object.base + object.size;
                if inside && reached.insert(object.base) {
                    open.extend(memory.bytes(object.base, object.size).ok());
                }
            }
        }
        reached
    }
}

fn is_heap<B>(object: &Object<B>) -> bool {
    object.alive && object.kind == Kind::Heap
}
