//! What the terms of a step are in a state.

use std::collections::BTreeSet;
use std::rc::Rc;

use covenant_constraints::{Op, Sort, TermId, Terms, VarId};
use covenant_transition::flow::{FIRST_ADDRESS, Flow, Fresh};
use covenant_transition::trace::Ground;
use rustc_hash::FxHashMap;

use super::cases::Cases;
use super::limits::{Impossible, Limits};
use super::memory::{Array, Memory};
use super::state::{State, Val, Way, choose};

/// What is known at one place.
#[derive(Debug, Default)]
pub(super) struct Known {
    values: FxHashMap<TermId, Val>,
    /// What must hold for bytes to be those that were read.
    also: Vec<TermId>,
}

/// The terms of the steps from one place.
pub(super) struct Evaluator<'e> {
    flow: &'e Flow,
    way: &'e Way,
    known: &'e mut Known,
    memory: &'e mut Memory,
    ground: &'e mut dyn Ground,
}

/// A term that reads some bytes of an array.
struct Word {
    array: TermId,
    index: TermId,
    size: u32,
}

impl<'e> Evaluator<'e> {
    pub(super) fn new(
        flow: &'e Flow,
        way: &'e Way,
        known: &'e mut Known,
        memory: &'e mut Memory,
        ground: &'e mut dyn Ground,
    ) -> Evaluator<'e> {
        Evaluator { flow, way, known, memory, ground }
    }

    pub(super) fn terms(&mut self) -> &mut Terms {
        self.ground.terms()
    }

    /// The conditions of a step; `None`: it depends on what is not known.
    pub(super) fn guard(&mut self, guard: &[TermId]) -> Option<Vec<TermId>> {
        let mut conditions = Vec::with_capacity(guard.len());
        let mut unknown = false;
        for &term in guard {
            match self.value(term) {
                Val::Term(condition) if self.terms().as_bool(condition) == Some(false) => return Some(vec![condition]),
                Val::Term(condition) if self.is_any_object(condition) => {}
                Val::Term(condition) => conditions.push(condition),
                _ => unknown = true,
            }
        }
        conditions.splice(0..0, self.known.also.iter().copied());
        (!unknown).then_some(conditions)
    }

    /// Whether it says no more than that an address is not null. What is read there says from which object it is.
    fn is_any_object(&mut self, condition: TermId) -> bool {
        let terms = self.terms();
        let first = |term: TermId| terms.as_bv(term) == Some(FIRST_ADDRESS - 1) && terms.width(term) == 64;
        terms.op(condition) == Op::Ult && first(terms.arg(condition, 0))
    }

    /// What the conditions of a step say about values. They have been evaluated.
    pub(super) fn learn(&mut self, guard: &[TermId]) -> Result<Limits, Impossible> {
        let mut limits = self.way.limits.clone();
        let mut work: Vec<(TermId, bool)> = guard.iter().map(|&term| (term, true)).collect();
        while let Some((term, holds)) = work.pop() {
            let node = *self.terms().node(term);
            match (node.op, holds) {
                (Op::Not, _) => work.push((node.args[0], !holds)),
                (Op::And, true) | (Op::Or, false) => work.extend(node.args.iter().map(|arg| (arg, holds))),
                (Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::Eq, _) => {
                    let args = [0, 1].map(|i| self.known.values.get(&node.args[i]));
                    let [Some(Val::Term(a)), Some(Val::Term(b))] = args else { continue };
                    compare(&mut limits, node.op, [*a, *b], holds, &mut self.memory.cases, self.ground.terms())?;
                }
                _ => {}
            }
        }
        Ok(limits)
    }

    /// The state after a step, as far as it matters, and what must hold for it.
    pub(super) fn assign(&mut self, assign: &[(VarId, TermId)], live: &BTreeSet<VarId>) -> (State, Vec<TermId>) {
        let before = self.known.also.len();
        let mut state: State = self
            .way
            .state
            .iter()
            .filter(|(var, _)| live.contains(var))
            .map(|(var, value)| (*var, value.clone()))
            .collect();
        for &(var, term) in assign.iter().filter(|(var, _)| live.contains(var)) {
            let value = self.value(term);
            state.insert(var, value);
        }
        (state, self.known.also[before..].to_vec())
    }

    fn value(&mut self, root: TermId) -> Val {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.known.values.contains_key(&term) {
                stack.pop();
                continue;
            }
            let word = self.word(term);
            let depends = match &word {
                Some(word) => vec![word.array, word.index],
                None => self.terms().node(term).args.iter().collect(),
            };
            let before = stack.len();
            stack.extend(depends.into_iter().filter(|term| !self.known.values.contains_key(term)));
            if stack.len() == before {
                let value = match word {
                    Some(word) => self.read(&word),
                    None => self.node(term),
                };
                let value = if let Val::Term(value) = value { Val::Term(self.way.limits.of(value)) } else { value };
                self.known.values.insert(term, value);
            }
        }
        self.known.values[&root].clone()
    }

    /// Whether the term puts together bytes that lie one behind the other.
    fn word(&mut self, term: TermId) -> Option<Word> {
        let (mut bytes, mut rest) = (Vec::new(), term);
        let terms = self.terms();
        while terms.op(rest) == Op::Concat && terms.op(terms.arg(rest, 0)) == Op::Select {
            bytes.push(terms.arg(rest, 0));
            rest = terms.arg(rest, 1);
        }
        if terms.op(rest) != Op::Select {
            return None;
        }
        let (array, index) = (terms.arg(rest, 0), terms.arg(rest, 1));
        for (i, &byte) in bytes.iter().rev().enumerate() {
            let step = terms.bv(i as u128 + 1, 64);
            let next = terms.add(index, step);
            if terms.arg(byte, 0) != array || terms.arg(byte, 1) != next {
                return None;
            }
        }
        Some(Word { array, index, size: bytes.len() as u32 + 1 })
    }

    fn read(&mut self, word: &Word) -> Val {
        let (Val::Array(array), Val::Term(index)) = (&self.known.values[&word.array], &self.known.values[&word.index])
        else {
            return Val::Unknown;
        };
        let (array, index) = (Rc::clone(array), *index);
        let Some((value, condition)) = self.memory.read(&array, index, word.size, 0, self.ground) else {
            return Val::Unknown;
        };
        self.known.also.extend(condition);
        Val::Term(value)
    }

    fn node(&mut self, node: TermId) -> Val {
        let data = *self.terms().node(node);
        let args: Vec<Val> = data.args.iter().map(|arg| self.known.values[&arg].clone()).collect();
        match (data.op, &args[..]) {
            (Op::Var(var), _) if self.flow.is_state(var) => self.memory.value(&self.way.state, var, self.ground),
            (Op::Var(var), _) => self.choice(var, data.sort),
            (_, []) => Val::Term(node),
            (Op::Ite, [Val::Term(condition), a, b]) => {
                choose(*condition, a.clone(), b.clone(), &mut self.memory.cases, self.ground.terms())
            }
            (Op::And, [a, b]) => self.logic(a, b, false),
            (Op::Or, [a, b]) => self.logic(a, b, true),
            (Op::Store, [Val::Array(array), Val::Term(index), byte]) => {
                let byte = if let Val::Term(byte) = byte { Some(*byte) } else { None };
                Val::Array(Array::store(array, *index, byte, &mut self.memory.cases, self.ground.terms()))
            }
            (Op::ConstArray, [Val::Term(byte)]) => Val::Array(Rc::new(Array::Const(*byte))),
            _ if data.sort == Sort::Array => Val::Array(Rc::new(Array::Unknown)),
            _ => {
                let mut terms = Vec::with_capacity(args.len());
                for arg in &args {
                    let Val::Term(term) = arg else { return Val::Unknown };
                    terms.push(*term);
                }
                let few = self.memory.cases.apply(data.op, &terms, data.sort, self.ground.terms());
                Val::Term(few.unwrap_or_else(|| self.terms().mk(data.op, &terms, data.sort)))
            }
        }
    }

    /// What a run would have where the flow allows anything.
    fn choice(&mut self, var: VarId, sort: Sort) -> Val {
        match (self.flow.fresh.get(&var), sort) {
            (Some(Fresh::Blank), Sort::Array) => {
                let zero = self.terms().bv(0, 8);
                Val::Array(Rc::new(Array::Const(zero)))
            }
            (Some(Fresh::Blank), Sort::Bv(width)) => Val::Term(self.terms().bv(0, width)),
            (Some(Fresh::Address(size)), _) => {
                let address = self.memory.place_object(*size);
                Val::Term(self.terms().bv(u128::from(address), 64))
            }
            (_, Sort::Array) => Val::Array(Rc::new(Array::Unknown)),
            _ => Val::Unknown,
        }
    }

    /// And, or: one side may decide alone.
    fn logic(&mut self, a: &Val, b: &Val, decides: bool) -> Val {
        let terms = self.terms();
        let decided = |v: &Val| matches!(v, Val::Term(t) if terms.as_bool(*t) == Some(decides));
        if decided(a) || decided(b) {
            return Val::Term(terms.bool(decides));
        }
        match (a, b) {
            (Val::Term(a), Val::Term(b)) if decides => Val::Term(terms.or(*a, *b)),
            (Val::Term(a), Val::Term(b)) => Val::Term(terms.and(*a, *b)),
            _ => Val::Unknown,
        }
    }
}

/// What a comparison says about the values that are compared, if it holds or does not.
fn compare(
    limits: &mut Limits,
    op: Op,
    [a, b]: [TermId; 2],
    holds: bool,
    cases: &mut Cases,
    terms: &mut Terms,
) -> Result<(), Impossible> {
    let signed = matches!(op, Op::Slt | Op::Sle);
    let strict = matches!(op, Op::Ult | Op::Slt);
    match (op, holds) {
        (Op::Eq, _) => limits.equal([a, b], holds, cases, terms),
        (_, true) => limits.ordered([a, b], strict, signed, cases, terms),
        (_, false) => limits.ordered([b, a], !strict, signed, cases, terms),
    }
}
