//! Bit-vectors.

use crate::op::Op;
use crate::sort::{Sort, mask};
use crate::term::{TermId, Terms};

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident = $op:ident;)+) => {
        impl Terms {
            $($(#[$doc])*
            #[doc = concat!("[`Op::", stringify!($op), "`] of two bit-vectors of one width.")]
            pub fn $name(&mut self, a: TermId, b: TermId) -> TermId {
                debug_assert_eq!(self.sort(a), self.sort(b));
                let sort = self.sort(a);
                self.mk(Op::$op, &[a, b], sort)
            })+
        }
    };
}

macro_rules! predicate {
    ($($(#[$doc:meta])* $name:ident = $op:ident;)+) => {
        impl Terms {
            $($(#[$doc])*
            #[doc = concat!("[`Op::", stringify!($op), "`] of two bit-vectors of one width, a Boolean.")]
            pub fn $name(&mut self, a: TermId, b: TermId) -> TermId {
                debug_assert_eq!(self.sort(a), self.sort(b));
                debug_assert!(matches!(self.sort(a), Sort::Bv(_)));
                self.mk(Op::$op, &[a, b], Sort::Bool)
            })+
        }
    };
}

binary! {
    add = Add;
    sub = Sub;
    mul = Mul;
    udiv = UDiv;
    urem = URem;
    sdiv = SDiv;
    srem = SRem;
    bv_and = BvAnd;
    bv_or = BvOr;
    bv_xor = BvXor;
    /// Amounts of the width and more give zero, as in SMT-LIB; in C they are undefined.
    shl = Shl;
    lshr = LShr;
    ashr = AShr;
}

predicate! {
    ult = Ult;
    ule = Ule;
    slt = Slt;
    sle = Sle;
    /// Whether the signed addition overflows, and so on.
    saddo = SAddO;
    uaddo = UAddO;
    ssubo = SSubO;
    usubo = USubO;
    smulo = SMulO;
    umulo = UMulO;
}

impl Terms {
    /// Unsigned `a > b`.
    pub fn ugt(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(b, a)
    }

    /// Unsigned `a >= b`.
    pub fn uge(&mut self, a: TermId, b: TermId) -> TermId {
        self.ule(b, a)
    }

    /// Signed `a > b`.
    pub fn sgt(&mut self, a: TermId, b: TermId) -> TermId {
        self.slt(b, a)
    }

    /// Signed `a >= b`.
    pub fn sge(&mut self, a: TermId, b: TermId) -> TermId {
        self.sle(b, a)
    }

    /// All bits turned.
    pub fn bv_not(&mut self, a: TermId) -> TermId {
        let sort = self.sort(a);
        self.mk(Op::BvNot, &[a], sort)
    }

    /// The two's complement.
    pub fn neg(&mut self, a: TermId) -> TermId {
        let sort = self.sort(a);
        self.mk(Op::BvNeg, &[a], sort)
    }

    /// The bits that are not set in both.
    pub fn bv_nand(&mut self, a: TermId, b: TermId) -> TermId {
        let both = self.bv_and(a, b);
        self.bv_not(both)
    }

    /// The bits that are set in neither.
    pub fn bv_nor(&mut self, a: TermId, b: TermId) -> TermId {
        let any = self.bv_or(a, b);
        self.bv_not(any)
    }

    /// The bits that are the same in both.
    pub fn bv_xnor(&mut self, a: TermId, b: TermId) -> TermId {
        let differ = self.bv_xor(a, b);
        self.bv_not(differ)
    }

    /// SMT-LIB's `bvcomp`: 1 where the two are equal.
    pub fn bv_comp(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.eq(a, b);
        self.bool_to_bv(same)
    }

    /// The remainder with the sign of the divisor.
    pub fn smod(&mut self, a: TermId, b: TermId) -> TermId {
        let zero = self.bv(0, self.width(a));
        let rem = self.srem(a, b);
        let (rem_neg, b_neg) = (self.slt(rem, zero), self.slt(b, zero));
        let differ = self.xor(rem_neg, b_neg);
        let nonzero = self.nonzero(rem);
        let adjust = self.and(differ, nonzero);
        let adjusted = self.add(rem, b);
        let result = self.ite(adjust, adjusted, rem);
        // For a zero divisor the result is the dividend; `rem` is that already, and adding zero keeps it.
        debug_assert_eq!(self.sort(result), self.sort(a));
        result
    }

    /// `hi` becomes the upper bits.
    ///
    /// # Panics
    /// If the result is wider than 128 bits.
    pub fn concat(&mut self, hi: TermId, lo: TermId) -> TermId {
        let width = self.width(hi) + self.width(lo);
        assert!(width <= 128, "bit-vectors have at most 128 bits");
        self.mk(Op::Concat, &[hi, lo], Sort::Bv(width))
    }

    /// Bits `hi` down to `lo`, both included.
    pub fn extract(&mut self, a: TermId, hi: u8, lo: u8) -> TermId {
        debug_assert!(lo <= hi && hi < self.width(a));
        self.mk(Op::Extract { hi, lo }, &[a], Sort::Bv(hi - lo + 1))
    }

    /// The lower `width` bits.
    pub fn trunc(&mut self, a: TermId, width: u8) -> TermId {
        self.extract(a, width - 1, 0)
    }

    /// Zero-extends to `width` bits in all; the same width is the identity.
    pub fn zext(&mut self, a: TermId, width: u8) -> TermId {
        debug_assert!(width >= self.width(a) && width <= 128);
        if width == self.width(a) { a } else { self.mk(Op::ZExt, &[a], Sort::Bv(width)) }
    }

    /// Sign-extends to `width` bits in all.
    pub fn sext(&mut self, a: TermId, width: u8) -> TermId {
        debug_assert!(width >= self.width(a) && width <= 128);
        if width == self.width(a) { a } else { self.mk(Op::SExt, &[a], Sort::Bv(width)) }
    }

    /// Several times the same bits; at most 128 in all.
    pub fn repeat(&mut self, a: TermId, times: u8) -> TermId {
        let mut result = a;
        for _ in 1..times {
            result = self.concat(a, result);
        }
        result
    }

    /// What leaves at the top comes in at the bottom; amounts count modulo the width.
    pub fn rotate_left(&mut self, a: TermId, by: u8) -> TermId {
        let w = self.width(a);
        let by = by % w;
        if by == 0 {
            return a;
        }
        let (high, low) = (self.extract(a, w - by - 1, 0), self.extract(a, w - 1, w - by));
        self.concat(high, low)
    }

    /// What leaves at the bottom comes in at the top; amounts count modulo the width.
    pub fn rotate_right(&mut self, a: TermId, by: u8) -> TermId {
        let w = self.width(a);
        self.rotate_left(a, w - by % w)
    }

    /// The unsigned minimum.
    pub fn umin(&mut self, a: TermId, b: TermId) -> TermId {
        let less = self.ult(a, b);
        self.ite(less, a, b)
    }

    /// The unsigned maximum.
    pub fn umax(&mut self, a: TermId, b: TermId) -> TermId {
        let less = self.ult(a, b);
        self.ite(less, b, a)
    }

    /// The signed minimum.
    pub fn smin(&mut self, a: TermId, b: TermId) -> TermId {
        let less = self.slt(a, b);
        self.ite(less, a, b)
    }

    /// The signed maximum.
    pub fn smax(&mut self, a: TermId, b: TermId) -> TermId {
        let less = self.slt(a, b);
        self.ite(less, b, a)
    }

    /// All ones.
    pub fn ones(&mut self, width: u8) -> TermId {
        self.bv(mask(width), width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::eval;
    use crate::sort::to_signed;
    use crate::value::{Model, Value};

    /// Evaluates `build(x, y)` on all pairs of 4-bit values.
    fn check(build: impl Fn(&mut Terms, TermId, TermId) -> TermId, expected: impl Fn(u128, u128) -> u128) {
        let mut t = Terms::new();
        let (x, y) = (t.var("x", Sort::Bv(4)), t.var("y", Sort::Bv(4)));
        let (tx, ty) = (t.var_term(x), t.var_term(y));
        let term = build(&mut t, tx, ty);
        for a in 0..16 {
            for b in 0..16 {
                let model: Model = [(x, Value::Bv(a)), (y, Value::Bv(b))].into_iter().collect();
                assert_eq!(eval(&t, term, &model).bits(), Some(expected(a, b)), "{a} {b}");
            }
        }
    }

    #[test]
    fn derived_operations() {
        check(|t, x, y| t.bv_nand(x, y), |a, b| !(a & b) & 15);
        check(|t, x, y| t.bv_nor(x, y), |a, b| !(a | b) & 15);
        check(|t, x, y| t.bv_xnor(x, y), |a, b| !(a ^ b) & 15);
        check(|t, x, y| t.bv_comp(x, y), |a, b| u128::from(a == b));
        check(|t, x, _| t.rotate_left(x, 3), |a, _| (a << 3 | a >> 1) & 15);
        check(|t, x, _| t.rotate_right(x, 7), |a, _| (a >> 3 | a << 1) & 15);
        check(|t, x, _| t.repeat(x, 3), |a, _| a << 8 | a << 4 | a);
        check(|t, x, y| t.umax(x, y), |a, b| a.max(b));
        check(|t, x, y| t.smin(x, y), |a, b| if to_signed(a, 4) < to_signed(b, 4) { a } else { b });
        check(
            |t, x, y| t.smod(x, y),
            |a, b| {
                let (a, b) = (to_signed(a, 4), to_signed(b, 4));
                if b == 0 {
                    a as u128 & 15
                } else {
                    (a - b * a.div_euclid(b) + if b < 0 && a.rem_euclid(b) != 0 { b } else { 0 }) as u128 & 15
                }
            },
        );
    }
}
