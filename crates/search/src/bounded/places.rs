//! Where objects are, and which places an index may be.

use std::rc::Rc;

use covenant_constraints::analysis::Facts;
use covenant_constraints::{Op, TermId, Terms, VarId};
use covenant_transition::trace::Ground;
use rustc_hash::FxHashSet;

use super::cases::{self, Cases};
use super::memory::{Array, Memory};

/// Where new objects are, one after the other. No run has anything there.
pub(super) const NEW_OBJECTS: u64 = 1 << 46; // not tuning: an address

/// The places that an index may be, and when it is each of them. None holds if it is outside.
pub(super) type AddressSet = [(TermId, TermId)];

impl Memory {
    pub(super) fn object(&self, array: VarId, at: u64, ground: &mut dyn Ground) -> Option<(u64, u64)> {
        if at < NEW_OBJECTS {
            return ground.object(array, at);
        }
        let next = self.objects.partition_point(|&(start, _)| start <= at);
        self.objects.get(next.checked_sub(1)?).copied()
    }

    /// A new object, a good distance behind the one before.
    pub(super) fn place_object(&mut self, size: Option<u64>) -> u64 {
        let size = size.unwrap_or(self.cases.tuning.bounded_usual_size).min(1 << 32);
        let start = self.objects.last().map_or(NEW_OBJECTS, |&(start, size)| (start + 2 * size + 64) & !15);
        self.objects.push((start, size));
        start
    }

    /// Whether bytes from a place on never are among those from an index on.
    pub(super) fn is_apart(
        &mut self,
        array: &Rc<Array>,
        (place, length): (TermId, u64),
        (index, size): (TermId, u64),
        ground: &mut dyn Ground,
    ) -> bool {
        let Some(from) = ground.terms().as_bv(index).map(|index| index as u64) else { return false };
        let Some((addresses, _)) = self.addresses(array, place, ground) else { return false };
        let apart = |at: u64| at.wrapping_sub(from) >= size && from.wrapping_sub(at) >= length;
        addresses.iter().all(|address| ground.terms().as_bv(address.0).is_some_and(|at| apart(at as u64)))
    }

    /// The places that an index may be, if these are few, and whether it is always one of them.
    pub(super) fn addresses(
        &mut self,
        array: &Rc<Array>,
        index: TermId,
        ground: &mut dyn Ground,
    ) -> Option<(Rc<AddressSet>, bool)> {
        if let Some(one) = self.cases.of(index) {
            return Some((one.merged(ground.terms()).into(), true));
        }
        let found = self.resolve(array.root()?, index, 0, ground)?;
        Some((found, false))
    }

    fn resolve(&mut self, array: VarId, index: TermId, depth: u32, ground: &mut dyn Ground) -> Option<Rc<AddressSet>> {
        if let Some(one) = self.cases.of(index) {
            return Some(one.merged(ground.terms()).into());
        }
        if ground.terms().is_const(index) {
            return Some(Rc::from([(index, ground.terms().tt())]));
        }
        if let Some(known) = self.resolved.get(&(array, index)) {
            return known.clone();
        }
        let found = match ground.terms().op(index) {
            Op::Ite if depth < self.cases.tuning.bounded_most_nested => {
                self.resolve_choice(array, index, depth, ground)
            }
            Op::Ite => None,
            _ => self.resolve_sum(array, index, ground),
        };
        let found = found.filter(|found| found.len() <= self.cases.tuning.bounded_most_cases).map(Rc::from);
        self.resolved.insert((array, index), found.clone());
        found
    }

    fn resolve_choice(
        &mut self,
        array: VarId,
        index: TermId,
        depth: u32,
        ground: &mut dyn Ground,
    ) -> Option<Vec<(TermId, TermId)>> {
        let [condition, a, b] = [0, 1, 2].map(|i| ground.terms().arg(index, i));
        let not = ground.terms().not(condition);
        let mut found = Vec::new();
        for (when, part) in [(condition, a), (not, b)] {
            for &(place, within) in &*self.resolve(array, part, depth + 1, ground)? {
                let both = ground.terms().and(when, within);
                cases::add(&mut found, place, both, ground.terms());
            }
        }
        Some(found)
    }

    fn resolve_sum(&mut self, array: VarId, index: TermId, ground: &mut dyn Ground) -> Option<Vec<(TermId, TermId)>> {
        let places =
            self.places(array, index, ground).filter(|places| places.len() <= self.cases.tuning.bounded_most_cases)?;
        let terms = ground.terms();
        let (known, rest) = self.split(index, terms);
        let starts = match known {
            Some(known) => self.cases.of(known)?.merged(terms),
            None => vec![(terms.bv(0, 64), terms.tt())],
        };
        let mut found = Vec::with_capacity(places.len());
        for at in places {
            let place = terms.bv(u128::from(at), 64);
            let mut ways = Vec::with_capacity(starts.len());
            for &(start, when) in &starts {
                let left = terms.sub(place, start);
                let is_rest = terms.eq(rest, left);
                ways.push(terms.and(when, is_rest));
            }
            found.push((place, terms.or_all(ways)));
        }
        Some(found)
    }

