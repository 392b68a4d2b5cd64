//! A query that contains a core known to be contradictory is contradictory.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::solver::{Answer, Core, LayerStats, Query, Solver, Stats};
use crate::term::{TermId, Terms};

/// Remembers cores as sets of terms.
#[derive(Debug)]
pub(crate) struct CoreReuse {
    inner: Box<dyn Solver>,
    /// By one term of the core, its youngest and so probably rarest: only queries with that term look at the core.
    by_watch: FxHashMap<TermId, Vec<Vec<TermId>>>,
    /// Watches in the order of their cores, to forget the oldest.
    order: VecDeque<TermId>,
    keep: usize,
    layer: LayerStats,
}

impl CoreReuse {
    pub(crate) fn new(inner: Box<dyn Solver>, keep: usize) -> CoreReuse {
        CoreReuse { inner, by_watch: FxHashMap::default(), order: VecDeque::new(), keep, layer: LayerStats::default() }
    }

    fn find(&self, query: &Query<'_>) -> Option<Core> {
        if self.by_watch.is_empty() {
            return None;
        }
        let all: FxHashSet<TermId> = query.path.iter().copied().chain([query.goal]).collect();
        let known = std::iter::once(&query.goal)
            .chain(query.path)
            .filter_map(|t| self.by_watch.get(t))
            .flatten()
            .find(|core| core.iter().all(|t| all.contains(t)))?;
        // The goal is blamed only where the path alone does not contain the core.
        let path: Vec<usize> = (0..query.path.len()).filter(|&i| known.contains(&query.path[i])).collect();
        let goal = known.contains(&query.goal) && !query.path.contains(&query.goal);
        Some(Core { path, goal })
    }

    fn remember(&mut self, query: &Query<'_>, core: &Core) {
        let mut terms: Vec<TermId> = core.path.iter().map(|&i| query.path[i]).collect();
        terms.extend(core.goal.then_some(query.goal));
        terms.sort_unstable();
        terms.dedup();
        let Some(&watch) = terms.last() else { return };
        self.by_watch.entry(watch).or_default().push(terms);
        self.order.push_back(watch);
        if self.order.len() > self.keep
            && let Some(oldest) = self.order.pop_front()
            && let Some(cores) = self.by_watch.get_mut(&oldest)
        {
            cores.remove(0);
            if cores.is_empty() {
                self.by_watch.remove(&oldest);
            }
        }
    }
}

impl Solver for CoreReuse {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.layer.calls += 1;
        if let Some(core) = self.find(query) {
            self.layer.hits += 1;
            return Answer::Unsat(core);
        }
        let answer = self.inner.solve(terms, query);
        if let Answer::Unsat(core) = &answer {
            self.remember(query, core);
        }
        answer
    }

    fn stats(&self) -> Stats {
        let mut stats = self.inner.stats();
        stats.add_layer("cores", self.layer);
        stats
    }

    fn reset(&mut self) {
        self.by_watch.clear();
        self.order.clear();
        self.inner.reset();
    }
}
