//! Evaluation: what a term is under a model. Every model of a solver is checked here on the original terms, so this
//! file must be right on its own and shares nothing with the rewriting.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::float;
use crate::op::Op;
use crate::sort::{Sort, mask, sign_bit, to_signed};
use crate::term::{Node, TermId, Terms};
use crate::value::{ArrayValue, Model, Value};

/// Evaluates one term.
pub fn eval(terms: &Terms, term: TermId, model: &Model) -> Value {
    Evaluator::new(terms, model).eval(term)
}

/// Whether all the Boolean terms are true.
pub fn all_true(terms: &Terms, conditions: impl IntoIterator<Item = TermId>, model: &Model) -> bool {
    let mut evaluator = Evaluator::new(terms, model);
    conditions.into_iter().all(|c| evaluator.eval(c).is_true())
}

/// Evaluates several terms under one model, each node once.
#[derive(Debug)]
pub struct Evaluator<'a> {
    terms: &'a Terms,
    model: &'a Model,
    memo: FxHashMap<TermId, Value>,
}

impl<'a> Evaluator<'a> {
    /// Remembers what it evaluated, for this model alone.
    pub fn new(terms: &'a Terms, model: &'a Model) -> Evaluator<'a> {
        Evaluator { terms, model, memo: FxHashMap::default() }
    }

    /// An explicit stack, since terms of loops are as deep as the loops are long. Of a conditional only the branch taken
    /// is evaluated.
    pub fn eval(&mut self, root: TermId) -> Value {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.get(t).is_some() {
                stack.pop();
                continue;
            }
            let node = self.terms.node(t);
            let missing = self.missing_args(node);
            if missing.is_empty() {
                let value = self.compute(node);
                self.memo.insert(t, value);
                stack.pop();
            } else {
                stack.extend(missing);
            }
        }
        self.get(root).expect("the root has been computed")
    }

    fn get(&self, t: TermId) -> Option<Value> {
        self.terms.as_value(t).or_else(|| self.memo.get(&t).cloned())
    }

    fn missing_args(&self, node: &Node) -> smallvec::SmallVec<[TermId; 3]> {
        if node.op == Op::Ite {
            let next = match self.get(node.args[0]) {
                None => node.args[0],
                Some(c) => node.args[if c.is_true() { 1 } else { 2 }],
            };
            return std::iter::once(next).filter(|t| self.get(*t).is_none()).collect();
        }
        node.args.iter().filter(|t| self.get(*t).is_none()).collect()
    }

    fn compute(&self, node: &Node) -> Value {
        let arg = |i: usize| self.get(node.args[i]).expect("arguments come first");
        match node.op {
            Op::Var(v) => self.model.value(self.terms, v),
            Op::Ite => {
                let taken = if arg(0).is_true() { 1 } else { 2 };
                arg(taken)
            }
            op => {
                let args: smallvec::SmallVec<[Value; 3]> = (0..node.args.len()).map(arg).collect();
                let sorts: smallvec::SmallVec<[Sort; 3]> = node.args.iter().map(|t| self.terms.sort(t)).collect();
                apply(op, node.sort, &args, &sorts)
            }
        }
    }
}

/// The value of an operation on values. Variables and constants are not operations.
///
/// # Panics
/// On ill-sorted arguments, which the arena never holds.
pub fn apply(op: Op, sort: Sort, args: &[Value], sorts: &[Sort]) -> Value {
    match sorts.first() {
        Some(Sort::Array) => array_op(op, args),
        _ if op == Op::ConstArray => array_op(op, args),
        Some(Sort::Float(_)) => float_op(op, sort, args, sorts),
        _ if matches!(op, Op::SToF(..) | Op::UToF(..) | Op::IeeeToF(_)) => float_op(op, sort, args, sorts),
        Some(Sort::Bool) => bool_op(op, args),
        Some(Sort::Bv(w)) => bv_op(op, sort, *w, args, sorts),
        None => unreachable!("constants and variables are not applied"),
    }
}

