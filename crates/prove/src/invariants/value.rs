//! What the forward analysis knows of one variable: a range, and the values themselves where there are few.

use covenant_constraints::analysis::Range;
use covenant_constraints::sort::{Sort, mask, to_signed};
use covenant_constraints::{TermId, Terms, VarId};
use smallvec::SmallVec;

/// Values that need no allocation.
const INLINE: usize = 6; // not tuning: memory

pub(super) type Values = SmallVec<[u128; INLINE]>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) range: Range,
    /// All values it may have, in order, if there are only few.
    pub(super) values: Option<Values>,
}

/// A sort whose values are bit patterns that ranges describe.
pub(super) fn has_range(sort: Sort) -> bool {
    matches!(sort, Sort::Bool | Sort::Bv(_))
}

impl Known {
    pub(super) fn from_range(range: Range) -> Known {
        let values = range.value().map(|v| Values::from_slice(&[v]));
        Known { range, values }
    }

    /// No more than `most` values are told apart. `None` if nothing is left.
    pub(super) fn new(range: Range, values: Option<Values>, most: usize) -> Option<Known> {
        let Some(mut values) = values else { return Some(Known::from_range(range)) };
        values.retain(|v| range.contains(*v));
        values.sort_unstable();
        values.dedup();
        let exact = values.iter().map(|v| Range::exactly(*v, range.width)).reduce(|a, b| a.join(&b))?;
        if values.len() > most {
            return Some(Known { range: range.meet(&exact)?, values: None });
        }
        Some(Known { range: range.meet(&exact)?, values: Some(values) })
    }

    pub(super) fn is_top(&self) -> bool {
        self.values.is_none() && self.range == Range::top(self.range.width)
    }

    pub(super) fn join(&self, other: &Known, most: usize) -> Known {
        let range = self.range.join(&other.range);
        let values = match (&self.values, &other.values) {
            (Some(a), Some(b)) => {
                let mut all = a.clone();
                all.extend(b.iter().copied());
                all.sort_unstable();
                all.dedup();
                Some(all).filter(|all| all.len() <= most)
            }
            _ => None,
        };
        Known { range, values }
    }

    /// At least the values of both, where a bound that moves jumps to the next threshold, so that only few steps are
    /// possible. Sets of values grow only up to their limit, which ends too.
    pub(super) fn widen(&self, new: &Known, thresholds: &[u128], most: usize) -> Known {
        let joined = self.join(new, most);
        if joined.values.is_some() {
            return joined;
        }
        let (old, w) = (&self.range, self.range.width);
        let mut range = joined.range;
        let top = Range::top(w);
        if range.lo < old.lo {
            range.lo = thresholds.iter().copied().filter(|t| *t <= range.lo).max().unwrap_or(0);
        }
        if range.hi > old.hi {
            range.hi = thresholds.iter().copied().filter(|t| *t >= range.hi).min().unwrap_or(mask(w));
        }
        let signed = |t: &u128| to_signed(*t, w);
        if range.slo < old.slo {
            range.slo = thresholds.iter().map(signed).filter(|t| *t <= range.slo).max().unwrap_or(top.slo);
        }
        if range.shi > old.shi {
            range.shi = thresholds.iter().map(signed).filter(|t| *t >= range.shi).min().unwrap_or(top.shi);
        }
        if (range.zeros, range.ones) != (old.zeros, old.ones) {
            // Of the bits only the lowest stay known: what the others were came from the bounds.
            let known = range.zeros | range.ones;
            let low = (1u128 << (!known).trailing_zeros().min(127)) - 1;
            range.zeros &= low;
            range.ones &= low;
        }
        Known { range: range.reduce().unwrap_or(top), values: None }
    }

