//! What is hard is left open first: a query that the solver does not answer soon is asked again with a free variable for
//! each product, quotient and remainder, of which only the range is known. Where that has no model the query has none.

use rustc_hash::FxHashMap;

use super::hard::Hardness;
use crate::analysis::{Facts, Range, Sources};
use crate::solver::{Answer, Core, LayerStats, Query, Solver, Stats, Steps};
use crate::sort::{Sort, mask};
use crate::term::{TermId, Terms};
use crate::tuning::Tuning;

/// See the module.
#[derive(Debug)]
pub(crate) struct Relax {
    inner: Box<dyn Solver>,
    /// What the query itself may cost at first.
    soon: Steps,
    tuning: Tuning,
    hardness: Hardness,
    /// The variable that stands for a hard term.
    free: FxHashMap<TermId, TermId>,
    /// `hits` are the queries that were decided without what is hard.
    layer: LayerStats,
}

/// A query without what is hard: constraints, and which of the original path each stands for.
struct Relaxed {
    path: Vec<TermId>,
    sources: Vec<Sources>,
    goal: TermId,
}

impl Relax {
    pub(crate) fn new(inner: Box<dyn Solver>, tuning: &Tuning) -> Relax {
        let soon = Steps(tuning.relax_soon);
        let (hardness, free, layer) = Default::default();
        Relax { inner, soon, tuning: *tuning, hardness, free, layer }
    }

    /// The query with variables for what is hard; `None` if the bounds of the path alone exclude it.
    fn relaxed(&mut self, terms: &mut Terms, query: &Query<'_>) -> Result<Relaxed, Core> {
        let mut facts = Facts::new(&self.tuning);
        for (i, &constraint) in query.path.iter().enumerate() {
            facts.assume(terms, constraint, i).map_err(|found| Core { path: found.0, goal: false })?;
        }
        let mut map = FxHashMap::default();
        let mut relaxed = Relaxed { path: Vec::new(), sources: Vec::new(), goal: query.goal };
        for &root in query.path.iter().chain([&query.goal]) {
            for term in self.hardness.list(terms, root, true) {
                if map.contains_key(&term) {
                    continue;
                }
                let sort = terms.sort(term);
                let free = *self.free.entry(term).or_insert_with(|| terms.new_var("free", sort));
                map.insert(term, free);
                if let (Sort::Bv(_), Some((range, sources))) = (sort, facts.range_with_sources(terms, term)) {
                    for bound in bounds(terms, free, &range) {
                        relaxed.path.push(bound);
                        relaxed.sources.push(sources.clone());
                    }
                }
            }
        }
        let mut memo = FxHashMap::default();
        for (i, &constraint) in query.path.iter().enumerate() {
            relaxed.path.push(terms.substitute_with(constraint, &map, &mut memo));
            relaxed.sources.push(Sources::from_elem(i as u32, 1));
        }
        relaxed.goal = terms.substitute_with(query.goal, &map, &mut memo);
        Ok(relaxed)
    }

    pub(super) fn solve_relaxed(&mut self, terms: &mut Terms, query: &Query<'_>) -> Option<Core> {
        let relaxed = match self.relaxed(terms, query) {
            Ok(relaxed) => relaxed,
            Err(core) => return Some(core),
        };
        let Relaxed { path, sources, goal } = relaxed;
        let asked = Query { path: &path, goal, hint: None, steps: query.steps / 2 };
        let Answer::Unsat(core) = self.inner.solve(terms, &asked) else { return None };
        let mut path: Vec<usize> = core.path.iter().flat_map(|&i| &sources[i]).map(|&i| i as usize).collect();
        path.sort_unstable();
        path.dedup();
        Some(Core { path, goal: core.goal })
    }
}

/// What a range says, as constraints.
fn bounds(terms: &mut Terms, term: TermId, range: &Range) -> Vec<TermId> {
    let width = range.width;
    let top = Range::top(width);
    let mut all = Vec::new();
    if range.lo > 0 || range.hi < mask(width) {
        let (lo, hi) = (terms.bv(range.lo, width), terms.bv(range.hi, width));
        all.push(terms.ule(lo, term));
        all.push(terms.ule(term, hi));
    }
    if range.slo > top.slo || range.shi < top.shi {
        let (lo, hi) = (terms.bv(range.slo as u128, width), terms.bv(range.shi as u128, width));
        all.push(terms.sle(lo, term));
        all.push(terms.sle(term, hi));
    }
    all.retain(|&bound| terms.as_bool(bound) != Some(true));
    all
}

impl Solver for Relax {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        let hard = self.hardness.in_query(terms, query);
        if !hard || query.steps <= self.soon * 2 {
            return self.inner.solve(terms, query);
        }
        let soon = self.inner.solve(terms, &Query { steps: self.soon, ..*query });
        if !matches!(soon, Answer::Unknown(reason) if reason.is_limit()) {
            return soon;
        }
        self.layer.calls += 1;
        if let Some(core) = self.solve_relaxed(terms, query) {
            self.layer.hits += 1;
            return Answer::Unsat(core);
        }
        self.inner.solve(terms, query)
    }

    fn stats(&self) -> Stats {
        let mut stats = self.inner.stats();
        stats.add_layer("relax", self.layer);
        stats
    }

    fn reset(&mut self) {
        self.hardness.clear();
        self.free.clear();
        self.inner.reset();
    }
}
