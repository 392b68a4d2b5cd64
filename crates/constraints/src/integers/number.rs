//! Integers and intervals of them.

use num_bigint::{BigInt, Sign};

pub(super) fn pow2(exponent: u32) -> BigInt {
    BigInt::from(1) << exponent
}

/// Rounds towards −∞; the divisor is positive.
pub(super) fn floor_div(a: &BigInt, b: &BigInt) -> BigInt {
    debug_assert!(b.sign() == Sign::Plus);
    let (quotient, rest) = (a / b, a % b);
    if rest.sign() == Sign::Minus { quotient - 1 } else { quotient }
}

/// The bits of an integer as a word of this width.
pub fn residue(n: &BigInt, width: u8) -> Option<u128> {
    let size = pow2(width.into());
    u128::try_from(((n % &size) + &size) % &size).ok()
}

/// All integers from `lo` to `hi`; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least.
    pub lo: BigInt,
    /// The greatest.
    pub hi: BigInt,
}

impl Interval {
    /// The bounds must be in order.
    pub fn new(lo: impl Into<BigInt>, hi: impl Into<BigInt>) -> Interval {
        let (lo, hi) = (lo.into(), hi.into());
        debug_assert!(lo <= hi);
        Interval { lo, hi }
    }

    /// One integer.
    pub fn point(value: impl Into<BigInt>) -> Interval {
        let value = value.into();
        Interval { lo: value.clone(), hi: value }
    }

    /// What a vector of this width can be in this reading.
    pub fn of_width(width: u8, signed: bool) -> Interval {
        if signed {
            let half = pow2(u32::from(width) - 1);
            Interval { lo: -&half, hi: half - 1 }
        } else {
            Interval { lo: BigInt::from(0), hi: pow2(width.into()) - 1 }
        }
    }

    /// The integer, if it is one.
    pub fn as_point(&self) -> Option<&BigInt> {
        (self.lo == self.hi).then_some(&self.lo)
    }

    /// Whether all of it is in the other.
    pub fn within(&self, other: &Interval) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    /// The smallest interval with all of both.
    pub fn hull(&self, other: &Interval) -> Interval {
        Interval { lo: (&self.lo).min(&other.lo).clone(), hi: (&self.hi).max(&other.hi).clone() }
    }

    /// All sums.
    pub fn add(&self, other: &Interval) -> Interval {
        Interval { lo: &self.lo + &other.lo, hi: &self.hi + &other.hi }
    }

    /// All products with a constant of either sign.
    pub fn scale(&self, by: &BigInt) -> Interval {
        let (a, b) = (&self.lo * by, &self.hi * by);
        if a <= b { Interval { lo: a, hi: b } } else { Interval { lo: b, hi: a } }
    }

    /// The smallest interval with all products.
    pub fn mul(&self, other: &Interval) -> Interval {
        self.scale(&other.lo).hull(&self.scale(&other.hi))
    }

    /// Of the quotients rounded towards −∞; the divisor is positive.
    pub fn floor_div(&self, by: &BigInt) -> Interval {
        Interval { lo: floor_div(&self.lo, by), hi: floor_div(&self.hi, by) }
    }

    /// The least width whose signed reading holds all of them.
    pub fn signed_bits(&self) -> u64 {
        let bits = |v: &BigInt| if v.sign() == Sign::Minus { (-v - 1u32).bits() } else { v.bits() };
        bits(&self.lo).max(bits(&self.hi)) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_what_they_should() {
        for a in -9i64..9 {
            for b in a..9 {
                let x = Interval::new(a, b);
                assert_eq!(x.floor_div(&4.into()), Interval::new(a.div_euclid(4), b.div_euclid(4)));
                let width = (1..).find(|w| x.within(&Interval::of_width(*w, true))).unwrap();
                assert_eq!(x.signed_bits(), u64::from(width));
                for c in -5i64..5 {
                    let products = [a * c, a * (c + 2), b * c, b * (c + 2)];
                    let expected = Interval::new(*products.iter().min().unwrap(), *products.iter().max().unwrap());
                    assert_eq!(x.mul(&Interval::new(c, c + 2)), expected);
                }
            }
        }
        assert_eq!(Interval::of_width(8, false), Interval::new(0, 255));
    }
}
