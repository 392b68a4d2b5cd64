//! Types that the entry's file does not define, and other files do: a header hands out `struct buffer;`, and one file knows what is in
//! it. Tests that make such objects say what they are.

use std::collections::HashSet;

use covenant_program::syntax::Syntax;
use covenant_program::types::{ARGUMENTS, CType, Record, TypeId, Types};
use covenant_report::subject::HiddenType;

/// Structs of the system: headers of frameworks may bring them.
const SYSTEM: &[&str] =
    &["tm", "timeval", "timespec", "timezone", "itimerval", "itimerspec", "stat", "sigaction", "rusage"];

/// Definitions, in an order in which C takes them, of what these types lead to. Nothing if that cannot be written there.
pub(crate) fn definitions(types: &Types, tree: &Syntax, roots: &[(&str, TypeId)]) -> Vec<HiddenType> {
    let mut writer = Writer { types, tree, done: HashSet::new(), found: Vec::new(), fails: false };
    for (id, _) in types.reachable(roots.iter().copied()) {
        if let CType::Struct(record) | CType::Union(record) = &types[id]
            && record.tag.is_some()
        {
            writer.whole(id);
        }
    }
    if writer.fails { Vec::new() } else { writer.found }
}

struct Writer<'a> {
    types: &'a Types,
    tree: &'a Syntax,
    done: HashSet<String>,
    found: Vec<HiddenType>,
    /// A name means something else in the entry's file.
    fails: bool,
}

impl Writer<'_> {
    /// What must be known where an object of the type is declared.
    fn whole(&mut self, id: TypeId) {
        let id = if matches!(self.types[id], CType::Struct(_) | CType::Union(_)) {
            self.types.definition(id).unwrap_or(id)
        } else {
            id
        };
        match &self.types[id] {
            CType::Qualified { of, .. } | CType::Atomic(of) | CType::Array { of, .. } => self.whole(*of),
            CType::Typedef { name, of } => {
                self.whole(*of);
                self.alias(name, *of);
            }
            CType::Struct(record) => self.record(id, "struct", record),
            CType::Union(record) => self.record(id, "union", record),
            CType::Enum(enumeration) => {
                let first = enumeration.values.first().map(|(name, _)| name.as_str()).unwrap_or_default();
                let name = format!("enum {}", enumeration.tag.as_deref().unwrap_or(first));
                let is_known =
                    self.tree.defines_type(&name) || enumeration.tag.is_none() && self.tree.has_enumerator(first);
                if enumeration.complete && !is_known && self.done.insert(name) {
                    let enumerators = enumeration.values.iter().map(|(name, _)| name);
                    self.fails |= enumerators.clone().any(|name| self.tree.has_enumerator(name));
                    let names = enumeration.tag.iter().chain(enumerators).cloned().collect();
                    self.write(names, self.types.spell_definition(id));
                }
            }
            _ => self.named(id),
        }
    }

    /// What must be known where a pointer to the type is declared.
    fn named(&mut self, id: TypeId) {
        match &self.types[id] {
            CType::Qualified { of, .. } | CType::Atomic(of) | CType::Array { of, .. } | CType::Pointer(of) => {
                self.named(*of);
            }
            CType::Typedef { name, of } if !self.tree.defines_type(name) && !self.done.contains(name) => {
                match &self.types[*of] {
                    // One without a name is written out.
                    CType::Struct(record) | CType::Union(record) if record.tag.is_none() => self.whole(*of),
                    CType::Struct(_) | CType::Union(_) => {}
                    _ => self.named(*of),
                }
                self.alias(name, *of);
            }
            CType::Function(signature) => {
                signature.params.iter().for_each(|&param| self.named(param));
                self.named(signature.returns);
            }
            // No enumeration can be declared only.
            CType::Enum(_) => self.whole(id),
            _ => {}
        }
    }

    fn record(&mut self, id: TypeId, keyword: &str, record: &Record) {
        let Some(tag) = &record.tag else {
            record.fields.iter().for_each(|field| self.whole(field.ty));
            return;
        };
        let name = format!("{keyword} {tag}");
        let is_known = self.tree.defines_type(&name) || SYSTEM.contains(&tag.as_str()) || tag == ARGUMENTS;
        if !record.complete || is_known || !self.done.insert(name.clone()) {
            return;
        }
        record.fields.iter().for_each(|field| self.whole(field.ty));
        self.write(vec![tag.clone()], self.types.spell_definition(id));
        self.write(Vec::new(), Some(format!("_Static_assert(sizeof({name}) == {}, \"{name}\")", record.size)));
    }

    fn alias(&mut self, name: &str, of: TypeId) {
        if !self.tree.defines_type(name) && self.done.insert(name.to_owned()) {
            self.write(vec![name.to_owned()], Some(format!("typedef {}", self.types.spell(of, name))));
        }
    }

    fn write(&mut self, names: Vec<String>, text: Option<String>) {
        self.found.extend(text.map(|text| HiddenType { names, definition: format!("{text};") }));
    }
}
