//! Memory as objects with bounds and lifetimes at deterministic addresses.
//!
//! The address space is cut into slots of 16 MiB (16 KiB where addresses have 32 bits). Every object begins near the middle of a slot
//! of its own (a large one spans several), so `address >> 24` finds the object in one step, without provenance and without hashing, and
//! whatever is less than a quarter of a slot outside an object is known to be outside *that* object. Integers made from pointers,
//! tagged pointers and xor-lists work as they do natively.
//!
//! Slots of dead objects are kept until many others have died, so that a dangling pointer is recognised, then used again.

mod access;
mod object;
mod space;

use std::collections::VecDeque;
use std::marker::PhantomData;

use covenant_program::ir::Loc;

pub use object::{Kind, Label, Object};
pub(crate) use space::Space;

use crate::shadow::Shadow;
use crate::{About, TrapKind};

/// How many dead objects are remembered before their slots are used again.
const QUARANTINE: usize = 1 << 15; // not tuning: memory
/// What a byte that depends on inputs takes beside itself: an entry of a hash table.
const TERM_BYTES: u64 = 32; // not tuning: memory

/// Where a run takes place. C leaves open where objects lie and what memory has that nobody wrote: what comes out
/// differently elsewhere is nothing that a test may expect.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Place {
    #[default]
    /// Where runs have it.
    Here,
    /// Objects lie at other addresses and in another order, and memory that nobody wrote is not zero.
    Elsewhere,
}

/// What memory has that nobody wrote. Elsewhere no two numbers are the same, and which is the larger depends on who asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unwritten {
    Zero,
    Rising,
    Falling,
}

impl Unwritten {
    /// In a run at this place, which may hold to the letter of C.
    pub(crate) fn at(place: Place, to_the_letter: bool) -> Unwritten {
        match place {
            Place::Here => Unwritten::Zero,
            Place::Elsewhere if to_the_letter => Unwritten::Falling,
            Place::Elsewhere => Unwritten::Rising,
        }
    }

    /// The bytes of a new object, which are zero.
    fn fill(self, slot: u32, data: &mut [u8]) {
        let way = match self {
            Unwritten::Zero => return,
            Unwritten::Rising => 1,
            Unwritten::Falling => -1,
        };
        for (number, unit) in data.chunks_mut(4).enumerate() {
            let step = (slot as usize).wrapping_add(number) % 64;
            unit.fill(0xA5_u8.wrapping_add_signed(way * step as i8));
        }
    }
}

/// What is wrong with an access or a deallocation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What the run ends with.
    pub kind: TrapKind,
    /// For the user: what was accessed, and how it lies to the nearest object.
    pub message: String,
    /// The object it is about.
    pub label: Label,
    /// Where that object begins, and the bytes that were accessed, from its start.
    pub about: Option<About>,
}

impl Fault {
    /// A fault that is about no object.
    pub fn new(kind: TrapKind, message: impl Into<String>) -> Box<Fault> {
        Box::new(Fault { kind, message: message.into(), label: Label::None, about: None })
    }

    fn about<B>(object: &Object<B>, kind: TrapKind, message: String) -> Box<Fault> {
        let about = Some(About { base: object.base, offset: 0, size: 0 });
        Box::new(Fault { kind, message, label: object.label, about })
    }
}

/// What an access gives that can be a trap of the program.
pub type Checked<T> = Result<T, Box<Fault>>;

/// What a new object is to be.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// Where it lives.
    pub kind: Kind,
    /// In bytes; 0 is an object too, with an address of its own.
    pub size: u64,
    /// A power of two.
    pub align: u64,
    /// What messages call it.
    pub label: Label,
    /// Where the program asked for it, for messages.
    pub at: Loc,
    /// Whether its bytes count as written.
    pub initialised: bool,
}

/// The objects of a run. The header of this module explains the address space.
#[derive(Debug)]
pub struct Memory<S: Shadow> {
    slots: Vec<Object<S::Bytes>>,
    space: Space,
    /// Dead single-slot objects, oldest first.
    quarantine: VecDeque<u32>,
    live_bytes: u64,
    limit: u64,
    /// Whether it is remembered what was written, and whether it is a trap to read what was not.
    track_uninitialised: bool,
    traps_uninitialised: bool,
    /// What memory has that nobody wrote.
    unwritten: Unwritten,
    shadow: PhantomData<S>,
}

impl<S: Shadow> Memory<S> {
    /// An empty memory of at most `limit` bytes. With `traps_uninitialised` it is a fault to read what nobody wrote; with `tracks`
    /// it is only remembered.
    pub(crate) fn new(limit: u64, traps_uninitialised: bool, tracks: bool, space: Space, unwritten: Unwritten) -> Self {
        let mut slots = Vec::new();
        slots.resize_with(space.first() as usize, Object::nothing);
        Memory {
            slots,
            space,
            quarantine: VecDeque::new(),
            live_bytes: 0,
            limit,
            track_uninitialised: traps_uninitialised || tracks,
            traps_uninitialised,
            unwritten,
            shadow: PhantomData,
        }
    }

    /// The size of all that is alive, with a little for each object.
    pub fn live_bytes(&self) -> u64 {
        self.live_bytes
    }

