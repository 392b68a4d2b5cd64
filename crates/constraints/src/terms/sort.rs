//! The sorts of terms.

use std::fmt;

/// A floating-point format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatKind {
    /// IEEE single.
    F32,
    /// IEEE double.
    F64,
    /// The x87 format. SMT-LIB knows it as 15 exponent and 64 significand bits, where the leading bit of the
    /// significand is hidden as in the other formats; in memory that bit is explicit, hence 80 bits.
    F80,
}

impl FloatKind {
    /// All formats, the smallest first.
    pub const ALL: [FloatKind; 3] = [FloatKind::F32, FloatKind::F64, FloatKind::F80];

    /// Bits in memory: 32, 64, 80.
    pub const fn bits(self) -> u8 {
        match self {
            FloatKind::F32 => 32,
            FloatKind::F64 => 64,
            FloatKind::F80 => 80,
        }
    }

    /// Bits of SMT-LIB's encoding, with a hidden leading bit: 32, 64, 79.
    pub const fn ieee_bits(self) -> u8 {
        self.exponent_bits() + self.significand_bits()
    }

    /// The width of the exponent.
    pub const fn exponent_bits(self) -> u8 {
        match self {
            FloatKind::F32 => 8,
            FloatKind::F64 => 11,
            FloatKind::F80 => 15,
        }
    }

    /// Precision, with the leading bit.
    pub const fn significand_bits(self) -> u8 {
        match self {
            FloatKind::F32 => 24,
            FloatKind::F64 => 53,
            FloatKind::F80 => 64,
        }
    }
}

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// True or false; no bit-vector of one bit.
    Bool,
    /// A bit-vector of 1 to 128 bits.
    Bv(u8),
    /// A number of that format; there is one NaN.
    Float(FloatKind),
    /// Bytes indexed by 64-bit offsets, for objects that are too large for selections.
    Array,
}

impl Sort {
    /// The width of a bit-vector; 1 for a Boolean, the bits in memory for a float.
    ///
    /// # Panics
    /// On arrays, which have none.
    pub fn width(self) -> u8 {
        match self {
            Sort::Bool => 1,
            Sort::Bv(w) => w,
            Sort::Float(k) => k.bits(),
            Sort::Array => panic!("an array has no width"),
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Bv(w) => write!(f, "(_ BitVec {w})"),
            Sort::Float(k) => write!(f, "(_ FloatingPoint {} {})", k.exponent_bits(), k.significand_bits()),
            Sort::Array => f.write_str("(Array (_ BitVec 64) (_ BitVec 8))"),
        }
    }
}

/// How a float operation rounds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rounding {
    /// To nearest, ties to even: what C arithmetic does unless told otherwise.
    NearestEven,
    /// To nearest, ties away from zero: `round`.
    NearestAway,
    /// Towards +∞: `ceil`.
    Up,
    /// Towards −∞: `floor`.
    Down,
    /// Towards zero: `trunc` and the conversion to integers.
    Zero,
}

impl Rounding {
    /// All modes.
    pub const ALL: [Rounding; 5] =
        [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];

    /// Its name in a script.
    pub fn smt_name(self) -> &'static str {
        match self {
            Rounding::NearestEven => "RNE",
            Rounding::NearestAway => "RNA",
            Rounding::Up => "RTP",
            Rounding::Down => "RTN",
            Rounding::Zero => "RTZ",
        }
    }
}

/// The bits of a vector of width `w` that are all ones.
pub const fn mask(w: u8) -> u128 {
    if w >= 128 { u128::MAX } else { (1 << w) - 1 }
}

/// The top bit of a vector of width `w`.
pub const fn sign_bit(w: u8) -> u128 {
    1 << (w - 1)
}

/// The two's complement value of the low `w` bits.
pub const fn to_signed(value: u128, w: u8) -> i128 {
    let shift = 128 - w as u32;
    ((value << shift) as i128) >> shift
}
