//! Linear arithmetic: a query that is not answered soon is asked as one about integers. Solvers that work bit by bit need
//! minutes for `s <= 1000 i` and `v <= 1000`, so `s + v <= 1000 (i + 1)`; arithmetic sees it at once. What arithmetic excludes
//! has no model; a model of its own is one if the query holds there.

use rustc_hash::FxHashSet;

use crate::eval::all_true;
use crate::op::Op;
use crate::solver::backends::Limits;
use crate::solver::backends::linear::{self, Said};
use crate::solver::{Answer, Cancel, Core, LayerStats, Query, Solver, Stats, Steps};
use crate::sort::Sort;
use crate::term::{TermId, Terms};
use crate::tuning::Tuning;

/// See the module.
#[derive(Debug)]
pub(crate) struct Linear {
    inner: Box<dyn Solver>,
    cancel: Cancel,
    tuning: Tuning,
    /// `hits` are the queries that arithmetic decided.
    layer: LayerStats,
}

impl Linear {
    pub(crate) fn new(inner: Box<dyn Solver>, cancel: Cancel, tuning: &Tuning) -> Linear {
        Linear { inner, cancel, tuning: *tuning, layer: LayerStats::default() }
    }
}

/// Whether there is anything for arithmetic in the query, sums or products of words, and not too much else.
fn is_arithmetic(terms: &Terms, constraints: &[TermId], tuning: &Tuning) -> bool {
    if constraints.len() > tuning.arithmetic_constraints {
        return false;
    }
    let (mut seen, mut stack) = (FxHashSet::default(), constraints.to_vec());
    let mut found = false;
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        if seen.len() > tuning.arithmetic_terms {
            return false;
        }
        let is_wide = matches!(terms.sort(t), Sort::Bv(w) if w > 8);
        found |= is_wide && matches!(terms.op(t), Op::Add | Op::Sub | Op::Mul);
        stack.extend(terms.node(t).args.iter());
    }
    found
}

impl Solver for Linear {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        let constraints: Vec<TermId> = query.path.iter().chain([&query.goal]).copied().collect();
        let (soon, most) = (Steps(self.tuning.arithmetic_soon), Steps(self.tuning.arithmetic_most));
        if query.steps <= soon * 2 || !is_arithmetic(terms, &constraints, &self.tuning) {
            return self.inner.solve(terms, query);
        }
        let first = self.inner.solve(terms, &Query { steps: soon, ..*query });
        if !matches!(first, Answer::Unknown(reason) if reason.is_limit()) {
            return first;
        }
        self.layer.calls += 1;
        let limits = Limits::new(most.min(query.steps / 4), &self.cancel);
        match linear::ask(terms, &constraints, &limits, &self.tuning) {
            Some(Said::Excluded(mut path)) => {
                self.layer.hits += 1;
                let goal = path.contains(&query.path.len());
                path.retain(|i| *i < query.path.len());
                path.sort_unstable();
                Answer::Unsat(Core { path, goal })
            }
            Some(Said::Perhaps(model)) if all_true(terms, constraints, &model) => {
                self.layer.hits += 1;
                Answer::Sat(model)
            }
            _ => {
                let steps = query.steps.saturating_sub(soon);
                self.inner.solve(terms, &Query { steps, ..*query })
            }
        }
    }

    fn stats(&self) -> Stats {
        let mut stats = self.inner.stats();
        stats.add_layer("linear", self.layer);
        stats
    }

    fn reset(&mut self) {
        self.inner.reset();
    }
}
