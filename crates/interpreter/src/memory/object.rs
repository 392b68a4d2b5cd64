//! One object of memory.

use covenant_program::ir::{FuncId, GlobalId, Loc, VarId};

use super::Request;

/// What an object is, which decides who may free it and what messages call it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A slot that was never used, or the guard before the first.
    Nothing,
    /// A further slot of a large object; `size` says how many slots before it the object begins.
    Continuation,
    /// A variable with static storage, or a literal.
    Global,
    /// A global that nothing defines.
    Undefined,
    /// Alive until its function returns.
    Stack,
    /// Alive until it is freed.
    Heap,
    /// From outside, as an input. It can be freed like one of the heap: a caller who wants the code to do that takes it from there.
    Given,
    /// No bytes: an address that can be called.
    Function,
}

/// What the source calls an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label {
    /// It has no name.
    None,
    /// A global by its name.
    Global(GlobalId),
    /// A variable of a function.
    Local(FuncId, VarId),
}

/// An object; it stays for a while when it dies, so that later accesses can be explained.
#[derive(Debug)]
pub struct Object<B> {
    /// Where it lives.
    pub kind: Kind,
    /// Whether it may be accessed.
    pub alive: bool,
    /// Whether it may be written; literals may not.
    pub writable: bool,
    /// The address of its first byte.
    pub base: u64,
    /// In bytes, also after its death.
    pub size: u64,
    /// What messages call it.
    pub label: Label,
    /// `size` bytes while alive, none afterwards: an access to a dead object fails the bounds check.
    pub(super) data: Vec<u8>,
    /// One bit a byte, set once the byte is written; `None`: not tracked.
    pub(super) written: Option<Box<[u64]>>,
    /// Terms of the bytes that depend on inputs; `None`: no byte does.
    pub terms: Option<Box<B>>,
    /// How many bytes of terms it was charged for, see [`super::Memory::charge`].
    pub(super) charged: u64,
    /// Where the program made it.
    pub born: Loc,
    /// Where its life ended.
    pub died: Loc,
}

impl<B> Object<B> {
    pub(super) fn nothing() -> Self {
        Object {
            kind: Kind::Nothing,
            alive: false,
            writable: false,
            base: 0,
            size: 0,
            label: Label::None,
            data: Vec::new(),
            written: None,
            terms: None,
            charged: 0,
            born: Loc::NONE,
            died: Loc::NONE,
        }
    }

    pub(super) fn continuation(behind: u32) -> Self {
        Object { kind: Kind::Continuation, size: u64::from(behind), ..Object::nothing() }
    }

    pub(super) fn live(request: &Request, base: u64, data: Vec<u8>, tracked: bool) -> Self {
        let &Request { kind, label, at: born, .. } = request;
        let written = tracked.then(|| vec![0; data.len().div_ceil(64)].into_boxed_slice());
        let size = data.len() as u64;
        let writable = kind != Kind::Function;
        Object { kind, alive: true, writable, base, size, label, data, written, born, ..Object::nothing() }
    }

    pub(super) fn end(&mut self, died: Loc) {
        self.alive = false;
        self.died = died;
        self.terms = None;
        self.charged = 0;
        self.written = None;
        // The slot will be used again, most likely for an object of the same size.
        self.data.clear();
        if self.data.capacity() > 4096 {
            self.data = Vec::new();
        }
    }

    /// Whether it may be freed, while it is alive and by its start.
    pub fn is_freeable(&self) -> bool {
        matches!(self.kind, Kind::Heap | Kind::Given)
    }

    /// Whether it was freed.
    pub fn is_freed(&self) -> bool {
        self.is_freeable() && !self.alive
    }

    /// In words, for messages.
    pub fn describe(&self) -> String {
        let kind = match self.kind {
            Kind::Global => "a global",
            Kind::Undefined => return "a variable that nothing defines".to_owned(),
            Kind::Stack => "a local",
            Kind::Heap => "a heap block",
            Kind::Given => "an input object",
            Kind::Function => return "a function".to_owned(),
            Kind::Nothing | Kind::Continuation => "nothing",
        };
        format!("{kind} of {} bytes", self.size)
    }

    /// Whether any of the bytes was written. Some but not all is what the ABI makes of structs with padding when it
    /// passes them in registers, so that must not count as a read of what was never written.
    pub(super) fn is_written(&self, from: usize, to: usize) -> bool {
        let Some(written) = &self.written else { return true };
        from == to || (from..to).any(|i| written[i / 64] >> (i % 64) & 1 == 1)
    }

    pub(super) fn mark_written(&mut self, from: usize, to: usize) {
        if let Some(written) = &mut self.written {
            for i in from..to {
                written[i / 64] |= 1 << (i % 64);
            }
        }
    }

    pub(super) fn written_bits(&self, from: usize, to: usize) -> Option<Vec<bool>> {
        let written = self.written.as_ref()?;
        Some((from..to).map(|i| written[i / 64] >> (i % 64) & 1 == 1).collect())
    }

    pub(super) fn set_written_bits(&mut self, from: usize, bits: Option<&[bool]>, count: usize) {
        let Some(written) = &mut self.written else { return };
        for k in 0..count {
            let (i, set) = (from + k, bits.is_none_or(|b| b[k]));
            let mask = 1u64 << (i % 64);
            written[i / 64] = if set { written[i / 64] | mask } else { written[i / 64] & !mask };
        }
    }
}
