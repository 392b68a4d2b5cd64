//! Sets of bit-vectors: known bits, an unsigned and a signed interval, each tightened by the others.

use crate::sort::{mask, sign_bit, to_signed};

/// A set of values of one width, never empty. A Boolean is a vector of one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// In bits.
    pub width: u8,
    /// Bits that are certainly zero.
    pub zeros: u128,
    /// Bits that are certainly one.
    pub ones: u128,
    /// Unsigned bounds, both included.
    pub lo: u128,
    /// The largest unsigned value.
    pub hi: u128,
    /// Signed bounds, both included.
    pub slo: i128,
    /// The largest signed value.
    pub shi: i128,
}

impl Range {
    /// All values.
    pub fn top(width: u8) -> Range {
        Range {
            width,
            zeros: 0,
            ones: 0,
            lo: 0,
            hi: mask(width),
            slo: to_signed(sign_bit(width), width),
            shi: (mask(width) >> 1) as i128,
        }
    }

    /// One value, cut to the width.
    pub fn exactly(value: u128, width: u8) -> Range {
        let value = value & mask(width);
        let signed = to_signed(value, width);
        Range { width, zeros: !value & mask(width), ones: value, lo: value, hi: value, slo: signed, shi: signed }
    }

    /// A known Boolean, or either.
    pub fn bool(value: Option<bool>) -> Range {
        value.map_or(Range::top(1), |v| Range::exactly(u128::from(v), 1))
    }

    /// What lies between unsigned bounds, both included; nothing where that is no value.
    pub fn unsigned(width: u8, lo: u128, hi: u128) -> Option<Range> {
        Range { lo, hi, ..Range::top(width) }.reduce()
    }

    /// What lies between signed bounds, both included; nothing where that is no value.
    pub fn signed(width: u8, slo: i128, shi: i128) -> Option<Range> {
        Range { slo, shi, ..Range::top(width) }.reduce()
    }

    /// All values with these bits known; nothing where a bit is said to be both.
    pub fn bits(width: u8, zeros: u128, ones: u128) -> Option<Range> {
        Range { zeros: zeros & mask(width), ones: ones & mask(width), ..Range::top(width) }.reduce()
    }

    /// The only value, if there is one.
    pub fn value(&self) -> Option<u128> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Which Boolean it is, if it is known.
    pub fn as_bool(&self) -> Option<bool> {
        self.value().map(|v| v == 1)
    }

    /// Whether the value may be one of the set: all three views have it.
    pub fn contains(&self, value: u128) -> bool {
        let signed = to_signed(value, self.width);
        value & self.zeros == 0
            && !value & self.ones == 0
            && (self.lo..=self.hi).contains(&value)
            && (self.slo..=self.shi).contains(&signed)
    }

    /// Values in both; `None` if there are none.
    pub fn meet(&self, other: &Range) -> Option<Range> {
        Range {
            width: self.width,
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
            lo: self.lo.max(other.lo),
            hi: self.hi.min(other.hi),
            slo: self.slo.max(other.slo),
            shi: self.shi.min(other.shi),
        }
        .reduce()
    }

    /// At least the values of either.
    pub fn join(&self, other: &Range) -> Range {
        Range {
            width: self.width,
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            slo: self.slo.min(other.slo),
            shi: self.shi.max(other.shi),
        }
    }

    /// Lets each view tighten the others; `None` if nothing is left.
    pub fn reduce(mut self) -> Option<Range> {
        // Two rounds carry what one view learns through the other two; more would gain next to nothing.
        for _ in 0..2 {
            if self.zeros & self.ones != 0 {
                return None;
            }
            self.lo = self.lo.max(self.ones);
            self.hi = self.hi.min(!self.zeros & mask(self.width));
            self.exchange_signs();
            if self.lo > self.hi || self.slo > self.shi {
                return None;
            }
            self.learn_prefix();
        }
        (self.zeros & self.ones == 0).then_some(self)
    }

    /// Where all values have one sign, the two intervals are the same.
    fn exchange_signs(&mut self) {
        let w = self.width;
        let sign = sign_bit(w);
        if self.hi < sign || self.lo >= sign {
            self.slo = self.slo.max(to_signed(self.lo, w));
            self.shi = self.shi.min(to_signed(self.hi, w));
        }
        if self.slo >= 0 || self.shi < 0 {
            self.lo = self.lo.max(self.slo as u128 & mask(w));
            self.hi = self.hi.min(self.shi as u128 & mask(w));
        }
    }

    /// The leading bits that both bounds share are known.
    fn learn_prefix(&mut self) {
        let differ = self.lo ^ self.hi;
        let unknown = if differ == 0 { 0 } else { u128::MAX >> differ.leading_zeros() };
        let known = !unknown & mask(self.width);
        self.ones |= self.lo & known;
        self.zeros |= !self.lo & known;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    /// A random range with a value that is in it.
    fn random(rng: &mut Rng, w: u8) -> (Range, u128) {
        let value = rng.bits(w);
        let signed = to_signed(value, w);
        let (a, b) = (rng.bits(w), rng.bits(w));
        let (sa, sb) = (to_signed(rng.bits(w), w), to_signed(rng.bits(w), w));
        let known = rng.bits(w) & rng.bits(w);
        let range = Range {
            width: w,
            zeros: !value & known & mask(w),
            ones: value & known,
            lo: a.min(value),
            hi: b.max(value),
            slo: sa.min(signed),
            shi: sb.max(signed),
        };
        (range, value)
    }

    #[test]
    fn views_agree_with_membership() {
        let mut rng = Rng::new(7);
        for _ in 0..20_000 {
            let w = [1, 3, 4, 8, 64, 128][rng.below(6)];
            let (raw, value) = random(&mut rng, w);
            let range = raw.reduce().expect("a value is left");
            assert!(range.contains(value), "{raw:?} {value}");
            let (other, v2) = random(&mut rng, w);
            let joined = range.join(&other);
            assert!(joined.contains(value) && joined.contains(v2));
            if let Some(met) = range.meet(&other) {
                assert_eq!(met.contains(value), range.contains(value) && other.contains(value));
            } else {
                assert!(!other.contains(value) || !range.contains(value));
            }
        }
    }

    #[test]
    fn narrow_ranges_are_exact() {
        // At four bits everything can be listed: reduction must not lose members.
        let mut rng = Rng::new(3);
        for _ in 0..5_000 {
            let (raw, _) = random(&mut rng, 4);
            let before: Vec<u128> = (0..16).filter(|v| raw.contains(*v)).collect();
            let reduced = raw.reduce().expect("a value is left");
            let after: Vec<u128> = (0..16).filter(|v| reduced.contains(*v)).collect();
            assert_eq!(before, after);
        }
    }

    #[test]
    fn views_tighten_each_other() {
        let r = Range::unsigned(8, 0x40, 0x47).unwrap();
        assert_eq!((r.ones, r.zeros), (0x40, 0xb8));
        let r = Range::signed(8, -3, -1).unwrap();
        assert_eq!((r.lo, r.hi), (0xfd, 0xff));
        assert_eq!(Range::bits(8, 0xf0, 0x01).unwrap().hi, 0x0f);
        assert!(Range::unsigned(8, 5, 4).is_none());
    }
}
