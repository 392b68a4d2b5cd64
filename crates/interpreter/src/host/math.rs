//! Mathematics on bits: what the intrinsics and the functions of math.h compute.

use covenant_program::ir::{Intrinsic, Type};
use rustc_apfloat::ieee::X87DoubleExtended as F80;
use rustc_apfloat::{Float, Round};

use super::libm;

/// A function of math.h for `float` or `double`. The numbers are places in the tables of [`libm`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Function {
    One(u8),
    OneF(u8),
    Two(u8),
    TwoF(u8),
    Special(Special),
}

/// Those with another signature. `F` at the end: the `float` version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum Special {
    Fma,
    FmaF,
    #[strum(serialize = "ldexp", serialize = "scalbn", serialize = "scalbln")]
    Ldexp,
    #[strum(serialize = "ldexpf", serialize = "scalbnf", serialize = "scalblnf")]
    LdexpF,
    Frexp,
    FrexpF,
    Modf,
    ModfF,
    Ilogb,
    IlogbF,
    #[strum(serialize = "lrint", serialize = "llrint")]
    Lrint,
    #[strum(serialize = "lrintf", serialize = "llrintf")]
    LrintF,
    #[strum(serialize = "lround", serialize = "llround")]
    Lround,
    #[strum(serialize = "lroundf", serialize = "llroundf")]
    LroundF,
    Remquo,
    RemquoF,
    Nan,
    NanF,
    Sincos,
    SincosF,
    Nexttoward,
    #[strum(serialize = "__fpclassify")]
    Classify,
    #[strum(serialize = "__fpclassifyf")]
    ClassifyF,
    #[strum(serialize = "__isnan", serialize = "isnan")]
    IsNan,
    #[strum(serialize = "__isnanf", serialize = "isnanf")]
    IsNanF,
    #[strum(serialize = "__isinf", serialize = "isinf")]
    IsInf,
    #[strum(serialize = "__isinff", serialize = "isinff")]
    IsInfF,
    #[strum(serialize = "__finite", serialize = "finite")]
    Finite,
    #[strum(serialize = "__finitef", serialize = "finitef")]
    FiniteF,
    #[strum(serialize = "__signbit")]
    SignBit,
    #[strum(serialize = "__signbitf")]
    SignBitF,
}

impl Function {
    pub(crate) fn named(name: &str) -> Option<Function> {
        if let Ok(special) = name.parse() {
            return (special != Special::Nexttoward).then_some(Function::Special(special));
        }
        let at = |table: &[&str]| table.iter().position(|n| *n == name).map(|i| i as u8);
        let one: Vec<&str> = libm::ONE.iter().map(|f| f.0).collect();
        let onef: Vec<&str> = libm::ONEF.iter().map(|f| f.0).collect();
        let two: Vec<&str> = libm::TWO.iter().map(|f| f.0).collect();
        let twof: Vec<&str> = libm::TWOF.iter().map(|f| f.0).collect();
        (at(&one).map(Function::One))
            .or_else(|| at(&onef).map(Function::OneF))
            .or_else(|| at(&two).map(Function::Two))
            .or_else(|| at(&twof).map(Function::TwoF))
    }
}

