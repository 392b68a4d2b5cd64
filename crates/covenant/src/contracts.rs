//! Which run-time errors only break what the code expects of its callers.
//!
//! A pointer that the code compares with NULL may be NULL; an error with it is a defect. One that it never asks about is expected
//! to point to something. So is an integer expected to be an index of a table that the code nowhere asks to be less or greater
//! than something. For a parameter only its own function counts: that others ask about theirs of the same name says that this
//! one need not.

use std::collections::BTreeSet;

use covenant_goals::report::Defect;
use covenant_program::syntax::Trees;
use covenant_program::syntax::asked::{self, Asked};

/// Takes contracts back that the code does not have. Nothing is read unless there is one.
pub(crate) fn settle(defects: &mut Vec<Defect>, trees: &Trees, function: &str) {
    if defects.iter().all(|defect| defect.null.is_none() && defect.index.is_none()) {
        return;
    }
    let files = trees.all();
    let own = files.iter().flat_map(|file| file.definitions()).filter(|(known, _)| known.name == function);
    let parameters: BTreeSet<&str> = own.flat_map(|(own, _)| own.parameters.iter().map(|p| p.name.as_str())).collect();
    let counts = |asked: &Asked<'_>| asked.is_member || asked.function == function || !parameters.contains(asked.name);
    let names =
        |all: Vec<Asked<'_>>| -> BTreeSet<String> { all.iter().filter(|asked| counts(asked)).map(written).collect() };
    let checked: BTreeSet<String> = files.iter().flat_map(|file| names(asked::compared_with_null(file))).collect();
    let bounded: BTreeSet<String> = files.iter().flat_map(|file| names(asked::bounded(file))).collect();
    // Without a tree nothing is known of the code.
    let is_known = files.len() == trees.len();
    for defect in defects.iter_mut() {
        let asks_for = |names: &str| names.split(' ').any(|name| checked.contains(name));
        let is_null = defect.null.as_deref().is_some_and(|names| !is_known || asks_for(names));
        let is_index = defect.index.as_deref().is_some_and(|name| !is_known || bounded.contains(name));
        if is_null || is_index {
            (defect.contract, defect.option) = (None, None);
        }
    }
    // The first of those that are no contract after all says enough.
    let mut seen = BTreeSet::new();
    let place = |d: &Defect| (d.kind.clone(), d.file.clone(), d.line, d.column, d.contract.is_some());
    defects.retain(|defect| seen.insert(place(defect)));
}

/// As runs name what they are given: a member with a dot before it.
fn written(asked: &Asked<'_>) -> String {
    let dot = if asked.is_member { "." } else { "" };
    format!("{dot}{}", asked.name)
}
