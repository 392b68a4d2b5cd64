//! Invariants over integers back as terms over bit-vectors.
//!
//! An integer is a sum of bit-vectors, read as signed, with coefficients. Where it is compared, both sides are extended to a width
//! in which nothing can wrap around, as the intervals show; the sides are arranged so that no coefficient is negative,
//! which keeps widths small and gives `x ≤ y` for `x − y ≤ 0`.

use covenant_constraints::integers::{Interval, Readings, residue};
use covenant_constraints::smtlib::parse::walk::{Algebra, Head, walk};
use covenant_constraints::smtlib::parse::{Document, Kind, ParseError, definition_items, definition_parts};
use covenant_constraints::sort::{Sort, mask, to_signed};
use covenant_constraints::term::{TermId, Terms, VarId};
use num_bigint::{BigInt, Sign};
use rustc_hash::FxHashMap;

use super::encode::Encoding;
use crate::clauses;
use crate::reduce::Reduced;

/// The invariants of live relations, from the model; none for those that it does not define, or with words that terms have
/// no meaning for.
pub(crate) fn decode(
    terms: &mut Terms,
    reduced: &Reduced,
    encoding: &Encoding,
    model: &str,
) -> Result<Vec<(usize, TermId)>, ParseError> {
    let doc = Document::read(model)?;
    let mut invariants = Vec::new();
    for &item in definition_items(&doc) {
        let (name, params, _, body) = definition_parts(&doc, item)?;
        let Some((i, relation)) = reduced.live().find(|(i, _)| clauses::relation_name(*i) == name) else { continue };
        let mut algebra = Integers { terms, names: FxHashMap::default(), ranges: FxHashMap::default() };
        for ((theirs, _), &ours) in params.iter().zip(&relation.params) {
            algebra.bind(theirs, ours, &encoding.readings).map_err(|m| doc.error(item, m))?;
        }
        let constants = params.iter().skip(relation.params.len()).zip(encoding.constants.values());
        algebra.names.extend(constants.map(|((name, _), value)| (*name, Value::Int(Linear::number(value)))));
        if let Ok(Value::Plain(t)) = walk(&doc, body, &mut algebra)
            && algebra.terms.sort(t) == Sort::Bool
        {
            invariants.push((i, t));
        }
    }
    Ok(invariants)
}

/// What an expression of the model is.
#[derive(Clone, Debug)]
enum Value {
    /// Booleans and arrays.
    Plain(TermId),
    Int(Linear),
}

/// A sum of bit-vectors, read as signed, with coefficients other than zero, and a constant.
#[derive(Clone, Debug, Default)]
struct Linear {
    parts: Vec<(TermId, BigInt)>,
    constant: BigInt,
}

impl Linear {
    fn number(constant: BigInt) -> Linear {
        Linear { parts: Vec::new(), constant }
    }

    fn as_number(&self) -> Option<&BigInt> {
        self.parts.is_empty().then_some(&self.constant)
    }

    /// Adds another one, times a factor.
    fn add(&mut self, other: &Linear, factor: &BigInt) {
        self.constant += &other.constant * factor;
        for (term, coefficient) in &other.parts {
            let more = coefficient * factor;
            match self.parts.iter_mut().find(|(t, _)| t == term) {
                Some((_, sum)) => *sum += more,
                None => self.parts.push((*term, more)),
            }
        }
        self.parts.retain(|(_, c)| c.sign() != Sign::NoSign);
    }

    fn scaled(&self, factor: &BigInt) -> Linear {
        let mut result = Linear::default();
        result.add(self, factor);
        result
    }
}

struct Integers<'a, 't> {
    terms: &'t mut Terms,
    names: FxHashMap<&'a str, Value>,
    /// Where the terms lie that occur in sums, read as signed.
    ranges: FxHashMap<TermId, Interval>,
}

impl<'a> Algebra<'a> for Integers<'a, '_> {
    type Value = Value;

    fn literal(&mut self, literal: &Kind<'a>) -> Result<Value, String> {
        match literal {
            Kind::Numeral(digits) => {
                digits.parse().map(|n| Value::Int(Linear::number(n))).map_err(|_| digits.to_string())
            }
            _ => Err("only integers are supported here".into()),
        }
    }

