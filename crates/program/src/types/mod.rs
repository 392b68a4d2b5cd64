//! The C types of the subject.
//!
//! LLVM's pointers are opaque, so the [IR](crate::ir) does not say what is behind one. The types of the source do, and
//! they are also what a test needs to declare its variables. [`lower`](crate::lower) reads them from clang's debug
//! information when it is asked to.
//!
//! * [`Types::spell`] writes a declaration.
//! * [`Types::leaves`] takes an object apart into its scalars.
//! * [`Types::reachable`] follows pointers and members.
//!
//! What debug information does not hold is not here either: the width of a `_BitInt` (its storage is taken for it),
//! bit-fields without a name, and the declarations of functions and variables that the subject leaves undefined.

mod layout;
mod leaves;
mod merge;
mod reach;
mod spell;
mod volatile;
mod written;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use cranelift_entity::{PrimaryMap, entity_impl};

use crate::target::Target;

pub use leaves::{Leaf, Leaves};
pub use spell::ARGUMENTS;
pub use written::Typedefs;

/// A type of the subject.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(u32);
entity_impl!(TypeId, "ty");

/// A C type. Those it is made of are named by their ids, so that a struct can lead to itself.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CType {
    /// No value, or behind a pointer: something.
    Void,
    /// `_Bool`, a byte.
    Bool,
    /// `size` in bytes, as everywhere.
    Int {
        /// As C spells it.
        name: String,
        /// In bytes, as everywhere.
        size: u64,
        /// Whether it has negative values; for a plain `char` by the ABI.
        signed: bool,
        /// Whether one of the three character types.
        is_char: bool,
    },
    /// Of 4 or 8 bytes, or of more: those are x87's extended format and use ten of them.
    Float {
        /// As C spells it.
        name: String,
        /// In bytes in memory.
        size: u64,
    },
    /// To a value of that type.
    Pointer(TypeId),
    /// The count is not there for flexible members and arrays of variable length.
    Array {
        /// The type of an element.
        of: TypeId,
        /// How many elements.
        count: Option<u64>,
    },
    /// All fields, one after the other.
    Struct(Record),
    /// All fields at one place.
    Union(Record),
    /// An `enum`.
    Enum(Enumeration),
    /// A function, which is only ever behind a pointer or a name.
    Function(Signature),
    /// Another name for a type.
    Typedef {
        /// The name.
        name: String,
        /// What it stands for.
        of: TypeId,
    },
    /// A type with qualifiers of its own.
    Qualified {
        /// At least one.
        qualifiers: Qualifiers,
        /// The type without them.
        of: TypeId,
    },
    /// `_Atomic` of a type.
    Atomic(TypeId),
    /// A type of which only the name and the size are used: complex numbers, vectors, floats of other formats.
    Opaque {
        /// As debug information has it.
        name: String,
        /// In bytes.
        size: u64,
        /// In bytes.
        align: u64,
    },
}

/// A struct or a union.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Record {
    /// Nothing for `struct { … }` without a name.
    pub tag: Option<String>,
    /// In bytes, padding included.
    pub size: u64,
    /// Only where the source gives the type itself an alignment.
    pub align: Option<u64>,
    /// In the order of the source; empty for a type that is only declared.
    pub fields: Vec<Field>,
    /// Whether the type is defined where it is used, not only declared.
    pub complete: bool,
}

/// A member of a struct or union.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// Empty for an anonymous struct or union, whose fields count as those of the outer one.
    pub name: String,
    /// For a bit-field, of the byte that has its first bit.
    pub offset: u64,
    /// For a bit-field, its declared type.
    pub ty: TypeId,
    /// For a bit-field, where it is in its bytes.
    pub bits: Option<Bits>,
    /// Only where the source gives the field an alignment.
    pub align: Option<u64>,
}

/// Where a bit-field is, from the first byte it touches: bit 0 is the lowest of that byte. It may reach into the bytes
/// that follow.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bits {
    /// Below 8.
    pub offset: u32,
    /// How many bits.
    pub width: u32,
}

impl Bits {
    /// How many bytes it touches.
    pub fn bytes(self) -> u64 {
        u64::from(self.offset + self.width).div_ceil(8)
    }
}

/// An `enum` with its constants.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Enumeration {
    /// Nothing for `enum { … }` without a name.
    pub tag: Option<String>,
    /// The integer type behind it.
    pub of: TypeId,
    /// In bytes.
    pub size: u64,
    /// Whether the type behind it has negative values.
    pub signed: bool,
    /// The constants, in the order of the source.
    pub values: Vec<(String, i128)>,
    /// Whether it is defined and not only declared.
    pub complete: bool,
}

/// What a function takes and returns.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    /// [`CType::Void`] for a procedure.
    pub returns: TypeId,
    /// Arrays and functions are pointers here, as C has it.
    pub params: Vec<TypeId>,
    /// A pointer to a function without a prototype has no parameters and is variadic.
    pub variadic: bool,
}

/// Those of C; `_Atomic` is [`CType::Atomic`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Qualifiers {
    /// `const`
    pub constant: bool,
    /// `volatile`
    pub volatile: bool,
    /// `restrict`, of a pointer
    pub restrict: bool,
}

impl std::ops::BitOr for Qualifiers {
    type Output = Qualifiers;

    fn bitor(self, other: Qualifiers) -> Qualifiers {
        Qualifiers {
            constant: self.constant || other.constant,
            volatile: self.volatile || other.volatile,
            restrict: self.restrict || other.restrict,
        }
    }
}

