//! Whose objectives are searched for.
//!
//! Those of other functions stay in the ledger, to be told apart if a test takes them in passing: so the results of several
//! functions can be held against each other, and a project counts each branch once.

use std::collections::BTreeSet;
use std::path::Path;

use covenant_goals::criteria::branch;
use covenant_goals::{Criterion, Objective};
use covenant_program::analysis::call_graph::Names;
use covenant_program::ir::{FuncId, Program};
use covenant_report::against::is_same;
use serde::{Deserialize, Serialize};

/// Whose objectives are searched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// Those of the function itself.
    Own,
    /// Those of the file that defines the function, as far as it can reach them.
    File,
    /// All that the function can reach.
    #[default]
    Reachable,
}

impl Scope {
    /// Marks what is outside. Points were asked for one by one, wherever they are.
    pub(crate) fn mark(self, program: &Program, id: FuncId, from_callers: bool, objectives: &mut [Objective]) {
        let function = &program.functions[id];
        let file = function.loc.file().map(|file| program.files[file].name.as_str()).unwrap_or_default();
        let file = Path::new(file);
        // A function that calls it is not what is tested.
        let led_to: Option<BTreeSet<&str>> = from_callers.then(|| {
            branch::reachable(program, id).into_iter().map(|id| program.functions[id].source_name()).collect()
        });
        let is_led_to = |o: &Objective| led_to.as_ref().is_none_or(|names| names.contains(o.function.as_str()));
        let is_inside = |o: &Objective| match self {
            _ if !is_led_to(o) && o.criterion != Criterion::Point => false,
            Scope::Reachable => true,
            _ if o.criterion == Criterion::Point => true,
            Scope::File => is_same(file, &o.file),
            Scope::Own => o.function == function.source_name() && is_same(file, &o.file),
        };
        for objective in objectives.iter_mut().filter(|o| !is_inside(o)) {
            (objective.measured, objective.passing) = (true, true);
        }
    }
}

/// Functions that run before the function under test, because assumptions of the user call them. What they do there is no part of
/// a test, so that nothing in them is an objective, not even where the function under test calls them, too.
pub(crate) fn assumed(program: &Program, driver: FuncId, own: FuncId) -> BTreeSet<FuncId> {
    let Some(body) = program.functions[driver].body.as_ref().filter(|_| driver != own) else { return BTreeSet::new() };
    let calls = Names::of(body).calls;
    calls.into_iter().filter(|&id| id != own).flat_map(|id| branch::reachable(program, id)).collect()
}

/// Which of them the function under test can call, in words.
pub(crate) fn told(program: &Program, own: FuncId, assumed: &BTreeSet<FuncId>) -> Vec<String> {
    let both = branch::reachable(program, own).into_iter().filter(|id| assumed.contains(id));
    let name = |id: FuncId| program.functions[id].source_name().to_owned();
    let words = |id| format!("nothing in {} is to be covered: what is assumed of the inputs calls it, too", name(id));
    both.map(words).collect()
}
