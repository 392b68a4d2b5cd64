//! As what the code uses a `void *`: the type that it first converts one to.
//!
//! C does not say what such a pointer points to; the function that gets it does, by a conversion. Who makes inputs goes by that.

use std::collections::{BTreeMap, BTreeSet};

use super::{Function, Kind, Node, Point, Syntax};

/// The pointer type, as clang writes it, that the code converts this parameter of a function to, itself or where it hands the
/// parameter on. Nothing: it never does.
pub fn parameter_seen_as(files: &[&Syntax], function: &str, index: usize) -> Option<String> {
    Search { files, seen: BTreeSet::new() }.parameter(function, index)
}

/// The same for members of structs, by their names.
pub fn members_seen_as(files: &[&Syntax]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for file in files {
        for (_, body) in file.definitions() {
            each(body, &mut |node| {
                if let Some((Kind::Member(name), ty)) = conversion(file, node) {
                    found.entry(name.clone()).or_insert_with(|| ty.to_owned());
                }
            });
        }
    }
    found
}

/// The pointer types, as clang writes them, that the code converts an address to from which it has subtracted something: what
/// is before a pointer, or what the pointer's object is a part of.
pub fn reached_backwards(file: &Syntax) -> Vec<&str> {
    let mut found = Vec::new();
    for (_, body) in file.definitions() {
        each(body, &mut |node| {
            let is_cast = matches!(node.kind, Kind::Cast { .. }) && file.type_of(node).ends_with('*');
            let Some(from) = node.inner.first().filter(|_| is_cast) else { return };
            let ty = file.type_of(node);
            if matches!(plain(from).kind, Kind::Binary { operator: "-", .. }) && !is_void(ty) && !found.contains(&ty) {
                found.push(ty);
            }
        });
    }
    found
}

/// Where the code asks for variadic arguments, and the types, as clang writes them, that it asks for.
pub fn va_args(file: &Syntax) -> Vec<(Point, &str)> {
    let mut found = Vec::new();
    for (_, body) in file.definitions() {
        each(body, &mut |node| {
            if matches!(&node.kind, Kind::Other(name) if name == "VAArgExpr")
                && let Some(place) = node.start()
            {
                found.push((place.shown, file.type_of(node)));
            }
        });
    }
    found
}

struct Search<'s> {
    files: &'s [&'s Syntax],
    /// Parameters that were looked at.
    seen: BTreeSet<(String, usize)>,
}

impl<'s> Search<'s> {
    fn definitions(&self) -> impl Iterator<Item = (&'s Syntax, &'s Function, &'s Node)> + use<'s> {
        self.files.iter().flat_map(|file| file.definitions().map(move |(function, body)| (*file, function, body)))
    }

    fn parameter(&mut self, function: &str, index: usize) -> Option<String> {
        if !self.seen.insert((function.to_owned(), index)) {
            return None;
        }
        let (file, definition, body) = self.definitions().find(|(_, f, _)| f.name == function)?;
        let name = &definition.parameters.get(index).filter(|p| !p.name.is_empty())?.name;
        let (mut direct, mut calls) = (None, Vec::new());
        each(body, &mut |node| match (conversion(file, node), &node.kind) {
            (Some((Kind::Name(used), ty)), _) if used == name => {
                direct.get_or_insert_with(|| ty.to_owned());
            }
            (_, Kind::Call) => calls.push(node),
            _ => {}
        });
        direct.or_else(|| calls.into_iter().find_map(|call| self.handed_on(call, name)))
    }

    /// What the callee takes the parameter for. Behind a pointer there may be each function with as many parameters.
    fn handed_on(&mut self, call: &Node, name: &str) -> Option<String> {
        let (callee, given) = call.inner.split_first()?;
        let at = given.iter().position(|arg| matches!(&plain(arg).kind, Kind::Name(used) if used == name))?;
        let callee = match &plain(callee).kind {
            Kind::Name(callee) => callee.as_str(),
            _ => "",
        };
        let is_known = self.files.iter().any(|file| file.functions.iter().any(|f| f.name == callee));
        let fits = |f: &Function| f.parameters.len() == given.len() && f.parameters[at].ty.ends_with("void *");
        let candidates: Vec<String> = match is_known {
            true => vec![callee.to_owned()],
            false => self.definitions().filter(|(_, f, _)| fits(f)).map(|(_, f, _)| f.name.clone()).collect(),
        };
        candidates.iter().find_map(|callee| self.parameter(callee, at))
    }
}

/// What a node converts from `void *`, and to which pointer type.
fn conversion<'s>(file: &'s Syntax, node: &'s Node) -> Option<(&'s Kind, &'s str)> {
    let from = match &node.kind {
        Kind::Cast { .. } => node.inner.first()?,
        _ => return None,
    };
    let ty = file.type_of(node);
    (is_void(file.type_of(from)) && !is_void(ty) && ty != "void" && ty.ends_with('*')).then(|| (&plain(from).kind, ty))
}

fn is_void(ty: &str) -> bool {
    ty.ends_with("void *") && !ty.contains('(')
}

/// An expression without conversions and parentheses around it.
pub(super) fn plain(mut node: &Node) -> &Node {
    while let (Kind::Cast { .. } | Kind::Parentheses, Some(inner)) = (&node.kind, node.inner.first()) {
        node = inner;
    }
    node
}

/// Each node of a tree, in the order of the source.
pub(super) fn each<'n>(node: &'n Node, see: &mut dyn FnMut(&'n Node)) {
    see(node);
    node.inner.iter().for_each(|inner| each(inner, see));
}
