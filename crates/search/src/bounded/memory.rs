//! Arrays of a bounded query, and what is read from them.

use std::rc::Rc;

use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Op, Sort, TermId, Terms, VarId};
use covenant_transition::trace::Ground;
use rustc_hash::FxHashMap;

use super::cases::Cases;
use super::places::{AddressSet, NEW_OBJECTS};
use super::state::{State, Val};

/// An array, as it came to be.
#[derive(Debug)]
pub(super) enum Array {
    /// What it was at the start of the encoding.
    Start(VarId),
    Const(TermId),
    /// Bytes one after the other from a place on. One that is not known spoils only itself.
    Store(Rc<Array>, TermId, Vec<Option<TermId>>),
    Either(TermId, Rc<Array>, Rc<Array>),
    Unknown,
}

impl Array {
    /// A byte more, behind those that were just written if it is the next one.
    pub(super) fn store(
        array: &Rc<Array>,
        place: TermId,
        byte: Option<TermId>,
        cases: &mut Cases,
        terms: &mut Terms,
    ) -> Rc<Array> {
        if let Array::Store(inner, first, bytes) = &**array
            && cases.distance(*first, place, terms) == Some(bytes.len() as u64)
            && bytes.len() < 8
        {
            let bytes = bytes.iter().copied().chain([byte]).collect();
            return Rc::new(Array::Store(Rc::clone(inner), *first, bytes));
        }
        Rc::new(Array::Store(Rc::clone(array), place, vec![byte]))
    }

