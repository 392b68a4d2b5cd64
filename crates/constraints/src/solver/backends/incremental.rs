//! An SMT solver as a [`Solver`]: each path constraint has a level of the assertion stack of its own, and a query pops and
//! pushes only what differs from the query before.

use std::time::Instant;

use rustc_hash::FxHashMap;

use super::{Engine, Limits, Theory, Verdict};
use crate::float;
use crate::op::Op;
use crate::solver::supports::Supports;
use crate::solver::{Answer, Cancel, Core, LayerStats, Query, Reason, Solver, Stats, common_prefix};
use crate::sort::Sort;
use crate::term::{TermId, Terms};
use crate::tuning::Tuning;
use crate::value::Model;

/// One engine with what it has been told.
struct Instance<E: Engine> {
    engine: E,
    asts: FxHashMap<TermId, E::Ast>,
    /// The constraints asserted, each on its level.
    stack: Vec<TermId>,
    /// Terms of its first query.
    first: usize,
}

/// A back end.
pub struct Incremental<E: Engine> {
    name: &'static str,
    /// An instance is made anew when it has seen this many terms, and so many times those of its first query.
    most_terms: usize,
    growth: usize,
    make: Box<dyn Fn(Theory) -> E + Send>,
    instances: FxHashMap<Theory, Instance<E>>,
    supports: Supports,
    cancel: Cancel,
    calls: LayerStats,
    stats: Stats,
}

impl<E: Engine> std::fmt::Debug for Incremental<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Incremental").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<E: Engine> Incremental<E> {
    /// `make` starts a fresh engine for queries of a theory.
    pub fn new(
        name: &'static str,
        cancel: Cancel,
        tuning: &Tuning,
        make: impl Fn(Theory) -> E + Send + 'static,
    ) -> Incremental<E> {
        Incremental {
            name,
            most_terms: tuning.solver_terms,
            growth: tuning.solver_growth,
            make: Box::new(make),
            instances: FxHashMap::default(),
            supports: Supports::default(),
            cancel,
            calls: LayerStats::default(),
            stats: Stats::default(),
        }
    }

    /// Makes instances anew when they have seen this many terms, or more if queries are large.
    pub fn with_most_terms(mut self, most: usize) -> Incremental<E> {
        self.most_terms = most;
        self
    }

    fn decide(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let limits = Limits::new(query.steps, &self.cancel);
        if let Some(reason) = limits.exceeded() {
            return Answer::Unknown(reason);
        }
        let mut all = query.path.iter().copied().chain([query.goal]);
        if !E::KNOWS_EXTENDED && all.any(|constraint| self.supports.of(terms, constraint).extended) {
            return Answer::Unknown(Reason::Incomplete);
        }
        let theory = Theory::of(terms, query.path.iter().copied().chain([query.goal]));
        if self.instances.get(&theory).is_some_and(|i| i.asts.len() > self.most_terms.max(self.growth * i.first)) {
            self.instances.remove(&theory);
        }
        let make = &self.make;
        let was_there = self.instances.contains_key(&theory);
        let instance = self.instances.entry(theory).or_insert_with(|| Instance::new(make(theory)));
        instance.align(terms, &mut self.supports, query.path);
        let mut verdict = instance.check_goal(terms, &mut self.supports, query.goal, query.path.len(), &limits);
        if was_there && matches!(verdict, Verdict::Unknown(_)) && instance.engine.is_too_large() {
            // What it has seen of other questions may be most of that.
            *instance = Instance::new(make(theory));
            instance.align(terms, &mut self.supports, query.path);
            verdict = instance.check_goal(terms, &mut self.supports, query.goal, query.path.len(), &limits);
        }
        if instance.first == 0 {
            instance.first = instance.asts.len();
        }
        let answer = match verdict {
            Verdict::Sat => instance.model(terms, &mut self.supports, query),
            Verdict::Unsat => Answer::Unsat(instance.core(query.path.len())),
            Verdict::Unknown(reason) => Answer::Unknown(reason),
        };
        if matches!(answer, Answer::Unknown(_)) {
            // An interrupted engine may be in any state.
            self.instances.remove(&theory);
        } else {
            instance.engine.pop(1);
        }
        answer
    }
}

impl<E: Engine> Instance<E> {
    fn new(engine: E) -> Instance<E> {
        Instance { engine, asts: FxHashMap::default(), stack: Vec::new(), first: 0 }
    }

    /// Makes the assertion stack the path.
    fn align(&mut self, terms: &Terms, supports: &mut Supports, path: &[TermId]) {
        let keep = common_prefix(&self.stack, path);
        if keep < self.stack.len() {
            self.engine.pop(self.stack.len() - keep);
            self.stack.truncate(keep);
        }
        for &constraint in &path[keep..] {
            self.engine.push();
            self.assert(terms, supports, constraint, self.stack.len());
            self.stack.push(constraint);
        }
    }

    fn check_goal(
        &mut self,
        terms: &Terms,
        supports: &mut Supports,
        goal: TermId,
        tag: usize,
        limits: &Limits,
    ) -> Verdict {
        self.engine.push();
        self.assert(terms, supports, goal, tag);
        self.engine.check(limits)
    }

    /// Asserts the constraint together with the definitions it needs: each level is complete in itself, so that popping
    /// others never takes a definition away.
    fn assert(&mut self, terms: &Terms, supports: &mut Supports, constraint: TermId, tag: usize) {
        let ast = self.translate(terms, constraint);
        self.engine.assert(ast, Some(tag));
        for &bits in &supports.of(terms, constraint).float_bits {
            let definition = self.define_bits(terms, bits);
            self.engine.assert(definition, None);
        }
    }

