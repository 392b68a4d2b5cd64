//! What a set of constraints says about the range of terms, and which of the constraints said it.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::domain::Range;
use super::transfer::transfer;
use crate::op::Op;
use crate::sort::{Sort, mask};
use crate::term::{Node, TermId, Terms};
use crate::tuning::Tuning;

/// Indices of constraints, in order.
pub(crate) type Sources = SmallVec<[u32; 4]>;

#[derive(Clone, Debug)]
struct Fact {
    range: Range,
    sources: Sources,
}

/// A state to come back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark(usize);

/// Facts about terms, from constraints assumed one after the other.
#[derive(Debug)]
pub struct Facts {
    known: FxHashMap<TermId, Fact>,
    /// What was known before each change, to undo it.
    log: Vec<(TermId, Option<Fact>)>,
    limits: Limits,
}

/// How much is looked at and kept.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Nodes of one evaluation; what lies beyond counts as unknown.
    nodes: usize,
    sources: usize,
    depth: u32,
}

impl Default for Facts {
    fn default() -> Facts {
        Facts::new(&Tuning::default())
    }
}

/// Constraints that cannot all hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction(pub Vec<usize>);

impl Facts {
    /// Nothing is assumed yet.
    pub fn new(tuning: &Tuning) -> Facts {
        let limits = Limits { nodes: tuning.facts_nodes, sources: tuning.facts_sources, depth: tuning.facts_depth };
        Facts { known: FxHashMap::default(), log: Vec::new(), limits }
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.known.clear();
        self.log.clear();
    }

    /// How much is assumed now, for [`Facts::undo`].
    pub fn mark(&self) -> Mark {
        Mark(self.log.len())
    }

    /// Forgets all that was assumed since the mark.
    pub fn undo(&mut self, mark: Mark) {
        for (term, old) in self.log.drain(mark.0..).rev() {
            match old {
                Some(fact) => self.known.insert(term, fact),
                None => self.known.remove(&term),
            };
        }
    }

    /// Takes the constraint with this index as true. Facts that others state of its terms are used too.
    pub fn assume(&mut self, terms: &Terms, constraint: TermId, index: usize) -> Result<(), Contradiction> {
        let sources: Sources = SmallVec::from_elem(index as u32, 1);
        self.narrow(terms, constraint, Range::exactly(1, 1), &sources, 0)
    }

    /// Whether the condition is certainly true or certainly false, with the constraints that make it so.
    pub fn decide(&self, terms: &Terms, condition: TermId) -> Option<(bool, Vec<usize>)> {
        let (range, sources) = self.range_with_sources(terms, condition)?;
        range.as_bool().map(|b| (b, sources.iter().map(|&i| i as usize).collect()))
    }

    /// The range of a term; `None` for floats and arrays.
    pub fn range(&self, terms: &Terms, term: TermId) -> Option<Range> {
        self.range_with_sources(terms, term).map(|(range, _)| range)
    }

    /// The same, and the constraints that it follows from.
    pub(crate) fn range_with_sources(&self, terms: &Terms, term: TermId) -> Option<(Range, Sources)> {
        let mut evaluation = Evaluation { facts: self, terms, memo: FxHashMap::default(), sources: Sources::new() };
        let range = evaluation.run(term)?;
        let mut sources = evaluation.sources;
        sources.sort_unstable();
        sources.dedup();
        Some((range, sources))
    }

    /// Adds that the term is in the range, and what follows for its arguments.
    fn narrow(
        &mut self,
        terms: &Terms,
        term: TermId,
        range: Range,
        sources: &Sources,
        depth: u32,
    ) -> Result<(), Contradiction> {
        let (before, mut all) = match self.range_with_sources(terms, term) {
            Some(known) => known,
            None => return Ok(()),
        };
        all.extend_from_slice(sources);
        all.sort_unstable();
        all.dedup();
        let contradiction = || Contradiction(all.iter().map(|&i| i as usize).collect());
        let after = before.meet(&range).ok_or_else(contradiction)?;
        if after == before {
            return Ok(());
        }
        if all.len() > self.limits.sources {
            return Ok(());
        }
        if !terms.is_const(term) {
            let old = self.known.insert(term, Fact { range: after, sources: all.clone() });
            self.log.push((term, old));
        }
        if depth < self.limits.depth { self.narrow_args(terms, term, &after, &all, depth + 1) } else { Ok(()) }
    }

