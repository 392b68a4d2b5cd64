//! The text of clauses, whatever their sorts are.

use std::fmt::Write as _;

/// The name of a relation in the text. Those of the caller are for people.
pub(super) fn relation_name(index: usize) -> String {
    format!("R{index}")
}

pub(super) fn declare(out: &mut String, relation: usize, sorts: &[String]) {
    let _ = writeln!(out, "(declare-fun {} ({}) Bool)", relation_name(relation), sorts.join(" "));
}

/// `relation(args)`; no parentheses without arguments.
pub(super) fn application(relation: usize, args: &[String]) -> String {
    if args.is_empty() { relation_name(relation) } else { format!("({} {})", relation_name(relation), args.join(" ")) }
}

/// `∀ variables. body`, asserted.
pub(super) fn assert(out: &mut String, variables: &[(String, String)], body: &str) {
    if variables.is_empty() {
        let _ = writeln!(out, "(assert {body})");
        return;
    }
    let bound: Vec<String> = variables.iter().map(|(name, sort)| format!("({name} {sort})")).collect();
    let _ = writeln!(out, "(assert (forall ({}) {body}))", bound.join(" "));
}
