//! Which run-time errors only break what the code expects of its callers.
//!
//! A pointer that the code compares with NULL somewhere may be NULL; an error with it is a defect. One that it never asks about is
//! expected to point to something.

use std::collections::BTreeSet;

use covenant_goals::report::Defect;
use covenant_program::syntax::{Trees, uses};

/// Takes contracts back that the code does not have. Nothing is read unless there is one.
pub(crate) fn settle(defects: &mut [Defect], trees: &Trees) {
    if defects.iter().all(|defect| defect.null.is_none()) {
        return;
    }
    let files = trees.all();
    let checked: BTreeSet<&str> = files.iter().flat_map(|file| uses::compared_with_null(file)).collect();
    // Without a tree nothing is known of the code.
    let is_known = files.len() == trees.len();
    for defect in defects {
        let asks_for = |names: &str| names.split(' ').any(|name| checked.contains(name));
        if defect.null.as_deref().is_some_and(|names| !is_known || asks_for(names)) {
            (defect.contract, defect.option) = (None, None);
        }
    }
}