fn bool_op(op: Op, args: &[Value]) -> Value {
    let b = |i: usize| args[i].is_true();
    match op {
        Op::Not => Value::Bool(!b(0)),
        Op::And => Value::Bool(b(0) && b(1)),
        Op::Or => Value::Bool(b(0) || b(1)),
        Op::Eq => Value::Bool(b(0) == b(1)),
        Op::Ite => args[if b(0) { 1 } else { 2 }].clone(),
        Op::BoolToBv => Value::Bv(u128::from(b(0))),
        _ => unreachable!("{op:?} is no operation on Booleans"),
    }
}

fn scalar(value: &Value) -> u128 {
    value.bits().expect("the operation takes scalars")
}

fn bv_op(op: Op, sort: Sort, w: u8, args: &[Value], sorts: &[Sort]) -> Value {
    let a = scalar(&args[0]);
    let b = args.get(1).map_or(0, scalar);
    let (sa, sb) = (to_signed(a, w), to_signed(b, w));
    let bv = |v: u128| Value::Bv(v & mask(sort.width()));
    match op {
        Op::BvNot => bv(!a),
        Op::BvNeg => bv(a.wrapping_neg()),
        Op::BvAnd => bv(a & b),
        Op::BvOr => bv(a | b),
        Op::BvXor => bv(a ^ b),
        Op::Add => bv(a.wrapping_add(b)),
        Op::Sub => bv(a.wrapping_sub(b)),
        Op::Mul => bv(a.wrapping_mul(b)),
        Op::UDiv => bv(a.checked_div(b).unwrap_or(u128::MAX)),
        Op::URem => bv(a.checked_rem(b).unwrap_or(a)),
        Op::SDiv if sb == 0 => bv(if sa < 0 { 1 } else { u128::MAX }),
        Op::SDiv => bv(sa.wrapping_div(sb) as u128),
        Op::SRem if sb == 0 => bv(a),
        Op::SRem => bv(sa.wrapping_rem(sb) as u128),
        Op::Shl => bv(if b < u128::from(w) { a << b } else { 0 }),
        Op::LShr => bv(if b < u128::from(w) { a >> b } else { 0 }),
        Op::AShr => bv((sa >> b.min(127)) as u128),
        Op::Concat => bv(a << sorts[1].width() | b),
        Op::Extract { lo, .. } => bv(a >> lo),
        Op::ZExt => bv(a),
        Op::SExt => bv(sa as u128),
        Op::Eq => Value::Bool(a == b),
        Op::Ult => Value::Bool(a < b),
        Op::Ule => Value::Bool(a <= b),
        Op::Slt => Value::Bool(sa < sb),
        Op::Sle => Value::Bool(sa <= sb),
        _ => Value::Bool(overflows(op, w, a, b)),
    }
}

fn overflows(op: Op, w: u8, a: u128, b: u128) -> bool {
    let (sa, sb) = (to_signed(a, w), to_signed(b, w));
    let signed = |r: Option<i128>| r.is_none_or(|r| to_signed(r as u128, w) != r);
    let unsigned = |r: Option<u128>| r.is_none_or(|r| r > mask(w));
    match op {
        Op::SAddO => signed(sa.checked_add(sb)),
        Op::SSubO => signed(sa.checked_sub(sb)),
        Op::SMulO => signed(sa.checked_mul(sb)),
        Op::UAddO => unsigned(a.checked_add(b)),
        Op::USubO => a < b,
        Op::UMulO => unsigned(a.checked_mul(b)),
        _ => unreachable!("{op:?} is no operation on bit-vectors"),
    }
}

