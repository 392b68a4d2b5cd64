//! Floats. Arithmetic rounds to nearest, ties to even, as C does by default.
//!
//! SMT-LIB has one NaN. A C program sees the bits of a NaN only through memory; a caller to whom these matter keeps the
//! bits and converts where it computes.

use crate::float;
use crate::op::Op;
use crate::sort::{FloatKind, Rounding, Sort, sign_bit};
use crate::term::{TermId, Terms};

macro_rules! arithmetic {
    ($($name:ident = $op:ident;)+) => {
        impl Terms {
            $(#[doc = concat!("[`Op::", stringify!($op), "`] of two floats of one format.")]
            pub fn $name(&mut self, a: TermId, b: TermId) -> TermId {
                debug_assert_eq!(self.sort(a), self.sort(b));
                let sort = self.sort(a);
                self.mk(Op::$op, &[a, b], sort)
            })+
        }
    };
}

macro_rules! comparison {
    ($($(#[$doc:meta])* $name:ident = $op:ident;)+) => {
        impl Terms {
            $($(#[$doc])*
            #[doc = concat!("[`Op::", stringify!($op), "`] of two floats of one format, a Boolean.")]
            pub fn $name(&mut self, a: TermId, b: TermId) -> TermId {
                debug_assert_eq!(self.sort(a), self.sort(b));
                self.mk(Op::$op, &[a, b], Sort::Bool)
            })+
        }
    };
}

macro_rules! class_test {
    ($($(#[$doc:meta])* $name:ident = $op:ident;)+) => {
        impl Terms {
            $($(#[$doc])*
            #[doc = concat!("[`Op::", stringify!($op), "`] of a float, a Boolean.")]
            pub fn $name(&mut self, a: TermId) -> TermId {
                debug_assert!(matches!(self.sort(a), Sort::Float(_)));
                self.mk(Op::$op, &[a], Sort::Bool)
            })+
        }
    };
}

arithmetic! {
    f_add = FAdd;
    f_sub = FSub;
    f_mul = FMul;
    f_div = FDiv;
    f_rem = FRem;
}

comparison! {
    /// C's `==`: false where an operand is NaN, and the zeros are equal.
    f_eq = FEq;
    f_lt = FLt;
    f_le = FLe;
}

class_test! {
    f_is_nan = FIsNan;
    f_is_inf = FIsInf;
    f_is_zero = FIsZero;
    f_is_normal = FIsNormal;
    f_is_subnormal = FIsSubnormal;
    /// The sign bit, and not NaN.
    f_is_negative = FIsNegative;
}

impl Terms {
    /// A constant of the single format.
    pub fn f32(&mut self, value: f32) -> TermId {
        self.float(FloatKind::F32, u128::from(value.to_bits()))
    }

    /// A constant of the double format.
    pub fn f64(&mut self, value: f64) -> TermId {
        self.float(FloatKind::F64, u128::from(value.to_bits()))
    }

    /// The format of a float term.
    ///
    /// # Panics
    /// If the term is no float.
    pub fn float_kind(&self, a: TermId) -> FloatKind {
        match self.sort(a) {
            Sort::Float(k) => k,
            other => panic!("{a} is no float but of sort {other}"),
        }
    }

    fn float_unary(&mut self, op: Op, a: TermId) -> TermId {
        let sort = Sort::Float(self.float_kind(a));
        self.mk(op, &[a], sort)
    }

    /// The root, rounded to nearest; of a negative number NaN.
    pub fn f_sqrt(&mut self, a: TermId) -> TermId {
        self.float_unary(Op::FSqrt, a)
    }

    /// `a · b + c`, rounded once.
    pub fn f_fma(&mut self, a: TermId, b: TermId, c: TermId) -> TermId {
        let sort = self.sort(a);
        debug_assert!(self.sort(b) == sort && self.sort(c) == sort);
        self.mk(Op::FFma, &[a, b, c], sort)
    }

    /// To an integral float: `floor`, `ceil`, `trunc`, `round`, `rint`, by mode.
    pub fn f_round(&mut self, a: TermId, mode: Rounding) -> TermId {
        self.float_unary(Op::FRound(mode), a)
    }

    /// The other sign, also of zero.
    pub fn f_neg(&mut self, a: TermId) -> TermId {
        self.float_unary(Op::FNeg, a)
    }

    /// Without its sign.
    pub fn f_abs(&mut self, a: TermId) -> TermId {
        self.float_unary(Op::FAbs, a)
    }

    /// The smaller; the other one where one is NaN; `b` of zeros of either sign. (SMT-LIB and C leave open which zero.)
    pub fn f_min(&mut self, a: TermId, b: TermId) -> TermId {
        let less = self.f_lt(a, b);
        self.f_pick(less, a, b)
    }

    /// The larger; the other one where one is NaN; `b` of zeros of either sign.
    pub fn f_max(&mut self, a: TermId, b: TermId) -> TermId {
        let more = self.f_lt(b, a);
        self.f_pick(more, a, b)
    }

    fn f_pick(&mut self, take_a: TermId, a: TermId, b: TermId) -> TermId {
        let b_is_nan = self.f_is_nan(b);
        let take_a = self.or(take_a, b_is_nan);
        self.ite(take_a, a, b)
    }

    /// To another format.
    pub fn f_to_f(&mut self, a: TermId, to: FloatKind, mode: Rounding) -> TermId {
        if self.float_kind(a) == to { a } else { self.mk(Op::FToF(to, mode), &[a], Sort::Float(to)) }
    }

    /// From a signed bit-vector.
    pub fn s_to_f(&mut self, a: TermId, to: FloatKind, mode: Rounding) -> TermId {
        debug_assert!(matches!(self.sort(a), Sort::Bv(_)));
        self.mk(Op::SToF(to, mode), &[a], Sort::Float(to))
    }

    /// From an unsigned bit-vector.
    pub fn u_to_f(&mut self, a: TermId, to: FloatKind, mode: Rounding) -> TermId {
        debug_assert!(matches!(self.sort(a), Sort::Bv(_)));
        self.mk(Op::UToF(to, mode), &[a], Sort::Float(to))
    }

    /// To a signed integer. Outside the range of the type, where C leaves the behaviour undefined, the result is the
    /// one of x86: only the top bit set. [`Terms::f_in_int_range`] tells.
    pub fn f_to_s(&mut self, a: TermId, width: u8, mode: Rounding) -> TermId {
        self.guarded_to_int(a, width, true, mode)
    }

    /// To an unsigned bit-vector; what does not fit gives what [`Terms::f_to_s`] gives.
    pub fn f_to_u(&mut self, a: TermId, width: u8, mode: Rounding) -> TermId {
        self.guarded_to_int(a, width, false, mode)
    }

    /// The guard makes the value total, so that evaluation and all solvers agree on it.
    fn guarded_to_int(&mut self, a: TermId, width: u8, signed: bool, mode: Rounding) -> TermId {
        let in_range = self.f_in_int_range(a, width, signed, mode);
        let op = if signed { Op::FToS(mode) } else { Op::FToU(mode) };
        let converted = self.mk(op, &[a], Sort::Bv(width));
        let outside = self.bv(sign_bit(width), width);
        self.ite(in_range, converted, outside)
    }

    /// Whether the float, rounded, fits into an integer of that width.
    pub fn f_in_int_range(&mut self, a: TermId, width: u8, signed: bool, mode: Rounding) -> TermId {
        let kind = self.float_kind(a);
        let (low, high) = if signed {
            (float::power_of_two(kind, width - 1, true), float::power_of_two(kind, width - 1, false))
        } else {
            (float::zero(kind, false), float::power_of_two(kind, width, false))
        };
        let (low_term, high) = (self.float(kind, low), self.float(kind, high));
        if mode != Rounding::Zero {
            let rounded = self.f_round(a, mode);
            let (above, below) = (self.f_le(low_term, rounded), self.f_lt(rounded, high));
            return self.and(above, below);
        }
        // Truncation needs no rounding operation, which is dear in a solver: trunc(a) < high iff a < high, and
        // low <= trunc(a) iff low - 1 < a. Where low - 1 is no float, no float lies between it and low.
        let one = float::power_of_two(kind, 0, false);
        let representable = !signed || width <= kind.significand_bits();
        let above = if representable {
            let bound = self.float(kind, float::sub(kind, low, one));
            self.f_lt(bound, a)
        } else {
            self.f_le(low_term, a)
        };
        let below = self.f_lt(a, high);
        self.and(above, below)
    }

    /// The float with these bits in memory (80 for `F80`).
    pub fn bits_to_f(&mut self, bits: TermId, kind: FloatKind) -> TermId {
        debug_assert_eq!(self.sort(bits), Sort::Bv(kind.bits()));
        let ieee = if kind == FloatKind::F80 { self.ieee_of_x87(bits) } else { bits };
        self.mk(Op::IeeeToF(kind), &[ieee], Sort::Float(kind))
    }

    /// The explicit leading bit goes; a pattern where it contradicts the exponent becomes what the processor takes it for.
    fn ieee_of_x87(&mut self, bits: TermId) -> TermId {
        let sign = self.extract(bits, 79, 79);
        let exponent = self.extract(bits, 78, 64);
        let leading = self.extract(bits, 63, 63);
        let leading = self.bv_to_bool(leading);
        let fraction = self.extract(bits, 62, 0);
        let has_exponent = self.nonzero(exponent);
        let one = self.bv(1, 15);
        // A pseudo-denormal, exponent 0 with the leading bit, means exponent 1.
        let pseudo = self.ite(leading, one, exponent);
        let exponent = self.ite(has_exponent, exponent, pseudo);
        let high = self.concat(sign, exponent);
        let number = self.concat(high, fraction);
        let not_leading = self.not(leading);
        let invalid = self.and(has_exponent, not_leading);
        let nan = self.bv(float::to_ieee(FloatKind::F80, float::nan(FloatKind::F80)), 79);
        self.ite(invalid, nan, number)
    }

    /// The bits in memory. NaN gives the canonical quiet NaN.
    pub fn f_to_bits(&mut self, a: TermId) -> TermId {
        let kind = self.float_kind(a);
        let ieee = self.mk(Op::FToIeee, &[a], Sort::Bv(kind.ieee_bits()));
        if kind != FloatKind::F80 {
            return ieee;
        }
        let high = self.extract(ieee, 78, 63);
        let exponent = self.extract(ieee, 77, 63);
        let leading = self.nonzero(exponent);
        let leading = self.bool_to_bv(leading);
        let fraction = self.extract(ieee, 62, 0);
        let low = self.concat(leading, fraction);
        self.concat(high, low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::eval;
    use crate::value::{Model, Value};

    #[test]
    fn x87_patterns_through_terms() {
        let mut t = Terms::new();
        let b = t.var("b", Sort::Bv(80));
        let tb = t.var_term(b);
        let f = t.bits_to_f(tb, FloatKind::F80);
        let back = t.f_to_bits(f);
        for bits in [
            0u128,
            0x3fff_8000_0000_0000_0000,
            0xbfff_8000_0000_0000_0001,
            0x3fff_0000_0000_0000_0000,
            0x0000_8000_0000_0000_0001,
            0x0000_0000_0000_0000_0001,
            0x7fff_8000_0000_0000_0000,
            0xffff_8000_0000_0000_0001,
            0x7fff_0000_0000_0000_0000,
        ] {
            let model: Model = [(b, Value::Bv(bits))].into_iter().collect();
            let expected = float::canonical(FloatKind::F80, bits);
            assert_eq!(eval(&t, f, &model), Value::Float(expected), "{bits:x}");
            assert_eq!(eval(&t, back, &model), Value::Bv(expected), "{bits:x}");
        }
    }

    #[test]
    fn conversion_to_integers_is_total() {
        let mut t = Terms::new();
        let x = t.var("x", Sort::Float(FloatKind::F32));
        let tx = t.var_term(x);
        for (width, signed) in [(8, true), (8, false), (32, true), (32, false), (64, true), (128, true), (128, false)] {
            for mode in Rounding::ALL {
                let int = if signed { t.f_to_s(tx, width, mode) } else { t.f_to_u(tx, width, mode) };
                for value in
                    [0.0f32, -0.4, -0.6, 127.5, 128.0, -128.5, -129.0, 255.6, 2e9, 3e9, 1e19, -2e38, 3e38, f32::NAN]
                {
                    let model: Model = [(x, Value::f32(value))].into_iter().collect();
                    let bits = u128::from(value.to_bits());
                    let expected = float::to_integer(FloatKind::F32, bits, width, signed, mode);
                    assert_eq!(
                        eval(&t, int, &model),
                        Value::Bv(expected.unwrap_or(sign_bit(width))),
                        "{value} {width} {signed} {mode:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn minimum_and_maximum() {
        let mut t = Terms::new();
        let (x, y) = (t.var("x", Sort::Float(FloatKind::F64)), t.var("y", Sort::Float(FloatKind::F64)));
        let (tx, ty) = (t.var_term(x), t.var_term(y));
        let (min, max) = (t.f_min(tx, ty), t.f_max(tx, ty));
        for (a, b, lo, hi) in
            [(1.0, 2.0, 1.0, 2.0), (f64::NAN, 2.0, 2.0, 2.0), (3.0, f64::NAN, 3.0, 3.0), (0.0, -0.0, -0.0, -0.0)]
        {
            let model: Model = [(x, Value::f64(a)), (y, Value::f64(b))].into_iter().collect();
            assert_eq!(eval(&t, min, &model), Value::f64(lo));
            assert_eq!(eval(&t, max, &model), Value::f64(hi));
        }
    }
}
