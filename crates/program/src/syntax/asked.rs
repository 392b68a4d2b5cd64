//! What the code asks of its variables and members: what it compares, and with what.

use std::collections::BTreeSet;

use super::uses::{each, plain};
use super::{Kind, Node, Syntax};

/// A variable or a member that a function asks about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Asked<'s> {
    /// Who asks.
    pub function: &'s str,
    /// As the source spells it.
    pub name: &'s str,
    /// Whether it is a member of something.
    pub is_member: bool,
}

/// Pointers of which the code asks whether they are NULL. Those are left out that the function had just from a call: it asks whether
/// the call failed, not what it was given.
pub fn compared_with_null(file: &Syntax) -> Vec<Asked<'_>> {
    let mut found = Vec::new();
    for (function, body) in file.definitions() {
        let mut own = BTreeSet::new();
        each(body, &mut |node| {
            if let (Kind::Binary { operator: "=", .. }, [to, from]) = (&node.kind, &node.inner[..])
                && matches!(plain(from).kind, Kind::Call)
            {
                own.extend(named(&function.name, to));
            }
            let asked: &[Node] = match &node.kind {
                // Two pointers that are compared with each other are not compared with NULL.
                Kind::Binary { operator: "==" | "!=", .. } if !node.inner.iter().any(is_zero) => &[],
                Kind::Binary { operator: "==" | "!=" | "&&" | "||", .. } => &node.inner,
                Kind::Unary { operator: "!", .. } => &node.inner,
                _ => node.condition().map_or(&[], std::slice::from_ref),
            };
            let pointers = asked.iter().filter(|part| may_be_pointer(file.type_of(plain(part))));
            found.extend(pointers.filter_map(|part| named(&function.name, part)).filter(|asked| !own.contains(asked)));
        });
    }
    found
}

/// What the code asks to be less or greater than something. That something equals a constant does not keep it in bounds.
pub fn bounded(file: &Syntax) -> Vec<Asked<'_>> {
    let mut found = Vec::new();
    for (function, body) in file.definitions() {
        each(body, &mut |node| {
            let asked: &[Node] = match &node.kind {
                Kind::Binary { operator: "<" | "<=" | ">" | ">=", .. } => &node.inner,
                _ => &[],
            };
            found.extend(asked.iter().filter_map(|part| named(&function.name, part)));
        });
    }
    found
}

fn named<'s>(function: &'s str, node: &'s Node) -> Option<Asked<'s>> {
    match &plain(node).kind {
        Kind::Name(name) => Some(Asked { function, name, is_member: false }),
        Kind::Member(name) => Some(Asked { function, name, is_member: true }),
        _ => None,
    }
}

/// Whether a type may be one of pointers, as clang writes it: a name that the source gives may be one of a pointer to functions.
fn may_be_pointer(ty: &str) -> bool {
    const NUMBERS: [&str; 10] =
        ["int", "char", "long", "short", "unsigned", "signed", "float", "double", "_Bool", "bool"];
    let is_number = |word: &str| {
        NUMBERS.contains(&word) || word.ends_with("_t") || ["const", "volatile", "_Complex"].contains(&word)
    };
    let is_one = ty.ends_with('*') || ty.contains("(*");
    is_one || !ty.starts_with("enum ") && !ty.split(' ').all(is_number)
}

fn is_zero(node: &Node) -> bool {
    matches!(plain(node).kind, Kind::Literal(0) | Kind::Constant(Some(0)))
}
