//! What each operation on terms is on integers.

use num_bigint::{BigInt, Sign};

use super::encode::{Encoder, Int, Value};
use super::expr::Expr;
use super::number::{Interval, pow2};
use crate::op::Op;
use crate::sort::{Sort, mask};
use crate::term::TermId;

impl Encoder<'_> {
    /// The value of an application; the arguments have theirs.
    pub(super) fn operation(&mut self, t: TermId) -> Value {
        match self.terms.sort(t) {
            Sort::Bool => Value::Plain(self.predicate(t)),
            Sort::Bv(w) => Value::Int(self.vector(t, w)),
            // Float terms have only users that are gone.
            Sort::Array | Sort::Float(_) => Value::Plain(self.array(t)),
        }
    }

    fn array(&mut self, t: TermId) -> Expr {
        let node = *self.terms.node(t);
        match node.op {
            Op::Ite => {
                let [c, a, b] = [0, 1, 2].map(|i| self.plain(node.args[i]));
                self.exprs.ite(c, a, b)
            }
            Op::Store => {
                let array = self.plain(node.args[0]);
                let (index, byte) = (self.read(node.args[1], true), self.read(node.args[2], false));
                self.exprs.apply("store", &[array, index.expr, byte.expr])
            }
            _ => {
                let byte = self.read(node.args[0], false);
                self.exprs.apply("(as const (Array Int Int))", &[byte.expr])
            }
        }
    }

    fn predicate(&mut self, t: TermId) -> Expr {
        let node = *self.terms.node(t);
        let a = node.args.iter().next().unwrap_or(t);
        let b = node.args.iter().nth(1).unwrap_or(a);
        match node.op {
            Op::True => self.exprs.bool(true),
            Op::False => self.exprs.bool(false),
            Op::Not => {
                let a = self.plain(a);
                self.exprs.not(a)
            }
            Op::And | Op::Or => {
                let (x, y) = (self.plain(a), self.plain(b));
                if node.op == Op::And { self.exprs.and(x, y) } else { self.exprs.or(x, y) }
            }
            Op::Ite => {
                let [c, a, b] = [0, 1, 2].map(|i| self.plain(node.args[i]));
                self.exprs.ite(c, a, b)
            }
            Op::Eq => self.equality(a, b),
            Op::Ult | Op::Ule | Op::Slt | Op::Sle => {
                let signed = matches!(node.op, Op::Slt | Op::Sle);
                let (x, y) = (self.read(a, signed), self.read(b, signed));
                if matches!(node.op, Op::Ule | Op::Sle) {
                    self.exprs.le(x.expr, y.expr)
                } else {
                    self.exprs.lt(x.expr, y.expr)
                }
            }
            _ => self.overflow(node.op, a, b),
        }
    }

    fn equality(&mut self, a: TermId, b: TermId) -> Expr {
        let Sort::Bv(w) = self.terms.sort(a) else {
            let (x, y) = (self.plain(a), self.plain(b));
            return self.exprs.eq(x, y);
        };
        let (x, y) = (self.int(a), self.int(b));
        let cost = |signed: bool| self.cost(&x, w, signed) + self.cost(&y, w, signed);
        let signed = cost(true) <= cost(false);
        let (x, y) = (self.normalise(&x, w, signed), self.normalise(&y, w, signed));
        self.exprs.eq(x.expr, y.expr)
    }

    fn overflow(&mut self, op: Op, a: TermId, b: TermId) -> Expr {
        let signed = matches!(op, Op::SAddO | Op::SSubO | Op::SMulO);
        let (x, y) = (self.read(a, signed), self.read(b, signed));
        let result = match op {
            Op::SAddO | Op::UAddO => self.sum(&x, &y),
            Op::SSubO | Op::USubO => self.difference(&x, &y),
            Op::SMulO | Op::UMulO => match self.product(&x, &y) {
                Some(product) => product,
                None => return self.fresh_bool(),
            },
            _ => return self.fresh_bool(),
        };
        let home = Interval::of_width(self.terms.width(a), signed);
        let (lo, hi) = (self.exprs.number(home.lo), self.exprs.number(home.hi));
        let (below, above) = (self.exprs.lt(result.expr, lo), self.exprs.lt(hi, result.expr));
        self.exprs.or(below, above)
    }

    fn sum(&mut self, x: &Int, y: &Int) -> Int {
        Int { expr: self.exprs.add(x.expr, y.expr), range: x.range.add(&y.range) }
    }

    fn scaled(&mut self, x: &Int, by: &BigInt) -> Int {
        Int { expr: self.exprs.scale(x.expr, by), range: x.range.scale(by) }
    }

    fn difference(&mut self, x: &Int, y: &Int) -> Int {
        let negated = self.scaled(y, &BigInt::from(-1));
        self.sum(x, &negated)
    }

    /// Of a constant and something.
    fn product(&mut self, x: &Int, y: &Int) -> Option<Int> {
        match (x.range.as_point(), y.range.as_point()) {
            (_, Some(c)) => Some(self.scaled(x, c)),
            (Some(c), _) => Some(self.scaled(y, c)),
            _ => None,
        }
    }

    fn vector(&mut self, t: TermId, w: u8) -> Int {
        let node = *self.terms.node(t);
        let a = node.args.iter().next().unwrap_or(t);
        let b = node.args.iter().nth(1).unwrap_or(a);
        match node.op {
            Op::BvConst(_) => {
                let value = crate::sort::to_signed(self.terms.as_bv(t).unwrap_or(0), w);
                match self.constants.expr(&mut self.exprs, value) {
                    // The interval is that of the constant, as what can be decided by it is decided.
                    Some(expr) => Int { expr, range: Interval::point(value) },
                    None => self.number(value),
                }
            }
            Op::Ite => self.choice(node.args[0], node.args[1], node.args[2]),
            Op::BvNeg => {
                let x = self.int(a);
                self.scaled(&x, &BigInt::from(-1))
            }
            Op::BvNot => self.complement(a),
            Op::Add | Op::Sub => {
                let (x, y) = (self.int(a), self.int(b));
                if node.op == Op::Add { self.sum(&x, &y) } else { self.difference(&x, &y) }
            }
            Op::Mul => self.multiplication(a, b, w),
            Op::UDiv | Op::URem | Op::SDiv | Op::SRem => self.division(node.op, a, b, w),
            Op::Shl | Op::LShr | Op::AShr => self.shift(node.op, a, b, w),
            Op::BvAnd | Op::BvOr | Op::BvXor => self.bitwise(node.op, a, b, w),
            Op::Concat => {
                let (high, low) = (self.int(a), self.read(b, false));
                let high = self.scaled(&high, &pow2(self.terms.width(b).into()));
                self.sum(&high, &low)
            }
            Op::Extract { lo, .. } => {
                // Any integer congruent to the vector does: what is above the extracted bits is a multiple of their range.
                let x = self.int(a);
                self.divide(&x, &pow2(lo.into())).0
            }
            Op::ZExt => self.read(a, false),
            Op::SExt => self.read(a, true),
            Op::BoolToBv => {
                let c = self.plain(a);
                self.bit(c)
            }
            Op::Select => {
                let (array, index) = (self.plain(a), self.read(b, true));
                let expr = self.exprs.apply("select", &[array, index.expr]);
                let range = Interval::new(0, 255);
                self.within(expr, &range);
                Int { expr, range }
            }
            _ => self.fresh(Interval::of_width(w, true)),
        }
    }

    fn bit(&mut self, c: Expr) -> Int {
        let (one, zero) = (self.exprs.number(1), self.exprs.number(0));
        Int { expr: self.exprs.ite(c, one, zero), range: Interval::new(0, 1) }
    }

    fn choice(&mut self, c: TermId, a: TermId, b: TermId) -> Int {
        let c = self.plain(c);
        let (x, y) = (self.int(a), self.int(b));
        Int { expr: self.exprs.ite(c, x.expr, y.expr), range: x.range.hull(&y.range) }
    }

    /// −x − 1.
    fn complement(&mut self, a: TermId) -> Int {
        let x = self.int(a);
        let negated = self.scaled(&x, &BigInt::from(-1));
        let one = self.number(-1);
        self.sum(&negated, &one)
    }

    fn multiplication(&mut self, a: TermId, b: TermId, w: u8) -> Int {
        let (x, y) = (self.int(a), self.int(b));
        if let Some(product) = self.product(&x, &y) {
            return product;
        }
        let range = x.range.mul(&y.range);
        let home = Interval::of_width(w, true);
        self.fresh(if range.within(&home) { range } else { home })
    }

    fn division(&mut self, op: Op, a: TermId, b: TermId, w: u8) -> Int {
        let signed = matches!(op, Op::SDiv | Op::SRem);
        let (x, y) = (self.read(a, signed), self.read(b, signed));
        let (quotient, rest) = match y.range.as_point() {
            Some(c) if c.sign() != Sign::NoSign => self.truncated(&x, &c.clone()),
            _ => return if signed { self.any_signed(op, &x, &y, w) } else { self.any_unsigned(op, &x, &y, w) },
        };
        if matches!(op, Op::UDiv | Op::SDiv) { quotient } else { rest }
    }

    /// Quotient, rounded towards zero, and remainder by a constant other than zero.
    fn truncated(&mut self, x: &Int, by: &BigInt) -> (Int, Int) {
        let size = BigInt::from(by.magnitude().clone());
        let (floor, rest) = self.divide(x, &size);
        let (quotient, rest) =
            if x.range.lo.sign() == Sign::Minus { self.towards_zero(x, floor, rest, &size) } else { (floor, rest) };
        let quotient = if by.sign() == Sign::Minus { self.scaled(&quotient, &BigInt::from(-1)) } else { quotient };
        (quotient, rest)
    }

    /// Where x is negative and no multiple, the quotient is one more, and the remainder less by the divisor.
    fn towards_zero(&mut self, x: &Int, floor: Int, rest: Int, size: &BigInt) -> (Int, Int) {
        let zero = self.exprs.number(0);
        let negative = self.exprs.lt(x.expr, zero);
        let exact = self.exprs.eq(rest.expr, zero);
        let inexact = self.exprs.not(exact);
        let adjust = self.exprs.and(negative, inexact);
        let up = self.exprs.add_number(floor.expr, &BigInt::from(1));
        let down = self.exprs.add_number(rest.expr, &-size);
        let quotient = Int {
            expr: self.exprs.ite(adjust, up, floor.expr),
            range: Interval { lo: floor.range.lo, hi: floor.range.hi + 1 },
        };
        let rest = Int { expr: self.exprs.ite(adjust, down, rest.expr), range: Interval::new(1 - size, size - 1) };
        (quotient, rest)
    }

    /// By a divisor that is not known: any value within bounds.
    fn any_unsigned(&mut self, op: Op, x: &Int, y: &Int, w: u8) -> Int {
        let result = self.fresh(Interval::of_width(w, false));
        let zero = self.exprs.number(0);
        let by_zero = self.exprs.eq(y.expr, zero);
        let at_most = self.exprs.le(result.expr, x.expr);
        if op == Op::UDiv {
            let ones = self.exprs.number(BigInt::from(mask(w)));
            let is_ones = self.exprs.eq(result.expr, ones);
            let bounded = self.exprs.ite(by_zero, is_ones, at_most);
            self.state(bounded);
        } else {
            self.state(at_most);
            let less = self.exprs.lt(result.expr, y.expr);
            let bounded = self.exprs.or(by_zero, less);
            self.state(bounded);
        }
        result
    }

    fn any_signed(&mut self, op: Op, x: &Int, y: &Int, w: u8) -> Int {
        let result = self.fresh(Interval::of_width(w, true));
        let zero = self.exprs.number(0);
        let positive = self.exprs.le(zero, x.expr);
        let (above, below) = (self.exprs.le(zero, result.expr), self.exprs.le(result.expr, x.expr));
        let shrunk = self.exprs.and(above, below);
        if op == Op::SDiv {
            let divisor = self.exprs.lt(zero, y.expr);
            let plain = self.exprs.and(positive, divisor);
            let bounded = self.exprs.implies(plain, shrunk);
            self.state(bounded);
            return result;
        }
        let (below, above) = (self.exprs.le(result.expr, zero), self.exprs.le(x.expr, result.expr));
        let negative = self.exprs.and(below, above);
        let bounded = self.exprs.ite(positive, shrunk, negative);
        self.state(bounded);
        let minus = self.exprs.scale(y.expr, &BigInt::from(-1));
        for (divisor, opposite) in [(y.expr, minus), (minus, y.expr)] {
            let applies = self.exprs.lt(zero, divisor);
            let (over, under) = (self.exprs.lt(opposite, result.expr), self.exprs.lt(result.expr, divisor));
            let inside = self.exprs.and(over, under);
            let bounded = self.exprs.implies(applies, inside);
            self.state(bounded);
        }
        result
    }

    fn shift(&mut self, op: Op, a: TermId, b: TermId, w: u8) -> Int {
        let signed = op == Op::AShr;
        let amount = self.terms.as_bv(b).map(|n| n.min(w.into()) as u32);
        match (op, amount) {
            (Op::Shl, Some(n)) if n >= u32::from(w) => self.number(0),
            (Op::Shl, Some(n)) => {
                let x = self.int(a);
                self.scaled(&x, &pow2(n))
            }
            (Op::Shl, None) => self.fresh(Interval::of_width(w, true)),
            // Rounding towards −∞ gives all sign bits for large amounts, as it should.
            (_, Some(n)) => {
                let x = self.read(a, signed);
                self.divide(&x, &pow2(n)).0
            }
            (_, None) => {
                let x = self.read(a, signed);
                let result = self.fresh(Interval::of_width(w, signed));
                let zero = self.exprs.number(0);
                let positive = self.exprs.le(zero, x.expr);
                let (low, high) = (self.exprs.le(zero, result.expr), self.exprs.le(result.expr, x.expr));
                let down = self.exprs.and(low, high);
                let (low, high) = (self.exprs.le(x.expr, result.expr), self.exprs.lt(result.expr, zero));
                let up = self.exprs.and(low, high);
                let bounded = self.exprs.ite(positive, down, up);
                self.state(bounded);
                result
            }
        }
    }

    fn bitwise(&mut self, op: Op, a: TermId, b: TermId, w: u8) -> Int {
        if w == 1 {
            return self.single_bits(op, a, b);
        }
        match (op, self.terms.as_bv(b)) {
            (Op::BvAnd, Some(mask)) => {
                if let Some(run) = Run::of(mask) {
                    let x = self.int(a);
                    return self.run_of_bits(&x, run, w);
                }
            }
            (Op::BvXor, Some(c)) if c == mask(w) => return self.complement(a),
            // The top bit flips: adding it does so modulo the width.
            (Op::BvXor, Some(c)) if c == crate::sort::sign_bit(w) => {
                let (x, top) = (self.int(a), self.number(c));
                return self.sum(&x, &top);
            }
            (Op::BvOr, Some(c)) => {
                // a | c = (a & ~c) + c.
                if let Some(run) = Run::of(!c & mask(w)) {
                    let (x, constant) = (self.int(a), self.number(c));
                    let kept = self.run_of_bits(&x, run, w);
                    return self.sum(&kept, &constant);
                }
            }
            _ => {}
        }
        self.any_bits(op, a, b, w)
    }

    fn single_bits(&mut self, op: Op, a: TermId, b: TermId) -> Int {
        let (x, y) = (self.read(a, false), self.read(b, false));
        let one = self.exprs.number(1);
        let (p, q) = (self.exprs.eq(x.expr, one), self.exprs.eq(y.expr, one));
        let c = match op {
            Op::BvAnd => self.exprs.and(p, q),
            Op::BvOr => self.exprs.or(p, q),
            _ => {
                let same = self.exprs.eq(p, q);
                self.exprs.not(same)
            }
        };
        self.bit(c)
    }

    /// The bits of a run, in place, all others zero.
    fn run_of_bits(&mut self, x: &Int, run: Run, w: u8) -> Int {
        let above = self.divide(x, &pow2(run.low)).0;
        if run.low + run.length == u32::from(w) {
            return self.scaled(&above, &pow2(run.low));
        }
        let bits = self.divide(&above, &pow2(run.length)).1;
        self.scaled(&bits, &pow2(run.low))
    }

    /// Any value within the bounds that the operands set.
    fn any_bits(&mut self, op: Op, a: TermId, b: TermId, w: u8) -> Int {
        let (x, y) = (self.read(a, false), self.read(b, false));
        let result = self.fresh(Interval::of_width(w, false));
        let sum = self.exprs.add(x.expr, y.expr);
        for operand in [x.expr, y.expr] {
            match op {
                Op::BvAnd => {
                    let at_most = self.exprs.le(result.expr, operand);
                    self.state(at_most);
                }
                Op::BvOr => {
                    let at_least = self.exprs.le(operand, result.expr);
                    self.state(at_least);
                }
                _ => {}
            }
        }
        if op != Op::BvAnd {
            let at_most = self.exprs.le(result.expr, sum);
            self.state(at_most);
        }
        result
    }
}

/// Neighbouring ones.
#[derive(Clone, Copy)]
struct Run {
    low: u32,
    length: u32,
}

impl Run {
    /// The ones of a mask that has no zero between them.
    fn of(mask: u128) -> Option<Run> {
        if mask == 0 {
            return None;
        }
        let low = mask.trailing_zeros();
        let length = (mask >> low).trailing_ones();
        (length + low == 128 - mask.leading_zeros()).then_some(Run { low, length })
    }
}
