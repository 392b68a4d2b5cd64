//! What the words of SMT-LIB mean that have to do with floats. Arithmetic that does not round to nearest, ties to even, is
//! refused, as terms have none.

use super::apply::{Value, float_bits};
use super::float_kind;
use super::walk::Head;
use crate::float;
use crate::op::Op;
use crate::sort::{FloatKind, Rounding, Sort};
use crate::term::{TermId, Terms};

/// A rounding mode or special value; nothing if the name is none of these.
pub(super) fn constant(terms: &mut Terms, head: &Head<'_>) -> Result<Option<Value>, String> {
    let value = match (head.name, head.indices.as_slice()) {
        (name, []) => return Ok(rounding(name).map(Value::Mode)),
        ("+oo" | "-oo" | "+zero" | "-zero" | "NaN", &[e, s]) => {
            let kind = float_kind(e, s).ok_or_else(|| format!("floats of {e} and {s} bits are not supported"))?;
            let bits = match head.name {
                "+oo" => float::infinity(kind, false),
                "-oo" => float::infinity(kind, true),
                "+zero" => float::zero(kind, false),
                "-zero" => float::zero(kind, true),
                _ => float::nan(kind),
            };
            terms.float(kind, bits)
        }
        _ => return Ok(None),
    };
    Ok(Some(Value::Term(value)))
}

fn rounding(name: &str) -> Option<Rounding> {
    Some(match name {
        "RNE" | "roundNearestTiesToEven" => Rounding::NearestEven,
        "RNA" | "roundNearestTiesToAway" => Rounding::NearestAway,
        "RTP" | "roundTowardPositive" => Rounding::Up,
        "RTN" | "roundTowardNegative" => Rounding::Down,
        "RTZ" | "roundTowardZero" => Rounding::Zero,
        _ => return None,
    })
}

/// An operation on floats; nothing if the name is none.
pub(super) fn apply(terms: &mut Terms, head: &Head<'_>, args: &[Value]) -> Result<Option<TermId>, String> {
    if !(head.name.starts_with("fp.") || head.name.starts_with("to_fp") || head.name == "fp") {
        return Ok(None);
    }
    let (mode, rest) = match args {
        [Value::Mode(mode), rest @ ..] => (Some(*mode), rest),
        _ => (None, args),
    };
    let mut plain = Vec::with_capacity(rest.len());
    for value in rest {
        match value {
            Value::Term(t) => plain.push(*t),
            Value::Mode(_) => return Err(format!("{} takes a rounding mode only in front", head.name)),
        }
    }
    let mut cx = Floats { terms, name: head.name, mode };
    let result = match head.indices.as_slice() {
        [] => match cx.arithmetic(&plain)? {
            Some(term) => Some(term),
            None => cx.other(&plain)?,
        },
        &[width] => cx.rounded(width, &plain)?,
        &[e, s] => {
            let kind = float_kind(e, s).ok_or_else(|| format!("floats of {e} and {s} bits are not supported"))?;
            cx.conversion(kind, &plain)
        }
        _ => None,
    };
    result.map(Some).ok_or_else(|| format!("{} is not supported with these arguments", head.name))
}

struct Floats<'t> {
    terms: &'t mut Terms,
    name: &'t str,
    mode: Option<Rounding>,
}

