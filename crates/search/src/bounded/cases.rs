//! Values that are one of a few constants, depending on the way.
//!
//! What programs keep beside their inputs (counters, states, lengths of lists, pointers into tables) mostly has few values
//! after few turns. Joined states make such a value a term of conditionals, and what is computed from it a larger one that a
//! solver takes apart bit by bit. Here it stays a list: each constant with the condition under which the value is this one.
//! Operations are carried out on the constants, a comparison becomes one of the conditions, and an address that is one of a
//! few is as good as known. Only what depends on inputs is left for the solver.

use std::rc::Rc;

use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Op, Sort, TermId, Terms};
use rustc_hash::FxHashMap;

/// What a value is. Of the conditions exactly one holds, whatever the inputs are.
#[derive(Debug)]
pub(super) struct OneOf {
    conditions: Rc<[TermId]>,
    /// A constant for each; some may be the same.
    values: Vec<TermId>,
}

impl OneOf {
    /// The constants, some perhaps more than once.
    pub(super) fn values(&self) -> &[TermId] {
        &self.values
    }

    /// Each constant once.
    pub(super) fn merged(&self, terms: &mut Terms) -> Vec<(TermId, TermId)> {
        let mut found: Vec<(TermId, TermId)> = Vec::with_capacity(self.values.len());
        for (&value, &condition) in self.values.iter().zip(&*self.conditions) {
            add(&mut found, value, condition, terms);
        }
        found
    }
}

/// Terms of which it is known what they are one of.
#[derive(Debug, Default)]
pub(super) struct Cases {
    known: FxHashMap<TermId, Rc<OneOf>>,
    /// How many constants are few.
    pub(super) tuning: Tuning,
}

impl Cases {
    pub(super) fn new(tuning: Tuning) -> Cases {
        Cases { known: FxHashMap::default(), tuning }
    }

    /// What a term is one of, unless it is a constant.
    pub(super) fn of(&self, term: TermId) -> Option<Rc<OneOf>> {
        self.known.get(&term).cloned()
    }

    /// The same, with constants.
    fn all(&self, term: TermId, terms: &mut Terms) -> Option<Vec<(TermId, TermId)>> {
        if terms.is_const(term) {
            return Some(vec![(term, terms.tt())]);
        }
        self.known.get(&term).map(|one| one.merged(terms))
    }

    /// The constants that a term may be.
    pub(super) fn values(&self, term: TermId, terms: &Terms) -> Option<Vec<u64>> {
        let one = self.known.get(&term)?;
        one.values.iter().map(|&value| terms.as_bv(value).map(|value| value as u64)).collect()
    }

    /// How far the second index is behind the first, if that is always the same.
    pub(super) fn distance(&mut self, from: TermId, to: TermId, terms: &mut Terms) -> Option<u64> {
        let shared = |(a, b): (&Rc<OneOf>, &Rc<OneOf>)| Rc::ptr_eq(&a.conditions, &b.conditions);
        if self.known.get(&from).zip(self.known.get(&to)).is_some_and(shared) {
            let difference = self.apply(Op::Sub, &[to, from], Sort::Bv(64), terms)?;
            return terms.as_bv(difference).map(|difference| difference as u64);
        }
        let difference = terms.sub(to, from);
        terms.as_bv(difference).map(|difference| difference as u64)
    }

    /// The first under the condition, the second otherwise.
    pub(super) fn ite(&mut self, condition: TermId, a: TermId, b: TermId, terms: &mut Terms) -> TermId {
        if a == b || terms.as_bool(condition).is_some() || !matches!(terms.sort(a), Sort::Bv(_)) {
            return terms.ite(condition, a, b);
        }
        let (Some(first), Some(second)) = (self.all(a, terms), self.all(b, terms)) else {
            return terms.ite(condition, a, b);
        };
        let mut found = Vec::with_capacity(first.len() + second.len());
        for &(value, when) in &first {
            let other = second.iter().find(|(other, _)| *other == value).map_or(terms.ff(), |&(_, when)| when);
            found.push((value, terms.ite(condition, when, other)));
        }
        for &(value, when) in second.iter().filter(|(value, _)| first.iter().all(|(other, _)| other != value)) {
            let not = terms.not(condition);
            found.push((value, terms.and(not, when)));
        }
        self.make(found, terms).unwrap_or_else(|| terms.ite(condition, a, b))
    }

    /// One of some values, each under its condition. It does not matter what it is if none of them holds.
    pub(super) fn select(&mut self, of: &[(TermId, TermId)], terms: &mut Terms) -> Option<TermId> {
        if let [(value, _)] = of {
            return Some(*value);
        }
        self.select_few(of, terms).or_else(|| chain(of.iter().copied(), terms))
    }

