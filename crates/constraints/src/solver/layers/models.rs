//! Models of earlier queries often satisfy the next one: evaluation is far cheaper than solving.

use std::collections::VecDeque;

use crate::eval::Evaluator;
use crate::solver::{Answer, LayerStats, Query, Solver, Stats};
use crate::term::Terms;
use crate::value::Model;

/// Tries the hint, then recent models, the latest first.
#[derive(Debug)]
pub(crate) struct ModelReuse {
    inner: Box<dyn Solver>,
    recent: VecDeque<Model>,
    keep: usize,
    layer: LayerStats,
}

impl ModelReuse {
    pub(crate) fn new(inner: Box<dyn Solver>, keep: usize) -> ModelReuse {
        ModelReuse { inner, recent: VecDeque::new(), keep, layer: LayerStats::default() }
    }
}

/// The goal first: it is what most models fail on.
fn satisfies(terms: &Terms, query: &Query<'_>, model: &Model) -> bool {
    let mut evaluator = Evaluator::new(terms, model);
    std::iter::once(&query.goal).chain(query.path.iter().rev()).all(|c| evaluator.eval(*c).is_true())
}

impl Solver for ModelReuse {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.layer.calls += 1;
        let candidates = query.hint.into_iter().chain(&self.recent);
        if let Some(model) = candidates.into_iter().find(|m| satisfies(terms, query, m)) {
            self.layer.hits += 1;
            return Answer::Sat(model.clone());
        }
        let answer = self.inner.solve(terms, query);
        if let Answer::Sat(model) = &answer {
            self.recent.truncate(self.keep.saturating_sub(1));
            self.recent.push_front(model.clone());
        }
        answer
    }

    fn stats(&self) -> Stats {
        let mut stats = self.inner.stats();
        stats.add_layer("models", self.layer);
        stats
    }

    fn reset(&mut self) {
        self.recent.clear();
        self.inner.reset();
    }
}
