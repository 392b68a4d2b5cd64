//! Arithmetic in fewer bits: where the path bounds the operands of a product, a quotient or a remainder, the solver gets
//! it in the width that they need. A year below 10,000 is divided in 14 bits instead of 32.
//!
//! Each constraint is made narrow by what those before it say. So under a model of those before, it means the same, and
//! by induction a model of all narrow constraints is one of the originals, and the other way round.

use rustc_hash::FxHashMap;

use super::hard::{Hardness, is_hard};
use crate::analysis::{Facts, Mark, Range, Sources};
use crate::op::Op;
use crate::solver::{Answer, Core, LayerStats, Query, Solver, Stats, common_prefix};
use crate::sort::Sort;
use crate::term::{TermId, Terms};
use crate::tuning::Tuning;

#[derive(Debug)]
struct Step {
    original: TermId,
    sources: Sources,
    mark: Mark,
    /// Terms that were made narrow here.
    made: Vec<TermId>,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Narrow {
    inner: Box<dyn Solver>,
    least_gain: u8,
    most_hard: usize,
    hardness: Hardness,
    facts: Facts,
    steps: Vec<Step>,
    path: Vec<TermId>,
    narrow: FxHashMap<TermId, (TermId, Sources)>,
    /// Constraints that contradict each other, and the length of the path at which that was seen.
    contradiction: Option<(usize, Vec<usize>)>,
    /// `hits` are the queries that became narrower.
    layer: LayerStats,
}

impl Narrow {
    pub(crate) fn new(inner: Box<dyn Solver>, tuning: &Tuning) -> Narrow {
        Narrow {
            inner,
            least_gain: tuning.narrow_gain,
            most_hard: tuning.narrow_hard,
            hardness: Hardness::default(),
            facts: Facts::new(tuning),
            steps: Vec::new(),
            path: Vec::new(),
            narrow: FxHashMap::default(),
            contradiction: None,
            layer: LayerStats::default(),
        }
    }

    fn align(&mut self, terms: &mut Terms, path: &[TermId]) {
        let originals: Vec<TermId> = self.steps.iter().map(|s| s.original).collect();
        let keep = common_prefix(&originals, path);
        for step in self.steps.drain(keep..).rev() {
            self.facts.undo(step.mark);
            for term in step.made {
                self.narrow.remove(&term);
            }
        }
        self.path.truncate(keep);
        if self.contradiction.as_ref().is_some_and(|(at, _)| *at > keep) {
            self.contradiction = None;
        }
        for &constraint in &path[keep..] {
            let mark = self.facts.mark();
            let (narrow, sources, made) = self.make(terms, constraint);
            let index = self.steps.len();
            self.steps.push(Step { original: constraint, sources, mark, made });
            self.path.push(narrow);
            if self.contradiction.is_none()
                && let Err(found) = self.facts.assume(terms, constraint, index)
            {
                self.contradiction = Some((self.steps.len(), found.0));
            }
        }
    }

    /// A term with narrow ones in it, what that rests on, and which were made for it.
    fn make(&mut self, terms: &mut Terms, root: TermId) -> (TermId, Sources, Vec<TermId>) {
        let (mut sources, mut made) = (Sources::new(), Vec::new());
        if !self.hardness.of(terms, root) {
            return (root, sources, made);
        }
        let hard = self.hardness.list(terms, root, false);
        if hard.len() > self.most_hard {
            return (root, sources, made);
        }
        // Hard terms come after those inside of them, so what the memo holds stays true as the map grows.
        let (mut map, mut memo) = (FxHashMap::default(), FxHashMap::default());
        for term in hard {
            if !self.narrow.contains_key(&term) {
                let args = terms.node(term).args;
                let inside = [0, 1].map(|i| terms.substitute_with(args[i], &map, &mut memo));
                let fresh = self.make_one(terms, term, inside);
                self.narrow.insert(term, fresh);
                made.push(term);
            }
            let (narrow, from) = &self.narrow[&term];
            if *narrow != term {
                map.insert(term, *narrow);
                sources.extend_from_slice(from);
            }
        }
        sources.sort_unstable();
        sources.dedup();
        let narrow = if map.is_empty() { root } else { terms.substitute_with(root, &map, &mut memo) };
        (narrow, sources, made)
    }

