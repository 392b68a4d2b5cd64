//! Known bits and intervals decide what they can: see [`crate::analysis`].

use crate::analysis::{Facts, Mark};
use crate::solver::{Answer, Core, LayerStats, Query, Solver, Stats, common_prefix};
use crate::term::{TermId, Terms};
use crate::tuning::Tuning;

/// Keeps the facts of the path, aligned with the path of the query before.
#[derive(Debug)]
pub(crate) struct Bounds {
    inner: Box<dyn Solver>,
    facts: Facts,
    path: Vec<TermId>,
    /// The state before each constraint.
    marks: Vec<Mark>,
    /// Constraints that contradict each other, and the length of the path at which that was seen.
    contradiction: Option<(usize, Vec<usize>)>,
    layer: LayerStats,
}

impl Bounds {
    pub(crate) fn new(inner: Box<dyn Solver>, tuning: &Tuning) -> Bounds {
        Bounds {
            inner,
            facts: Facts::new(tuning),
            path: Vec::new(),
            marks: Vec::new(),
            contradiction: None,
            layer: LayerStats::default(),
        }
    }

    fn align(&mut self, terms: &Terms, path: &[TermId]) {
        let keep = common_prefix(&self.path, path);
        if let Some(&mark) = self.marks.get(keep) {
            self.facts.undo(mark);
            self.marks.truncate(keep);
            self.path.truncate(keep);
        }
        if self.contradiction.as_ref().is_some_and(|(at, _)| *at > keep) {
            self.contradiction = None;
        }
        for &constraint in &path[keep..] {
            self.marks.push(self.facts.mark());
            let index = self.path.len();
            self.path.push(constraint);
            if self.contradiction.is_none()
                && let Err(found) = self.facts.assume(terms, constraint, index)
            {
                self.contradiction = Some((self.path.len(), found.0));
            }
        }
    }
}

impl Solver for Bounds {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.layer.calls += 1;
        self.align(terms, query.path);
        if let Some((_, blamed)) = &self.contradiction {
            self.layer.hits += 1;
            return Answer::Unsat(Core { path: blamed.clone(), goal: false });
        }
        match (self.facts.decide(terms, query.goal), query.hint) {
            (Some((false, blamed)), _) => {
                self.layer.hits += 1;
                return Answer::Unsat(Core { path: blamed, goal: true });
            }
            // The path implies the goal, and the hint is a model of the path.
            (Some((true, _)), Some(hint)) => {
                self.layer.hits += 1;
                return Answer::Sat(hint.clone());
            }
            _ => {}
        }
        // What the goal would add may contradict the path where the goal by itself is open.
        let mark = self.facts.mark();
        let with_goal = self.facts.assume(terms, query.goal, query.path.len());
        self.facts.undo(mark);
        if let Err(found) = with_goal {
            self.layer.hits += 1;
            let goal = found.0.contains(&query.path.len());
            let path = found.0.into_iter().filter(|&i| i < query.path.len()).collect();
            return Answer::Unsat(Core { path, goal });
        }
        self.inner.solve(terms, query)
    }

    fn stats(&self) -> Stats {
        let mut stats = self.inner.stats();
        stats.add_layer("bounds", self.layer);
        stats
    }

    fn reset(&mut self) {
        self.facts.clear();
        self.path.clear();
        self.marks.clear();
        self.contradiction = None;
        self.inner.reset();
    }
}