impl Floats<'_> {
    /// The one format of all arguments.
    fn kind(&self, args: &[TermId]) -> Result<FloatKind, String> {
        let sorts: Vec<Sort> = args.iter().map(|a| self.terms.sort(*a)).collect();
        match sorts.first() {
            Some(&Sort::Float(k)) if sorts.iter().all(|s| *s == Sort::Float(k)) => Ok(k),
            _ => Err(format!("{} takes floats of one format", self.name)),
        }
    }

    /// Operations that round to nearest.
    fn arithmetic(&mut self, args: &[TermId]) -> Result<Option<TermId>, String> {
        let (op, count) = match self.name {
            "fp.add" => (Op::FAdd, 2),
            "fp.sub" => (Op::FSub, 2),
            "fp.mul" => (Op::FMul, 2),
            "fp.div" => (Op::FDiv, 2),
            "fp.sqrt" => (Op::FSqrt, 1),
            "fp.fma" => (Op::FFma, 3),
            _ => return Ok(None),
        };
        if self.mode != Some(Rounding::NearestEven) {
            return Err(format!("{} is supported only with the rounding mode RNE", self.name));
        }
        self.plain(op, args, count).map(Some)
    }

    fn plain(&mut self, op: Op, args: &[TermId], count: usize) -> Result<TermId, String> {
        let kind = self.kind(args)?;
        if args.len() != count {
            return Err(format!("{} takes {count} floats, not {}", self.name, args.len()));
        }
        Ok(self.terms.mk(op, args, Sort::Float(kind)))
    }

    fn other(&mut self, args: &[TermId]) -> Result<Option<TermId>, String> {
        if self.mode.is_some() && self.name != "fp.roundToIntegral" {
            return Err(format!("{} takes no rounding mode", self.name));
        }
        if let Some(term) = self.predicate(args)? {
            return Ok(Some(term));
        }
        match (self.name, self.mode) {
            ("fp.roundToIntegral", Some(mode)) => self.plain(Op::FRound(mode), args, 1).map(Some),
            ("fp.rem", _) => self.plain(Op::FRem, args, 2).map(Some),
            ("fp.neg", _) => self.plain(Op::FNeg, args, 1).map(Some),
            ("fp.abs", _) => self.plain(Op::FAbs, args, 1).map(Some),
            ("fp.to_ieee_bv", _) => match *args {
                [a] => float_bits(self.terms, a).map(Some),
                _ => Ok(None),
            },
            ("fp", _) => self.parts(args).map(Some),
            _ => Ok(None),
        }
    }

    fn predicate(&mut self, args: &[TermId]) -> Result<Option<TermId>, String> {
        let class = match self.name {
            "fp.isNaN" => Op::FIsNan,
            "fp.isInfinite" => Op::FIsInf,
            "fp.isZero" => Op::FIsZero,
            "fp.isNormal" => Op::FIsNormal,
            "fp.isSubnormal" => Op::FIsSubnormal,
            "fp.isNegative" | "fp.isPositive" => Op::FIsNegative,
            _ => return self.comparison(args),
        };
        self.kind(args)?;
        let &[a] = args else { return Ok(None) };
        if self.name == "fp.isPositive" {
            // The sign bit is clear, and it is not NaN.
            let flipped = self.terms.f_neg(a);
            return Ok(Some(self.terms.f_is_negative(flipped)));
        }
        Ok(Some(self.terms.mk(class, &[a], Sort::Bool)))
    }

    /// Comparisons hold between each argument and the next.
    fn comparison(&mut self, args: &[TermId]) -> Result<Option<TermId>, String> {
        let (op, swap) = match self.name {
            "fp.eq" => (Op::FEq, false),
            "fp.lt" => (Op::FLt, false),
            "fp.leq" => (Op::FLe, false),
            "fp.gt" => (Op::FLt, true),
            "fp.geq" => (Op::FLe, true),
            _ => return Ok(None),
        };
        self.kind(args)?;
        if args.len() < 2 {
            return Ok(None);
        }
        let mut result = self.terms.tt();
        for pair in args.windows(2) {
            let (a, b) = if swap { (pair[1], pair[0]) } else { (pair[0], pair[1]) };
            let holds = self.terms.mk(op, &[a, b], Sort::Bool);
            result = self.terms.and(result, holds);
        }
        Ok(Some(result))
    }

    /// `(fp sign exponent significand)`.
    fn parts(&mut self, args: &[TermId]) -> Result<TermId, String> {
        let unknown = || "fp takes a sign, an exponent and a significand of a supported format".to_owned();
        let &[sign, exponent, significand] = args else { return Err(unknown()) };
        let width = |t: TermId| match self.terms.sort(t) {
            Sort::Bv(w) => Ok(u32::from(w)),
            _ => Err(unknown()),
        };
        if width(sign)? != 1 {
            return Err(unknown());
        }
        let kind = float_kind(width(exponent)?, width(significand)? + 1).ok_or_else(unknown)?;
        let low = self.terms.concat(exponent, significand);
        let pattern = self.terms.concat(sign, low);
        Ok(self.terms.mk(Op::IeeeToF(kind), &[pattern], Sort::Float(kind)))
    }

    /// `to_fp` and `to_fp_unsigned`, by what they are given.
    fn conversion(&mut self, kind: FloatKind, args: &[TermId]) -> Option<TermId> {
        let &[a] = args else { return None };
        match (self.name, self.mode, self.terms.sort(a)) {
            ("to_fp", None, Sort::Bv(w)) if w == kind.ieee_bits() => {
                Some(self.terms.mk(Op::IeeeToF(kind), &[a], Sort::Float(kind)))
            }
            ("to_fp", Some(mode), Sort::Float(_)) => Some(self.terms.f_to_f(a, kind, mode)),
            ("to_fp", Some(mode), Sort::Bv(_)) => Some(self.terms.s_to_f(a, kind, mode)),
            ("to_fp_unsigned", Some(mode), Sort::Bv(_)) => Some(self.terms.u_to_f(a, kind, mode)),
            _ => None,
        }
    }

    fn rounded(&mut self, width: u32, args: &[TermId]) -> Result<Option<TermId>, String> {
        let (Some(mode), &[a]) = (self.mode, args) else { return Ok(None) };
        self.kind(args)?;
        let width = u8::try_from(width).ok().filter(|w| (1..=128).contains(w));
        let width = width.ok_or_else(|| format!("{} to that many bits is not supported", self.name))?;
        let op = match self.name {
            "fp.to_sbv" => Op::FToS(mode),
            "fp.to_ubv" => Op::FToU(mode),
            _ => return Ok(None),
        };
        Ok(Some(self.terms.mk(op, &[a], Sort::Bv(width))))
    }
}
