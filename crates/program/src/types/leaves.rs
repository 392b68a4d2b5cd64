//! The scalars that an object consists of.

use super::{Bits, CType, Field, TypeId, Types};

/// A scalar inside an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// In bytes from the start of the object.
    pub offset: u64,
    /// What to write behind the object's name in C: `.next`, `[3].x`, or nothing.
    pub path: String,
    /// Never an array, struct or union behind its typedefs and qualifiers.
    pub ty: TypeId,
    /// For a bit-field, where it is in its bytes.
    pub bits: Option<Bits>,
}

/// See [`Types::leaves`].
#[derive(Clone, Debug)]
pub struct Leaves<'t> {
    types: &'t Types,
    /// The aggregates on the way to the next leaf, the innermost last.
    open: Vec<Open<'t>>,
    /// The path to the innermost open aggregate.
    path: String,
    /// The object itself, where it is a scalar.
    scalar: Option<Leaf>,
}

#[derive(Clone, Debug)]
struct Open<'t> {
    offset: u64,
    /// How long the path to the aggregate is.
    path: usize,
    next: u64,
    parts: Parts<'t>,
}

#[derive(Clone, Copy, Debug)]
enum Parts<'t> {
    Elements { of: TypeId, size: u64, count: u64 },
    Fields(&'t [Field]),
}

impl Types {
    /// The scalars of an object of type `id`, in the order of their offsets. Of a union the largest member counts, the
    /// first of several. Bytes of padding, flexible members and types that are only declared have none.
    ///
    /// An array is walked as the iterator advances, so that the first scalars of a large one are cheap.
    pub fn leaves(&self, id: TypeId) -> Leaves<'_> {
        let mut leaves = Leaves { types: self, open: Vec::new(), path: String::new(), scalar: None };
        leaves.scalar = leaves.enter(0, id, None);
        leaves
    }

    /// The member that stands for a union: the largest, the first of several.
    pub fn largest<'t>(&self, members: &'t [Field]) -> Option<&'t Field> {
        let bits = |field: &Field| match field.bits {
            Some(bits) => u64::from(bits.width),
            None => self.size_of(field.ty).unwrap_or(0).saturating_mul(8),
        };
        // The last of several maxima is taken, so look from the end.
        members.iter().rev().max_by_key(|field| bits(field))
    }
}

impl<'t> Leaves<'t> {
    /// Opens an aggregate; a scalar is handed back.
    fn enter(&mut self, offset: u64, ty: TypeId, bits: Option<Bits>) -> Option<Leaf> {
        let parts = match self.types.stripped(ty) {
            CType::Void | CType::Function(_) => return None,
            CType::Array { of, count } => {
                // Elements without a size have no scalars, however many they are.
                let size = self.types.size_of(*of).filter(|&size| size > 0)?;
                Parts::Elements { of: *of, size, count: (*count)? }
            }
            CType::Struct(record) => Parts::Fields(&record.fields),
            CType::Union(record) => {
                let member = self.types.largest(&record.fields);
                Parts::Fields(member.map(std::slice::from_ref).unwrap_or_default())
            }
            _ => return Some(Leaf { offset, path: self.path.clone(), ty, bits }),
        };
        self.open.push(Open { offset, path: self.path.len(), next: 0, parts });
        None
    }
}

impl Iterator for Leaves<'_> {
    type Item = Leaf;

    fn next(&mut self) -> Option<Leaf> {
        if let Some(leaf) = self.scalar.take() {
            return Some(leaf);
        }
        while let Some(open) = self.open.last_mut() {
            self.path.truncate(open.path);
            let (index, start) = (open.next, open.offset);
            open.next += 1;
            let leaf = match open.parts {
                Parts::Elements { of, size, count } if index < count => {
                    self.path.push_str(&format!("[{index}]"));
                    self.enter(start + index * size, of, None)
                }
                Parts::Fields(fields) if index < fields.len() as u64 => {
                    let field = &fields[index as usize];
                    if !field.name.is_empty() {
                        self.path.push('.');
                        self.path.push_str(&field.name);
                    }
                    self.enter(start + field.offset, field.ty, field.bits)
                }
                _ => {
                    self.open.pop();
                    None
                }
            };
            if leaf.is_some() {
                return leaf;
            }
        }
        None
    }
}