    fn constant(&mut self, head: &Head<'a>) -> Result<Value, String> {
        if !head.indices.is_empty() || head.sort.is_some() {
            return Err(format!("{} is not supported here", head.name));
        }
        match (self.names.get(head.name), head.name) {
            (Some(value), _) => Ok(value.clone()),
            (None, "true") => Ok(Value::Plain(self.terms.tt())),
            (None, "false") => Ok(Value::Plain(self.terms.ff())),
            (None, name) => Err(format!("{name} is not known")),
        }
    }

    fn apply(&mut self, _: &Document<'a>, head: &Head<'a>, args: &[Value]) -> Result<Value, String> {
        if !head.indices.is_empty() {
            return Err(format!("{} is not supported here", head.name));
        }
        let result = match (head.name, args) {
            ("const", [Value::Int(byte)]) if head.sort.is_some() => {
                let byte = self.fitted(byte, 8)?;
                Some(Value::Plain(self.terms.const_array(byte)))
            }
            (_, _) if head.sort.is_some() => None,
            ("ite", [Value::Plain(c), a, b]) => self.choice(*c, a, b)?,
            ("select" | "store", _) => self.array(head.name, args)?,
            ("=" | "distinct", [Value::Plain(a), Value::Plain(b)]) => (self.terms.sort(*a) == self.terms.sort(*b))
                .then(|| Value::Plain(if head.name == "=" { self.terms.eq(*a, *b) } else { self.terms.ne(*a, *b) })),
            (_, [Value::Int(_), ..]) => {
                let ints: Option<Vec<&Linear>> = args.iter().map(|v| as_int(v)).collect();
                match ints {
                    Some(ints) => self.arithmetic(head.name, &ints)?,
                    None => None,
                }
            }
            (name, args) => self.logic(name, args).map(Value::Plain),
        };
        result.ok_or_else(|| format!("{} is not supported with these arguments", head.name))
    }
}

fn as_int(value: &Value) -> Option<&Linear> {
    match value {
        Value::Int(i) => Some(i),
        Value::Plain(_) => None,
    }
}

