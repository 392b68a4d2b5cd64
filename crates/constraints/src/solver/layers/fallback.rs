//! Two back ends: each is better at something, and one may fail where the other does not.

use crate::solver::backends::Theory;
use crate::solver::{Answer, LayerStats, Query, Reason, Solver, Stats};
use crate::term::Terms;

/// Asks one back end, and the other where the first gives up or errs. A time-out stays one: the caller said how long a
/// query may take.
#[derive(Debug)]
pub(crate) struct Fallback {
    main: Box<dyn Solver>,
    other: Box<dyn Solver>,
    /// Which of the two is asked first about floats.
    floats_to_main: bool,
    /// `hits` are the answers of the second that was asked.
    layer: LayerStats,
}

impl Fallback {
    pub(crate) fn new(main: Box<dyn Solver>, other: Box<dyn Solver>, floats_to_main: bool) -> Fallback {
        Fallback { main, other, floats_to_main, layer: LayerStats::default() }
    }
}

impl Solver for Fallback {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.layer.calls += 1;
        let theory = Theory::of(terms, query.path.iter().copied().chain([query.goal]));
        let floats = matches!(theory, Theory::Floats | Theory::FloatsAndArrays);
        let (first, second) = if !floats || self.floats_to_main {
            (&mut self.main, &mut self.other)
        } else {
            (&mut self.other, &mut self.main)
        };
        match first.solve(terms, query) {
            Answer::Unknown(Reason::Incomplete | Reason::BadModel) => {
                let answer = second.solve(terms, query);
                self.layer.hits += u64::from(!matches!(answer, Answer::Unknown(_)));
                answer
            }
            answer => answer,
        }
    }

    fn stats(&self) -> Stats {
        let mut stats = self.main.stats();
        for (name, layer) in self.other.stats().layers {
            stats.add_layer(name, layer);
        }
        stats.add_layer("fallback", self.layer);
        stats
    }

    fn reset(&mut self) {
        self.main.reset();
        self.other.reset();
    }
}
