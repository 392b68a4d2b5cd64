//! Types of another program, by their names among those of this one.

use super::{CType, Signature, TypeId, Types};

impl Types {
    /// The same type as one of another program's, as far as it can be told by names. Pointers to functions are left out, as
    /// `void`: which functions pointers may mean depends on what types there are.
    pub fn adopt(&mut self, other: &Types, id: TypeId) -> Option<TypeId> {
        let same = match &other[id] {
            CType::Pointer(to) => match other.stripped(*to) {
                CType::Function(_) => return None,
                _ => CType::Pointer(self.adopt(other, *to)?),
            },
            CType::Typedef { name, of } => {
                let is_it = |ty: &CType| matches!(ty, CType::Typedef { name: own, .. } if own == name);
                return self.find(is_it).or_else(|| self.adopt(other, *of));
            }
            CType::Qualified { qualifiers, of } => {
                CType::Qualified { qualifiers: *qualifiers, of: self.adopt(other, *of)? }
            }
            CType::Struct(record) | CType::Union(record) => {
                let union = matches!(other[id], CType::Union(_));
                let tag = record.tag.as_ref()?;
                let is_it = |ty: &CType| {
                    ty.record()
                        .is_some_and(|(kind, own)| (kind == union) && own.tag.as_ref() == Some(tag) && own.complete)
                };
                return self.find(is_it);
            }
            CType::Enum(enumeration) => {
                let tag = enumeration.tag.as_ref()?;
                return self.find(|ty| matches!(ty, CType::Enum(own) if own.tag.as_ref() == Some(tag)));
            }
            CType::Function(signature) => {
                let void = self.find_or_push(CType::Void);
                let params = signature.params.iter().map(|&ty| self.adopt(other, ty).unwrap_or(void)).collect();
                let returns = self.adopt(other, signature.returns).unwrap_or(void);
                CType::Function(Signature { params, returns, variadic: signature.variadic })
            }
            CType::Array { .. } | CType::Atomic(_) => return None,
            plain @ (CType::Void | CType::Bool | CType::Int { .. } | CType::Float { .. } | CType::Opaque { .. }) => {
                plain.clone()
            }
        };
        Some(self.find_or_push(same))
    }

    fn find(&self, is_it: impl Fn(&CType) -> bool) -> Option<TypeId> {
        self.iter().find(|(_, ty)| is_it(ty)).map(|(id, _)| id)
    }

    fn find_or_push(&mut self, ty: CType) -> TypeId {
        self.find(|own| *own == ty).unwrap_or_else(|| self.push(ty))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Qualifiers, Record};

    fn node(types: &mut Types) -> TypeId {
        let tag = Some("node".to_owned());
        types.push(CType::Struct(Record { tag, size: 4, align: None, fields: Vec::new(), complete: true }))
    }

    #[test]
    fn types_are_found_by_their_names() {
        let (mut own, mut other) = (Types::default(), Types::default());
        own.push(CType::Bool);
        let here = node(&mut own);
        let there = node(&mut other);
        let qualifiers = Qualifiers { constant: true, ..Qualifiers::default() };
        let constant = other.push(CType::Qualified { qualifiers, of: there });
        let pointer = other.push(CType::Pointer(constant));
        let void = other.push(CType::Void);
        let call = Signature { params: vec![pointer], returns: void, variadic: false };
        let function = other.push(CType::Function(call));
        let callback = other.push(CType::Pointer(function));
        let outer = other.push(CType::Function(Signature {
            params: vec![pointer, callback],
            returns: pointer,
            variadic: false,
        }));
        let adopted = own.adopt(&other, outer).unwrap();
        let CType::Function(signature) = own[adopted].clone() else { panic!("{:?}", own[adopted]) };
        let to = own.pointee(signature.params[0]).unwrap();
        assert!(own.strip(to) == here && own.is_const(to) && !own.is_const(here));
        assert_eq!(own[signature.params[1]], CType::Void);
        assert_eq!(signature.returns, signature.params[0]);
        assert_eq!(own.adopt(&other, outer), Some(adopted));
    }
}