impl<'a> Integers<'a, '_> {
    /// What the name of a parameter means.
    fn bind(&mut self, name: &'a str, var: VarId, readings: &Readings) -> Result<(), String> {
        let term = self.terms.var_term(var);
        let value = match self.terms.sort(term) {
            Sort::Bv(w) => {
                let signed = readings.is_signed(self.terms, var);
                if !signed && w == 128 {
                    return Err("an unsigned number of 128 bits has no wider vector to be in".into());
                }
                let wide = if signed { term } else { self.terms.zext(term, w + 1) };
                Value::Int(self.part(wide, Interval::of_width(w, signed)))
            }
            _ => Value::Plain(term),
        };
        self.names.insert(name, value);
        Ok(())
    }

    /// A bit-vector, read as signed, as an integer.
    fn part(&mut self, term: TermId, range: Interval) -> Linear {
        if let Some(bits) = self.terms.as_bv(term) {
            return Linear::number(to_signed(bits, self.terms.width(term)).into());
        }
        self.ranges.insert(term, range);
        Linear { parts: vec![(term, BigInt::from(1))], constant: BigInt::default() }
    }

    fn range(&self, sum: &Linear) -> Interval {
        let mut range = Interval::point(sum.constant.clone());
        for (term, coefficient) in &sum.parts {
            let part = self.ranges.get(term).cloned().unwrap_or(Interval::of_width(self.terms.width(*term), true));
            range = range.add(&part.scale(coefficient));
        }
        range
    }

    /// The sum as a vector, modulo its width.
    fn fitted(&mut self, sum: &Linear, width: u8) -> Result<TermId, String> {
        let bits = |n: &BigInt| residue(n, width).ok_or_else(|| format!("{n} has no bits of width {width}"));
        let mut result = self.terms.bv(bits(&sum.constant)?, width);
        for (term, coefficient) in &sum.parts {
            let fitted = match self.terms.width(*term) {
                w if w < width => self.terms.sext(*term, width),
                w if w > width => self.terms.trunc(*term, width),
                _ => *term,
            };
            let coefficient = bits(coefficient)?;
            result = if coefficient == mask(width) {
                self.terms.sub(result, fitted)
            } else {
                let factor = self.terms.bv(coefficient, width);
                let product = self.terms.mul(fitted, factor);
                self.terms.add(result, product)
            };
        }
        Ok(result)
    }

    /// The least width in which neither of the sums wraps around.
    fn width(&self, sums: &[&Linear]) -> Result<u8, String> {
        let bits = sums.iter().map(|s| self.range(s).signed_bits()).max().unwrap_or(1);
        u8::try_from(bits).ok().filter(|w| *w <= 128).ok_or_else(|| format!("{bits} bits would be needed"))
    }

    fn choice(&mut self, c: TermId, a: &Value, b: &Value) -> Result<Option<Value>, String> {
        if self.terms.sort(c) != Sort::Bool {
            return Ok(None);
        }
        match (a, b) {
            (Value::Plain(a), Value::Plain(b)) if self.terms.sort(*a) == self.terms.sort(*b) => {
                Ok(Some(Value::Plain(self.terms.ite(c, *a, *b))))
            }
            (Value::Int(a), Value::Int(b)) => {
                let width = self.width(&[a, b])?;
                let range = self.range(a).hull(&self.range(b));
                let (a, b) = (self.fitted(a, width)?, self.fitted(b, width)?);
                let chosen = self.terms.ite(c, a, b);
                Ok(Some(Value::Int(self.part(chosen, range))))
            }
            _ => Ok(None),
        }
    }

    fn array(&mut self, name: &str, args: &[Value]) -> Result<Option<Value>, String> {
        match (name, args) {
            ("select", [Value::Plain(array), Value::Int(index)]) if self.terms.sort(*array) == Sort::Array => {
                let index = self.fitted(index, 64)?;
                let byte = self.terms.select(*array, index);
                let wide = self.terms.zext(byte, 9);
                Ok(Some(Value::Int(self.part(wide, Interval::new(0, 255)))))
            }
            ("store", [Value::Plain(array), Value::Int(index), Value::Int(byte)])
                if self.terms.sort(*array) == Sort::Array =>
            {
                let (index, byte) = (self.fitted(index, 64)?, self.fitted(byte, 8)?);
                Ok(Some(Value::Plain(self.terms.store(*array, index, byte))))
            }
            _ => Ok(None),
        }
    }

    fn logic(&mut self, name: &str, args: &[Value]) -> Option<TermId> {
        let bool = |v: &Value| match v {
            Value::Plain(t) if self.terms.sort(*t) == Sort::Bool => Some(*t),
            _ => None,
        };
        let args: Vec<TermId> = args.iter().map(bool).collect::<Option<_>>()?;
        match (name, args.as_slice()) {
            ("not", &[a]) => Some(self.terms.not(a)),
            ("and", _) => Some(self.terms.and_all(args)),
            ("or", _) => Some(self.terms.or_all(args)),
            ("xor", &[a, b]) => Some(self.terms.xor(a, b)),
            ("=>", &[a, b]) => Some(self.terms.implies(a, b)),
            _ => None,
        }
    }

    fn arithmetic(&mut self, name: &str, args: &[&Linear]) -> Result<Option<Value>, String> {
        let (one, minus) = (BigInt::from(1), BigInt::from(-1));
        let result = match (name, args) {
            ("+", _) => {
                let mut sum = Linear::default();
                args.iter().for_each(|a| sum.add(a, &one));
                sum
            }
            ("-", [a]) => a.scaled(&minus),
            ("-", [first, rest @ ..]) => {
                let mut difference = (*first).clone();
                rest.iter().for_each(|a| difference.add(a, &minus));
                difference
            }
            ("*", _) => {
                let mut product = Linear::number(one);
                for a in args {
                    product = self.product(&product, a)?;
                }
                product
            }
            ("div" | "mod", [a, b]) => match b.as_number() {
                Some(by) if by.sign() != Sign::NoSign => self.division(name, a, &by.clone())?,
                _ => return Ok(None),
            },
            _ => return self.comparison(name, args),
        };
        Ok(Some(Value::Int(result)))
    }

    fn product(&mut self, a: &Linear, b: &Linear) -> Result<Linear, String> {
        match (a.as_number(), b.as_number()) {
            (Some(n), _) => Ok(b.scaled(n)),
            (_, Some(n)) => Ok(a.scaled(n)),
            _ => {
                let range = self.range(a).mul(&self.range(b));
                let width = u8::try_from(range.signed_bits()).ok().filter(|w| *w <= 128);
                let width = width.ok_or("a product would need more than 128 bits")?;
                let (a, b) = (self.fitted(a, width)?, self.fitted(b, width)?);
                let product = self.terms.mul(a, b);
                Ok(self.part(product, range))
            }
        }
    }

    /// As SMT-LIB has it: the remainder is never negative.
    fn division(&mut self, name: &str, a: &Linear, by: &BigInt) -> Result<Linear, String> {
        let size = BigInt::from(by.magnitude().clone());
        let constant = Linear::number(size.clone());
        let width = self.width(&[a, &constant])?;
        let (x, divisor) = (self.fitted(a, width)?, self.fitted(&constant, width)?);
        let rest = self.terms.srem(x, divisor);
        let zero = self.terms.bv(0, width);
        let negative = self.terms.slt(rest, zero);
        if name == "mod" {
            let moved = self.terms.add(rest, divisor);
            let modulus = self.terms.ite(negative, moved, rest);
            return Ok(self.part(modulus, Interval::new(0, size - 1)));
        }
        let one = self.terms.bv(1, width);
        let quotient = self.terms.sdiv(x, divisor);
        let less = self.terms.sub(quotient, one);
        let floor = self.terms.ite(negative, less, quotient);
        let range = self.range(a).floor_div(&size);
        let floor = self.part(floor, range);
        Ok(if by.sign() == Sign::Minus { floor.scaled(&BigInt::from(-1)) } else { floor })
    }

    fn comparison(&mut self, name: &str, args: &[&Linear]) -> Result<Option<Value>, String> {
        let mut result = self.terms.tt();
        match (name, args) {
            ("distinct", [a, b]) => {
                let same = self.compare("=", a, b)?;
                result = self.terms.not(same);
            }
            ("<=" | "<" | ">=" | ">" | "=", [_, _, ..]) => {
                for pair in args.windows(2) {
                    let holds = self.compare(name, pair[0], pair[1])?;
                    result = self.terms.and(result, holds);
                }
            }
            _ => return Ok(None),
        }
        Ok(Some(Value::Plain(result)))
    }

    fn compare(&mut self, name: &str, a: &Linear, b: &Linear) -> Result<TermId, String> {
        let (a, b) = if name.starts_with('>') { (b, a) } else { (a, b) };
        let mut difference = a.clone();
        difference.add(b, &BigInt::from(-1));
        // a − b ⋈ 0, with what is negative moved to the right.
        let (mut left, mut right) = (Linear::default(), Linear::default());
        for (term, coefficient) in difference.parts {
            let negative = coefficient.sign() == Sign::Minus;
            let (side, size) = if negative { (&mut right, -coefficient) } else { (&mut left, coefficient) };
            side.parts.push((term, size));
        }
        // The constant goes where no term is, or else where it is positive: so no side needs more bits than it has to.
        let negative = difference.constant.sign() == Sign::Minus;
        if left.parts.is_empty() || !right.parts.is_empty() && !negative {
            left.constant = difference.constant;
        } else {
            right.constant = -difference.constant;
        }
        let (l, r) = (self.range(&left), self.range(&right));
        let strict = matches!(name, "<" | ">");
        let decided = match name {
            "=" => (l.hi < r.lo || r.hi < l.lo).then_some(false),
            _ if strict && l.hi < r.lo || !strict && l.hi <= r.lo => Some(true),
            _ if strict && l.lo >= r.hi || !strict && l.lo > r.hi => Some(false),
            _ => None,
        };
        if let Some(value) = decided {
            return Ok(self.terms.bool(value));
        }
        let width = self.width(&[&left, &right])?;
        let (l, r) = (self.fitted(&left, width)?, self.fitted(&right, width)?);
        Ok(match name {
            "=" => self.terms.eq(l, r),
            _ if strict => self.terms.slt(l, r),
            _ => self.terms.sle(l, r),
        })
    }
}

#[cfg(test)]
mod tests;