    /// One hard term in the width that it needs, of arguments that are narrow already, and what its own width rests on.
    fn make_one(&self, terms: &mut Terms, term: TermId, [x, y]: [TermId; 2]) -> (TermId, Sources) {
        let node = *terms.node(term);
        debug_assert!(is_hard(terms, term));
        let (a, b) = (node.args[0], node.args[1]);
        let ranges = self.facts.range_with_sources(terms, a).zip(self.facts.range_with_sources(terms, b));
        let same = terms.mk(node.op, &[x, y], node.sort);
        let mut sources = Sources::new();
        let Some(((ra, from_a), (rb, from_b))) = ranges else { return (same, sources) };
        let found = match node.op {
            Op::SMulO | Op::UMulO => {
                let known = self.facts.range_with_sources(terms, term);
                match known.and_then(|(range, from)| Some((range.as_bool()?, from))) {
                    Some((value, from)) => {
                        return (terms.bool(value), from);
                    }
                    None => None,
                }
            }
            _ => width(node.op, &ra, &rb),
        };
        let Some((width, op, signed)) = found.filter(|(width, ..)| width + self.least_gain <= terms.width(term)) else {
            return (same, sources);
        };
        let (x, y) = (terms.extract(x, width - 1, 0), terms.extract(y, width - 1, 0));
        let small = terms.mk(op, &[x, y], Sort::Bv(width));
        let wide = terms.width(term);
        sources.extend_from_slice(&from_a);
        sources.extend_from_slice(&from_b);
        sources.sort_unstable();
        sources.dedup();
        (if signed { terms.sext(small, wide) } else { terms.zext(small, wide) }, sources)
    }

    fn solve_narrow(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.align(terms, query.path);
        if let Some((_, blamed)) = &self.contradiction {
            return Answer::Unsat(Core { path: blamed.clone(), goal: false });
        }
        let (goal, sources, made) = self.make(terms, query.goal);
        for term in made {
            self.narrow.remove(&term);
        }
        let same = goal == query.goal && self.path == query.path;
        self.layer.hits += u64::from(!same);
        match self.inner.solve(terms, &Query { path: &self.path, goal, ..*query }) {
            Answer::Unsat(core) => Answer::Unsat(self.translate(&core, &sources)),
            other => other,
        }
    }

    /// A core of the narrow query as one of the original.
    fn translate(&self, core: &Core, goal_sources: &Sources) -> Core {
        let mut path = core.path.clone();
        for &i in &core.path {
            path.extend(self.steps[i].sources.iter().map(|&i| i as usize));
        }
        if core.goal {
            path.extend(goal_sources.iter().map(|&i| i as usize));
        }
        path.sort_unstable();
        path.dedup();
        Core { path, goal: core.goal }
    }
}

/// The width that is enough for operands in these ranges and for the result, the operation there, and whether the result
/// has a sign.
fn width(op: Op, a: &Range, b: &Range) -> Option<(u8, Op, bool)> {
    let unsigned = |most: u128| ((128 - most.leading_zeros()) as u8).max(1);
    let signed = |value: i128| if value < 0 { 129 - value.leading_ones() } else { 129 - value.leading_zeros() } as u8;
    match op {
        Op::UDiv | Op::URem if b.lo > 0 => Some((unsigned(a.hi.max(b.hi)), op, false)),
        Op::SDiv | Op::SRem if b.slo > 0 => {
            if a.slo >= 0 {
                let op = if op == Op::SDiv { Op::UDiv } else { Op::URem };
                return Some((unsigned(a.hi.max(b.hi)), op, false));
            }
            Some((signed(a.slo).max(signed(a.shi)).max(signed(b.shi)), op, true))
        }
        Op::Mul => {
            let product = a.hi.checked_mul(b.hi).map(|most| (unsigned(most.max(a.hi).max(b.hi)), op, false));
            let corners = [(a.slo, b.slo), (a.slo, b.shi), (a.shi, b.slo), (a.shi, b.shi)];
            let all: Option<Vec<i128>> = corners.iter().map(|(x, y)| x.checked_mul(*y)).collect();
            let bits = all.map(|all| {
                let ends = all.into_iter().chain([a.slo, a.shi, b.slo, b.shi]);
                (ends.map(signed).max().unwrap_or(128), op, true)
            });
            [product, bits].into_iter().flatten().min_by_key(|(width, ..)| *width)
        }
        _ => None,
    }
}

impl Solver for Narrow {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.layer.calls += 1;
        let hard = self.hardness.in_query(terms, query);
        if hard { self.solve_narrow(terms, query) } else { self.inner.solve(terms, query) }
    }

    fn stats(&self) -> Stats {
        let mut stats = self.inner.stats();
        stats.add_layer("narrow", self.layer);
        stats
    }

    fn reset(&mut self) {
        self.hardness.clear();
        self.facts.clear();
        self.steps.clear();
        self.path.clear();
        self.narrow.clear();
        self.contradiction = None;
        self.inner.reset();
    }
}

#[cfg(test)]
mod tests {
    use super::super::Relax;
    use super::*;
    use crate::random::Rng;
    use crate::solver::{Backend, Options, Steps, stack};

    const LONG: Steps = Steps::like_secs(20);

    fn back_end() -> Box<dyn Solver> {
        stack(&Options { layers: false, backend: Backend::Bitwuzla, ..Options::default() })
    }