    fn narrow_args(
        &mut self,
        terms: &Terms,
        term: TermId,
        range: &Range,
        sources: &Sources,
        depth: u32,
    ) -> Result<(), Contradiction> {
        let node = *terms.node(term);
        if node.sort == Sort::Bool {
            return match range.as_bool() {
                Some(holds) => self.condition_args(terms, &node, holds, sources, depth),
                None => Ok(()),
            };
        }
        let w = range.width;
        match node.op {
            Op::BoolToBv => self.narrow(terms, node.args[0], *range, sources, depth),
            Op::BvNot | Op::BvNeg => {
                let inverse = transfer(node.op, node.sort, &[Some(*range)]);
                self.narrow(terms, node.args[0], inverse, sources, depth)
            }
            Op::ZExt | Op::SExt => {
                let narrow = terms.width(node.args[0]);
                let low = transfer(Op::Extract { hi: narrow - 1, lo: 0 }, Sort::Bv(narrow), &[Some(*range)]);
                let low = if node.op == Op::SExt {
                    // The signed bounds hold for the narrow value as they are.
                    Range::signed(narrow, range.slo.max(Range::top(narrow).slo), range.shi.min(Range::top(narrow).shi))
                        .and_then(|s| s.meet(&low))
                        .unwrap_or(low)
                } else {
                    low
                };
                self.narrow(terms, node.args[0], low, sources, depth)
            }
            Op::Extract { hi, lo } => {
                let wide = terms.width(node.args[0]);
                debug_assert_eq!(hi - lo + 1, w);
                let Some(bits) = Range::bits(wide, range.zeros << lo, range.ones << lo) else { return Ok(()) };
                self.narrow(terms, node.args[0], bits, sources, depth)
            }
            Op::Concat => {
                let cut = terms.width(node.args[1]);
                let high = transfer(Op::Extract { hi: w - 1, lo: cut }, Sort::Bv(w - cut), &[Some(*range)]);
                let low = transfer(Op::Extract { hi: cut - 1, lo: 0 }, Sort::Bv(cut), &[Some(*range)]);
                self.narrow(terms, node.args[0], high, sources, depth)?;
                self.narrow(terms, node.args[1], low, sources, depth)
            }
            Op::Add => match terms.as_bv(node.args[1]) {
                // x + c in a range: x in the range moved by −c.
                Some(c) => {
                    let moved = transfer(Op::Sub, node.sort, &[Some(*range), Some(Range::exactly(c, w))]);
                    self.narrow(terms, node.args[0], moved, sources, depth)
                }
                None => Ok(()),
            },
            Op::BvAnd => match terms.as_bv(node.args[1]) {
                Some(c) => match Range::bits(w, range.zeros & c, range.ones) {
                    Some(bits) => self.narrow(terms, node.args[0], bits, sources, depth),
                    None => Ok(()),
                },
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// What follows from a condition that holds or does not.
    fn condition_args(
        &mut self,
        terms: &Terms,
        node: &Node,
        holds: bool,
        sources: &Sources,
        depth: u32,
    ) -> Result<(), Contradiction> {
        let truth = |b: bool| Range::exactly(u128::from(b), 1);
        match (node.op, holds) {
            (Op::Not, _) => self.narrow(terms, node.args[0], truth(!holds), sources, depth),
            (Op::And, true) | (Op::Or, false) => {
                self.narrow(terms, node.args[0], truth(holds), sources, depth)?;
                self.narrow(terms, node.args[1], truth(holds), sources, depth)
            }
            (Op::Eq, true) => self.same(terms, node.args[0], node.args[1], sources, depth),
            (Op::Eq, false) => self.different(terms, node.args[0], node.args[1], sources, depth),
            (Op::Ult, true) => self.ordered(terms, [node.args[0], node.args[1]], true, false, sources, depth),
            (Op::Ult, false) => self.ordered(terms, [node.args[1], node.args[0]], false, false, sources, depth),
            (Op::Ule, true) => self.ordered(terms, [node.args[0], node.args[1]], false, false, sources, depth),
            (Op::Ule, false) => self.ordered(terms, [node.args[1], node.args[0]], true, false, sources, depth),
            (Op::Slt, true) => self.ordered(terms, [node.args[0], node.args[1]], true, true, sources, depth),
            (Op::Slt, false) => self.ordered(terms, [node.args[1], node.args[0]], false, true, sources, depth),
            (Op::Sle, true) => self.ordered(terms, [node.args[0], node.args[1]], false, true, sources, depth),
            (Op::Sle, false) => self.ordered(terms, [node.args[1], node.args[0]], true, true, sources, depth),
            _ => Ok(()),
        }
    }

    fn same(
        &mut self,
        terms: &Terms,
        a: TermId,
        b: TermId,
        sources: &Sources,
        depth: u32,
    ) -> Result<(), Contradiction> {
        for (x, y) in [(a, b), (b, a)] {
            let Some((range, mut all)) = self.range_with_sources(terms, y) else { return Ok(()) };
            all.extend_from_slice(sources);
            self.narrow(terms, x, range, &all, depth)?;
        }
        Ok(())
    }

    /// x ≠ c cuts the range only at its ends.
    fn different(
        &mut self,
        terms: &Terms,
        a: TermId,
        b: TermId,
        sources: &Sources,
        depth: u32,
    ) -> Result<(), Contradiction> {
        let Some(c) = terms.as_value(b).filter(|_| !terms.traits(a).has_float).and_then(|v| v.bits()) else {
            return Ok(());
        };
        let Some((range, mut all)) = self.range_with_sources(terms, a) else { return Ok(()) };
        all.extend_from_slice(sources);
        let w = range.width;
        let signed = crate::sort::to_signed(c, w);
        let cut = Range {
            lo: if range.lo == c && c < mask(w) { c + 1 } else { range.lo },
            hi: if range.hi == c && c > 0 { c - 1 } else { range.hi },
            slo: if range.slo == signed && signed < Range::top(w).shi { signed + 1 } else { range.slo },
            shi: if range.shi == signed && signed > Range::top(w).slo { signed - 1 } else { range.shi },
            ..range
        };
        match cut.reduce() {
            Some(cut) => self.narrow(terms, a, cut, &all, depth),
            None => Err(Contradiction(all.iter().map(|&i| i as usize).collect())),
        }
    }

    /// a < b or a ≤ b: the bounds of each limit the other.
    fn ordered(
        &mut self,
        terms: &Terms,
        [a, b]: [TermId; 2],
        strict: bool,
        signed: bool,
        sources: &Sources,
        depth: u32,
    ) -> Result<(), Contradiction> {
        let (Some((ra, mut from_a)), Some((rb, mut from_b))) =
            (self.range_with_sources(terms, a), self.range_with_sources(terms, b))
        else {
            return Ok(());
        };
        from_a.extend_from_slice(sources);
        from_b.extend_from_slice(sources);
        let w = ra.width;
        let top = Range::top(w);
        let gap = i128::from(strict);
        let (below, above) = if signed {
            (
                rb.shi.checked_sub(gap).and_then(|hi| Range::signed(w, top.slo, hi)),
                ra.slo.checked_add(gap).and_then(|lo| Range::signed(w, lo, top.shi)),
            )
        } else {
            (
                rb.hi.checked_sub(gap as u128).and_then(|hi| Range::unsigned(w, 0, hi)),
                ra.lo.checked_add(gap as u128).and_then(|lo| Range::unsigned(w, lo, mask(w))),
            )
        };
        let impossible = |all: &Sources| {
            let mut blamed: Vec<usize> = all.iter().map(|&i| i as usize).collect();
            blamed.sort_unstable();
            blamed.dedup();
            Contradiction(blamed)
        };
        self.narrow(terms, a, below.ok_or_else(|| impossible(&from_b))?, &from_b, depth)?;
        self.narrow(terms, b, above.ok_or_else(|| impossible(&from_a))?, &from_a, depth)
    }
}

/// One evaluation of a term over ranges.
struct Evaluation<'a> {
    facts: &'a Facts,
    terms: &'a Terms,
    memo: FxHashMap<TermId, Option<Range>>,
    sources: Sources,
}

impl Evaluation<'_> {
    fn run(&mut self, root: TermId) -> Option<Range> {
        let mut stack = vec![root];
        let (mut met, most) = (0, self.facts.limits.nodes);
        while let Some(&t) = stack.last() {
            if self.memo.contains_key(&t) {
                stack.pop();
                continue;
            }
            let node = self.terms.node(t);
            let has_width = !matches!(node.sort, Sort::Float(_) | Sort::Array);
            met += 1;
            if has_width && met <= most {
                let before = stack.len();
                stack.extend(node.args.iter().filter(|a| !self.memo.contains_key(a)));
                if stack.len() > before {
                    continue;
                }
            }
            let range = has_width.then(|| self.of_node(t, node, met <= most));
            self.memo.insert(t, range);
            stack.pop();
        }
        self.memo[&root]
    }

    fn of_node(&mut self, t: TermId, node: &Node, args_known: bool) -> Range {
        if let Some(value) = self.terms.as_value(t).and_then(|v| v.bits()) {
            return Range::exactly(value, node.sort.width());
        }
        let computed = if args_known && !node.args.is_empty() {
            let args: SmallVec<[Option<Range>; 3]> =
                node.args.iter().map(|a| self.memo.get(&a).copied().flatten()).collect();
            transfer(node.op, node.sort, &args)
        } else {
            Range::top(node.sort.width())
        };
        let Some(fact) = self.facts.known.get(&t) else { return computed };
        // Facts and computation both hold, so that something is in both unless the constraints contradict each other;
        // then the fact alone will do, and a later assumption finds out.
        let met = computed.meet(&fact.range);
        if met != Some(computed) {
            self.sources.extend_from_slice(&fact.sources);
        }
        met.unwrap_or(fact.range)
    }
}
