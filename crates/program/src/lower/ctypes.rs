//! The C types of the subject, from clang's debug information.

use std::collections::{HashMap, VecDeque};

use super::llvm::{DebugInfo, Md, NodeKey, Tag, TypeNode};
use crate::ir::{Program, Target};
use crate::types::{Bits, CType, Enumeration, Field, Qualifiers, Record, Signature, TypeId, Types};

/// Numbers and names of parameters, by the function's node.
pub(super) type Parameters = HashMap<NodeKey, Vec<(u32, String)>>;

/// Gives each type node an id at once and reads it later: types refer to each other in circles.
pub(super) struct TypeReader<'m> {
    target: Target,
    info: DebugInfo<'m>,
    types: Types,
    /// `None` is `void`.
    known: HashMap<Option<Md<'m>>, TypeId>,
    unread: VecDeque<(TypeId, Md<'m>)>,
    parameters: Parameters,
}

impl<'m> TypeReader<'m> {
    pub(super) fn new(info: DebugInfo<'m>, parameters: Parameters, target: Target) -> TypeReader<'m> {
        TypeReader { target, info, types: Types::new(), known: HashMap::new(), unread: VecDeque::new(), parameters }
    }

    /// The type of a local or global variable.
    pub(super) fn variable(&mut self, variable: Md<'m>) -> Option<TypeId> {
        let ty = self.info.variable_type(variable)?;
        Some(self.id(Some(ty)))
    }

    /// The type of a function and the names of its parameters, empty where they have none.
    pub(super) fn function(&mut self, subprogram: Md<'m>) -> Option<(TypeId, Vec<String>)> {
        let node = self.info.subprogram_type(subprogram)?;
        let signature = self.signature(node);
        let mut names = vec![String::new(); signature.params.len()];
        for (number, name) in self.parameters.get(&subprogram.key()).into_iter().flatten() {
            if let Some(place) = (*number as usize).checked_sub(1).and_then(|index| names.get_mut(index)) {
                place.clone_from(name);
            }
        }
        Some((self.types.push(CType::Function(signature)), names))
    }

    /// Reads what was referred to and gives the program its types.
    pub(super) fn finish(mut self, program: &mut Program) {
        while let Some((id, node)) = self.unread.pop_front() {
            let ty = self.read(node);
            self.types.set(id, ty);
        }
        let merged = self.types.merge();
        let rename = |id: &mut Option<TypeId>| {
            if let Some(id) = id {
                *id = merged[cranelift_entity::EntityRef::index(*id)];
            }
        };
        for function in program.functions.values_mut() {
            rename(&mut function.source.ty);
            let variables = function.body.iter_mut().flat_map(|body| body.variables.values_mut());
            variables.for_each(|variable| rename(&mut variable.ty));
        }
        program.globals.values_mut().for_each(|global| rename(&mut global.ty));
        program.types = self.types;
        program.types.set_target(program.target);
    }

    fn id(&mut self, node: Option<Md<'m>>) -> TypeId {
        if let Some(&id) = self.known.get(&node) {
            return id;
        }
        let id = self.types.push(CType::Void);
        self.known.insert(node, id);
        self.unread.extend(node.map(|node| (id, node)));
        id
    }

    fn base(&mut self, node: Md<'m>) -> TypeId {
        self.id(self.info.base(node))
    }

    fn read(&mut self, node: Md<'m>) -> CType {
        let Some(about) = node.type_node() else { return opaque("void", 0, 0) };
        match about.tag {
            Tag::Basic => self.basic(node, &about),
            Tag::Pointer => CType::Pointer(self.base(node)),
            Tag::Const | Tag::Volatile | Tag::Restrict => {
                let qualifiers = Qualifiers {
                    constant: about.tag == Tag::Const,
                    volatile: about.tag == Tag::Volatile,
                    restrict: about.tag == Tag::Restrict,
                };
                CType::Qualified { qualifiers, of: self.base(node) }
            }
            Tag::Atomic => CType::Atomic(self.base(node)),
            Tag::Typedef => CType::Typedef { name: about.name, of: self.base(node) },
            Tag::Structure => CType::Struct(self.record(node, about)),
            Tag::Union => CType::Union(self.record(node, about)),
            Tag::Enumeration => self.enumeration(node, about),
            Tag::Array if about.is_vector => self.vector(node, &about),
            Tag::Array => self.array(node),
            Tag::Subroutine => CType::Function(self.signature(node)),
            // clang's C has no others, but LLVM has.
            Tag::Member | Tag::Other(_) => opaque(&about.name, about.size / 8, about.align),
        }
    }

    fn basic(&self, node: Md<'m>, about: &TypeNode) -> CType {
        let size = about.size / 8;
        let name = about.name.clone();
        let encoding = self.info.encoding(node).unwrap_or_default();
        match (encoding.as_str(), size) {
            ("DW_ATE_boolean", 1) => CType::Bool,
            ("DW_ATE_signed" | "DW_ATE_unsigned", 0..=16) => {
                // The debug information of clang 19 knows only the storage of a `_BitInt`.
                let name = if name.ends_with("_BitInt") { format!("{name}({})", about.size) } else { name };
                CType::Int { name, size, signed: encoding == "DW_ATE_signed", is_char: false }
            }
            ("DW_ATE_signed_char" | "DW_ATE_unsigned_char", 1) => {
                CType::Int { name, size, signed: encoding == "DW_ATE_signed_char", is_char: true }
            }
            ("DW_ATE_float", 4 | 8) => CType::Float { name, size },
            ("DW_ATE_float", 12 | 16) if name == "long double" && self.target.has_x87() => CType::Float { name, size },
            ("DW_ATE_signed" | "DW_ATE_unsigned", _) => opaque(&format!("{name}({})", about.size), size, 64),
            ("DW_ATE_complex_float", 4) => opaque("_Complex _Float16", size, 16),
            ("DW_ATE_complex_float", 8) => opaque("_Complex float", size, 32),
            ("DW_ATE_complex_float", 16) => opaque("_Complex double", size, 64),
            ("DW_ATE_complex_float", 32) => opaque("_Complex long double", size, 128),
            // Complex integers are clang's extension, of a number of its own. Their sign is not told.
            (_, 2) if name == "complex" => opaque("_Complex char", size, 8),
            (_, 4) if name == "complex" => opaque("_Complex short", size, 16),
            (_, 8) if name == "complex" => opaque("_Complex int", size, 32),
            (_, 16) if name == "complex" => opaque("_Complex long", size, 64),
            _ => opaque(&name, size, 0),
        }
    }

    fn record(&mut self, node: Md<'m>, about: TypeNode) -> Record {
        let fields = self.info.elements(node).into_iter().filter_map(|member| self.field(member)).collect();
        Record {
            tag: some(about.name),
            size: about.size / 8,
            align: explicit(about.align),
            fields,
            complete: !about.is_declaration,
        }
    }

    fn field(&mut self, member: Md<'m>) -> Option<Field> {
        let about = member.type_node().filter(|about| about.tag == Tag::Member)?;
        let width = u32::try_from(about.size).ok().filter(|_| about.is_bit_field);
        let bits = width.map(|width| Bits { offset: (about.offset % 8) as u32, width });
        let ty = self.base(member);
        Some(Field { name: about.name, offset: about.offset / 8, ty, bits, align: explicit(about.align) })
    }

    fn enumeration(&mut self, node: Md<'m>, about: TypeNode) -> CType {
        let base = self.info.base(node);
        let encoding = base.and_then(|base| self.integer_encoding(base));
        let values = self.info.elements(node).into_iter().filter_map(|e| self.info.enumerator(e)).collect();
        CType::Enum(Enumeration {
            tag: some(about.name),
            of: self.id(base),
            size: about.size / 8,
            signed: encoding.is_some_and(|e| matches!(e.as_str(), "DW_ATE_signed" | "DW_ATE_signed_char")),
            values,
            complete: !about.is_declaration,
        })
    }

    /// The encoding of an enumeration's type, which may have been given by a typedef.
    fn integer_encoding(&self, mut node: Md<'m>) -> Option<String> {
        while let Some(base) = self.info.base(node) {
            node = base;
        }
        self.info.encoding(node)
    }

    /// A node has all dimensions of an array, the outermost first.
    fn array(&mut self, node: Md<'m>) -> CType {
        let of = self.base(node);
        let counts: Vec<Option<u64>> =
            self.info.elements(node).into_iter().map(|range| self.info.count(range)).collect();
        let Some((&outermost, inner)) = counts.split_first() else { return CType::Array { of, count: None } };
        let of = inner.iter().rev().fold(of, |of, &count| self.types.push(CType::Array { of, count }));
        CType::Array { of, count: outermost }
    }

    /// A vector is written with an attribute before the name of its elements' type.
    fn vector(&mut self, node: Md<'m>, about: &TypeNode) -> CType {
        let element = self.info.base(node).and_then(Md::type_node).map(|element| element.name).unwrap_or_default();
        let size = about.size / 8;
        opaque(&format!("__attribute__((__vector_size__({size}))) {element}"), size, 0)
    }

    fn signature(&mut self, node: Md<'m>) -> Signature {
        let types = self.info.signature(node);
        let (returns, mut params) = types.split_first().map_or((None, &types[..]), |(first, rest)| (*first, rest));
        let variadic = params.last().is_some_and(Option::is_none);
        if variadic {
            params = &params[..params.len() - 1];
        }
        Signature { returns: self.id(returns), params: params.iter().map(|&ty| self.id(ty)).collect(), variadic }
    }
}

/// A type that is only moved about. Without an alignment in bits it has that of its size, as vectors have.
fn opaque(name: &str, size: u64, align: u32) -> CType {
    let natural = size.next_power_of_two().clamp(1, 64);
    CType::Opaque { name: name.to_owned(), size, align: explicit(align).unwrap_or(natural) }
}

fn explicit(bits: u32) -> Option<u64> {
    (bits >= 8).then(|| u64::from(bits / 8))
}

fn some(name: String) -> Option<String> {
    (!name.is_empty()).then_some(name)
}
