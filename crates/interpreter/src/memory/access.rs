//! Reading and writing. Every access is checked against the bounds and the life of its object.

use super::{Checked, Fault, Kind, Label, Memory};
use crate::memory::Object;
use crate::shadow::Shadow;
use crate::{About, TrapKind};

/// Longest string that is read at once for the host, a path or a number: far beyond what programs mean.
const LONGEST_STRING: u64 = 1 << 20; // not tuning: memory

impl<S: Shadow> Memory<S> {
    /// The fast way: the `N` bytes at `address` if they lie in one living object.
    #[inline(always)]
    pub fn read<const N: usize>(&self, address: u64) -> Checked<[u8; N]> {
        if let Some(object) = self.slots.get(self.space.slot(address) as usize) {
            let at = address.wrapping_sub(object.base) as usize;
            if let Some(bytes) = object.data.get(at..at.wrapping_add(N))
                && object.written.is_none()
                && let Ok(bytes) = bytes.try_into()
            {
                return Ok(bytes);
            }
        }
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.bytes(address, N as u64)?);
        self.check_written(address, N as u64)?;
        Ok(bytes)
    }

    /// Writes bytes; an object that is constant, dead or too small is a fault.
    #[inline(always)]
    pub fn write<const N: usize>(&mut self, address: u64, value: [u8; N]) -> Checked<()> {
        if let Some(object) = self.slots.get_mut(self.space.slot(address) as usize) {
            let at = address.wrapping_sub(object.base) as usize;
            if let Some(bytes) = object.data.get_mut(at..at.wrapping_add(N))
                && object.writable
                && object.written.is_none()
            {
                bytes.copy_from_slice(&value);
                return Ok(());
            }
        }
        self.bytes_mut(address, N as u64)?.copy_from_slice(&value);
        Ok(())
    }

    /// `size` bytes at `address`, for reading.
    pub fn bytes(&self, address: u64, size: u64) -> Checked<&[u8]> {
        let object = self.object_near(address);
        let Some(object) = object else { return Err(self.fault(address, size, "read")) };
        match range(object, address, size) {
            Some(range) => Ok(&object.data[range]),
            None => Err(self.fault(address, size, "read")),
        }
    }

    /// `size` bytes at `address`, all of which the caller now writes.
    pub fn bytes_mut(&mut self, address: u64, size: u64) -> Checked<&mut [u8]> {
        let found = self.object_near(address).and_then(|o| Some((range(o, address, size)?, o.writable)));
        let Some((range, writable)) = found else { return Err(self.fault(address, size, "write")) };
        if !writable {
            let message = format!("write of {size} bytes to a constant");
            let label = self.object_near(address).map_or(Label::None, |o| o.label);
            return Err(Box::new(Fault { kind: TrapKind::WriteToConstant, message, label, about: None }));
        }
        match self.object_near_mut(address) {
            Some(object) => {
                object.mark_written(range.start, range.end);
                Ok(&mut object.data[range])
            }
            None => Err(Fault::new(TrapKind::WildPointer, format!("write of {size} bytes at {address:#x}"))),
        }
    }

    /// Whether any of those bytes, which lie in one object, was written before.
    pub fn check_written(&self, address: u64, size: u64) -> Checked<()> {
        if !self.traps_uninitialised {
            return Ok(());
        }
        let Some(object) = self.object_near(address) else { return Ok(()) };
        if let Some(range) = range(object, address, size)
            && !object.is_written(range.start, range.end)
        {
            let message = format!("read of {size} bytes that were never written, in {}", object.describe());
            return Err(Fault::about(object, TrapKind::Uninitialised, message));
        }
        Ok(())
    }

    /// The same where it is no trap; what is no object is written.
    pub fn is_written(&self, address: u64, size: u64) -> bool {
        let Some(object) = self.object_near(address) else { return true };
        range(object, address, size).is_none_or(|range| object.is_written(range.start, range.end))
    }

    /// Copies like memmove. What was never written stays so: copying is not yet using.
    pub fn copy(&mut self, to: u64, from: u64, size: u64) -> Checked<()> {
        if size == 0 {
            return Ok(());
        }
        let bytes = self.bytes(from, size)?.to_vec();
        let written = self.object_near(from).and_then(|o| {
            let range = range(o, from, size)?;
            o.written_bits(range.start, range.end)
        });
        self.bytes_mut(to, size)?.copy_from_slice(&bytes);
        if let Some(object) = self.object_near_mut(to) {
            let at = to.wrapping_sub(object.base) as usize;
            object.set_written_bits(at, written.as_deref(), size as usize);
        }
        Ok(())
    }

    /// Writes one byte to a range, as `memset` does.
    pub fn fill(&mut self, to: u64, byte: u8, size: u64) -> Checked<()> {
        if size > 0 {
            self.bytes_mut(to, size)?.fill(byte);
        }
        Ok(())
    }

    /// The bytes of a C string, without its end.
    pub fn c_string(&self, address: u64) -> Checked<Vec<u8>> {
        let mut text = Vec::new();
        loop {
            let [byte] = self.read::<1>(address.wrapping_add(text.len() as u64))?;
            if byte == 0 || text.len() as u64 >= LONGEST_STRING {
                return Ok(text);
            }
            text.push(byte);
        }
    }

    /// Why the `size` bytes at `address` cannot be accessed.
    #[cold]
    fn fault(&self, address: u64, size: u64, verb: &str) -> Box<Fault> {
        if self.space.slot(address) == 0 {
            let what =
                if address == 0 { "a null pointer".to_owned() } else { format!("a null pointer plus {address}") };
            let mut fault = Fault::new(TrapKind::NullPointer, format!("{verb} of {size} bytes through {what}"));
            fault.about = Some(About { base: 0, offset: address as i64, size });
            return fault;
        }
        let Some(object) = self.object_near(address) else {
            let message = format!("{verb} of {size} bytes at {address:#x}: no object there");
            let mut fault = Fault::new(TrapKind::WildPointer, message);
            fault.about = Some(About { base: 0, offset: address as i64, size });
            return fault;
        };
        if object.kind == Kind::Function && address != object.base {
            return Fault::new(
                TrapKind::WildPointer,
                format!("{verb} of {size} bytes at {address:#x}: no object there"),
            );
        }
        let what = object.describe();
        let offset = address.wrapping_sub(object.base) as i64;
        if object.alive || object.kind == Kind::Function {
            let place = match offset {
                o if o < 0 => format!("{} bytes before the start of {what}", -o),
                o if o as u64 >= object.size => format!("{} bytes past the end of {what}", o as u64 - object.size),
                _ => format!("at offset {offset}, across the end of {what}"),
            };
            let mut fault = Fault::about(object, TrapKind::OutOfBounds, format!("{verb} of {size} bytes {place}"));
            fault.about = Some(About { base: object.base, offset, size });
            return fault;
        }
        let (kind, place) = match object.kind {
            Kind::Heap | Kind::Given => (TrapKind::UseAfterFree, "after its free"),
            Kind::Undefined => (TrapKind::UndefinedFunction, ""),
            _ => (TrapKind::UseAfterReturn, "of a function or block that has ended"),
        };
        Fault::about(object, kind, format!("{verb} of {size} bytes in {what} {place}").trim_end().to_owned())
    }
}

/// Where in the object's bytes the access lies, if it does.
fn range<B>(object: &Object<B>, address: u64, size: u64) -> Option<std::ops::Range<usize>> {
    let at = address.wrapping_sub(object.base);
    let end = at.checked_add(size)?;
    (object.alive && end <= object.size).then_some(at as usize..end as usize)
}

impl<S: Shadow> Memory<S> {
    /// Sets bytes of a living object, constant or not: inputs come to be when they are first read.
    pub(crate) fn poke(&mut self, address: u64, value: &[u8]) {
        if let Some(object) = self.object_near_mut(address)
            && let Some(range) = range(object, address, value.len() as u64)
        {
            object.mark_written(range.start, range.end);
            object.data[range].copy_from_slice(value);
        }
    }
}