    /// SMT-LIB has no operation from a float to its bits, but `b` are the bits of `f` iff the float of `b` is `f`; of the
    /// many patterns of NaN the canonical one is meant.
    fn define_bits(&mut self, terms: &Terms, bits: TermId) -> E::Ast {
        let f = terms.arg(bits, 0);
        let kind = terms.float_kind(f);
        let (float_sort, bits_sort) = (terms.sort(f), terms.sort(bits));
        let (f, b) = (self.translate(terms, f), self.translate(terms, bits));
        let e = &mut self.engine;
        let nan = e.constant(bits_sort, float::to_ieee(kind, float::nan(kind)));
        let is_nan = e.apply(Op::FIsNan, Sort::Bool, &[f], &[float_sort]);
        let is_canonical = e.apply(Op::Eq, Sort::Bool, &[b, nan], &[bits_sort; 2]);
        let back = e.apply(Op::IeeeToF(kind), float_sort, &[b], &[bits_sort]);
        let same = e.apply(Op::Eq, Sort::Bool, &[back, f], &[float_sort; 2]);
        e.apply(Op::Ite, Sort::Bool, &[is_nan, is_canonical, same], &[Sort::Bool; 3])
    }

    fn translate(&mut self, terms: &Terms, root: TermId) -> E::Ast {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.asts.contains_key(&t) {
                stack.pop();
                continue;
            }
            let node = terms.node(t);
            let before = stack.len();
            stack.extend(node.args.iter().filter(|a| !self.asts.contains_key(a)));
            if stack.len() == before {
                let ast = self.build(terms, t);
                self.asts.insert(t, ast);
                stack.pop();
            }
        }
        self.asts[&root]
    }

    fn build(&mut self, terms: &Terms, t: TermId) -> E::Ast {
        let node = terms.node(t);
        match node.op {
            Op::Var(v) => self.engine.variable(terms.var_name(v), node.sort),
            Op::FToIeee => self.engine.variable("bits", node.sort),
            Op::True | Op::False | Op::BvConst(_) | Op::FloatConst(_) => {
                let bits = terms.as_value(t).and_then(|v| v.bits()).expect("the node is a scalar constant");
                self.engine.constant(node.sort, bits)
            }
            op => {
                let args: smallvec::SmallVec<[E::Ast; 3]> = node.args.iter().map(|a| self.asts[&a]).collect();
                let sorts: smallvec::SmallVec<[Sort; 3]> = node.args.iter().map(|a| terms.sort(a)).collect();
                self.engine.apply(op, node.sort, &args, &sorts)
            }
        }
    }

    fn model(&mut self, terms: &Terms, supports: &mut Supports, query: &Query<'_>) -> Answer {
        let mut model = Model::new();
        for &constraint in query.path.iter().chain([&query.goal]) {
            for &var in &supports.of(terms, constraint).vars {
                if model.get(var).is_some() {
                    continue;
                }
                // A variable that the translation never met cannot be in the constraint.
                let ast = self.asts[&terms.var_term(var)];
                match self.engine.value(ast, terms.var_sort(var)) {
                    Some(value) => model.set(var, value),
                    None => return Answer::Unknown(Reason::Incomplete),
                }
            }
        }
        Answer::Sat(model)
    }

    fn core(&mut self, goal_tag: usize) -> Core {
        let mut path = self.engine.core();
        path.sort_unstable();
        path.dedup();
        if path.is_empty() {
            // Something must be to blame; an engine that cannot say blames all.
            path = (0..=goal_tag).collect();
        }
        let goal = path.last() == Some(&goal_tag);
        if goal {
            path.pop();
        }
        Core { path, goal }
    }
}

impl<E: Engine> Solver for Incremental<E> {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        let start = Instant::now();
        let answer = self.decide(terms, query);
        let time = start.elapsed();
        self.stats.count(&answer, time);
        self.calls.calls += 1;
        self.calls.hits += u64::from(!matches!(answer, Answer::Unknown(_)));
        self.calls.time += time;
        answer
    }

    fn stats(&self) -> Stats {
        let mut stats = self.stats.clone();
        stats.add_layer(self.name, self.calls);
        stats
    }

    fn reset(&mut self) {
        self.instances.clear();
        self.supports.clear();
    }
}

#[cfg(test)]
mod tests {
    use crate::solver::{Answer, Backend, Options, Query, Reason, Steps, stack};
    use crate::sort::Sort;
    use crate::term::Terms;

    #[test]
    fn what_is_too_large_is_not_looked_at_and_leaves_the_rest_alone() {
        let mut t = Terms::new();
        let (x, y) = (t.new_var("x", Sort::Bv(64)), t.new_var("y", Sort::Bv(64)));
        let one = t.bv(1, 64);
        let (mut power, small) = (x, t.eq(x, one));
        for _ in 0..300 {
            let product = t.mul(power, y);
            power = t.add(product, x);
        }
        let large = t.eq(power, one);
        let options = Options { layers: false, backend: Backend::Bitwuzla, ..Options::default() };
        let mut solver = stack(&options);
        let mut ask = |goal| {
            let query = Query { path: &[], goal, steps: Steps::like_secs(60), hint: None };
            solver.solve(&mut t, &query)
        };
        assert!(ask(small).is_sat());
        assert_eq!(ask(large), Answer::Unknown(Reason::Steps));
        assert!(ask(small).is_sat());
    }
}
