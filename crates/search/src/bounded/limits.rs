//! What the conditions along a way say about single values.
//!
//! An input that has been checked to be one of a few is as good as a choice between constants (see `cases`): an index that is
//! within its table, the number of a command. And a value that is one of a few constants is one of fewer, once it was
//! compared with something. Such values are looked up under the names that they have had so far.

use std::rc::Rc;

use covenant_constraints::analysis::Range;
use covenant_constraints::sort::to_signed;
use covenant_constraints::{Op, Sort, TermId, Terms};
use rustc_hash::FxHashMap;

use super::cases::Cases;

/// What is known of values along a way.
#[derive(Clone, Debug, Default)]
pub(super) struct Limits {
    /// The lowest and the highest value of terms, with a sign or without.
    bounds: Rc<FxHashMap<(TermId, bool), (i128, i128)>>,
    /// Terms that are a choice between fewer constants here than elsewhere.
    narrowed: Rc<FxHashMap<TermId, TermId>>,
}

/// No value is left.
#[derive(Debug)]
pub(super) struct Impossible;

impl Limits {
    /// What a term is here.
    pub(super) fn of(&self, term: TermId) -> TermId {
        self.narrowed.get(&term).copied().unwrap_or(term)
    }

    /// What is known whichever of two ways was taken.
    pub(super) fn join(&self, other: &Limits) -> Limits {
        Limits { bounds: shared(&self.bounds, &other.bounds), narrowed: shared(&self.narrowed, &other.narrowed) }
    }

    /// The first is not above the second, and with `strict` below it.
    pub(super) fn ordered(
        &mut self,
        [low, high]: [TermId; 2],
        strict: bool,
        signed: bool,
        cases: &mut Cases,
        terms: &mut Terms,
    ) -> Result<(), Impossible> {
        let gap = i128::from(strict);
        if let Some((_, most)) = extremes(high, signed, cases, terms) {
            self.limit(low, signed, (i128::MIN, most.saturating_sub(gap)), cases, terms)?;
        }
        if let Some((least, _)) = extremes(low, signed, cases, terms) {
            self.limit(high, signed, (least.saturating_add(gap), i128::MAX), cases, terms)?;
        }
        Ok(())
    }

    /// Both are the same, or they are not.
    pub(super) fn equal(
        &mut self,
        [a, b]: [TermId; 2],
        holds: bool,
        cases: &mut Cases,
        terms: &mut Terms,
    ) -> Result<(), Impossible> {
        for (known, other) in [(a, b), (b, a)] {
            if !terms.is_const(known) {
                continue;
            }
            if !holds {
                self.narrow(other, |value, _| value != known, cases, terms)?;
            } else if let Some(value) = number(terms, known, false) {
                self.limit(other, false, (value, value), cases, terms)?;
            }
        }
        Ok(())
    }

    /// Only some of the constants that a term may be are left.
    fn narrow(
        &mut self,
        term: TermId,
        keep: impl Fn(TermId, &Terms) -> bool,
        cases: &mut Cases,
        terms: &mut Terms,
    ) -> Result<(), Impossible> {
        let now = self.of(term);
        let Some(one) = cases.of(now) else { return Ok(()) };
        let all = one.merged(terms);
        let left: Vec<(TermId, TermId)> = all.iter().copied().filter(|&(value, _)| keep(value, terms)).collect();
        if left.is_empty() {
            return Err(Impossible);
        }
        if left.len() < all.len()
            && let Some(narrower) = cases.select(&left, terms)
        {
            self.remember(term, narrower);
            self.remember(now, narrower);
        }
        Ok(())
    }

