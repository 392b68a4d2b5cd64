//! The scalars of an object that a run touched, as a person would name them.
//!
//! Other than the leaves of a type, these know what happened: of a union the smallest member is taken that has all that
//! was touched, and a flexible member has the room that the object leaves for it.

use covenant_program::types::{Bits, CType, Field, TypeId, Types};

/// A scalar inside an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub(super) offset: u64,
    /// What to write behind the object's name.
    pub(super) path: String,
    pub(super) ty: TypeId,
    pub(super) bits: Option<Bits>,
}

impl Part {
    /// In bytes; of a `long double` those that mean something.
    pub(super) fn size(&self, types: &Types) -> u64 {
        match (self.bits, types.stripped(self.ty)) {
            (Some(bits), _) => bits.bytes(),
            (None, CType::Float { size: 16, .. }) => 10,
            (None, _) => types.size_of(self.ty).unwrap_or(0),
        }
    }
}

/// What happened to the bytes of an object.
pub(super) trait Bytes {
    /// Whether something in a range was touched.
    fn is_touched(&self, offset: u64, size: u64) -> bool;

    /// Whether a byte is not what it was.
    fn is_changed(&self, offset: u64) -> bool;

    /// Whether an address of something is there.
    fn is_address(&self, offset: u64) -> bool;
}

/// The touched scalars of a type, with `room` bytes for them.
pub(super) fn parts(types: &Types, ty: TypeId, room: u64, bytes: &dyn Bytes) -> Vec<Part> {
    let mut walk = Walk { types, room, bytes, parts: Vec::new() };
    walk.enter(Part { offset: 0, path: String::new(), ty, bits: None });
    walk.parts
}

struct Walk<'a> {
    types: &'a Types,
    room: u64,
    bytes: &'a dyn Bytes,
    parts: Vec<Part>,
}

impl Walk<'_> {
    fn enter(&mut self, part: Part) {
        let size = match (part.bits, self.types.size_of(part.ty)) {
            (Some(bits), _) => bits.bytes(),
            (None, Some(size)) => size,
            (None, None) => self.room.saturating_sub(part.offset),
        };
        if size == 0 || part.offset.saturating_add(size) > self.room || !self.bytes.is_touched(part.offset, size) {
            return;
        }
        match self.types.stripped(part.ty) {
            CType::Void | CType::Function(_) => {}
            CType::Array { of, count } => {
                let Some(element) = self.types.size_of(*of).filter(|&size| size > 0) else { return };
                for index in 0..count.unwrap_or(size / element) {
                    let (offset, path) = (part.offset + index * element, format!("{}[{index}]", part.path));
                    self.enter(Part { offset, path, ty: *of, bits: None });
                }
            }
            // What `setjmp` writes there is its own in each C library.
            CType::Struct(record) if record.tag.as_deref() == Some("__jmp_buf_tag") => self.parts.push(part),
            CType::Struct(record) => record.fields.iter().for_each(|field| self.member(&part, field)),
            CType::Union(record) => {
                if let Some(field) = self.told_by(part.offset, size, &record.fields) {
                    self.member(&part, field);
                }
            }
            _ => self.parts.push(part),
        }
    }

    fn member(&mut self, of: &Part, field: &Field) {
        let dot = if field.name.is_empty() { "" } else { "." };
        let (offset, path) = (of.offset + field.offset, format!("{}{dot}{}", of.path, field.name));
        self.enter(Part { offset, path, ty: field.ty, bits: field.bits });
    }

    /// The member of a union that tells what happened in the fewest words.
    fn told_by<'f>(&self, start: u64, size: u64, fields: &'f [Field]) -> Option<&'f Field> {
        let all = || (0..size).rev();
        let changed = all().find(|&at| self.bytes.is_changed(start + at));
        let last = changed.or_else(|| all().find(|&at| self.bytes.is_touched(start + at, 1))).map_or(0, |at| at + 1);
        let width = |field: &Field| match field.bits {
            Some(bits) => bits.bytes(),
            None => self.types.size_of(field.ty).unwrap_or(0),
        };
        let is_pointer = |field: &Field| matches!(self.types.stripped(field.ty), CType::Pointer(_));
        let address = self.bytes.is_address(start);
        let fits = fields.iter().filter(|field| width(field) >= last && field.bits.is_none());
        let best = fits.min_by_key(|field| (is_pointer(field) != address, width(field)));
        best.or_else(|| self.types.largest(fields))
    }
}
