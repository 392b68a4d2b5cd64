//! Guided generation: when it is chosen, and what is told of paths.

use covenant_goals::local_path::{self, MOST_PATHS};
use covenant_goals::report::Details;
use covenant_goals::{Criterion, Objective, ObjectiveId, PathStep};
use covenant_program::ir::FuncId;
use covenant_search::Settings;
use covenant_search::campaign::Findings;
use covenant_search::strategy::{StrategyConfig, StrategyKind};

use crate::request::Request;
use crate::subject::Loaded;

/// The settings with a strategy that fits what is asked for, if the user names none.
pub(crate) fn adapted(mut settings: Settings, request: &Request, loaded: &Loaded) -> Settings {
    if request.strategy.is_none() && is_for_traces(loaded) && is_worth_it(loaded) {
        settings.strategy = StrategyConfig { kind: StrategyKind::Guided, model: true };
    }
    let guided = settings.strategy.kind == StrategyKind::Guided;
    if guided && loaded.wanted.criteria.contains(&Criterion::LocalPath) {
        settings.loop_bound.get_or_insert(local_path::BOUND);
    }
    settings
}

/// Whether nothing but local paths and points is asked for.
fn is_for_traces(loaded: &Loaded) -> bool {
    let criteria = &loaded.wanted.criteria;
    !criteria.is_empty() && criteria.iter().all(|c| matches!(c, Criterion::LocalPath | Criterion::Point))
}

/// Whether the control flow lets traces say much: a function that may run more than once takes its paths in any of its calls, and
/// among too many paths none is worth a search of its own.
fn is_worth_it(loaded: &Loaded) -> bool {
    let paths: Vec<&Objective> = loaded.subject.objectives.iter().filter(|o| o.path.is_some()).collect();
    let program = loaded.subject.image.program();
    let twice = paths
        .first()
        .and_then(|o| o.path.as_deref())
        .is_some_and(|path| local_path::may_run_twice(program, loaded.subject.entry, FuncId::from_u32(path.function)));
    !twice && paths.len() < MOST_PATHS
}

/// A path as the report has it: outcomes in their order.
pub(crate) fn details(id: ObjectiveId, objective: &Objective, findings: &Findings) -> Option<Details> {
    if let Some(path) = objective.path.as_deref() {
        let place = |line: u32, column: u32| format!("{line}:{column}");
        let fact = |step: &PathStep| (place(step.line, step.column), step.words());
        return Some(Details { facts: path.steps.iter().map(fact).collect(), ..Details::default() });
    }
    let way = findings.ways.get(&id)?;
    Some(Details { facts: vec![("path".to_owned(), way.clone())], ..Details::default() })
}