    /// A new object; its bytes are zero, unless nobody may count on that and the run is [`Place::Elsewhere`].
    pub fn allocate(&mut self, request: Request) -> Checked<u64> {
        let Request { size, align, initialised, .. } = request;
        let total = self.live_bytes.saturating_add(size).saturating_add(64);
        if total > self.limit {
            let message = format!("{size} bytes more pass the memory limit of {} bytes", self.limit);
            return Err(Fault::new(TrapKind::MemoryLimit, message));
        }
        let first = self.claim(size)?;
        self.live_bytes = total;
        let start = self.space.start(first, align);
        let object = &mut self.slots[first as usize];
        let mut data = std::mem::take(&mut object.data);
        data.clear();
        zeroed(&mut data, size as usize);
        if !initialised {
            self.unwritten.fill(first, &mut data);
        }
        let tracked = self.track_uninitialised && !initialised;
        *object = Object::live(&request, start, data, tracked);
        Ok(start)
    }

    /// The index of a slot for an object of this size, and of those behind it that it needs.
    fn claim(&mut self, size: u64) -> Checked<u32> {
        let extra = self.space.extra(size);
        if extra == 0
            && self.quarantine.len() > QUARANTINE
            && let Some(slot) = self.quarantine.pop_front()
        {
            return Ok(slot);
        }
        let first = self.slots.len();
        if first + extra >= self.space.end() {
            return Err(Fault::new(TrapKind::MemoryLimit, "the address space is used up"));
        }
        self.slots.resize_with(first + 1, Object::nothing);
        for behind in 1..=extra {
            self.slots.push(Object::continuation(behind as u32));
        }
        Ok(first as u32)
    }

    /// Up to `bytes` bytes of the object at `address` get terms at once. They take far more than a byte each, so they count.
    pub fn charge(&mut self, address: u64, bytes: u64) -> Checked<()> {
        let (limit, live) = (self.limit, self.live_bytes);
        let Some(object) = self.object_near_mut(address) else { return Ok(()) };
        let more = bytes.min(object.size.saturating_sub(object.charged));
        let total = live.saturating_add(TERM_BYTES * more);
        if total > limit {
            let message = format!("terms of {more} bytes more pass the memory limit of {limit} bytes");
            return Err(Fault::new(TrapKind::MemoryLimit, message));
        }
        object.charged += more;
        self.live_bytes = total;
        Ok(())
    }

    /// Ends the life of the object at `address`, which must be its start.
    pub fn release(&mut self, address: u64, ended: Loc) {
        let slot = self.space.slot(address) as usize;
        let Some(object) = self.slots.get_mut(slot) else { return };
        self.live_bytes = self.live_bytes.saturating_sub(object.size + 64 + TERM_BYTES * object.charged);
        let single = self.space.extra(object.size) == 0;
        object.end(ended);
        if single && object.kind != Kind::Undefined {
            self.quarantine.push_back(slot as u32);
        }
    }

    /// The living heap object that starts at `address`; what is wrong otherwise. `verb` is what the program tried.
    pub fn heap_start(&self, address: u64, verb: &str) -> Checked<&Object<S::Bytes>> {
        let Some(object) = self.object_near(address) else {
            return Err(Fault::new(TrapKind::InvalidFree, format!("{verb} of {address:#x}, which is no heap object")));
        };
        let what = object.describe();
        if !object.is_freeable() {
            return Err(Fault::about(
                object,
                TrapKind::InvalidFree,
                format!("{verb} of {what}, which is not on the heap"),
            ));
        }
        if !object.alive {
            return Err(Fault::about(
                object,
                TrapKind::DoubleFree,
                format!("{verb} of {what}, which was freed before"),
            ));
        }
        if object.base != address {
            let offset = address.wrapping_sub(object.base) as i64;
            let message = format!("{verb} of an address {offset} bytes into {what}, not its start");
            return Err(Fault::about(object, TrapKind::InvalidFree, message));
        }
        Ok(object)
    }

    /// All that is alive.
    pub fn living(&self) -> impl Iterator<Item = &Object<S::Bytes>> {
        self.slots.iter().filter(|object| object.alive)
    }

    /// The object, dead or alive, in whose slots the address lies.
    pub fn object_near(&self, address: u64) -> Option<&Object<S::Bytes>> {
        let slot = usize::try_from(self.space.slot(address)).ok()?;
        let object = self.slots.get(slot)?;
        let object = match object.kind {
            Kind::Continuation => self.slots.get(slot - object.size as usize)?,
            _ => object,
        };
        (object.kind != Kind::Nothing).then_some(object)
    }

    pub(crate) fn object_near_mut(&mut self, address: u64) -> Option<&mut Object<S::Bytes>> {
        let slot = usize::try_from(self.space.slot(address)).ok()?;
        let first = match self.slots.get(slot)? {
            object if object.kind == Kind::Continuation => slot - object.size as usize,
            _ => slot,
        };
        self.slots.get_mut(first)
    }

    /// Forbids writing to the object at `address`.
    pub fn make_constant(&mut self, address: u64) {
        if let Some(object) = self.object_near_mut(address) {
            object.writable = false;
        }
    }
}

/// Where objects come to lie that are allocated one after the other in an empty memory, none of them freed.
#[derive(Debug)]
pub struct Layout {
    space: Space,
    next: u32,
}

impl Layout {
    /// An empty memory.
    pub(crate) fn new(space: Space) -> Layout {
        Layout { space, next: space.first() }
    }

    /// Where an object would come to lie. The same requests in the same order give the same addresses.
    pub fn place(&mut self, size: u64, align: u64) -> u64 {
        let slot = self.next;
        self.next = self.next.saturating_add(1 + self.space.extra(size) as u32);
        self.space.start(slot, align)
    }
}

/// Makes an empty vector `size` zero bytes long; a large one is left to the system's lazily zeroed pages.
fn zeroed(data: &mut Vec<u8>, size: usize) {
    if size > 1 << 16 {
        *data = vec![0; size];
    } else {
        data.resize(size, 0);
    }
}