    /// What it was at the start, in some of the ways.
    pub(super) fn root(&self) -> Option<VarId> {
        let mut at = self;
        loop {
            at = match at {
                Array::Start(var) => return Some(*var),
                Array::Store(inner, ..) => inner,
                Array::Either(_, inner, _) => inner,
                Array::Const(_) | Array::Unknown => return None,
            };
        }
    }

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

/// What was looked up before.
#[derive(Debug, Default)]
pub(super) struct Memory {
    start: FxHashMap<VarId, Val>,
    /// By array, index and number of bytes; the array is kept so that its address stays its own.
    read: FxHashMap<(usize, TermId, u32), (Rc<Array>, Read)>,
    /// Objects made on the way: where, and how large.
    pub(super) objects: Vec<(u64, u64)>,
    pub(super) cases: Cases,
    /// What indices may be, by the array.
    pub(super) resolved: FxHashMap<(VarId, TermId), Option<Rc<AddressSet>>>,
}

/// Some bytes, the lowest first, and under which condition they are these.
type Read = Option<(TermId, Option<TermId>)>;

impl Memory {
    pub(super) fn new(tuning: Tuning) -> Memory {
        Memory { cases: Cases::new(tuning), ..Memory::default() }
    }

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
        if depth > self.cases.tuning.bounded_longest_chain {
            return None;
        }
        let key = (Rc::as_ptr(array) as usize, index, size);
        if let Some((_, known)) = self.read.get(&key) {
            return *known;
        }
        let known = ground.terms().is_const(index);
        let found = match &**array {
            Array::Unknown => None,
            _ if !known && let Some((addresses, is_any)) = self.addresses(array, index, ground) => {
                self.read_addresses(array, &addresses, is_any, size, depth, ground)
            }
            Array::Const(byte) => Some((ground.terms().repeat(*byte, size as u8), None)),
            Array::Start(var) => self.read_start(*var, index, size, ground),
            Array::Store(inner, place, bytes) => {
                self.read_behind(array, (inner, *place, bytes), index, size, depth, ground)
            }
            Array::Either(condition, a, b) => {
                let x = self.read(a, index, size, depth + 1, ground);
                let y = self.read(b, index, size, depth + 1, ground);
                self.either(*condition, x, y, ground.terms())
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
        match self.cases.distance(place, index, ground.terms()) {
            Some(from) if from < length && from + u64::from(size) <= length => {
                let part = &bytes[from as usize..(from + u64::from(size)) as usize];
                part.iter().copied().collect::<Option<Vec<_>>>().map(|part| (self.word(&part, ground.terms()), None))
            }
            // Behind what was written, or before it.
            Some(from) if from >= length && from.wrapping_neg() >= u64::from(size) => {
                self.read(inner, index, size, depth + 1, ground)
            }
            None if u64::from(size) == length => {
                let written: Option<Vec<TermId>> = bytes.iter().copied().collect();
                let is_here = self.is_at(array, place, index, ground);
                let rest = self.read(inner, index, size, depth + 1, ground);
                let written = written.map(|written| (self.word(&written, ground.terms()), None));
                self.either(is_here, written, rest, ground.terms())
            }
            None if size == 1 => {
                let mut found = self.read(inner, index, 1, depth + 1, ground);
                for (i, &byte) in bytes.iter().enumerate() {
                    let terms = ground.terms();
                    let step = terms.bv(i as u128, 64);
                    let at = terms.sub(index, step);
                    let is_here = self.is_at(array, place, at, ground);
                    found = self.either(is_here, byte.map(|byte| (byte, None)), found, ground.terms());
                }
                found
            }
            None if self.is_apart(array, (place, length), (index, u64::from(size)), ground) => {
                self.read(inner, index, size, depth + 1, ground)
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
        Some((self.word(&bytes, ground.terms()), all))
    }

    /// What was there at the start. Where the index is not known, it is one of those that it may be.
    fn read_start(&mut self, array: VarId, index: TermId, size: u32, ground: &mut dyn Ground) -> Read {
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
            value = Some(value.map_or(word, |rest| self.cases.ite(is_here, word, rest, terms)));
        }
        Some((value?, Some(inside)))
    }

    /// Memory that was never written is zero.
    fn word_at(&mut self, array: VarId, at: u64, size: u32, ground: &mut dyn Ground) -> Option<TermId> {
        let mut bytes = Vec::with_capacity(size as usize);
        for at in (0..u64::from(size)).map(|i| at.wrapping_add(i)) {
            bytes.push(if at >= NEW_OBJECTS { ground.terms().bv(0, 8) } else { ground.byte(array, at)? });
        }
        Some(self.word(&bytes, ground.terms()))
    }

    /// Bytes as one word, the lowest first.
    fn word(&mut self, bytes: &[TermId], terms: &mut Terms) -> TermId {
        if let Some(whole) = whole(bytes, terms) {
            return whole;
        }
        let mut bytes = bytes.iter().copied();
        let first = bytes.next().unwrap_or_else(|| terms.bv(0, 8));
        bytes.fold(first, |low, byte| {
            let sort = Sort::Bv(terms.width(low) + 8);
            let whole = self.cases.apply(Op::Concat, &[byte, low], sort, terms);
            whole.unwrap_or_else(|| terms.concat(byte, low))
        })
    }

    fn either(&mut self, condition: TermId, a: Read, b: Read, terms: &mut Terms) -> Read {
        match terms.as_bool(condition) {
            Some(true) => return a,
            Some(false) => return b,
            None => {}
        }
        let ((a, if_a), (b, if_b)) = (a?, b?);
        let value = self.cases.ite(condition, a, b, terms);
        if if_a.is_none() && if_b.is_none() {
            return Some((value, None));
        }
        let (if_a, if_b) = (if_a.unwrap_or(terms.tt()), if_b.unwrap_or(terms.tt()));
        Some((value, Some(terms.ite(condition, if_a, if_b))))
    }

    /// Whether a place is this index.
    fn is_at(&mut self, array: &Rc<Array>, place: TermId, index: TermId, ground: &mut dyn Ground) -> TermId {
        if ground.terms().is_const(index)
            && let Some((addresses, _)) = self.addresses(array, place, ground)
        {
            return addresses
                .iter()
                .find(|address| address.0 == index)
                .map_or(ground.terms().ff(), |address| address.1);
        }
        ground.terms().eq(index, place)
    }

    fn read_addresses(
        &mut self,
        array: &Rc<Array>,
        addresses: &AddressSet,
        is_any: bool,
        size: u32,
        depth: u32,
        ground: &mut dyn Ground,
    ) -> Read {
        let (mut found, mut inside) = (Vec::with_capacity(addresses.len()), ground.terms().ff());
        let mut is_any = is_any;
        for &(place, when) in addresses {
            let Some((value, condition)) = self.read(array, place, size, depth + 1, ground) else {
                is_any = false;
                continue;
            };
            is_any &= condition.is_none();
            found.push((value, when));
            let is_here = condition.map_or(when, |condition| ground.terms().and(when, condition));
            inside = ground.terms().or(inside, is_here);
        }
        let value = self.cases.select(&found, ground.terms())?;
        Some((value, (!is_any).then_some(inside)))
    }
}

/// What bytes are the parts of, though some of them may have become simpler than that.
fn whole(bytes: &[TermId], terms: &mut Terms) -> Option<TermId> {
    let part = |(i, &byte): (usize, &TermId)| match terms.op(byte) {
        Op::Extract { lo, .. } if usize::from(lo) == 8 * i => Some(terms.arg(byte, 0)),
        _ => None,
    };
    let whole = bytes.iter().enumerate().find_map(part).filter(|_| bytes.len() > 1)?;
    let fits = usize::from(terms.width(whole)) == 8 * bytes.len();
    let mut at = (0..).step_by(8).zip(bytes);
    (fits && at.all(|(lo, &byte)| terms.extract(whole, lo + 7, lo) == byte)).then_some(whole)
}

fn both(a: Option<TermId>, b: Option<TermId>, terms: &mut Terms) -> Option<TermId> {
    match (a, b) {
        (Some(a), Some(b)) => Some(terms.and(a, b)),
        (a, b) => a.or(b),
    }
}
