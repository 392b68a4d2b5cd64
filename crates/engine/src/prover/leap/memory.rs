//! Arrays of a leap, and what is read from them.

use std::rc::Rc;

use covenant_constraints::analysis::Facts;
use covenant_constraints::{Op, Sort, TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Ground;
use super::state::{State, Val};

/// Places that an index may be.
const MOST_PLACES: usize = 128;
/// Writes that are looked through for one read.
const LONGEST_CHAIN: u32 = 500;
/// Where new objects are, one after the other. No run has anything there.
const NEW_OBJECTS: u64 = 1 << 46;
/// Bytes of a new object of which it is not known how large it is.
const USUAL_SIZE: u64 = 64;

/// An array, as it came to be.
#[derive(Debug)]
pub(super) enum Array {
    /// What it was at the start of the leap.
    Start(VarId),
    Const(TermId),
    /// Bytes one after the other from a place on. One that is not known spoils only itself.
    Store(Rc<Array>, TermId, Vec<Option<TermId>>),
    Either(TermId, Rc<Array>, Rc<Array>),
    Unknown,
}

impl Array {
    /// A byte more, behind those that were just written if it is the next one.
    pub(super) fn store(array: &Rc<Array>, place: TermId, byte: Option<TermId>, terms: &mut Terms) -> Rc<Array> {
        if let Array::Store(inner, first, bytes) = &**array
            && distance(terms, *first, place) == Some(bytes.len() as u64)
            && bytes.len() < 8
        {
            let bytes = bytes.iter().copied().chain([byte]).collect();
            return Rc::new(Array::Store(Rc::clone(inner), *first, bytes));
        }
        Rc::new(Array::Store(Rc::clone(array), place, vec![byte]))
    }
}

impl Drop for Array {
    /// One after the other: a long chain of writes must not need a long stack.
    fn drop(&mut self) {
        let mut work = self.parts();
        while let Some(part) = work.pop() {
            if let Some(mut array) = Rc::into_inner(part) {
                work.extend(array.parts());
            }
        }
    }
}

impl Array {
    /// What it is made of, taken out.
    fn parts(&mut self) -> Vec<Rc<Array>> {
        let take = |part: &mut Rc<Array>| std::mem::replace(part, Rc::new(Array::Unknown));
        match self {
            Array::Store(inner, ..) => vec![take(inner)],
            Array::Either(_, a, b) => vec![take(a), take(b)],
            _ => Vec::new(),
        }
    }
}

/// What was looked up before.
#[derive(Debug, Default)]
pub(super) struct Memory {
    start: FxHashMap<VarId, Val>,
    /// By array, index and number of bytes; the array is kept so that its address stays its own.
    read: FxHashMap<(usize, TermId, u32), (Rc<Array>, Read)>,
    /// Objects that the leap made: where, and how large.
    objects: Vec<(u64, u64)>,
}

/// Some bytes, the lowest first, and under which condition they are these.
type Read = Option<(TermId, Option<TermId>)>;

impl Memory {
    pub(super) fn value(&mut self, state: &State, var: VarId, ground: &mut dyn Ground) -> Val {
        if let Some(value) = state.get(&var) {
            return value.clone();
        }
        let make = || match ground.terms().var_sort(var) {
            Sort::Array => Val::Array(Rc::new(Array::Start(var))),
            _ => ground.variable(var).map_or(Val::Unknown, Val::Term),
        };
        self.start.entry(var).or_insert_with(make).clone()
    }

    pub(super) fn read(
        &mut self,
        array: &Rc<Array>,
        index: TermId,
        size: u32,
        depth: u32,
        ground: &mut dyn Ground,
    ) -> Read {
        if depth > LONGEST_CHAIN {
            return None;
        }
        let key = (Rc::as_ptr(array) as usize, index, size);
        if let Some((_, known)) = self.read.get(&key) {
            return *known;
        }
        let found = match &**array {
            Array::Unknown => None,
            Array::Const(byte) => Some((ground.terms().repeat(*byte, size as u8), None)),
            Array::Start(var) => self.read_start(*var, index, size, ground),
            Array::Store(inner, place, bytes) => {
                self.read_behind(array, (inner, *place, bytes), index, size, depth, ground)
            }
            Array::Either(condition, a, b) => {
                let x = self.read(a, index, size, depth + 1, ground);
                let y = self.read(b, index, size, depth + 1, ground);
                either(*condition, x, y, ground.terms())
            }
        };
        self.read.insert(key, (Rc::clone(array), found));
        found
    }

    /// A read after a write.
    fn read_behind(
        &mut self,
        array: &Rc<Array>,
        (inner, place, bytes): (&Rc<Array>, TermId, &[Option<TermId>]),
        index: TermId,
        size: u32,
        depth: u32,
        ground: &mut dyn Ground,
    ) -> Read {
        let length = bytes.len() as u64;
        match distance(ground.terms(), place, index) {
            Some(from) if from < length && from + u64::from(size) <= length => {
                let part = &bytes[from as usize..(from + u64::from(size)) as usize];
                part.iter().copied().collect::<Option<Vec<_>>>().map(|part| (word(&part, ground.terms()), None))
            }
            // Behind what was written, or before it.
            Some(from) if from >= length && from.wrapping_neg() >= u64::from(size) => {
                self.read(inner, index, size, depth + 1, ground)
            }
            None if u64::from(size) == length => {
                let written: Option<Vec<TermId>> = bytes.iter().copied().collect();
                let is_here = ground.terms().eq(index, place);
                let rest = self.read(inner, index, size, depth + 1, ground);
                let written = written.map(|written| (word(&written, ground.terms()), None));
                either(is_here, written, rest, ground.terms())
            }
            None if size == 1 => {
                let mut found = self.read(inner, index, 1, depth + 1, ground);
                for (i, &byte) in bytes.iter().enumerate() {
                    let terms = ground.terms();
                    let step = terms.bv(i as u128, 64);
                    let at = terms.add(place, step);
                    let is_here = terms.eq(index, at);
                    found = either(is_here, byte.map(|byte| (byte, None)), found, terms);
                }
                found
            }
            _ => self.read_bytes(array, index, size, depth, ground),
        }
    }

    /// One byte after the other.
    fn read_bytes(&mut self, array: &Rc<Array>, index: TermId, size: u32, depth: u32, ground: &mut dyn Ground) -> Read {
        let (mut bytes, mut all) = (Vec::new(), None);
        for i in 0..size {
            let step = ground.terms().bv(u128::from(i), 64);
            let at = ground.terms().add(index, step);
            let (byte, condition) = self.read(array, at, 1, depth + 1, ground)?;
            bytes.push(byte);
            all = both(all, condition, ground.terms());
        }
        Some((word(&bytes, ground.terms()), all))
    }

    /// What was there at the start. Where the index is not known, it is one of those that it may be.
    fn read_start(&self, array: VarId, index: TermId, size: u32, ground: &mut dyn Ground) -> Read {
        if let Some(at) = ground.terms().as_bv(index) {
            return self.word_at(array, at as u64, size, ground).map(|word| (word, None));
        }
        let places = self.places(array, index, ground)?;
        let (mut value, mut inside) = (None, ground.terms().ff());
        for at in places {
            let Some(word) = self.word_at(array, at, size, ground) else { continue };
            let terms = ground.terms();
            let place = terms.bv(u128::from(at), 64);
            let is_here = terms.eq(index, place);
            inside = terms.or(inside, is_here);
            value = Some(value.map_or(word, |rest| terms.ite(is_here, word, rest)));
        }
        Some((value?, Some(inside)))
    }

    /// Memory that was never written is zero.
    fn word_at(&self, array: VarId, at: u64, size: u32, ground: &mut dyn Ground) -> Option<TermId> {
        let mut bytes = Vec::with_capacity(size as usize);
        for at in (0..u64::from(size)).map(|i| at.wrapping_add(i)) {
            bytes.push(if at >= NEW_OBJECTS { ground.terms().bv(0, 8) } else { ground.byte(array, at)? });
        }
        Some(word(&bytes, ground.terms()))
    }

    fn object(&self, array: VarId, at: u64, ground: &mut dyn Ground) -> Option<(u64, u64)> {
        if at < NEW_OBJECTS {
            return ground.object(array, at);
        }
        let next = self.objects.partition_point(|&(start, _)| start <= at);
        self.objects.get(next.checked_sub(1)?).copied()
    }

    /// A new object, a good distance behind the one before.
    pub(super) fn place_object(&mut self, size: Option<u64>) -> u64 {
        let size = size.unwrap_or(USUAL_SIZE).min(1 << 32);
        let start = self.objects.last().map_or(NEW_OBJECTS, |&(start, size)| (start + 2 * size + 64) & !15);
        self.objects.push((start, size));
        start
    }

    /// What an index may be: a sum of what is known, which may depend on the way, and of steps through an object.
    fn places(&self, array: VarId, index: TermId, ground: &mut dyn Ground) -> Option<Vec<u64>> {
        let Shape { starts, step } = Shape::of(ground.terms(), index)?;
        let Some(step) = step else { return Some(starts) };
        let range = Facts::new().range(ground.terms(), index);
        let mut places = Vec::new();
        for at in starts {
            let near = self.object(array, at, ground);
            let Some((start, size)) = near.or_else(|| self.object(array, at.wrapping_add(step), ground)) else {
                continue;
            };
            let first = start.wrapping_add((at.wrapping_sub(start) as i64).rem_euclid(step as i64) as u64);
            let inside = (first..start.wrapping_add(size)).step_by(step as usize);
            let fits = |at: &u64| range.as_ref().is_none_or(|range| range.contains(u128::from(*at)));
            places.extend(inside.filter(fits).take(MOST_PLACES + 1));
        }
        places.sort_unstable();
        places.dedup();
        (places.len() <= MOST_PLACES).then_some(places)
    }
}

/// How far the second index is behind the first, if that is always the same.
fn distance(terms: &mut Terms, from: TermId, to: TermId) -> Option<u64> {
    let difference = terms.sub(to, from);
    terms.as_bv(difference).map(|difference| difference as u64)
}

/// Bytes as one word, the lowest first.
fn word(bytes: &[TermId], terms: &mut Terms) -> TermId {
    let mut bytes = bytes.iter().copied();
    let first = bytes.next().unwrap_or_else(|| terms.bv(0, 8));
    bytes.fold(first, |low, byte| terms.concat(byte, low))
}

fn both(a: Option<TermId>, b: Option<TermId>, terms: &mut Terms) -> Option<TermId> {
    match (a, b) {
        (Some(a), Some(b)) => Some(terms.and(a, b)),
        (a, b) => a.or(b),
    }
}

fn either(condition: TermId, a: Read, b: Read, terms: &mut Terms) -> Read {
    match terms.as_bool(condition) {
        Some(true) => return a,
        Some(false) => return b,
        None => {}
    }
    let ((a, if_a), (b, if_b)) = (a?, b?);
    let value = terms.ite(condition, a, b);
    if if_a.is_none() && if_b.is_none() {
        return Some((value, None));
    }
    let (if_a, if_b) = (if_a.unwrap_or(terms.tt()), if_b.unwrap_or(terms.tt()));
    Some((value, Some(terms.ite(condition, if_a, if_b))))
}

/// What an index is made of.
struct Shape {
    /// The sums of what is known, one for each way.
    starts: Vec<u64>,
    /// What is not known is a multiple of this.
    step: Option<u64>,
}

impl Shape {
    fn of(terms: &Terms, index: TermId) -> Option<Shape> {
        let (mut starts, mut step, mut work) = (vec![0u64], None, vec![index]);
        while let Some(term) = work.pop() {
            if terms.op(term) == Op::Add {
                work.extend([terms.arg(term, 0), terms.arg(term, 1)]);
                continue;
            }
            match leaves(terms, term) {
                Some(leaves) => {
                    starts = starts.iter().flat_map(|&s| leaves.iter().map(move |&l| s.wrapping_add(l))).collect();
                    starts.sort_unstable();
                    starts.dedup();
                }
                None => step = Some(step.map_or(stride(terms, term), |step| gcd(step, stride(terms, term)))),
            }
            if starts.len() > MOST_PLACES {
                return None;
            }
        }
        Some(Shape { starts, step })
    }
}

/// The values that a choice between constants can have.
fn leaves(terms: &Terms, term: TermId) -> Option<Vec<u64>> {
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
        if seen.len() > 8 * MOST_PLACES {
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
