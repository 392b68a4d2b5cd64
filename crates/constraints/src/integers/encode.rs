//! Terms as integer formulas.
//!
//! A bit-vector of width `w` is an integer that is congruent to it modulo 2^w, with an interval that it lies in. Sums and
//! products with constants just grow; only where the value itself matters (comparisons, what is handed on) the
//! integer is brought into the range of a reading, and if its interval already lies there, that is nothing to do.
//!
//! Quotients and other things that linear arithmetic has no word for are fresh variables with side conditions. Each
//! condition can be met whatever the other variables are, so that nothing is lost by it.

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::constants::Constants;
use super::expr::{Expr, Exprs};
use super::number::{Interval, floor_div, pow2};
use super::reading::Readings;
use crate::sort::Sort;
use crate::term::{TermId, Terms, VarId};
use crate::tuning::Tuning;

/// The sort of integers.
pub const INT: &str = "Int";
const BOOL: &str = "Bool";
const ARRAY: &str = "(Array Int Int)";

/// The sort of what stands for a value.
pub fn sort_text(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => BOOL,
        Sort::Array => ARRAY,
        // Floats are gone by now.
        Sort::Bv(_) | Sort::Float(_) => INT,
    }
}

/// What stands for a bit-vector: an integer congruent to it, and where that lies.
#[derive(Clone, Debug)]
pub(super) struct Int {
    pub(super) expr: Expr,
    pub(super) range: Interval,
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    /// Booleans and arrays.
    Plain(Expr),
    Int(Int),
}

/// Writes one formula.
#[derive(Debug)]
pub struct Encoder<'t> {
    pub(super) terms: &'t Terms,
    readings: &'t Readings,
    pub(super) constants: &'t Constants,
    /// Where what it gives is kept and written from.
    pub exprs: Exprs,
    values: FxHashMap<TermId, Value>,
    /// Values brought into the range of a width and reading.
    normal: FxHashMap<(Expr, u8, bool), Int>,
    /// Quotients and remainders.
    divided: FxHashMap<(Expr, BigInt), (Int, Int)>,
    /// Names and sorts.
    pub variables: Vec<(String, String)>,
    /// Conditions on what stands for values, to be stated beside the formula.
    pub sides: Vec<Expr>,
    /// See `integers_cases` and `integers_excess` of [`Tuning`].
    cases: u32,
    excess: u32,
}

impl<'t> Encoder<'t> {
    /// The parameters of the constants are variables from the start, and what is known of them are sides.
    pub fn new(terms: &'t Terms, readings: &'t Readings, constants: &'t Constants, tuning: &Tuning) -> Encoder<'t> {
        let mut exprs = Exprs::default();
        let sides = constants.facts(&mut exprs);
        let variables = constants.names().map(|name| (name, INT.to_owned())).collect();
        Encoder {
            terms,
            readings,
            constants,
            exprs,
            values: FxHashMap::default(),
            normal: FxHashMap::default(),
            divided: FxHashMap::default(),
            variables,
            sides,
            cases: tuning.integers_cases,
            excess: tuning.integers_excess,
        }
    }

    /// A variable as it is.
    pub fn param(&mut self, var: VarId) -> Expr {
        match self.value(self.terms.var_term(var)) {
            Value::Plain(e) => e,
            Value::Int(i) => i.expr,
        }
    }

    /// A Boolean term as a formula.
    pub fn condition(&mut self, t: TermId) -> Expr {
        self.encode(t);
        self.plain(t)
    }

    /// A term in the reading of the parameter that it is the argument for.
    pub fn argument(&mut self, param: VarId, t: TermId) -> Expr {
        self.encode(t);
        match self.terms.sort(t) {
            Sort::Bv(_) => {
                let signed = self.readings.is_signed(self.terms, param);
                self.read(t, signed).expr
            }
            _ => self.plain(t),
        }
    }

    /// Translates everything below the term.
    fn encode(&mut self, root: TermId) {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            let waiting = stack.len();
            if !self.values.contains_key(&t) {
                stack.extend(self.terms.node(t).args.iter().filter(|a| !self.values.contains_key(a)));
                if stack.len() > waiting {
                    continue;
                }
                self.value(t);
            }
            stack.pop();
        }
    }

    /// The value of a term whose arguments have theirs.
    fn value(&mut self, t: TermId) -> Value {
        if let Some(known) = self.values.get(&t) {
            return known.clone();
        }
        let value = match self.terms.as_var(t) {
            Some(var) => self.variable(var),
            None => self.operation(t),
        };
        let value = match (value, self.terms.sort(t)) {
            (Value::Int(i), Sort::Bv(w)) => Value::Int(self.trim(i, w)),
            (value, _) => value,
        };
        self.values.insert(t, value.clone());
        value
    }

    fn variable(&mut self, var: VarId) -> Value {
        let sort = self.terms.var_sort(var);
        self.variables.push((var.to_string(), sort_text(sort).to_owned()));
        let expr = self.exprs.symbol(var.to_string());
        match sort {
            Sort::Bv(w) => {
                let range = Interval::of_width(w, self.readings.is_signed(self.terms, var));
                self.within(expr, &range);
                Value::Int(Int { expr, range })
            }
            _ => Value::Plain(expr),
        }
    }

