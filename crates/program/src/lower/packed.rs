//! Intrinsics of x86 on vectors of integers, which headers such as `<emmintrin.h>` are made of: written as operations on lanes.

use super::function::{FunctionLowering, Vals};
use super::llvm::Val;
use crate::ir::{BinaryOp, FloatCmp, IntCmp, Intrinsic, Op, Type, Value};

/// Lanes of 16 bits.
const I16: Type = Type::Int(16);

/// An operation on two operands in lanes twice as wide, of which a part is kept.
#[derive(Clone, Copy)]
struct Widened {
    signed: bool,
    op: BinaryOp,
    /// What is added before the shift.
    rounding: u128,
    shift: u32,
}

/// A comparison of the lowest lanes, by the name of its function.
fn scalar_comparison(name: &str) -> Option<FloatCmp> {
    let name = name.strip_prefix("ucomi").or_else(|| name.strip_prefix("comi"))?;
    Some(match name.split_once('.')?.0 {
        "eq" => FloatCmp::Oeq,
        "lt" => FloatCmp::Olt,
        "le" => FloatCmp::Ole,
        "gt" => FloatCmp::Ogt,
        "ge" => FloatCmp::Oge,
        "neq" => FloatCmp::Une,
        _ => return None,
    })
}

/// `min` and `max`: what holds of the first operand where it is the result, and which lanes are meant.
fn extreme(name: &str) -> Option<(FloatCmp, &str)> {
    match name.split_once('.')? {
        ("min", lanes) => Some((FloatCmp::Olt, lanes)),
        ("max", lanes) => Some((FloatCmp::Ogt, lanes)),
        _ => None,
    }
}

/// The predicates of `cmpps` and its like, by their number.
const PREDICATES: [FloatCmp; 8] = [
    FloatCmp::Oeq,
    FloatCmp::Olt,
    FloatCmp::Ole,
    FloatCmp::Uno,
    FloatCmp::Une,
    FloatCmp::Uge,
    FloatCmp::Ugt,
    FloatCmp::Ord,
];

