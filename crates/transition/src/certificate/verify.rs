//! A proof is believed only after a solver has confirmed it on the flow, whoever brought it.

use covenant_constraints::solver::Steps;

use covenant_constraints::Terms;
use covenant_constraints::solver::{Answer, Query, Solver};
use covenant_goals::ObjectiveId;

use super::{Invariant, Refusal, check_form, obligations};
use crate::flow::Flow;

/// Whether the invariant proves that no input reaches the objective. `steps` is for one query.
pub fn verify(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    flow: &Flow,
    invariant: &Invariant,
    objective: ObjectiveId,
    steps: Steps,
) -> Result<(), Refusal> {
    check_form(terms, flow, invariant, objective)?;
    for obligation in obligations(terms, flow, invariant) {
        let query = Query { path: &obligation.before, goal: obligation.broken, steps, hint: None };
        match solver.solve(terms, &query) {
            Answer::Unsat(_) => {}
            Answer::Sat(_) => return Err(Refusal::Broken(obligation.edge)),
            Answer::Unknown(reason) => {
                return Err(Refusal::Unknown { edge: obligation.edge, reason: format!("{reason:?}").to_lowercase() });
            }
        }
    }
    Ok(())
}