    /// The Boolean or array that a term is.
    pub(super) fn plain(&mut self, t: TermId) -> Expr {
        match self.value(t) {
            Value::Plain(e) => e,
            Value::Int(_) => unreachable!("{t} is a bit-vector where the sorts of terms allow none"),
        }
    }

    /// The integer that stands for a bit-vector, in whatever range.
    pub(super) fn int(&mut self, t: TermId) -> Int {
        match self.value(t) {
            Value::Int(i) => i,
            Value::Plain(_) => unreachable!("{t} is no bit-vector where the sorts of terms allow nothing else"),
        }
    }

    /// The value of a bit-vector in a reading.
    pub(super) fn read(&mut self, t: TermId, signed: bool) -> Int {
        let width = self.terms.width(t);
        let int = self.int(t);
        self.normalise(&int, width, signed)
    }

    pub(super) fn number(&mut self, value: impl Into<BigInt>) -> Int {
        let range = Interval::point(value);
        Int { expr: self.exprs.number(range.lo.clone()), range }
    }

    /// A fresh integer that lies in the range, which is stated.
    pub(super) fn fresh(&mut self, range: Interval) -> Int {
        let expr = self.fresh_symbol(INT);
        self.within(expr, &range);
        Int { expr, range }
    }

    pub(super) fn fresh_bool(&mut self) -> Expr {
        self.fresh_symbol(BOOL)
    }

    fn fresh_symbol(&mut self, sort: &str) -> Expr {
        // The number is unique in the formula, and no variable of the arena is called so.
        let name = format!("k{}", self.variables.len());
        self.variables.push((name.clone(), sort.to_owned()));
        self.exprs.symbol(name)
    }

    /// States a side condition. It must be one that some value of a fresh variable meets.
    pub(super) fn state(&mut self, condition: Expr) {
        self.sides.push(condition);
    }

    pub(super) fn within(&mut self, expr: Expr, range: &Interval) {
        let (lo, hi) = (self.exprs.number(range.lo.clone()), self.exprs.number(range.hi.clone()));
        let (above, below) = (self.exprs.le(lo, expr), self.exprs.le(expr, hi));
        self.state(above);
        self.state(below);
    }

    /// How many copies of the range of the reading the interval meets: the first and the last.
    fn copies(range: &Interval, width: u8, signed: bool) -> (BigInt, BigInt) {
        let home = Interval::of_width(width, signed);
        let size = pow2(width.into());
        (floor_div(&(&range.lo - &home.lo), &size), floor_div(&(&range.hi - &home.lo), &size))
    }

    /// How hard it is to bring the integer into the range.
    pub(super) fn cost(&self, int: &Int, width: u8, signed: bool) -> BigInt {
        let (first, last) = Encoder::copies(&int.range, width, signed);
        last - first
    }

    /// The integer of the reading's range that is congruent to this one.
    pub(super) fn normalise(&mut self, int: &Int, width: u8, signed: bool) -> Int {
        let home = Interval::of_width(width, signed);
        if int.range.within(&home) {
            return int.clone();
        }
        if let Some(known) = self.normal.get(&(int.expr, width, signed)) {
            return known.clone();
        }
        let size = pow2(width.into());
        let (first, last) = Encoder::copies(&int.range, width, signed);
        let result = if &last - &first < BigInt::from(self.cases) {
            let shifted = |e: &mut Exprs, copy: &BigInt| e.add_number(int.expr, &-(copy * &size));
            let mut expr = shifted(&mut self.exprs, &first);
            let mut copy = &first + 1;
            while copy <= last {
                let from = self.exprs.number(&home.lo + &copy * &size);
                let reached = self.exprs.le(from, int.expr);
                let moved = shifted(&mut self.exprs, &copy);
                expr = self.exprs.ite(reached, moved, expr);
                copy += 1;
            }
            let range = if first == last { int.range.add(&Interval::point(-(first * size))) } else { home };
            Int { expr, range }
        } else {
            let count = self.fresh(Interval { lo: first, hi: last });
            let multiple = self.exprs.scale(count.expr, &-size);
            let expr = self.exprs.add(int.expr, multiple);
            self.within(expr, &home);
            Int { expr, range: home }
        };
        self.normal.insert((int.expr, width, signed), result.clone());
        result
    }

    /// Keeps intervals from growing without end.
    fn trim(&mut self, int: Int, width: u8) -> Int {
        let excess = pow2(u32::from(width) + self.excess);
        if &int.range.hi - &int.range.lo > excess { self.normalise(&int, width, true) } else { int }
    }

    /// Quotient, rounded towards −∞, and remainder by a positive constant.
    pub(super) fn divide(&mut self, int: &Int, by: &BigInt) -> (Int, Int) {
        if *by == BigInt::from(1) {
            return (int.clone(), self.number(0));
        }
        if let Some(value) = int.range.as_point() {
            let quotient = floor_div(value, by);
            let rest = value - &quotient * by;
            return (self.number(quotient), self.number(rest));
        }
        if let Some(known) = self.divided.get(&(int.expr, by.clone())) {
            return known.clone();
        }
        let quotient = self.fresh(int.range.floor_div(by));
        let multiple = self.exprs.scale(quotient.expr, &-by);
        let rest = Int { expr: self.exprs.add(int.expr, multiple), range: Interval::new(0, by - 1) };
        self.within(rest.expr, &rest.range);
        self.divided.insert((int.expr, by.clone()), (quotient.clone(), rest.clone()));
        (quotient, rest)
    }
}