    /// A sum as a part that is one of a few, and the rest.
    fn split(&self, index: TermId, terms: &mut Terms) -> (Option<TermId>, TermId) {
        let (mut known, mut rest, mut work) = (None, None, vec![index]);
        while let Some(term) = work.pop() {
            if terms.op(term) == Op::Add {
                work.extend([terms.arg(term, 0), terms.arg(term, 1)]);
            } else if known.is_none() && self.cases.of(term).is_some() {
                known = Some(term);
            } else {
                rest = Some(rest.map_or(term, |rest| terms.add(rest, term)));
            }
        }
        (known, rest.unwrap_or_else(|| terms.bv(0, 64)))
    }

    /// What an index may be: a sum of what is known, which may depend on the way, and of steps through an object.
    pub(super) fn places(&self, array: VarId, index: TermId, ground: &mut dyn Ground) -> Option<Vec<u64>> {
        let Shape { starts, step } = Shape::of(&self.cases, ground.terms(), index)?;
        let Some(step) = step else { return Some(starts) };
        let range = Facts::default().range(ground.terms(), index);
        let most = self.cases.tuning.bounded_most_places;
        let mut places = Vec::new();
        for at in starts {
            let near = self.object(array, at, ground);
            let Some((start, size)) = near.or_else(|| self.object(array, at.wrapping_add(step), ground)) else {
                continue;
            };
            let first = start.wrapping_add((at.wrapping_sub(start) as i64).rem_euclid(step as i64) as u64);
            let inside = (first..start.wrapping_add(size)).step_by(step as usize);
            let fits = |at: &u64| range.as_ref().is_none_or(|range| range.contains(u128::from(*at)));
            places.extend(inside.filter(fits).take(most + 1));
        }
        places.sort_unstable();
        places.dedup();
        (!places.is_empty() && places.len() <= most).then_some(places)
    }
}

/// What an index is made of.
struct Shape {
    /// The sums of what is known, one for each way.
    starts: Vec<u64>,
    /// What is not known is a multiple of this.
    step: Option<u64>,
}

impl Shape {
    fn of(cases: &Cases, terms: &Terms, index: TermId) -> Option<Shape> {
        let most = cases.tuning.bounded_most_places;
        let (mut starts, mut step, mut work) = (vec![0u64], None, vec![index]);
        while let Some(mut term) = work.pop() {
            if terms.op(term) == Op::Add {
                work.extend([terms.arg(term, 0), terms.arg(term, 1)]);
                continue;
            }
            // Sums of an aligned place and a few low bits are written so.
            if terms.op(term) == Op::Concat
                && let Some(high) = terms.as_bv(terms.arg(term, 0))
            {
                term = terms.arg(term, 1);
                let high = (high << terms.width(term)) as u64;
                starts.iter_mut().for_each(|start| *start = start.wrapping_add(high));
            }
            match cases.values(term, terms).or_else(|| leaves(terms, term, most)) {
                Some(leaves) => {
                    starts = starts.iter().flat_map(|&s| leaves.iter().map(move |&l| s.wrapping_add(l))).collect();
                    starts.sort_unstable();
                    starts.dedup();
                }
                None => step = Some(step.map_or(stride(terms, term), |step| gcd(step, stride(terms, term)))),
            }
            if starts.len() > most {
                return None;
            }
        }
        Some(Shape { starts, step })
    }
}

/// The values that a choice between constants can have.
fn leaves(terms: &Terms, term: TermId, most: usize) -> Option<Vec<u64>> {
    let (mut found, mut seen, mut work) = (Vec::new(), FxHashSet::default(), vec![term]);
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.as_bv(term) {
            Some(known) => found.push(known as u64),
            None if terms.op(term) == Op::Ite => work.extend([terms.arg(term, 1), terms.arg(term, 2)]),
            None => return None,
        }
        if seen.len() > 8 * most {
            return None;
        }
    }
    Some(found)
}

/// What a term is a multiple of.
fn stride(terms: &Terms, mut term: TermId) -> u64 {
    while matches!(terms.op(term), Op::ZExt | Op::SExt) {
        term = terms.arg(term, 0);
    }
    let factor = |arg: usize| terms.as_bv(terms.arg(term, arg)).map(|known| known as u64);
    let found = match terms.op(term) {
        Op::Mul => factor(0).or_else(|| factor(1)),
        Op::Shl => factor(1).and_then(|by| 1u64.checked_shl(by as u32)),
        Op::Concat if factor(1) == Some(0) => 1u64.checked_shl(u32::from(terms.width(terms.arg(term, 1)))),
        _ => None,
    };
    found.filter(|&step| step > 0 && step < 1 << 32).unwrap_or(1)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
