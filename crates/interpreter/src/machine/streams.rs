//! Streams that are inputs: a `FILE` of the library's own with a descriptor of ours, behind which there are bytes that are inputs.
//!
//! Whether there is another byte is a choice of the run at each place, and so is how long the content is; it is asked only where the
//! code comes to it. Bytes are given one at a time, as a terminal does: the library asks for more when it needs them.

use covenant_program::ir::{Loc, Type};

use super::{Machine, Step};
use crate::TrapKind;
use crate::host::System;
use crate::memory::{Fault, Kind, Label, Request};
use crate::shadow::{Shadow, Shadowed};

/// The first descriptor of such a stream.
const FIRST: i32 = 1 << 20; // not tuning: what descriptors the files of a run do not have
/// The size of a `FILE` of glibc, whose layout the library's has, and where its descriptor is.
const FILE: (u64, u64) = (216, 112); // not tuning: a format
/// The same with 32-bit pointers.
const FILE_32: (u64, u64) = (148, 56); // not tuning: a format
/// So many bytes can be written to it beyond what it may have.
const ROOM: u64 = 1 << 16; // not tuning: memory
const EBADF: i64 = 9; // not tuning: a format
const EINVAL: i64 = 22; // not tuning: a format

/// What is behind a descriptor.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    /// The number by which the shadow knows the content.
    root: u32,
    /// Where the bytes are, and how many there can be.
    content: u64,
    capacity: u64,
    place: u64,
    /// So many bytes are there.
    known: u64,
    /// And no more than these.
    ended: bool,
    is_open: bool,
}

impl<S: Shadow> Machine<'_, S> {
    /// A new stream with up to `capacity` bytes at the start; the address of its `FILE`.
    pub(super) fn give_stream(&mut self, root: u32, capacity: u64) -> Step<u64> {
        let request = |size: u64| Request {
            kind: Kind::Given,
            size,
            align: 16,
            label: Label::None,
            at: Loc::NONE,
            initialised: true,
        };
        let wide = self.image.program().target.pointer_size() == 8;
        let (size, descriptor) = if wide { FILE } else { FILE_32 };
        let file = self.memory.allocate(request(size))?;
        let capacity = capacity.saturating_add(ROOM);
        let content = self.memory.allocate(request(capacity))?;
        self.make_waiting(content, root);
        let number = FIRST + self.given.len() as i32;
        self.memory.poke(file + descriptor, &self.image.program().target.bytes(number as u128, 4));
        self.given.push(Stream { root, content, capacity, place: 0, known: 0, ended: false, is_open: true });
        self.shadow.placed(root, file);
        Ok(file)
    }

    /// Which of the streams has this descriptor.
    pub(super) fn given_stream(&self, descriptor: u64) -> Option<usize> {
        let index = usize::try_from((descriptor as i32).checked_sub(FIRST)?).ok()?;
        (index < self.given.len()).then_some(index)
    }

    /// What the library asks of the descriptor of such a stream.
    pub(super) fn on_given(&mut self, index: usize, system: System, [b, c]: [u64; 2]) -> Step<i64> {
        if !self.given[index].is_open {
            return Ok(-EBADF);
        }
        match system {
            System::Read => self.read_given(index, b, c),
            System::Write => self.write_given(index, b, c),
            System::Seek => self.seek_given(index, b as i64, c as i32),
            _ => {
                self.given[index].is_open = false;
                Ok(0)
            }
        }
    }

    /// Whether there is a byte at a place, which is at most one behind those that are known.
    fn has_byte(&mut self, index: usize, place: u64) -> bool {
        let Stream { root, known, ended, .. } = self.given[index];
        if place < known || ended {
            return place < known;
        }
        let site = self.site();
        let has = self.shadow.stream_has(site, root, place);
        let stream = &mut self.given[index];
        (stream.known, stream.ended) = if has { (place + 1, false) } else { (known, true) };
        has
    }

    /// Asks for all bytes before a place.
    fn reach(&mut self, index: usize, place: u64) {
        while self.given[index].known < place && self.has_byte(index, self.given[index].known) {}
    }

    fn read_given(&mut self, index: usize, to: u64, count: u64) -> Step<i64> {
        let place = self.given[index].place;
        self.reach(index, place);
        if count == 0 || self.given[index].known < place || !self.has_byte(index, place) {
            return Ok(0);
        }
        let value = self.read_value(self.given[index].content + place, Type::I8)?;
        self.write_value(to, value)?;
        self.given[index].place += 1;
        Ok(1)
    }

    fn write_given(&mut self, index: usize, from: u64, count: u64) -> Step<i64> {
        let place = self.given[index].place;
        self.reach(index, place);
        let Stream { content, capacity, known, .. } = self.given[index];
        if place.saturating_add(count) > capacity {
            let message = format!("no more than {capacity} bytes are written to a stream among the inputs");
            return Err(Fault::new(TrapKind::InputLimit, message).into());
        }
        // What lies between the end and there is zero.
        for gap in known..place {
            let (bits, ty, term) = (0, Type::I8, S::Term::default());
            self.write_value(content + gap, Shadowed { bits, ty, term })?;
        }
        for at in 0..count {
            let value = self.read_value(from + at, Type::I8)?;
            self.write_value(content + place + at, value)?;
        }
        let stream = &mut self.given[index];
        stream.place += count;
        stream.known = stream.known.max(stream.place);
        Ok(count as i64)
    }

    fn seek_given(&mut self, index: usize, offset: i64, whence: i32) -> Step<i64> {
        let base = match whence {
            0 => 0,
            1 => self.given[index].place,
            2 => {
                while self.has_byte(index, self.given[index].known) {}
                self.given[index].known
            }
            _ => return Ok(-EINVAL),
        };
        let Some(place) = base.checked_add_signed(offset).filter(|place| i64::try_from(*place).is_ok()) else {
            return Ok(-EINVAL);
        };
        self.given[index].place = place;
        Ok(place as i64)
    }
}
