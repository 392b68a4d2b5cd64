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
pub struct Propagate {
    inner: Box<dyn Solver>,
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
    pub fn new(inner: Box<dyn Solver>) -> Propagate {
        Propagate {
            inner,
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
        for &constraint in &path[keep..] {
            self.add(terms, constraint);
        }
    }

    fn add(&mut self, terms: &mut Terms, constraint: TermId) {
        let (simplified, mut sources) = self.simplify(terms, constraint);
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

    /// The term with the known values put in, and what these came from.
    fn simplify(&self, terms: &mut Terms, root: TermId) -> (TermId, Sources) {
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
        let (goal, sources) = self.simplify(terms, query.goal);
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
