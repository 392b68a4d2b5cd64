//! The solver as the provers here ask it: within a budget, and each question once, whatever its variables are called. The
//! copies of one loop ask the same questions of different variables; only the first copy pays.

use std::rc::Rc;
use std::time::Duration;

use covenant_constraints::analysis::Facts;
use covenant_constraints::solver::{Answer, Query, Solver};
use covenant_constraints::{Evaluator, Model, Op, Sort, TermId, Terms, VarId};
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

/// Which conclusions follow from premises. All by index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Judgement {
    /// The premises that the conclusions which follow were drawn from.
    pub(super) used: Vec<usize>,
    /// The conclusions that may be false.
    pub(super) failed: Vec<usize>,
}

pub(super) struct Oracle<'a> {
    solver: &'a mut dyn Solver,
    budget: Budget<'a>,
    pub(super) asked: u64,
    /// By the premises and the conclusions, with a mark in between, over the names below.
    known: FxHashMap<Vec<TermId>, Rc<Judgement>>,
    /// The n-th variable of a question, by n and sort.
    names: FxHashMap<(usize, Sort), VarId>,
}

/// Larger questions are asked as they are.
const MAX_RENAMED: usize = 20_000;

enum Verdict {
    Possible(Model),
    /// Indices of conditions that cannot hold together.
    Impossible(Vec<usize>),
    Unknown,
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

    /// Which of the conclusions follow from the premises.
    pub(super) fn judge(
        &mut self,
        terms: &mut Terms,
        shapes: &mut Shapes,
        premises: &[TermId],
        conclusions: &[TermId],
    ) -> Rc<Judgement> {
        let all = premises.iter().chain(conclusions);
        let total: usize = all.clone().map(|c| shapes.of(terms, *c).size).sum();
        let renamed: Vec<TermId> = if total > MAX_RENAMED {
            all.copied().collect()
        } else {
            let all: Vec<TermId> = all.copied().collect();
            self.rename(terms, shapes, &all)
        };
        let (premises, conclusions) = renamed.split_at(premises.len());
        let mut key = premises.to_vec();
        key.push(terms.ff());
        key.extend_from_slice(conclusions);
        if let Some(known) = self.known.get(&key) {
            return Rc::clone(known);
        }
        let mut judgement = Judgement::default();
        let open = by_ranges(terms, premises, conclusions, &mut judgement);
        self.by_solver(terms, premises, conclusions, open, &mut judgement);
        judgement.used.sort_unstable();
        judgement.used.dedup();
        judgement.failed.sort_unstable();
        let judgement = Rc::new(judgement);
        self.known.insert(key, Rc::clone(&judgement));
        judgement
    }

    /// The terms with their variables called by number.
    fn rename(&mut self, terms: &mut Terms, shapes: &mut Shapes, all: &[TermId]) -> Vec<TermId> {
        let mut vars: Vec<VarId> = Vec::new();
        for t in all {
            vars.extend_from_slice(&shapes.of(terms, *t).vars);
        }
        vars.sort_unstable();
        vars.dedup();
        let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
        for (i, var) in vars.into_iter().enumerate() {
            let sort = terms.var_sort(var);
            let name = *self.names.entry((i, sort)).or_insert_with(|| terms.var(format!("q{i}"), sort));
            map.insert(terms.var_term(var), terms.var_term(name));
        }
        let mut memo = FxHashMap::default();
        all.iter().map(|t| terms.substitute_with(*t, &map, &mut memo)).collect()
    }

    /// Asks for a state in which one of the open conclusions is false, until there is none.
    fn by_solver(
        &mut self,
        terms: &mut Terms,
        premises: &[TermId],
        conclusions: &[TermId],
        mut open: Vec<usize>,
        judgement: &mut Judgement,
    ) {
        while !open.is_empty() {
            let all = terms.and_all(open.iter().map(|i| conclusions[*i]));
            let some_fails = terms.not(all);
            match self.ask(terms, premises, some_fails) {
                Verdict::Impossible(used) => {
                    judgement.used.extend(used);
                    return;
                }
                Verdict::Possible(model) => {
                    let mut evaluator = Evaluator::new(terms, &model);
                    let (still, failed): (Vec<usize>, Vec<usize>) =
                        open.iter().partition(|i| evaluator.eval(conclusions[**i]).is_true());
                    // A model of the question makes one false; without that nothing can be concluded from it.
                    open = if failed.is_empty() { Vec::new() } else { still.clone() };
                    judgement.failed.extend(if failed.is_empty() { still } else { failed });
                }
                Verdict::Unknown if open.len() > 1 && !self.exhausted() => {
                    // One hard conclusion must not take the others with it.
                    let half = open.split_off(open.len() / 2);
                    self.by_solver(terms, premises, conclusions, half, judgement);
                }
                Verdict::Unknown => judgement.failed.append(&mut open),
            }
        }
    }

    fn ask(&mut self, terms: &mut Terms, path: &[TermId], goal: TermId) -> Verdict {
        if self.exhausted() {
            return Verdict::Unknown;
        }
        self.asked += 1;
        match self.solver.solve(terms, &Query { path, goal, timeout: self.budget.timeout, hint: None }) {
            Answer::Sat(model) => Verdict::Possible(model),
            Answer::Unsat(core) => Verdict::Impossible(core.path),
            Answer::Unknown(_) => Verdict::Unknown,
        }
    }
}

/// The conclusions that ranges do not prove.
fn by_ranges(terms: &Terms, premises: &[TermId], conclusions: &[TermId], judgement: &mut Judgement) -> Vec<usize> {
    let mut facts = Facts::new();
    for (i, premise) in premises.iter().enumerate() {
        // Alternatives say nothing of ranges.
        if terms.op(*premise) != Op::Or
            && let Err(contradiction) = facts.assume(terms, *premise, i)
        {
            judgement.used.extend(contradiction.0);
            return Vec::new();
        }
    }
    let mut open = Vec::new();
    for (i, conclusion) in conclusions.iter().enumerate() {
        match facts.decide(terms, *conclusion) {
            Some((true, used)) => judgement.used.extend(used),
            _ => open.push(i),
        }
    }
    open
}
