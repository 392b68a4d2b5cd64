//! Linear arithmetic: a query that is not answered soon is asked as one about integers. Solvers that work bit by bit need
//! minutes for `s <= 1000 i` and `v <= 1000`, so `s + v <= 1000 (i + 1)`; arithmetic sees it at once. What arithmetic excludes
//! has no model; a model of its own is one if the query holds there.

use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;

use crate::eval::all_true;
use crate::op::Op;
use crate::solver::backends::Limits;
use crate::solver::backends::linear::{self, Said};
use crate::solver::{Answer, Cancel, Core, LayerStats, Query, Reason, Solver, Stats};
use crate::sort::Sort;
use crate::term::{TermId, Terms};

/// How long the query itself may take at first.
const SHORT: Duration = Duration::from_millis(40);

/// What arithmetic may take: where it helps, it does so at once.
const MOST: Duration = Duration::from_millis(500);

/// Larger queries are none for arithmetic, and too large to be begun twice.
const MOST_CONSTRAINTS: usize = 1000;
const MOST_TERMS: usize = 4000;

/// See the module.
#[derive(Debug)]
pub struct Linear {
    inner: Box<dyn Solver>,
    cancel: Cancel,
    /// `hits` are the queries that arithmetic decided.
    layer: LayerStats,
}

impl Linear {
    pub fn new(inner: Box<dyn Solver>, cancel: Cancel) -> Linear {
        Linear { inner, cancel, layer: LayerStats::default() }
    }
}

/// Whether there is anything for arithmetic in the query, sums or products of words, and not too much else.
fn is_arithmetic(terms: &Terms, constraints: &[TermId]) -> bool {
    if constraints.len() > MOST_CONSTRAINTS {
        return false;
    }
    let (mut seen, mut stack) = (FxHashSet::default(), constraints.to_vec());
    let mut found = false;
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        if seen.len() > MOST_TERMS {
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
        if query.timeout <= 2 * SHORT || !is_arithmetic(terms, &constraints) {
            return self.inner.solve(terms, query);
        }
        let begin = Instant::now();
        let soon = self.inner.solve(terms, &Query { timeout: SHORT, ..*query });
        if soon != Answer::Unknown(Reason::Timeout) {
            return soon;
        }
        self.layer.calls += 1;
        let limits = Limits::new(MOST.min(query.timeout / 4), &self.cancel);
        match linear::ask(terms, &constraints, &limits) {
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
                let timeout = query.timeout.saturating_sub(begin.elapsed());
                self.inner.solve(terms, &Query { timeout, ..*query })
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
