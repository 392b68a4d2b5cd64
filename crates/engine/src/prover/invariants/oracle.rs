//! The solver as the provers here ask it: within a budget, and each question once, whatever its variables are called. The
//! copies of one loop ask the same questions of different variables; only the first copy pays.

use std::time::Duration;

use covenant_constraints::solver::{Answer, Query, Solver};
use covenant_constraints::{Model, Sort, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::shapes::Shapes;

/// How much may be spent.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// Questions that reach the solver.
    pub queries: u64,
    /// For one question.
    pub timeout: Duration,
    /// Whether it is time to stop.
    pub expired: &'a dyn Fn() -> bool,
}

impl std::fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Budget").field("queries", &self.queries).field("timeout", &self.timeout).finish_non_exhaustive()
    }
}

/// Whether conditions can hold together.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Verdict {
    Possible(Model),
    /// Indices of conditions that cannot.
    Impossible(Vec<usize>),
    Unknown,
}

/// Larger questions are asked as they are.
const MAX_RENAMED: usize = 20_000;

pub(super) struct Oracle<'a> {
    solver: &'a mut dyn Solver,
    budget: Budget<'a>,
    pub(super) asked: u64,
    known: FxHashMap<Vec<TermId>, Verdict>,
    /// The n-th variable of a question, by n and sort.
    names: FxHashMap<(usize, Sort), VarId>,
}

impl<'a> Oracle<'a> {
    pub(super) fn new(solver: &'a mut dyn Solver, budget: Budget<'a>) -> Oracle<'a> {
        Oracle { solver, budget, asked: 0, known: FxHashMap::default(), names: FxHashMap::default() }
    }

    pub(super) fn exhausted(&self) -> bool {
        self.asked >= self.budget.queries || (self.budget.expired)()
    }

    pub(super) fn expired(&self) -> bool {
        (self.budget.expired)()
    }

    /// Whether all conditions can hold. Ask with those first that further questions share.
    pub(super) fn ask(&mut self, terms: &mut Terms, shapes: &mut Shapes, conditions: &[TermId]) -> Verdict {
        let total: usize = conditions.iter().map(|c| shapes.of(terms, *c).size).sum();
        if total > MAX_RENAMED {
            return self.decide(terms, conditions);
        }
        let mut vars: Vec<VarId> = Vec::new();
        for condition in conditions {
            vars.extend_from_slice(&shapes.of(terms, *condition).vars);
        }
        vars.sort_unstable();
        vars.dedup();
        let names: Vec<VarId> = vars.iter().enumerate().map(|(i, v)| self.name(terms, i, terms.var_sort(*v))).collect();
        let map: FxHashMap<TermId, TermId> =
            vars.iter().zip(&names).map(|(v, n)| (terms.var_term(*v), terms.var_term(*n))).collect();
        let mut memo = FxHashMap::default();
        let renamed: Vec<TermId> = conditions.iter().map(|c| terms.substitute_with(*c, &map, &mut memo)).collect();
        let verdict = match self.known.get(&renamed) {
            Some(known) => known.clone(),
            None => {
                let verdict = self.decide(terms, &renamed);
                self.known.insert(renamed, verdict.clone());
                verdict
            }
        };
        match verdict {
            Verdict::Possible(model) => {
                let back = vars.iter().zip(&names).map(|(v, n)| (*v, model.value(terms, *n)));
                Verdict::Possible(back.collect())
            }
            other => other,
        }
    }

    fn name(&mut self, terms: &mut Terms, index: usize, sort: Sort) -> VarId {
        *self.names.entry((index, sort)).or_insert_with(|| terms.var(format!("q{index}"), sort))
    }

    fn decide(&mut self, terms: &mut Terms, conditions: &[TermId]) -> Verdict {
        let Some((&goal, path)) = conditions.split_last() else { return Verdict::Possible(Model::new()) };
        if self.exhausted() {
            return Verdict::Unknown;
        }
        self.asked += 1;
        match self.solver.solve(terms, &Query { path, goal, timeout: self.budget.timeout, hint: None }) {
            Answer::Sat(model) => Verdict::Possible(model),
            Answer::Unsat(core) => {
                let mut blamed = core.path;
                blamed.extend(core.goal.then_some(path.len()));
                Verdict::Impossible(blamed)
            }
            Answer::Unknown(_) => Verdict::Unknown,
        }
    }
}
