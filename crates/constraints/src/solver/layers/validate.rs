//! Nothing is believed unchecked: every model is evaluated on the terms that were asked about, before any simplification.

use std::time::Instant;

use crate::eval::all_true;
use crate::solver::{Answer, LayerStats, Query, Reason, Solver, Stats};
use crate::term::Terms;

/// The outermost layer, and the one around each back end.
#[derive(Debug)]
pub(crate) struct Validate {
    inner: Box<dyn Solver>,
    strict: bool,
    arena: Option<u64>,
    stats: Stats,
    /// `hits` are the wrong models.
    layer: LayerStats,
}

impl Validate {
    /// With `strict` a wrong model is a panic, for tests; otherwise it is [`Reason::BadModel`].
    pub(crate) fn new(inner: Box<dyn Solver>, strict: bool) -> Validate {
        Validate { inner, strict, arena: None, stats: Stats::default(), layer: LayerStats::default() }
    }
}

impl Solver for Validate {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        let start = Instant::now();
        // Everything below remembers terms by their ids.
        if self.arena.replace(terms.arena()).is_some_and(|old| old != terms.arena()) {
            self.inner.reset();
        }
        self.layer.calls += 1;
        let mut answer = self.inner.solve(terms, query);
        if let Answer::Sat(model) = &answer
            && !all_true(terms, query.path.iter().copied().chain([query.goal]), model)
        {
            assert!(!self.strict, "the model {model:?} does not satisfy {query:?}");
            self.layer.hits += 1;
            answer = Answer::Unknown(Reason::BadModel);
        }
        self.stats.count(&answer, start.elapsed());
        answer
    }

    fn stats(&self) -> Stats {
        // The counts at the top are those of the outermost layer; what is below shows by layer.
        let mut stats = self.inner.stats();
        let layers = std::mem::take(&mut stats.layers);
        stats = Stats { layers, ..self.stats.clone() };
        stats.add_layer("validate", self.layer);
        stats
    }

    fn reset(&mut self) {
        self.arena = None;
        self.inner.reset();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Steps;
    use crate::sort::Sort;
    use crate::value::Model;

    /// Claims that zero satisfies everything.
    #[derive(Debug)]
    struct Liar;

    impl Solver for Liar {
        fn solve(&mut self, _: &mut Terms, _: &Query<'_>) -> Answer {
            Answer::Sat(Model::new())
        }
        fn stats(&self) -> Stats {
            Stats::default()
        }
        fn reset(&mut self) {}
    }

    #[test]
    fn wrong_models_are_no_answers() {
        let mut t = Terms::new();
        let x = t.new_var("x", Sort::Bv(8));
        let (zero, one) = (t.bv(0, 8), t.bv(1, 8));
        let (is_zero, is_one) = (t.eq(x, zero), t.eq(x, one));
        let mut solver = Validate::new(Box::new(Liar), false);
        let mut ask =
            |path: &[_], goal| solver.solve(&mut t, &Query { path, goal, steps: Steps::like_secs(1), hint: None });
        assert!(ask(&[], is_zero).is_sat());
        assert_eq!(ask(&[], is_one), Answer::Unknown(Reason::BadModel));
        assert_eq!(ask(&[is_one], is_zero), Answer::Unknown(Reason::BadModel));
        assert_eq!(solver.stats().layers["validate"].hits, 2);
        assert_eq!(solver.stats().unknown_reasons[&Reason::BadModel], 2);
    }
}
