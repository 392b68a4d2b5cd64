//! Instructions as SMT-LIB text. An `i1` is a bit-vector of one bit; floats of 32 and 64 bits are floats.

use covenant_program::ir::{BinaryOp, CastOp, FloatCmp, IntCmp, Intrinsic, Op, Type};

/// What an operation gives: a text, and where it holds. Elsewhere it gives anything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Meaning {
    pub(super) text: String,
    pub(super) valid: Option<String>,
}

/// An operand.
pub(super) type Arg = (String, Type);

pub(super) fn sort(ty: Type) -> String {
    match ty {
        Type::F32 => "(_ FloatingPoint 8 24)".to_owned(),
        Type::F64 => "(_ FloatingPoint 11 53)".to_owned(),
        ty => format!("(_ BitVec {})", ty.bits()),
    }
}

/// The bits of an integer.
pub(super) fn literal(bits: u128, width: u32) -> String {
    let bits = if width >= 128 { bits } else { bits & ((1 << width) - 1) };
    format!("(_ bv{bits} {width})")
}

/// A constant of the type, from its bits. Floats of 80 bits are only bits here.
pub(super) fn constant(bits: u128, ty: Type) -> String {
    match float(ty) {
        Some(format) => format!("((_ to_fp {format}) {})", literal(bits, ty.bits())),
        None => literal(bits, ty.bits()),
    }
}

pub(super) fn float(ty: Type) -> Option<&'static str> {
    match ty {
        Type::F32 => Some("8 24"),
        Type::F64 => Some("11 53"),
        _ => None,
    }
}

fn flag(condition: &str) -> String {
    format!("(ite {condition} #b1 #b0)")
}

/// The result of this number of an operation whose results depend on its operands alone; `None`: no text says that.
pub(super) fn meaning(op: &Op, args: &[Arg], ty: Type, result: usize) -> Option<Meaning> {
    let always = |text: String| Some(Meaning { text, valid: None });
    if args.iter().any(|(_, ty)| *ty == Type::F80) || ty == Type::F80 {
        return None;
    }
    match (op, args) {
        (Op::Unary { .. }, [(a, _)]) => always(format!("(fp.neg {a})")),
        (Op::Binary { op, .. }, [(a, _), (b, _)]) if op.is_float() => {
            let name = match op {
                BinaryOp::FAdd => "fp.add",
                BinaryOp::FSub => "fp.sub",
                BinaryOp::FMul => "fp.mul",
                BinaryOp::FDiv => "fp.div",
                _ => return None,
            };
            always(format!("({name} RNE {a} {b})"))
        }
        (Op::Binary { op, .. }, [(a, _), (b, _)]) => binary(*op, a, b, ty),
        (Op::IntCmp { cmp, .. }, [(a, _), (b, _)]) => always(flag(&int_cmp(*cmp, a, b))),
        (Op::FloatCmp { cmp, .. }, [(a, _), (b, _)]) => always(flag(&float_cmp(*cmp, a, b))),
        (Op::Cast { op, .. }, [(a, from)]) => always(cast(*op, a, *from, ty)?),
        (Op::Select { .. }, [(c, _), (a, _), (b, _)]) => always(format!("(ite (= {c} #b1) {a} {b})")),
        (Op::Intrinsic { op, .. }, args) => always(intrinsic(*op, args, ty, result)?),
        _ => None,
    }
}

fn binary(op: BinaryOp, a: &str, b: &str, ty: Type) -> Option<Meaning> {
    let name = match op {
        BinaryOp::Add => "bvadd",
        BinaryOp::Sub => "bvsub",
        BinaryOp::Mul => "bvmul",
        BinaryOp::UDiv => "bvudiv",
        BinaryOp::SDiv => "bvsdiv",
        BinaryOp::URem => "bvurem",
        BinaryOp::SRem => "bvsrem",
        BinaryOp::Shl => "bvshl",
        BinaryOp::LShr => "bvlshr",
        BinaryOp::AShr => "bvashr",
        BinaryOp::And => "bvand",
        BinaryOp::Or => "bvor",
        BinaryOp::Xor => "bvxor",
        _ => return None,
    };
    let width = ty.bits();
    let valid = if op.is_shift() {
        // Further is undefined in C.
        Some(format!("(bvult {} {})", widened(b, width), literal(u128::from(width), width.max(8))))
    } else {
        divides(op, a, b, ty)
    };
    Some(Meaning { text: format!("({name} {a} {b})"), valid })
}