fn float_op(op: Op, sort: Sort, args: &[Value], sorts: &[Sort]) -> Value {
    let a = scalar(&args[0]);
    let b = args.get(1).map_or(0, scalar);
    let kind = match (sorts[0], sort) {
        (Sort::Float(k), _) | (_, Sort::Float(k)) => k,
        _ => unreachable!("{op:?} is no operation on floats"),
    };
    let class = || float::class(kind, a);
    let ordering = || float::compare(kind, a, b);
    match op {
        Op::FAdd => Value::Float(float::add(kind, a, b)),
        Op::FSub => Value::Float(float::sub(kind, a, b)),
        Op::FMul => Value::Float(float::mul(kind, a, b)),
        Op::FDiv => Value::Float(float::div(kind, a, b)),
        Op::FRem => Value::Float(float::rem(kind, a, b)),
        Op::FSqrt => Value::Float(float::sqrt(kind, a)),
        Op::FFma => Value::Float(float::fma(kind, a, b, scalar(&args[2]))),
        Op::FRound(mode) => Value::Float(float::round_to_integral(kind, a, mode)),
        Op::FNeg => Value::Float(float::neg(kind, a)),
        Op::FAbs => Value::Float(float::abs(kind, a)),
        Op::Eq => Value::Bool(a == b),
        Op::FEq => Value::Bool(ordering().is_some_and(|o| o.is_eq())),
        Op::FLt => Value::Bool(ordering().is_some_and(|o| o.is_lt())),
        Op::FLe => Value::Bool(ordering().is_some_and(|o| o.is_le())),
        Op::FIsNan => Value::Bool(class() == float::Class::Nan),
        Op::FIsInf => Value::Bool(class() == float::Class::Infinite),
        Op::FIsZero => Value::Bool(class() == float::Class::Zero),
        Op::FIsNormal => Value::Bool(class() == float::Class::Normal),
        Op::FIsSubnormal => Value::Bool(class() == float::Class::Subnormal),
        Op::FIsNegative => Value::Bool(float::is_negative(kind, a)),
        Op::FToF(to, mode) => Value::Float(float::convert(kind, to, a, mode)),
        Op::SToF(to, mode) => Value::Float(float::from_signed(to, to_signed(a, sorts[0].width()), mode)),
        Op::UToF(to, mode) => Value::Float(float::from_unsigned(to, a, mode)),
        Op::FToS(mode) => to_integer(kind, a, sort.width(), true, mode),
        Op::FToU(mode) => to_integer(kind, a, sort.width(), false, mode),
        Op::IeeeToF(kind) => Value::Float(float::canonical(kind, float::from_ieee(kind, a))),
        Op::FToIeee => Value::Bv(float::to_ieee(kind, a)),
        _ => unreachable!("{op:?} is no operation on floats"),
    }
}

/// Out of range the builder's guard decides; here any fixed value does, and x86's is as good as another.
fn to_integer(kind: crate::sort::FloatKind, a: u128, w: u8, signed: bool, mode: crate::sort::Rounding) -> Value {
    Value::Bv(float::to_integer(kind, a, w, signed, mode).unwrap_or(sign_bit(w)))
}

fn array_of(value: &Value) -> &Arc<ArrayValue> {
    match value {
        Value::Array(a) => a,
        _ => unreachable!("the operation takes an array"),
    }
}

