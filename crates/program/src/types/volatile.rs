//! What of an object is volatile.

use super::{Bits, CType, TypeId, Types};

impl Types {
    /// Whether what lies at an offset in an object of this type, or of many of them, is volatile.
    pub fn is_volatile_at(&self, id: TypeId, offset: u64) -> bool {
        match &self[id] {
            CType::Qualified { qualifiers, of } => qualifiers.volatile || self.is_volatile_at(*of, offset),
            CType::Typedef { of, .. } | CType::Atomic(of) => self.is_volatile_at(*of, offset),
            CType::Array { of, .. } => {
                let size = self.size_of(*of).filter(|size| *size > 0);
                size.is_some_and(|size| self.is_volatile_at(*of, offset % size))
            }
            CType::Struct(record) | CType::Union(record) => record.fields.iter().any(|field| {
                let size = self.size_of(field.ty).filter(|_| field.bits.is_none());
                let size = size.unwrap_or_else(|| field.bits.map_or(u64::MAX, Bits::bytes));
                offset
                    .checked_sub(field.offset)
                    .is_some_and(|inside| inside < size && self.is_volatile_at(field.ty, inside))
            }),
            _ => false,
        }
    }

    /// Whether some part of an object of this type is volatile.
    pub fn has_volatile(&self, id: TypeId) -> bool {
        match &self[id] {
            CType::Qualified { qualifiers, of } => qualifiers.volatile || self.has_volatile(*of),
            CType::Typedef { of, .. } | CType::Atomic(of) | CType::Array { of, .. } => self.has_volatile(*of),
            CType::Struct(record) | CType::Union(record) => {
                record.fields.iter().any(|field| self.has_volatile(field.ty))
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Field, Qualifiers, Record};
    use super::*;

    #[test]
    fn members_and_elements_are_volatile_by_themselves() {
        let mut types = Types::new();
        let int = types.push(CType::Int { name: "int".to_owned(), size: 4, signed: true, is_char: false });
        let qualifiers = Qualifiers { volatile: true, ..Qualifiers::default() };
        let volatile = types.push(CType::Qualified { qualifiers, of: int });
        let field = |name: &str, offset, ty| Field { name: name.to_owned(), offset, ty, bits: None, align: None };
        let fields = vec![field("flag", 0, volatile), field("count", 4, int)];
        let record = Record { tag: None, size: 8, align: None, fields, complete: true };
        let pair = types.push(CType::Struct(record));
        let many = types.push(CType::Array { of: pair, count: Some(3) });
        let at: Vec<bool> = [0, 3, 4, 8, 12, 16].map(|offset| types.is_volatile_at(many, offset)).into();
        assert_eq!(at, [true, true, false, true, false, true]);
        assert!(types.has_volatile(many) && !types.has_volatile(int));
        let pointer = types.push(CType::Pointer(volatile));
        assert!(!types.has_volatile(pointer), "what it points to is another object");
    }
}