/// At least eight bits, so that the width of a type is a number of its own.
fn widened(a: &str, width: u32) -> String {
    if width >= 8 { a.to_owned() } else { format!("((_ zero_extend {}) {a})", 8 - width) }
}

/// When a division does not end the run; `None`: it is no division.
pub(super) fn divides(op: BinaryOp, a: &str, b: &str, ty: Type) -> Option<String> {
    let width = ty.bits();
    let not_zero = format!("(distinct {b} {})", literal(0, width));
    match op {
        BinaryOp::UDiv | BinaryOp::URem => Some(not_zero),
        BinaryOp::SDiv | BinaryOp::SRem => {
            let (least, minus) = (literal(1 << (width - 1), width), literal(u128::MAX, width));
            Some(format!("(and {not_zero} (not (and (= {a} {least}) (= {b} {minus}))))"))
        }
        _ => None,
    }
}

pub(super) fn int_cmp(cmp: IntCmp, a: &str, b: &str) -> String {
    let name = match cmp {
        IntCmp::Eq => "=",
        IntCmp::Ne => "distinct",
        IntCmp::Ult => "bvult",
        IntCmp::Ule => "bvule",
        IntCmp::Ugt => "bvugt",
        IntCmp::Uge => "bvuge",
        IntCmp::Slt => "bvslt",
        IntCmp::Sle => "bvsle",
        IntCmp::Sgt => "bvsgt",
        IntCmp::Sge => "bvsge",
    };
    format!("({name} {a} {b})")
}

fn float_cmp(cmp: FloatCmp, a: &str, b: &str) -> String {
    let unordered = format!("(or (fp.isNaN {a}) (fp.isNaN {b}))");
    let plain = |name: &str| format!("({name} {a} {b})");
    match cmp {
        FloatCmp::Oeq => plain("fp.eq"),
        FloatCmp::Ogt => plain("fp.gt"),
        FloatCmp::Oge => plain("fp.geq"),
        FloatCmp::Olt => plain("fp.lt"),
        FloatCmp::Ole => plain("fp.leq"),
        FloatCmp::One => format!("(and (not {}) (not {unordered}))", plain("fp.eq")),
        FloatCmp::Ord => format!("(not {unordered})"),
        FloatCmp::Ueq => format!("(or {} {unordered})", plain("fp.eq")),
        FloatCmp::Ugt => format!("(or {} {unordered})", plain("fp.gt")),
        FloatCmp::Uge => format!("(or {} {unordered})", plain("fp.geq")),
        FloatCmp::Ult => format!("(or {} {unordered})", plain("fp.lt")),
        FloatCmp::Ule => format!("(or {} {unordered})", plain("fp.leq")),
        FloatCmp::Une => format!("(not {})", plain("fp.eq")),
        FloatCmp::Uno => unordered,
    }
}

fn cast(op: CastOp, a: &str, from: Type, to: Type) -> Option<String> {
    let (narrow, wide) = (from.bits(), to.bits());
    match op {
        CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr => Some(fit(a, narrow, wide)),
        CastOp::SExt => Some(format!("((_ sign_extend {}) {a})", wide.checked_sub(narrow)?)),
        CastOp::FpTrunc | CastOp::FpExt => Some(format!("((_ to_fp {}) RNE {a})", float(to)?)),
        CastOp::FpToUi => Some(format!("((_ fp.to_ubv {wide}) RTZ {a})")),
        CastOp::FpToSi => Some(format!("((_ fp.to_sbv {wide}) RTZ {a})")),
        CastOp::UiToFp => Some(format!("((_ to_fp_unsigned {}) RNE {a})", float(to)?)),
        CastOp::SiToFp => Some(format!("((_ to_fp {}) RNE {a})", float(to)?)),
        // The bits of a NaN are not known.
        CastOp::Bitcast if from.is_float() => None,
        CastOp::Bitcast => Some(match float(to) {
            Some(format) => format!("((_ to_fp {format}) {a})"),
            None => a.to_owned(),
        }),
    }
}

/// With zeros in front, or cut.
pub(super) fn fit(a: &str, from: u32, to: u32) -> String {
    match to.cmp(&from) {
        std::cmp::Ordering::Greater => format!("((_ zero_extend {}) {a})", to - from),
        std::cmp::Ordering::Less => format!("((_ extract {} 0) {a})", to - 1),
        std::cmp::Ordering::Equal => a.to_owned(),
    }
}