impl<'m> FunctionLowering<'_, 'm> {
    /// `None`: it is none of these. The name is without `llvm.`.
    pub(super) fn packed(&mut self, v: Val<'m>, base: &str) -> Option<Result<Vals, String>> {
        let name = ["x86.sse.", "x86.sse2.", "x86.ssse3.128.", "x86.ssse3.", "x86.sse41."];
        let name = name.iter().find_map(|family| base.strip_prefix(family))?;
        if let Some(cmp) = scalar_comparison(name) {
            return Some(self.compared_lowest(v, cmp));
        }
        if let Some(shift) = name.strip_prefix("ps") {
            let (kind, width) = shift.split_once('.').unwrap_or((shift, ""));
            if matches!(width, "w" | "d" | "q") {
                return self.shifted_lanes(v, kind);
            }
        }
        let widened = |signed, op, rounding, shift| Widened { signed, op, rounding, shift };
        Some(match name {
            "pmovmskb.128" | "movmsk.ps" | "movmsk.pd" => self.signs(v),
            "psad.bw" => self.sums_of_differences(v),
            "pmadd.wd" => self.sums_of_products(v, [true, true], None),
            "pmadd.ub.sw.128" => self.sums_of_products(v, [false, true], Some(I16)),
            "packsswb.128" | "packssdw.128" => self.packed_lanes(v, true),
            "packuswb.128" | "packusdw" => self.packed_lanes(v, false),
            "pavg.b" | "pavg.w" => self.widened(v, widened(false, BinaryOp::Add, 1, 1)),
            "pmulh.w" => self.widened(v, widened(true, BinaryOp::Mul, 0, 16)),
            "pmulhu.w" => self.widened(v, widened(false, BinaryOp::Mul, 0, 16)),
            "pmul.hr.sw.128" => self.widened(v, widened(true, BinaryOp::Mul, 1 << 14, 15)),
            "phadd.w.128" | "phadd.d.128" => self.neighbours(v, BinaryOp::Add),
            "phsub.w.128" | "phsub.d.128" => self.neighbours(v, BinaryOp::Sub),
            "pshuf.b.128" => self.shuffled_bytes(v),
            "pblendvb" => self.blended(v),
            "ptestz" => self.no_common_bit(v, false),
            "ptestc" => self.no_common_bit(v, true),
            "cmp.ss" | "cmp.sd" => self.mask_of_lowest(v),
            _ => {
                let (cmp, lanes) = extreme(name)?;
                self.extreme(v, cmp, lanes.starts_with('s'))
            }
        })
    }

    fn vectors<const N: usize>(&mut self, v: Val<'m>) -> Result<[Vals; N], String> {
        let mut all: [Vals; N] = std::array::from_fn(|_| Vals::new());
        for (index, lanes) in all.iter_mut().enumerate() {
            *lanes = self.operand(v.operand(index as u32).ok_or("a missing argument")?)?;
        }
        Ok(all)
    }

    /// The highest bit of each lane as one number.
    fn signs(&mut self, v: Val<'m>) -> Result<Vals, String> {
        let [lanes] = self.vectors(v)?;
        let bits: Vals = lanes.into_iter().map(|lane| self.highest_bit(lane)).collect();
        Ok(Vals::from_slice(&[self.join(&bits, 32)]))
    }

    fn highest_bit(&mut self, lane: Value) -> Value {
        let number = self.bits_of(lane);
        let width = self.body.ty(number).bits();
        self.part(number, width - 1, 1)
    }

    fn sums_of_differences(&mut self, v: Val<'m>) -> Result<Vals, String> {
        let [a, b] = self.vectors(v)?;
        let mut differences = Vals::new();
        for (&a, &b) in a.iter().zip(&b) {
            let most = self.emit_one(Op::Intrinsic { op: Intrinsic::UMax, args: vec![a, b] }, Type::I8);
            let least = self.emit_one(Op::Intrinsic { op: Intrinsic::UMin, args: vec![a, b] }, Type::I8);
            let difference = self.arithmetic(BinaryOp::Sub, most, least);
            differences.push(self.resize(difference, Type::I64, false));
        }
        Ok(differences.chunks(8).map(|lanes| self.sum(lanes)).collect())
    }

    fn sum(&mut self, lanes: &[Value]) -> Value {
        let mut sum = lanes[0];
        for &lane in &lanes[1..] {
            sum = self.arithmetic(BinaryOp::Add, sum, lane);
        }
        sum
    }

    /// Products of lanes, each two neighbours added; with a type, as the nearest of its numbers.
    fn sums_of_products(&mut self, v: Val<'m>, signed: [bool; 2], nearest: Option<Type>) -> Result<Vals, String> {
        let [a, b] = self.vectors(v)?;
        let mut products = Vals::new();
        for (&a, &b) in a.iter().zip(&b) {
            let (a, b) = (self.resize(a, Type::I32, signed[0]), self.resize(b, Type::I32, signed[1]));
            products.push(self.arithmetic(BinaryOp::Mul, a, b));
        }
        let sums: Vals = products.chunks(2).map(|pair| self.sum(pair)).collect();
        match nearest {
            None => Ok(sums),
            Some(ty) => Ok(sums.into_iter().map(|sum| self.nearest(sum, ty, true)).collect()),
        }
    }

    /// The number of a narrower type that is nearest to a signed one.
    fn nearest(&mut self, number: Value, to: Type, signed: bool) -> Value {
        let (from, width) = (self.body.ty(number), to.bits());
        let (least, most) = match signed {
            true => (!0u128 << (width - 1), (1u128 << (width - 1)) - 1),
            false => (0, (1u128 << width) - 1),
        };
        let least = self.number(from, least & super::memory::ones(from));
        let most = self.number(from, most);
        let above = self.emit_one(Op::Intrinsic { op: Intrinsic::SMax, args: vec![number, least] }, from);
        let inside = self.emit_one(Op::Intrinsic { op: Intrinsic::SMin, args: vec![above, most] }, from);
        self.resize(inside, to, false)
    }

    fn packed_lanes(&mut self, v: Val<'m>, signed: bool) -> Result<Vals, String> {
        let [a, b] = self.vectors(v)?;
        let lanes: Vals = a.into_iter().chain(b).collect();
        let narrow = Type::Int((lanes.first().map_or(16, |&lane| self.body.ty(lane).bits()) / 2) as u8);
        Ok(lanes.into_iter().map(|lane| self.nearest(lane, narrow, signed)).collect())
    }

    fn widened(&mut self, v: Val<'m>, how: Widened) -> Result<Vals, String> {
        let [a, b] = self.vectors(v)?;
        let mut results = Vals::new();
        for (&a, &b) in a.iter().zip(&b) {
            let narrow = self.body.ty(a);
            let (wide_a, wide_b) = (self.resize(a, Type::I32, how.signed), self.resize(b, Type::I32, how.signed));
            let result = self.arithmetic(how.op, wide_a, wide_b);
            let (rounding, shift) =
                (self.number(Type::I32, how.rounding), self.number(Type::I32, u128::from(how.shift)));
            let rounded = self.arithmetic(BinaryOp::Add, result, rounding);
            let kept = self.arithmetic(BinaryOp::AShr, rounded, shift);
            results.push(self.resize(kept, narrow, false));
        }
        Ok(results)
    }

    /// Neighbours of the first vector and then of the second.
    fn neighbours(&mut self, v: Val<'m>, op: BinaryOp) -> Result<Vals, String> {
        let [a, b] = self.vectors(v)?;
        let lanes: Vals = a.into_iter().chain(b).collect();
        Ok(lanes.chunks(2).map(|pair| self.arithmetic(op, pair[0], pair[1])).collect())
    }

    /// `psll`, `psrl`, `psra`, with `i` behind it where the amount is a number and not the low half of a vector. An amount of the width or
    /// more is no error.
    fn shifted_lanes(&mut self, v: Val<'m>, kind: &str) -> Option<Result<Vals, String>> {
        let op = match kind.strip_suffix('i').unwrap_or(kind) {
            "ll" => BinaryOp::Shl,
            "rl" => BinaryOp::LShr,
            "ra" => BinaryOp::AShr,
            _ => return None,
        };
        Some(self.shifted_by(v, op))
    }

    fn shifted_by(&mut self, v: Val<'m>, op: BinaryOp) -> Result<Vals, String> {
        let [lanes, amount] = self.vectors(v)?;
        let amount = match amount.as_slice() {
            [number] => *number,
            parts => self.join(&parts[..parts.len() / 2], 64),
        };
        let Some(ty) = lanes.first().map(|&lane| self.body.ty(lane)) else { return Ok(Vals::new()) };
        let width = self.number(self.body.ty(amount), u128::from(ty.bits()));
        let is_inside = self.compare(IntCmp::Ult, amount, width);
        let within = self.resize(amount, ty, false);
        let (zero, last) = (self.number(ty, 0), self.number(ty, u128::from(ty.bits()) - 1));
        let by = self.choose(is_inside, within, last);
        let mut results = Vals::new();
        for lane in lanes {
            let shifted = self.arithmetic(op, lane, by);
            results.push(if op == BinaryOp::AShr { shifted } else { self.choose(is_inside, shifted, zero) });
        }
        Ok(results)
    }

    /// Each byte of the first vector that the second names by its low bits, or 0 where its highest bit is set.
    fn shuffled_bytes(&mut self, v: Val<'m>) -> Result<Vals, String> {
        let [bytes, places] = self.vectors(v)?;
        let zero = self.number(Type::I8, 0);
        let mut results = Vals::new();
        for place in places {
            let mut left = bytes.clone();
            for bit in 0..left.len().trailing_zeros() {
                let is_odd = self.part(place, bit, 1);
                left = left.chunks(2).map(|pair| self.choose(is_odd, pair[1], pair[0])).collect();
            }
            let is_none = self.highest_bit(place);
            results.push(self.choose(is_none, zero, left[0]));
        }
        Ok(results)
    }

    fn blended(&mut self, v: Val<'m>) -> Result<Vals, String> {
        let [a, b, mask] = self.vectors(v)?;
        let mut results = Vals::new();
        for ((&a, &b), &mask) in a.iter().zip(&b).zip(&mask) {
            let is_second = self.highest_bit(mask);
            results.push(self.choose(is_second, b, a));
        }
        Ok(results)
    }

    /// Whether the second has no bit that the first has, or that the first has not.
    fn no_common_bit(&mut self, v: Val<'m>, inverted: bool) -> Result<Vals, String> {
        let [a, b] = self.vectors(v)?;
        let mut common = None;
        for (&a, &b) in a.iter().zip(&b) {
            let ty = self.body.ty(a);
            let ones = self.number(ty, super::memory::ones(ty));
            let a = if inverted { self.arithmetic(BinaryOp::Xor, a, ones) } else { a };
            let both = self.arithmetic(BinaryOp::And, a, b);
            common = Some(match common {
                None => both,
                Some(before) => self.arithmetic(BinaryOp::Or, before, both),
            });
        }
        let common = common.ok_or("a vector without lanes")?;
        let zero = self.number(self.body.ty(common), 0);
        let is_none = self.compare(IntCmp::Eq, common, zero);
        Ok(Vals::from_slice(&[self.resize(is_none, Type::I32, false)]))
    }

    fn compared_lowest(&mut self, v: Val<'m>, cmp: FloatCmp) -> Result<Vals, String> {
        let [a, b] = self.vectors(v)?;
        let holds = self.emit_one(Op::FloatCmp { cmp, args: [a[0], b[0]] }, Type::BOOL);
        Ok(Vals::from_slice(&[self.resize(holds, Type::I32, false)]))
    }

    /// The first operand where the comparison holds, and the second otherwise; of the lowest lane alone, or of all.
    fn extreme(&mut self, v: Val<'m>, cmp: FloatCmp, lowest: bool) -> Result<Vals, String> {
        let [mut a, b] = self.vectors(v)?;
        let count = if lowest { 1 } else { a.len() };
        for (a, &b) in a.iter_mut().zip(&b).take(count) {
            let holds = self.emit_one(Op::FloatCmp { cmp, args: [*a, b] }, Type::BOOL);
            *a = self.choose(holds, *a, b);
        }
        Ok(a)
    }

    /// All bits or none in the lowest lane.
    fn mask_of_lowest(&mut self, v: Val<'m>) -> Result<Vals, String> {
        let [mut a, b] = self.vectors(v)?;
        let predicate = v.operand(2).and_then(Val::small_int).and_then(|number| usize::try_from(number).ok());
        let cmp = predicate.and_then(|number| PREDICATES.get(number)).ok_or("a comparison that x86 does not have")?;
        let ty = self.body.ty(a[0]);
        let holds = self.emit_one(Op::FloatCmp { cmp: *cmp, args: [a[0], b[0]] }, Type::BOOL);
        let mask = self.resize(holds, Type::Int(ty.bits() as u8), true);
        a[0] = self.reinterpret(mask, ty);
        Ok(a)
    }
}
