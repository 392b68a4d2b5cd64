//! One id for equal types.
//!
//! Each file that includes a header brings its own copy of the header's types, and a struct that refers to itself
//! cannot be compared by looking at its parts. So all types are first taken for equal where they look alike without
//! the types that they refer to, and then told apart as long as these differ: what remains together is equal.

use std::collections::HashMap;
use std::hash::Hash;

use cranelift_entity::{EntityRef, PrimaryMap};

use super::{CType, TypeId, Types};

impl Types {
    /// Merges equal types. Returns the new id of each old one, in their order.
    pub fn merge(&mut self) -> Vec<TypeId> {
        let refers: Vec<Vec<TypeId>> = self.types.values().map(CType::refers).collect();
        let shapes = self.types.values().map(|ty| {
            let mut shape = ty.clone();
            shape.each_id(&mut |id| *id = TypeId::new(0));
            shape
        });
        let (mut classes, mut count) = number(shapes);
        loop {
            let parts = refers.iter().zip(&classes).map(|(refers, &own)| {
                let refers: Vec<TypeId> = refers.iter().map(|id| classes[id.index()]).collect();
                (own, refers)
            });
            let (finer, more) = number(parts);
            classes = finer;
            if more == count {
                break;
            }
            count = more;
        }
        let mut merged: PrimaryMap<TypeId, CType> = PrimaryMap::with_capacity(count);
        for (ty, class) in self.types.values().zip(&classes) {
            // Classes are numbered as they first appear.
            if class.index() == merged.len() {
                let mut ty = ty.clone();
                ty.each_id(&mut |id| *id = classes[id.index()]);
                merged.push(ty);
            }
        }
        self.types = merged;
        classes
    }
}

/// Numbers keys from zero as they first appear, equal ones alike, and says how many there are.
fn number<K: Hash + Eq>(keys: impl Iterator<Item = K>) -> (Vec<TypeId>, usize) {
    let mut known = HashMap::new();
    let numbers = keys
        .map(|key| {
            let next = TypeId::new(known.len());
            *known.entry(key).or_insert(next)
        })
        .collect();
    (numbers, known.len())
}

impl CType {
    /// The types that this one refers to.
    pub fn refers(&self) -> Vec<TypeId> {
        match self {
            CType::Void | CType::Bool | CType::Int { .. } | CType::Float { .. } | CType::Opaque { .. } => Vec::new(),
            CType::Pointer(of)
            | CType::Atomic(of)
            | CType::Array { of, .. }
            | CType::Typedef { of, .. }
            | CType::Qualified { of, .. } => vec![*of],
            CType::Struct(record) | CType::Union(record) => record.fields.iter().map(|f| f.ty).collect(),
            CType::Enum(enumeration) => vec![enumeration.of],
            CType::Function(signature) => {
                std::iter::once(signature.returns).chain(signature.params.iter().copied()).collect()
            }
        }
    }

    /// The same, to change them.
    fn each_id(&mut self, change: &mut impl FnMut(&mut TypeId)) {
        match self {
            CType::Void | CType::Bool | CType::Int { .. } | CType::Float { .. } | CType::Opaque { .. } => {}
            CType::Pointer(of)
            | CType::Atomic(of)
            | CType::Array { of, .. }
            | CType::Typedef { of, .. }
            | CType::Qualified { of, .. } => change(of),
            CType::Struct(record) | CType::Union(record) => record.fields.iter_mut().for_each(|f| change(&mut f.ty)),
            CType::Enum(enumeration) => change(&mut enumeration.of),
            CType::Function(signature) => {
                change(&mut signature.returns);
                signature.params.iter_mut().for_each(change);
            }
        }
    }
}
