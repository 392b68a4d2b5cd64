//! Rewriting across the path: what an earlier constraint says is used to simplify the later ones and the goal.
//!
//! A constraint that has been met is true from then on, its negation false, and after `x = c` every x is c. Each constraint
//! is simplified by those before it only, so that paths with a common prefix keep one after simplification, which the
//! incremental back end relies on.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::op::Op;
use crate::solver::{Answer, Core, LayerStats, Query, Solver, Stats, common_prefix};
use crate::term::{TermId, Terms};
use crate::tuning::Tuning;

/// Indices into the path that something was derived from, in order.
type Sources = SmallVec<[u32; 4]>;

/// What one constraint of the path led to.
#[derive(Debug)]
struct Step {
    original: TermId,
    /// How many simplified constraints there were before it.
    flat_before: usize,
    /// Terms that it gave a value.
    learned: Vec<TermId>,
    /// It contradicts those before it.
    contradiction: Option<Sources>,
}

#[derive(Debug)]
pub(crate) struct Propagate {
    inner: Box<dyn Solver>,
    most_visits: usize,
    steps: Vec<Step>,
    flat: Vec<TermId>,
    flat_sources: Vec<Sources>,
    values: FxHashMap<TermId, TermId>,
    value_sources: FxHashMap<TermId, Sources>,
    layer: LayerStats,
}

fn union(a: &mut Sources, b: &[u32]) {
    a.extend_from_slice(b);
    a.sort_unstable();
    a.dedup();
}

impl Propagate {
    pub(crate) fn new(inner: Box<dyn Solver>, tuning: &Tuning) -> Propagate {
        Propagate {
            inner,
            most_visits: tuning.propagate_visits,
            steps: Vec::new(),
            flat: Vec::new(),
            flat_sources: Vec::new(),
            values: FxHashMap::default(),
            value_sources: FxHashMap::default(),
            layer: LayerStats::default(),
        }
    }

    fn align(&mut self, terms: &mut Terms, path: &[TermId]) {
        let originals: Vec<TermId> = self.steps.iter().map(|s| s.original).collect();
        let keep = common_prefix(&originals, path);
        for step in self.steps.drain(keep..).rev() {
            self.flat.truncate(step.flat_before);
            self.flat_sources.truncate(step.flat_before);
            for term in step.learned {
                self.values.remove(&term);
                self.value_sources.remove(&term);
            }
        }
        let mut budget = self.most_visits;
        for &constraint in &path[keep..] {
            self.add(terms, constraint, &mut budget);
        }
    }

    fn add(&mut self, terms: &mut Terms, constraint: TermId, budget: &mut usize) {
        let (simplified, mut sources) = self.simplify(terms, constraint, budget);
        union(&mut sources, &[self.steps.len() as u32]);
        let mut step =
            Step { original: constraint, flat_before: self.flat.len(), learned: Vec::new(), contradiction: None };
        let mut pending = vec![simplified];
        while let Some(t) = pending.pop() {
            if let Some((a, b)) = (terms.op(t) == Op::And).then(|| (terms.arg(t, 0), terms.arg(t, 1))) {
                pending.extend([b, a]);
                continue;
            }
            match terms.as_bool(t) {
                Some(true) => {}
                Some(false) => step.contradiction = Some(sources.clone()),
                None => {
                    self.flat.push(t);
                    self.flat_sources.push(sources.clone());
                    self.learn(terms, t, &sources, &mut step.learned);
                }
            }
        }
        self.steps.push(step);
    }

    fn learn(&mut self, terms: &mut Terms, fact: TermId, sources: &Sources, learned: &mut Vec<TermId>) {
        let (yes, no) = (terms.tt(), terms.ff());
        let negation = terms.not(fact);
        let mut facts: SmallVec<[(TermId, TermId); 3]> = SmallVec::new();
        facts.extend([(fact, yes), (negation, no)]);
        if terms.op(fact) == Op::Eq {
            let (x, c) = (terms.arg(fact, 0), terms.arg(fact, 1));
            if terms.is_const(c) {
                facts.push((x, c));
            }
        }
        for (term, value) in facts {
            if !terms.is_const(term) && !self.values.contains_key(&term) {
                self.values.insert(term, value);
                self.value_sources.insert(term, sources.clone());
                learned.push(term);
            }
        }
    }