/// The types of a program. Types that are equal up to the place of their declaration have one id.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Types {
    types: PrimaryMap<TypeId, CType>,
    /// Whose sizes and alignments they have.
    target: Target,
    /// Pointers that the source has as `void *`.
    taken: BTreeSet<TypeId>,
}

impl std::ops::Index<TypeId> for Types {
    type Output = CType;

    fn index(&self, id: TypeId) -> &CType {
        &self.types[id]
    }
}

impl Types {
    /// No types.
    pub fn new() -> Types {
        Types::default()
    }

    /// Adds a type without a look at whether an equal one is there.
    pub fn push(&mut self, ty: CType) -> TypeId {
        self.types.push(ty)
    }

    /// Adds a pointer to what the code takes a `void *` for.
    pub fn push_taken(&mut self, to: TypeId) -> TypeId {
        let id = self.push(CType::Pointer(to));
        self.taken.insert(id);
        id
    }

    /// Whether the source has a `void *` where this pointer is.
    pub fn is_taken(&self, id: TypeId) -> bool {
        self.taken.contains(&id)
    }

    /// Gives a type its contents when what it refers to is known: a struct may refer to itself.
    pub fn set(&mut self, id: TypeId, ty: CType) {
        self.types[id] = ty;
    }

    /// `unsigned char`, if the program or [`Types::add_byte`] has it.
    pub fn byte(&self) -> Option<TypeId> {
        let is_byte = |ty: &CType| matches!(ty, CType::Int { name, size: 1, .. } if name == "unsigned char");
        self.iter().find(|(_, ty)| is_byte(ty)).map(|(id, _)| id)
    }

    /// Makes sure that there is `unsigned char`.
    pub fn add_byte(&mut self) {
        if self.byte().is_none() {
            self.push(CType::Int { name: "unsigned char".to_owned(), size: 1, signed: false, is_char: true });
        }
    }

    /// `char *`, if there is one.
    pub fn text_pointer(&self) -> Option<TypeId> {
        let is_char = |ty: TypeId| matches!(&self[ty], CType::Int { name, size: 1, .. } if name == "char");
        self.iter().find(|(_, ty)| matches!(ty, CType::Pointer(to) if is_char(*to))).map(|(id, _)| id)
    }

    /// Makes sure that there is `char *`.
    pub fn add_text_pointer(&mut self) {
        if self.text_pointer().is_none() {
            let (name, signed) = ("char".to_owned(), true);
            let letter = self.push(CType::Int { name, size: 1, signed, is_char: true });
            self.push(CType::Pointer(letter));
        }
    }

    /// How many types; ids are below it.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there is none, as when nobody asked for types.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// All types in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &CType)> {
        self.types.iter()
    }

    /// The names of members that are bit-fields, in order.
    pub fn bit_fields(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (_, ty) in self.iter() {
            if let CType::Struct(record) | CType::Union(record) = ty {
                names.extend(record.fields.iter().filter(|f| f.bits.is_some()).map(|f| f.name.clone()));
            }
        }
        names.sort();
        names.dedup();
        names
    }

    /// The type behind typedefs, qualifiers and `_Atomic`.
    pub fn strip(&self, mut id: TypeId) -> TypeId {
        while let CType::Typedef { of, .. } | CType::Qualified { of, .. } | CType::Atomic(of) = self[id] {
            id = of;
        }
        id
    }

    /// The type itself that [`Types::strip`] finds.
    pub fn stripped(&self, id: TypeId) -> &CType {
        &self[self.strip(id)]
    }

    /// Whether the type, by any of its names, is `const`.
    pub fn is_const(&self, mut id: TypeId) -> bool {
        loop {
            id = match self[id] {
                CType::Qualified { qualifiers, .. } if qualifiers.constant => return true,
                CType::Typedef { of, .. } | CType::Qualified { of, .. } | CType::Atomic(of) => of,
                _ => return false,
            };
        }
    }

    /// What a pointer or an array leads to.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match *self.stripped(id) {
            CType::Pointer(to) => Some(to),
            CType::Array { of, .. } => Some(of),
            _ => None,
        }
    }

    /// The qualifiers of the outermost type.
    pub fn qualifiers(&self, mut id: TypeId) -> Qualifiers {
        let mut all = Qualifiers::default();
        loop {
            match self[id] {
                CType::Qualified { qualifiers, of } => (all, id) = (all | qualifiers, of),
                CType::Typedef { of, .. } | CType::Atomic(of) => id = of,
                // The qualifiers of an array are those of its elements.
                CType::Array { of, .. } => id = of,
                _ => return all,
            }
        }
    }

    /// The definition of a struct or union that `id` only declares, where the program has exactly one of that tag in
    /// another file. A complete type is its own definition.
    pub fn definition(&self, id: TypeId) -> Option<TypeId> {
        let id = self.strip(id);
        let (union, record) = self[id].record()?;
        if record.complete {
            return Some(id);
        }
        let tag = record.tag.as_ref()?;
        let fits = |ty: &CType| {
            ty.record().is_some_and(|(kind, other)| kind == union && other.complete && other.tag.as_ref() == Some(tag))
        };
        let mut found = self.iter().filter(|(_, ty)| fits(ty)).map(|(id, _)| id);
        let first = found.next();
        first.filter(|_| found.next().is_none())
    }
}

impl CType {
    /// Whether a union, and its contents.
    fn record(&self) -> Option<(bool, &Record)> {
        match self {
            CType::Struct(record) => Some((false, record)),
            CType::Union(record) => Some((true, record)),
            _ => None,
        }
    }
}