    #[test]
    fn widths_hold_what_they_must() {
        let range = |slo, shi| Range::signed(32, slo, shi).unwrap();
        assert_eq!(width(Op::SDiv, &range(0, 9998), &range(4, 4)), Some((14, Op::UDiv, false)));
        assert_eq!(width(Op::SRem, &range(-98, 100), &range(7, 7)), Some((8, Op::SRem, true)));
        assert_eq!(width(Op::SDiv, &range(-128, 127), &range(1, 3)), Some((8, Op::SDiv, true)));
        assert_eq!(width(Op::SDiv, &range(0, 5), &range(-1, 3)), None, "it may divide by zero");
        assert_eq!(width(Op::Mul, &range(0, 15), &range(0, 17)), Some((8, Op::Mul, false)));
        assert_eq!(
            width(Op::Mul, &range(-8, 7), &range(-8, 7)),
            Some((8, Op::Mul, true)),
            "64 needs a sign of its own"
        );
    }

    /// Random arithmetic of bounded variables: with the layers the answer is that of the back end alone, and a core has no
    /// model either.
    #[test]
    fn answers_are_those_of_the_wide_query() {
        let mut rng = Rng::new(11);
        let mut answers = [0; 2];
        for round in 0..150 {
            let mut t = Terms::new();
            let vars: Vec<TermId> = (0..3).map(|i| t.new_var(format!("x{i}"), Sort::Bv(16))).collect();
            let mut path = Vec::new();
            for &var in &vars {
                let (lo, span) = (rng.below(64) as i128 - 32, rng.below(60) as i128);
                let (lo, hi) = (t.bv(lo as u128, 16), t.bv((lo + span) as u128, 16));
                path.extend([t.sle(lo, var), t.sle(var, hi)]);
            }
            let mut pool = vars.clone();
            for _ in 0..4 {
                let (a, b) = (pool[rng.below(pool.len())], pool[rng.below(pool.len())]);
                let constant = t.bv(rng.below(12) as u128, 16);
                let b = if rng.below(2) == 0 { constant } else { b };
                let op = [Op::SDiv, Op::SRem, Op::UDiv, Op::URem, Op::Mul, Op::Add, Op::Sub][rng.below(7)];
                pool.push(t.mk(op, &[a, b], Sort::Bv(16)));
            }
            let bound = t.bv(rng.below(40) as u128, 16);
            path.push(t.slt(bound, pool[5]));
            let goal = t.eq(pool[6], bound);
            let query = Query { path: &path, goal, steps: LONG, hint: None };
            let expected = back_end().solve(&mut t, &query);
            let narrow = Narrow::new(back_end(), &Tuning::default()).solve(&mut t, &query);
            assert_eq!(narrow.is_sat(), expected.is_sat(), "round {round}");
            if let Answer::Unsat(core) = &narrow {
                let path: Vec<TermId> = core.path.iter().map(|&i| path[i]).collect();
                let goal = if core.goal { goal } else { t.tt() };
                let again = back_end().solve(&mut t, &Query { path: &path, goal, steps: LONG, hint: None });
                assert!(again.is_unsat(), "round {round}: the core has a model");
            }
            let mut relax = Relax::new(back_end(), &Tuning::default());
            if let Some(core) = relax.solve_relaxed(&mut t, &query) {
                assert!(expected.is_unsat(), "round {round}: what was left open has no model, and all of it has");
                let path: Vec<TermId> = core.path.iter().map(|&i| path[i]).collect();
                let goal = if core.goal { goal } else { t.tt() };
                let again = back_end().solve(&mut t, &Query { path: &path, goal, steps: LONG, hint: None });
                assert!(again.is_unsat(), "round {round}: the relaxed core has a model");
            }
            answers[usize::from(expected.is_sat())] += 1;
        }
        assert!(answers.iter().all(|&count| count > 10), "both answers must occur: {answers:?}");
    }

    /// Products of products: what each rests on used to be listed once for every way down to it, without an end.
    #[test]
    fn towers_of_products_end() {
        let most = Tuning::default().narrow_hard;
        for height in [most - 1, 20 * most] {
            let mut t = Terms::new();
            let (x, y) = (t.new_var("x", Sort::Bv(64)), t.new_var("y", Sort::Bv(64)));
            let ten = t.bv(10, 64);
            let path = vec![t.ult(x, ten), t.ult(y, ten)];
            let (mut tower, mask) = (x, t.bv(7, 64));
            for _ in 0..height {
                let small = t.bv_and(tower, mask);
                let sum = t.add(small, tower);
                tower = t.mul(sum, y);
            }
            let goal = t.eq(tower, ten);
            let mut narrow = Narrow::new(back_end(), &Tuning::default());
            narrow.align(&mut t, &path);
            let (changed, sources, made) = narrow.make(&mut t, goal);
            let expected: &[u32] = if height < most { &[0, 1] } else { &[] };
            assert_eq!((changed != goal, &sources[..]), (height < most, expected));
            assert_eq!(made.len(), if height < most { height } else { 0 });
        }
    }
}