    /// The term with the known values put in, and what these came from; the term itself when the budget is used up.
    fn simplify(&self, terms: &mut Terms, root: TermId, budget: &mut usize) -> (TermId, Sources) {
        let mut sources = Sources::new();
        if self.values.is_empty() {
            return (root, sources);
        }
        let mut seen = FxHashSet::default();
        let mut stack = vec![root];
        let mut known = false;
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            if *budget == 0 {
                return (root, Sources::new());
            }
            *budget -= 1;
            match self.value_sources.get(&t) {
                Some(from) => {
                    known = true;
                    union(&mut sources, from);
                }
                None => stack.extend(terms.node(t).args.iter()),
            }
        }
        let simplified = if known { terms.substitute(root, &self.values) } else { root };
        (simplified, sources)
    }

    fn contradiction(&self) -> Option<Core> {
        let sources = self.steps.iter().find_map(|s| s.contradiction.as_ref())?;
        Some(Core { path: sources.iter().map(|&i| i as usize).collect(), goal: false })
    }

    /// A core of the simplified query in terms of the original one.
    fn translate(&self, core: &Core, goal_sources: &Sources) -> Core {
        let mut path = Sources::new();
        for &i in &core.path {
            path.extend_from_slice(&self.flat_sources[i]);
        }
        if core.goal {
            path.extend_from_slice(goal_sources);
        }
        union(&mut path, &[]);
        Core { path: path.iter().map(|&i| i as usize).collect(), goal: core.goal }
    }
}

impl Solver for Propagate {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.layer.calls += 1;
        self.align(terms, query.path);
        if let Some(core) = self.contradiction() {
            self.layer.hits += 1;
            return Answer::Unsat(core);
        }
        let (goal, sources) = self.simplify(terms, query.goal, &mut { self.most_visits });
        match (terms.as_bool(goal), query.hint) {
            (Some(false), _) => {
                self.layer.hits += 1;
                return Answer::Unsat(Core { path: sources.iter().map(|&i| i as usize).collect(), goal: true });
            }
            // The path implies the goal, and the hint is a model of the path.
            (Some(true), Some(hint)) => {
                self.layer.hits += 1;
                return Answer::Sat(hint.clone());
            }
            _ => {}
        }
        match self.inner.solve(terms, &Query { path: &self.flat, goal, ..*query }) {
            Answer::Unsat(core) => Answer::Unsat(self.translate(&core, &sources)),
            other => other,
        }
    }

    fn stats(&self) -> Stats {
        let mut stats = self.inner.stats();
        stats.add_layer("propagate", self.layer);
        stats
    }

    fn reset(&mut self) {
        self.steps.clear();
        self.flat.clear();
        self.flat_sources.clear();
        self.values.clear();
        self.value_sources.clear();
        self.inner.reset();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Backend, Options, Steps, stack};
    use crate::sort::Sort;

    /// A long loop's constraints, each on a term one deeper than the last: they are simplified as far as the budget goes and
    /// kept as they are from there.
    #[test]
    fn deep_terms_are_left_when_the_budget_is_used_up() {
        let mut t = Terms::new();
        let (x, y) = (t.new_var("x", Sort::Bv(32)), t.new_var("y", Sort::Bv(32)));
        let seven = t.bv(7, 32);
        let mut path = vec![t.eq(y, seven)];
        let mut deep = x;
        for _ in 0..3000 {
            let product = t.mul(deep, y);
            deep = t.bv_xor(product, x);
            path.push(t.ult(y, deep));
        }
        let mut propagate = Propagate::new(stack(&Options { layers: false, ..Options::default() }), &Tuning::default());
        propagate.align(&mut t, &path);
        assert_eq!(propagate.flat.len(), path.len());
        assert_ne!(propagate.flat[1], path[1], "y is known to be 7");
        assert_eq!(propagate.flat.last(), path.last(), "nobody walked down to the first round");
        let rests_on: Vec<&[u32]> = [1, 3000].map(|i| &propagate.flat_sources[i][..]).to_vec();
        assert_eq!(rests_on, [&[0, 1][..], &[3000]]);
    }

    #[test]
    fn what_was_left_alone_is_still_solved() {
        let mut t = Terms::new();
        let x = t.new_var("x", Sort::Bv(8));
        let (three, four) = (t.bv(3, 8), t.bv(4, 8));
        let path = [t.eq(x, three)];
        let sum = t.add(x, three);
        let goal = t.eq(sum, four);
        let inner = stack(&Options { layers: false, backend: Backend::Bitwuzla, ..Options::default() });
        let mut propagate = Propagate::new(inner, &Tuning::default());
        propagate.add(&mut t, path[0], &mut 0);
        let query = Query { path: &path, goal, steps: Steps::like_secs(20), hint: None };
        let Answer::Unsat(core) = propagate.solve(&mut t, &query) else { panic!("3 + 3 is not 4") };
        assert_eq!((core.path, core.goal), (vec![0], true));
        assert_eq!(propagate.simplify(&mut t, goal, &mut 0), (goal, Sources::new()), "no budget, no change");
    }
}