pub(crate) fn double(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

pub(crate) fn single(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

fn of64(value: f64) -> u128 {
    u128::from(value.to_bits())
}

fn of32(value: f32) -> u128 {
    u128::from(value.to_bits())
}

/// The bits of the result of a function without pointers, and the `errno` it leaves.
pub(crate) fn simple(function: Function, a: &[u128]) -> Option<(u128, i32)> {
    let arg = |n: usize| a.get(n).copied().unwrap_or(0);
    Some(libm::with_errno(|| match function {
        Function::One(i) => Some(of64(libm::ONE[i as usize].1(double(arg(0))))),
        Function::OneF(i) => Some(of32(libm::ONEF[i as usize].1(single(arg(0))))),
        Function::Two(i) => Some(of64(libm::TWO[i as usize].1(double(arg(0)), double(arg(1))))),
        Function::TwoF(i) => Some(of32(libm::TWOF[i as usize].1(single(arg(0)), single(arg(1))))),
        Function::Special(special) => simple_special(special, [arg(0), arg(1), arg(2)]),
    }))
    .and_then(|(bits, errno)| Some((bits?, errno)))
}

fn simple_special(special: Special, [a, b, c]: [u128; 3]) -> Option<u128> {
    let (x, y) = (double(a), single(a));
    let integer = |i: i32| u128::from(i as u32);
    let long = |v: f64| {
        let fits = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&v);
        u128::from(if fits { v as i64 as u64 } else { 1 << 63 })
    };
    Some(match special {
        Special::Fma => of64(libm::fused(x, double(b), double(c))),
        Special::FmaF => of32(libm::fusedf(y, single(b), single(c))),
        Special::Ldexp => of64(libm::scale(x, b as i32)),
        Special::LdexpF => of32(libm::scalef(y, b as i32)),
        Special::Ilogb => integer(libm::exponent(x)),
        Special::IlogbF => integer(libm::exponentf(y)),
        Special::Lrint => long(x.round_ties_even()),
        Special::LrintF => long(f64::from(y.round_ties_even())),
        Special::Lround => long(x.round()),
        Special::LroundF => long(f64::from(y.round())),
        Special::Classify => integer(classify(x.classify())),
        Special::ClassifyF => integer(classify(y.classify())),
        Special::IsNan => integer(x.is_nan().into()),
        Special::IsNanF => integer(y.is_nan().into()),
        Special::IsInf => integer(if x.is_infinite() { x.signum() as i32 } else { 0 }),
        Special::IsInfF => integer(if y.is_infinite() { y.signum() as i32 } else { 0 }),
        Special::Finite => integer(x.is_finite().into()),
        Special::FiniteF => integer(y.is_finite().into()),
        Special::SignBit => integer(x.is_sign_negative().into()),
        Special::SignBitF => integer(y.is_sign_negative().into()),
        Special::Nan => of64(f64::from_bits(0x7FF8_0000_0000_0000)),
        Special::NanF => of32(f32::from_bits(0x7FC0_0000)),
        _ => return None,
    })
}

/// The values of FP_NAN … FP_NORMAL in math.h.
fn classify(class: std::num::FpCategory) -> i32 {
    match class {
        std::num::FpCategory::Nan => 0,
        std::num::FpCategory::Infinite => 1,
        std::num::FpCategory::Zero => 2,
        std::num::FpCategory::Subnormal => 3,
        std::num::FpCategory::Normal => 4,
    }
}

/// What a function writes through its pointers: which argument, the bits, their type.
type Writes = Vec<(usize, u128, Type)>;

/// Functions that also write through pointers: the result, and what goes where.
pub(crate) fn with_pointers(special: Special, a: &[u128]) -> Option<(u128, Writes)> {
    let arg = |n: usize| a.get(n).copied().unwrap_or(0);
    let (x, y) = (double(arg(0)), single(arg(0)));
    Some(match special {
        Special::Frexp => {
            let (mantissa, n) = libm::split(x);
            (of64(mantissa), vec![(1, u128::from(n as u32), Type::I32)])
        }
        Special::FrexpF => {
            let (mantissa, n) = libm::split(f64::from(y));
            (of32(mantissa as f32), vec![(1, u128::from(n as u32), Type::I32)])
        }
        Special::Modf => {
            let whole = x.trunc();
            let rest = if x.is_infinite() { 0.0 } else { x - whole };
            (of64(rest.copysign(x)), vec![(1, of64(whole), Type::F64)])
        }
        Special::ModfF => {
            let whole = y.trunc();
            let rest = if y.is_infinite() { 0.0 } else { y - whole };
            (of32(rest.copysign(y)), vec![(1, of32(whole), Type::F32)])
        }
        Special::Remquo => {
            let (rest, n) = libm::remainder_quotient(x, double(arg(1)));
            (of64(rest), vec![(2, u128::from(n as u32), Type::I32)])
        }
        Special::RemquoF => {
            let (rest, n) = libm::remainder_quotientf(y, single(arg(1)));
            (of32(rest), vec![(2, u128::from(n as u32), Type::I32)])
        }
        Special::Sincos => (0, vec![(1, of64(x.sin()), Type::F64), (2, of64(x.cos()), Type::F64)]),
        Special::SincosF => (0, vec![(1, of32(y.sin()), Type::F32), (2, of32(y.cos()), Type::F32)]),
        _ => return None,
    })
}

/// An intrinsic on floats; `None`: not for this format.
pub(crate) fn intrinsic(op: Intrinsic, ty: Type, args: [u128; 3]) -> Option<u128> {
    if op == Intrinsic::IsFpClass {
        return Some(u128::from(class_bit(ty, args[0]) & args[1] as u32 != 0));
    }
    match ty {
        Type::F64 => intrinsic64(op, args),
        Type::F32 => intrinsic32(op, args),
        _ => intrinsic80(op, args),
    }
}

fn intrinsic64(op: Intrinsic, [a, b, c]: [u128; 3]) -> Option<u128> {
    let name = libm_name(op);
    let (x, y) = (double(a), double(b));
    Some(of64(match op {
        Intrinsic::FAbs => x.abs(),
        Intrinsic::CopySign => x.copysign(y),
        Intrinsic::Fma => libm::fused(x, y, double(c)),
        Intrinsic::FMulAdd => x * y + double(c),
        Intrinsic::Powi => libm::TWO.iter().find(|f| f.0 == "pow")?.1(x, f64::from(b as i32)),
        _ => match libm::ONE.iter().find(|f| Some(f.0) == name) {
            Some(f) => f.1(x),
            None => libm::TWO.iter().find(|f| Some(f.0) == name)?.1(x, y),
        },
    }))
}

fn intrinsic32(op: Intrinsic, [a, b, c]: [u128; 3]) -> Option<u128> {
    let name = libm_name(op).map(|name| format!("{name}f"));
    let name = name.as_deref();
    let (x, y) = (single(a), single(b));
    Some(of32(match op {
        Intrinsic::FAbs => x.abs(),
        Intrinsic::CopySign => x.copysign(y),
        Intrinsic::Fma => libm::fusedf(x, y, single(c)),
        Intrinsic::FMulAdd => x * y + single(c),
        Intrinsic::Powi => libm::TWOF.iter().find(|f| f.0 == "powf")?.1(x, b as i32 as f32),
        _ => match libm::ONEF.iter().find(|f| Some(f.0) == name) {
            Some(f) => f.1(x),
            None => libm::TWOF.iter().find(|f| Some(f.0) == name)?.1(x, y),
        },
    }))
}

fn libm_name(op: Intrinsic) -> Option<&'static str> {
    Some(match op {
        Intrinsic::Sqrt => "sqrt",
        Intrinsic::Floor => "floor",
        Intrinsic::Ceil => "ceil",
        Intrinsic::FTrunc => "trunc",
        Intrinsic::Round => "round",
        Intrinsic::RoundEven => "roundeven",
        Intrinsic::Rint => "rint",
        Intrinsic::NearbyInt => "nearbyint",
        Intrinsic::MinNum => "fmin",
        Intrinsic::MaxNum => "fmax",
        Intrinsic::Pow => "pow",
        Intrinsic::Exp => "exp",
        Intrinsic::Exp2 => "exp2",
        Intrinsic::Log => "log",
        Intrinsic::Log2 => "log2",
        Intrinsic::Log10 => "log10",
        Intrinsic::Sin => "sin",
        Intrinsic::Cos => "cos",
        _ => return None,
    })
}

