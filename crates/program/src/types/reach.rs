//! What a value leads to.

use std::collections::HashSet;

use super::{CType, TypeId, Types};

impl Types {
    /// Each type that values of these types hold or lead to through pointers, once, with the name of what has it first: a root's
    /// or a member's. The C library's `FILE` is not among them: nobody looks inside.
    pub fn reachable<'a>(&'a self, roots: impl IntoIterator<Item = (&'a str, TypeId)>) -> Vec<(TypeId, &'a str)> {
        let mut walk = Walk { types: self, seen: HashSet::new(), found: Vec::new() };
        for (name, ty) in roots {
            walk.visit(ty, name);
        }
        walk.found
    }
}

struct Walk<'a> {
    types: &'a Types,
    seen: HashSet<TypeId>,
    found: Vec<(TypeId, &'a str)>,
}

impl<'a> Walk<'a> {
    fn visit(&mut self, ty: TypeId, place: &'a str) {
        let types = self.types;
        let ty = types.definition(ty).unwrap_or_else(|| types.strip(ty));
        let is_file = types[ty].record().is_some_and(|(_, record)| record.tag.as_deref() == Some("_IO_FILE"));
        if is_file || !self.seen.insert(ty) {
            return;
        }
        self.found.push((ty, place));
        match &types[ty] {
            CType::Pointer(to) | CType::Array { of: to, .. } => self.visit(*to, place),
            CType::Struct(record) | CType::Union(record) => {
                for field in &record.fields {
                    self.visit(field.ty, if field.name.is_empty() { place } else { &field.name });
                }
            }
            _ => {}
        }
    }
}