    /// Boolean terms that say as much of the variable, few and simple ones.
    pub(super) fn conditions(&self, terms: &mut Terms, var: VarId) -> SmallVec<[TermId; 4]> {
        let mut found = SmallVec::new();
        let x = terms.var_term(var);
        if terms.var_sort(var) == Sort::Bool {
            if let Some(value) = self.range.as_bool() {
                found.push(if value { x } else { terms.not(x) });
            }
            return found;
        }
        let w = self.range.width;
        if let Some(value) = self.range.value() {
            let c = terms.bv(value, w);
            found.push(terms.eq(x, c));
            return found;
        }
        self.bounds(terms, x, &mut found);
        if let Some(values) = &self.values
            && !values.iter().zip(self.range.lo..).all(|(v, i)| *v == i)
        {
            let each: Vec<TermId> = values
                .iter()
                .map(|v| {
                    let c = terms.bv(*v, w);
                    terms.eq(x, c)
                })
                .collect();
            found.push(terms.or_all(each));
        }
        found
    }

    /// Each view is stated only as far as those before it do not imply it.
    fn bounds(&self, terms: &mut Terms, x: TermId, found: &mut SmallVec<[TermId; 4]>) {
        let (range, w) = (&self.range, self.range.width);
        let top = Range::top(w);
        let mut said = top;
        let mut say = |term: TermId, what: Option<Range>| {
            if let Some(met) = what.and_then(|r| said.meet(&r))
                && met != said
            {
                said = met;
                found.push(term);
            }
        };
        if range.slo > top.slo {
            let c = terms.bv(range.slo as u128, w);
            say(terms.sle(c, x), Range::signed(w, range.slo, top.shi));
        }
        if range.shi < top.shi {
            let c = terms.bv(range.shi as u128, w);
            say(terms.sle(x, c), Range::signed(w, top.slo, range.shi));
        }
        if range.lo > 0 {
            let c = terms.bv(range.lo, w);
            say(terms.ule(c, x), Range::unsigned(w, range.lo, mask(w)));
        }
        if range.hi < mask(w) {
            let c = terms.bv(range.hi, w);
            say(terms.ule(x, c), Range::unsigned(w, 0, range.hi));
        }
        let known = range.zeros | range.ones;
        if known != 0 {
            let (bits, value) = (terms.bv(known, w), terms.bv(range.ones, w));
            let masked = terms.bv_and(x, bits);
            say(terms.eq(masked, value), Range::bits(w, range.zeros, range.ones));
        }
    }
}

#[cfg(test)]
mod tests {
    use covenant_constraints::random::Rng;
    use covenant_constraints::{Model, Value, eval};

    use super::*;

    #[test]
    fn conditions_say_what_the_range_says() {
        let mut rng = Rng::new(11);
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::Bv(4));
        for _ in 0..2_000 {
            let range = if rng.chance(50) {
                let (a, b) = (rng.below(16) as u128, rng.below(16) as u128);
                Range::unsigned(4, a.min(b), a.max(b))
            } else {
                let (a, b) = (rng.below(16) as i128 - 8, rng.below(16) as i128 - 8);
                Range::signed(4, a.min(b), a.max(b))
            };
            let bits = Range::bits(4, rng.below(4) as u128, (rng.below(2) << 3) as u128).unwrap();
            let Some(range) = range.and_then(|r| r.meet(&bits)) else { continue };
            let values = rng.chance(50).then(|| (0..3).map(|_| rng.below(16) as u128).collect());
            let Some(known) = Known::new(range, values.clone(), INLINE) else { continue };
            let conditions = known.conditions(&mut terms, x);
            for v in 0..16 {
                let model: Model = [(x, Value::Bv(v))].into_iter().collect();
                let said = conditions.iter().all(|c| eval(&terms, *c, &model).is_true());
                let meant = range.contains(v) && values.as_ref().is_none_or(|all| all.contains(&v));
                assert_eq!(said, meant, "{known:?} at {v}");
            }
        }
    }

    #[test]
    fn widening_holds_both_and_ends() {
        let mut rng = Rng::new(12);
        for _ in 0..500 {
            let thresholds: Vec<u128> = (0..rng.below(4)).map(|_| rng.bits(8)).collect();
            let mut known = Known::from_range(Range::exactly(rng.bits(8), 8));
            let mut steps = 0;
            for _ in 0..300 {
                let value = rng.bits(8);
                let wider = known.widen(&Known::from_range(Range::exactly(value, 8)), &thresholds, INLINE);
                assert!(wider.range.contains(value));
                steps += usize::from(wider != known);
                known = wider;
            }
            assert!(steps <= INLINE + 4 * 5 + 8, "{steps} steps");
        }
    }
}