fn intrinsic(op: Intrinsic, args: &[Arg], ty: Type, result: usize) -> Option<String> {
    let first = args.first()?;
    let (a, width) = (&first.0, first.1.bits());
    let b = args.get(1).map(|arg| &arg.0);
    if let Some((name, signed, double)) = overflowing(op) {
        let b = b?;
        if result == 0 {
            return Some(format!("({name} {a} {b})"));
        }
        let extend = if signed { "sign_extend" } else { "zero_extend" };
        let by = if double { width } else { 1 };
        let wide = |text: &str| format!("((_ {extend} {by}) {text})");
        let (x, y) = (wide(a), wide(b));
        let narrow = wide(&format!("({name} {a} {b})"));
        return Some(flag(&format!("(distinct ({name} {x} {y}) {narrow})")));
    }
    let rounded = |mode: &str| Some(format!("(fp.roundToIntegral {mode} {a})"));
    match op {
        Intrinsic::Abs => Some(format!("(ite (bvslt {a} {}) (bvneg {a}) {a})", literal(0, width))),
        Intrinsic::SMin => Some(format!("(ite (bvslt {a} {0}) {a} {0})", b?)),
        Intrinsic::SMax => Some(format!("(ite (bvsgt {a} {0}) {a} {0})", b?)),
        Intrinsic::UMin => Some(format!("(ite (bvult {a} {0}) {a} {0})", b?)),
        Intrinsic::UMax => Some(format!("(ite (bvugt {a} {0}) {a} {0})", b?)),
        Intrinsic::BSwap => {
            let bytes: Vec<String> = (0..width / 8).map(|i| byte(a, i)).collect();
            Some(format!("(concat {})", bytes.join(" ")))
        }
        Intrinsic::CtPop => {
            let bit = |i: u32| format!("((_ zero_extend {}) ((_ extract {i} {i}) {a}))", width - 1);
            let bits: Vec<String> = (0..width).map(bit).collect();
            (width > 1).then(|| format!("(bvadd {})", bits.join(" ")))
        }
        // By what a number is at least or a multiple of, not bit by bit.
        Intrinsic::CtLz => Some((0..width).fold(literal(0, width), |above, zeros| {
            let bound = literal(1 << (width - 1 - zeros), width);
            format!("(ite (bvult {a} {bound}) {} {above})", literal(u128::from(zeros + 1), width))
        })),
        Intrinsic::CtTz => Some((0..width).fold(literal(0, width), |below, zeros| {
            let rest = format!("((_ extract {zeros} 0) {a})");
            format!("(ite (= {rest} {}) {} {below})", literal(0, zeros + 1), literal(u128::from(zeros + 1), width))
        })),
        Intrinsic::BitReverse => {
            let bits: Vec<String> = (0..width).map(|i| format!("((_ extract {i} {i}) {a})")).collect();
            (width > 1).then(|| format!("(concat {})", bits.join(" ")))
        }
        Intrinsic::FAbs => Some(format!("(fp.abs {a})")),
        Intrinsic::Sqrt => Some(format!("(fp.sqrt RNE {a})")),
        Intrinsic::Floor => rounded("RTN"),
        Intrinsic::Ceil => rounded("RTP"),
        Intrinsic::FTrunc => rounded("RTZ"),
        Intrinsic::Round => rounded("RNA"),
        Intrinsic::RoundEven | Intrinsic::Rint | Intrinsic::NearbyInt => rounded("RNE"),
        Intrinsic::FMulAdd if ty.is_float() => Some(format!("(fp.add RNE (fp.mul RNE {a} {}) {})", b?, args.get(2)?.0)),
        _ => None,
    }
}

/// Name, signed, and whether the exact result has twice as many bits rather than one more.
fn overflowing(op: Intrinsic) -> Option<(&'static str, bool, bool)> {
    match op {
        Intrinsic::SAddOverflow => Some(("bvadd", true, false)),
        Intrinsic::UAddOverflow => Some(("bvadd", false, false)),
        Intrinsic::SSubOverflow => Some(("bvsub", true, false)),
        Intrinsic::USubOverflow => Some(("bvsub", false, false)),
        Intrinsic::SMulOverflow => Some(("bvmul", true, true)),
        Intrinsic::UMulOverflow => Some(("bvmul", false, true)),
        _ => None,
    }
}

/// One byte of a bit-vector, the lowest first.
pub(super) fn byte(a: &str, number: u32) -> String {
    format!("((_ extract {} {}) {a})", 8 * number + 7, 8 * number)
}