fn intrinsic80(op: Intrinsic, [a, b, c]: [u128; 3]) -> Option<u128> {
    let (x, y) = (F80::from_bits(a), F80::from_bits(b));
    let sign = 1u128 << 79;
    let value = match op {
        Intrinsic::FAbs => return Some(a & !sign),
        Intrinsic::CopySign => return Some(a & !sign | b & sign),
        Intrinsic::Floor => x.round_to_integral(Round::TowardNegative).value,
        Intrinsic::Ceil => x.round_to_integral(Round::TowardPositive).value,
        Intrinsic::FTrunc => x.round_to_integral(Round::TowardZero).value,
        Intrinsic::Round => x.round_to_integral(Round::NearestTiesToAway).value,
        Intrinsic::RoundEven | Intrinsic::Rint | Intrinsic::NearbyInt => {
            x.round_to_integral(Round::NearestTiesToEven).value
        }
        Intrinsic::MinNum => x.min(y),
        Intrinsic::MaxNum => x.max(y),
        Intrinsic::Fma => x.mul_add(y, F80::from_bits(c)).value,
        Intrinsic::FMulAdd => ((x * y).value + F80::from_bits(c)).value,
        _ => return None,
    };
    Some(value.to_bits())
}

/// The bit of `llvm.is.fpclass` for the class of a number.
fn class_bit(ty: Type, bits: u128) -> u32 {
    let (negative, category, quiet) = match ty {
        Type::F32 => (bits >> 31 & 1 == 1, single(bits).classify(), bits >> 22 & 1 == 1),
        Type::F64 => (bits >> 63 & 1 == 1, double(bits).classify(), bits >> 51 & 1 == 1),
        _ => {
            let x = F80::from_bits(bits);
            let category = match () {
                () if x.is_nan() => std::num::FpCategory::Nan,
                () if x.is_infinite() => std::num::FpCategory::Infinite,
                () if x.is_zero() => std::num::FpCategory::Zero,
                () if x.is_denormal() => std::num::FpCategory::Subnormal,
                () => std::num::FpCategory::Normal,
            };
            (bits >> 79 & 1 == 1, category, bits >> 62 & 1 == 1)
        }
    };
    let positive = match category {
        std::num::FpCategory::Nan => return if quiet { 2 } else { 1 },
        std::num::FpCategory::Infinite => 9,
        std::num::FpCategory::Normal => 8,
        std::num::FpCategory::Subnormal => 7,
        std::num::FpCategory::Zero => 6,
    };
    // Negative classes mirror the positive ones around the middle.
    1 << if negative { 11 - positive } else { positive }
}