    fn limit(
        &mut self,
        term: TermId,
        signed: bool,
        (least, most): (i128, i128),
        cases: &mut Cases,
        terms: &mut Terms,
    ) -> Result<(), Impossible> {
        if !matches!(terms.sort(term), Sort::Bv(width) if width <= 64) {
            return Ok(());
        }
        if cases.of(self.of(term)).is_some() {
            let inside = |value: TermId, terms: &Terms| {
                number(terms, value, signed).is_none_or(|value| least <= value && value <= most)
            };
            return self.narrow(term, inside, cases, terms);
        }
        let (mut base, mut signed, mut around) = (term, signed, Vec::new());
        let (mut least, mut most) = (least, most);
        loop {
            let (lowest, highest) = whole(terms.width(base), signed);
            (least, most) = (least.max(lowest), most.min(highest));
            match terms.op(base) {
                Op::ZExt => (signed, least) = (false, least.max(0)),
                Op::SExt if signed => {}
                _ => break,
            }
            around.push(base);
            base = terms.arg(base, 0);
        }
        if terms.is_const(base) {
            return Ok(());
        }
        let known = self.bounds.get(&(base, signed)).copied().unwrap_or((i128::MIN, i128::MAX));
        let bounds = (least.max(known.0), most.min(known.1));
        if bounds.0 > bounds.1 {
            return Err(Impossible);
        }
        if bounds == known {
            return Ok(());
        }
        let most = cases.tuning.bounded_most_known;
        if self.bounds.len() >= most || self.narrowed.len() >= most {
            *self = Limits::default();
        }
        Rc::make_mut(&mut self.bounds).insert((base, signed), bounds);
        if bounds.1 - bounds.0 < cases.tuning.bounded_most_values {
            self.split(base, bounds, &around, cases, terms);
        }
        Ok(())
    }

    /// Makes an input a choice between what it may be, and what it was extended to.
    fn split(
        &mut self,
        base: TermId,
        (least, most): (i128, i128),
        around: &[TermId],
        cases: &mut Cases,
        terms: &mut Terms,
    ) {
        let width = terms.width(base);
        let mut found = Vec::new();
        for value in least..=most {
            let value = terms.bv(value as u128, width);
            found.push((value, terms.eq(base, value)));
        }
        let Some(mut choice) = cases.select(&found, terms) else { return };
        self.remember(base, choice);
        for &outer in around.iter().rev() {
            let (op, sort) = (terms.op(outer), terms.sort(outer));
            choice = cases.apply(op, &[choice], sort, terms).unwrap_or_else(|| terms.mk(op, &[choice], sort));
            self.remember(outer, choice);
        }
    }

    fn remember(&mut self, term: TermId, as_one_of: TermId) {
        if term != as_one_of {
            Rc::make_mut(&mut self.narrowed).insert(term, as_one_of);
        }
    }
}

fn shared<K: Copy + Eq + std::hash::Hash, V: Copy + Eq>(
    a: &Rc<FxHashMap<K, V>>,
    b: &Rc<FxHashMap<K, V>>,
) -> Rc<FxHashMap<K, V>> {
    if Rc::ptr_eq(a, b) {
        return Rc::clone(a);
    }
    let both = a.iter().filter(|(key, value)| b.get(key) == Some(value));
    Rc::new(both.map(|(&key, &value)| (key, value)).collect())
}

fn number(terms: &Terms, term: TermId, signed: bool) -> Option<i128> {
    let value = terms.as_bv(term)?;
    if signed { Some(to_signed(value, terms.width(term))) } else { i128::try_from(value).ok() }
}

/// The smallest and the largest constant that a term may be.
fn extremes(term: TermId, signed: bool, cases: &Cases, terms: &Terms) -> Option<(i128, i128)> {
    let one = cases.of(term);
    let values = one.as_ref().map_or(std::slice::from_ref(&term), |one| one.values());
    let numbers: Option<Vec<i128>> = values.iter().map(|&value| number(terms, value, signed)).collect();
    let numbers = numbers?;
    Some((*numbers.iter().min()?, *numbers.iter().max()?))
}

/// All numbers of a width.
fn whole(width: u8, signed: bool) -> (i128, i128) {
    let all = Range::top(width);
    if signed { (all.slo, all.shi) } else { (all.lo as i128, all.hi as i128) }
}
