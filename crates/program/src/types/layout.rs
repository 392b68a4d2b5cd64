//! Sizes and alignments.

use crate::target::Target;

use super::{CType, Field, Record, TypeId, Types};

/// The largest size of an atomic instruction.
const MAX_ALIGN: u64 = 16;

impl Types {
    /// Bytes of an address.
    pub fn pointer_size(&self) -> u64 {
        self.target.pointer_size()
    }

    /// Says whose sizes and alignments pointers and scalars have.
    pub fn set_target(&mut self, target: Target) {
        self.target = target;
    }

    /// The size in bytes; `None` for what has none: functions, `void`, types that are only declared, arrays whose
    /// length is not known.
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        match &self[id] {
            CType::Void | CType::Function(_) => None,
            CType::Bool => Some(1),
            CType::Int { size, .. } | CType::Float { size, .. } | CType::Opaque { size, .. } => Some(*size),
            CType::Pointer(_) => Some(self.target.pointer_size()),
            CType::Array { of, count } => self.size_of(*of)?.checked_mul((*count)?),
            CType::Struct(record) | CType::Union(record) => record.complete.then_some(record.size),
            CType::Enum(enumeration) => enumeration.complete.then_some(enumeration.size),
            CType::Typedef { of, .. } | CType::Qualified { of, .. } => self.size_of(*of),
            CType::Atomic(of) => self.size_of(*of).map(atomic_size),
        }
    }

    /// The flexible array at the end of a struct: where it begins, its name, and what its elements are.
    pub fn flexible(&self, id: TypeId) -> Option<(u64, &str, TypeId)> {
        let CType::Struct(record) = self.stripped(id) else { return None };
        let last = record.fields.last().filter(|_| record.complete)?;
        match self.stripped(last.ty) {
            CType::Array { of, count: None | Some(0) } if self.size_of(*of).is_some_and(|size| size > 0) => {
                Some((last.offset, &last.name, *of))
            }
            _ => None,
        }
    }

    /// An alignment in bytes that fits every object of the type. For a packed type the true one can be smaller.
    pub fn align_of(&self, id: TypeId) -> u64 {
        match &self[id] {
            CType::Void | CType::Function(_) | CType::Bool => 1,
            CType::Int { size, .. } | CType::Float { size, .. } => self.scalar_align(*size),
            CType::Enum(enumeration) => self.scalar_align(enumeration.size),
            CType::Opaque { align, .. } => *align,
            CType::Pointer(_) => self.target.pointer_size(),
            CType::Array { of, .. } | CType::Typedef { of, .. } | CType::Qualified { of, .. } => self.align_of(*of),
            CType::Struct(record) | CType::Union(record) => self.record_align(record),
            CType::Atomic(of) => match self.size_of(id) {
                Some(size) if size <= MAX_ALIGN => size.max(self.align_of(*of)),
                _ => self.align_of(*of),
            },
        }
    }

    fn scalar_align(&self, size: u64) -> u64 {
        size.next_power_of_two().clamp(1, self.target.widest_align())
    }

    fn record_align(&self, record: &Record) -> u64 {
        let explicit = record.align.unwrap_or(1);
        if self.is_packed(record) {
            return record.fields.iter().filter_map(|f| f.align).fold(explicit, u64::max);
        }
        record.fields.iter().map(|f| self.field_align(f)).fold(explicit, u64::max)
    }

    fn field_align(&self, field: &Field) -> u64 {
        self.align_of(field.ty).max(field.align.unwrap_or(1))
    }

    /// Whether the fields lie closer together than their types want.
    pub(super) fn is_packed(&self, record: &Record) -> bool {
        record.fields.iter().any(|field| match field.bits {
            // A bit-field does not straddle two units of its type.
            Some(bits) => self.size_of(field.ty).filter(|&size| size > 0).is_some_and(|size| {
                let start = field.offset * 8 + u64::from(bits.offset);
                bits.width > 0 && start / (size * 8) != (start + u64::from(bits.width) - 1) / (size * 8)
            }),
            None => {
                let align = self.align_of(field.ty);
                !field.offset.is_multiple_of(align) || !record.size.is_multiple_of(align)
            }
        })
    }
}

/// `_Atomic` pads what fits the largest atomic instruction to a power of two.
fn atomic_size(size: u64) -> u64 {
    if size <= MAX_ALIGN { size.next_power_of_two() } else { size }
}