    /// `None`: some are not known, or all together are too many.
    fn select_few(&mut self, of: &[(TermId, TermId)], terms: &mut Terms) -> Option<TermId> {
        let mut found = Vec::new();
        for &(value, when) in of {
            let values = self.all(value, terms).filter(|_| found.len() <= self.tuning.bounded_most_cases)?;
            for (constant, within) in values {
                let both = terms.and(when, within);
                add(&mut found, constant, both, terms);
            }
        }
        found.sort_by_key(|&(value, _)| terms.as_bv(value));
        // The same term may be known from elsewhere, where one of the conditions always holds.
        if let Some((last, others)) = found.split_last_mut() {
            let any = terms.or_all(others.iter().map(|&(_, when)| when));
            last.1 = terms.not(any);
        }
        self.make(found, terms)
    }

    /// An operation, on the constants if all arguments have few; `None`: some have not.
    pub(super) fn apply(&mut self, op: Op, args: &[TermId], sort: Sort, terms: &mut Terms) -> Option<TermId> {
        if matches!(sort, Sort::Float(_) | Sort::Array) {
            return None;
        }
        let mut lists = Vec::with_capacity(args.len());
        for &arg in args {
            match self.known.get(&arg) {
                Some(one) => lists.push(Some(Rc::clone(one))),
                None if terms.is_const(arg) => lists.push(None),
                None => return None,
            }
        }
        let first = lists.iter().flatten().next()?;
        let conditions = Rc::clone(&first.conditions);
        if lists.iter().flatten().all(|one| Rc::ptr_eq(&one.conditions, &conditions)) {
            let mut values = Vec::with_capacity(conditions.len());
            for i in 0..conditions.len() {
                let of = |(list, &arg): (&Option<Rc<OneOf>>, &TermId)| list.as_ref().map_or(arg, |one| one.values[i]);
                let args: Vec<TermId> = lists.iter().zip(args).map(of).collect();
                values.push(terms.mk(op, &args, sort));
            }
            return self.put(conditions, values, sort, terms);
        }
        self.combine(op, args, sort, terms)
    }

    /// An operation on values of which each is one of others.
    fn combine(&mut self, op: Op, args: &[TermId], sort: Sort, terms: &mut Terms) -> Option<TermId> {
        let mut combinations: Vec<(Vec<TermId>, TermId)> = vec![(Vec::new(), terms.tt())];
        for &arg in args {
            let list = self.all(arg, terms)?;
            if combinations.len() * list.len() > self.tuning.bounded_most_combinations {
                return None;
            }
            let mut longer = Vec::with_capacity(combinations.len() * list.len());
            for (before, when) in &combinations {
                for &(value, within) in &list {
                    let both = terms.and(*when, within);
                    if terms.as_bool(both) != Some(false) {
                        longer.push((before.iter().copied().chain([value]).collect(), both));
                    }
                }
            }
            combinations = longer;
        }
        let mut found = Vec::new();
        for (args, when) in combinations {
            let value = terms.mk(op, &args, sort);
            add(&mut found, value, when, terms);
        }
        self.make(found, terms)
    }

    /// A value that is one of these; `None`: these are too many.
    fn make(&mut self, mut found: Vec<(TermId, TermId)>, terms: &mut Terms) -> Option<TermId> {
        found.retain(|&(_, when)| terms.as_bool(when) != Some(false));
        if found.len() > self.tuning.bounded_most_cases {
            return None;
        }
        found.sort_by_key(|&(value, _)| terms.as_bv(value));
        let sort = terms.sort(found.first()?.0);
        let (values, conditions) = (found.iter().map(|c| c.0).collect(), found.iter().map(|c| c.1).collect());
        self.put(conditions, values, sort, terms)
    }

    fn put(&mut self, conditions: Rc<[TermId]>, values: Vec<TermId>, sort: Sort, terms: &mut Terms) -> Option<TermId> {
        let first = *values.first()?;
        if values.iter().all(|&value| value == first) {
            return Some(first);
        }
        if values.iter().any(|&value| !terms.is_const(value)) {
            return None;
        }
        if sort == Sort::Bool {
            let holds = values.iter().zip(&*conditions).filter(|(value, _)| terms.as_bool(**value) == Some(true));
            let holds: Vec<TermId> = holds.map(|(_, &when)| when).collect();
            return Some(terms.or_all(holds));
        }
        let term = chain(values.iter().copied().zip(conditions.iter().copied()), terms)?;
        if !terms.is_const(term) {
            self.known.insert(term, Rc::new(OneOf { conditions, values }));
        }
        Some(term)
    }
}

/// The first value whose condition holds, or the last.
fn chain(of: impl DoubleEndedIterator<Item = (TermId, TermId)>, terms: &mut Terms) -> Option<TermId> {
    let mut of = of.rev();
    let (last, _) = of.next()?;
    Some(of.fold(last, |rest, (value, when)| terms.ite(when, value, rest)))
}

/// One more condition under which a value is this constant.
pub(super) fn add(found: &mut Vec<(TermId, TermId)>, value: TermId, when: TermId, terms: &mut Terms) {
    match found.iter_mut().find(|(other, _)| *other == value) {
        Some((_, before)) => *before = terms.or(*before, when),
        None => found.push((value, when)),
    }
}