fn array_op(op: Op, args: &[Value]) -> Value {
    match op {
        Op::Select => Value::Bv(u128::from(array_of(&args[0]).get(scalar(&args[1]) as u64))),
        Op::Store => {
            let mut array = Arc::clone(array_of(&args[0]));
            Arc::make_mut(&mut array).set(scalar(&args[1]) as u64, scalar(&args[2]) as u8);
            Value::Array(array)
        }
        Op::ConstArray => Value::Array(Arc::new(ArrayValue::filled(scalar(&args[0]) as u8))),
        Op::Eq => Value::Bool(args[0] == args[1]),
        _ => unreachable!("{op:?} is no operation on arrays"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bv(op: Op, w: u8, a: u128, b: u128) -> u128 {
        apply(op, Sort::Bv(w), &[Value::Bv(a), Value::Bv(b)], &[Sort::Bv(w); 2]).bits().unwrap()
    }

    fn pred(op: Op, w: u8, a: u128, b: u128) -> bool {
        apply(op, Sort::Bool, &[Value::Bv(a), Value::Bv(b)], &[Sort::Bv(w); 2]).is_true()
    }

    #[test]
    fn division_as_smt_lib_defines_it() {
        assert_eq!(bv(Op::UDiv, 8, 7, 0), 255);
        assert_eq!(bv(Op::URem, 8, 7, 0), 7);
        assert_eq!(bv(Op::SDiv, 8, 7, 0), 255);
        assert_eq!(bv(Op::SDiv, 8, 249, 0), 1);
        assert_eq!(bv(Op::SDiv, 8, 249, 2), 253);
        assert_eq!(bv(Op::SRem, 8, 249, 2), 255);
        assert_eq!(bv(Op::SDiv, 8, 128, 255), 128);
        assert_eq!(bv(Op::SDiv, 128, 1 << 127, u128::MAX), 1 << 127);
        assert_eq!(bv(Op::SRem, 128, 1 << 127, u128::MAX), 0);
    }

    #[test]
    fn shifts_beyond_the_width() {
        assert_eq!(bv(Op::Shl, 8, 1, 8), 0);
        assert_eq!(bv(Op::LShr, 128, u128::MAX, 128), 0);
        assert_eq!(bv(Op::AShr, 8, 0x80, 200), 0xff);
        assert_eq!(bv(Op::AShr, 128, 1 << 127, 127), u128::MAX);
    }

    #[test]
    fn overflow_exhaustively_at_four_bits() {
        let wraps = |r: i32| !(-8..8).contains(&r);
        for a in 0..16u128 {
            for b in 0..16u128 {
                let (sa, sb) = (to_signed(a, 4) as i32, to_signed(b, 4) as i32);
                assert_eq!(pred(Op::SAddO, 4, a, b), wraps(sa + sb));
                assert_eq!(pred(Op::SSubO, 4, a, b), wraps(sa - sb));
                assert_eq!(pred(Op::SMulO, 4, a, b), wraps(sa * sb));
                assert_eq!(pred(Op::UAddO, 4, a, b), a + b > 15);
                assert_eq!(pred(Op::USubO, 4, a, b), a < b);
                assert_eq!(pred(Op::UMulO, 4, a, b), a * b > 15);
            }
        }
        assert!(pred(Op::SMulO, 128, 1 << 127, u128::MAX));
    }

    #[test]
    fn deep_terms_do_not_overflow_the_stack() {
        let mut t = Terms::new();
        let x = t.new_var("x", Sort::Bv(32));
        let mut sum = x;
        for i in 0..100_000u128 {
            let c = t.bv(i, 32);
            let y = t.intern(Op::BvXor, &[sum, c], Sort::Bv(32));
            sum = t.intern(Op::Add, &[y, x], Sort::Bv(32));
        }
        let model = [(t.as_var(x).unwrap(), Value::Bv(3))].into_iter().collect();
        let expected = (0..100_000u32).fold(3u32, |s, i| (s ^ i).wrapping_add(3));
        assert_eq!(eval(&t, sum, &model), Value::Bv(u128::from(expected)));
    }

    #[test]
    fn arrays() {
        let mut t = Terms::new();
        let a = t.new_var("a", Sort::Array);
        let (i, v) = (t.bv(5, 64), t.bv(9, 8));
        let stored = t.intern(Op::Store, &[a, i, v], Sort::Array);
        let read = t.intern(Op::Select, &[stored, i], Sort::Bv(8));
        let same = t.intern(Op::Eq, &[stored, a], Sort::Bool);
        let model = Model::new();
        assert_eq!(eval(&t, read, &model), Value::Bv(9));
        assert_eq!(eval(&t, same, &model), Value::Bool(false));
    }
}
