//! Random terms and models, for tests and fuzzing: small, with few variables and telling constants, so that patterns
//! repeat and corner cases are met.

use crate::float;
use crate::op::Op;
use crate::sort::{FloatKind, Rounding, Sort, mask, sign_bit};
use crate::term::{Node, TermId, Terms, VarId};
use crate::value::{ArrayValue, Model, Value};

/// A small deterministic generator (splitmix64).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The same seed gives the same numbers, on all machines.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    // It never ends, so `Option` would be in everyone's way.
    /// Any 64 bits.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    /// One of a list, which is not empty.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    /// A bit pattern, often one at a boundary.
    pub fn bits(&mut self, w: u8) -> u128 {
        let shift = self.below(usize::from(w));
        let value = match self.below(10) {
            0 => 0,
            1 => 1,
            2 => mask(w),
            3 => sign_bit(w),
            4 => mask(w) >> 1,
            5 => 1 << shift,
            6 => mask(w) >> shift,
            7 => u128::from(self.next() % 8),
            8 => u128::from(self.next() % 8 + 1).wrapping_neg(),
            _ => self.wide(),
        };
        value & mask(w)
    }

    /// A float's bits in memory, often a special value or a small integer.
    pub fn float_bits(&mut self, kind: FloatKind) -> u128 {
        let small = self.next() as i128 % 9;
        let bits = match self.below(9) {
            0 => float::zero(kind, self.chance(50)),
            1 => float::infinity(kind, self.chance(50)),
            2 => float::nan(kind),
            3 => 1 + self.next() as u128 % 3,
            4 => float::power_of_two(kind, self.below(127) as u8, self.chance(50)),
            5 | 6 => float::from_signed(kind, small, Rounding::NearestEven),
            7 => {
                let half = float::from_signed(kind, small * 2 + 1, Rounding::NearestEven);
                let two = float::power_of_two(kind, 1, false);
                float::div(kind, half, two)
            }
            _ => self.wide(),
        };
        float::canonical(kind, bits)
    }

    /// A value of the sort, with a liking for those at the borders.
    pub fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.chance(50)),
            Sort::Bv(w) => Value::Bv(self.bits(w)),
            Sort::Float(k) => Value::Float(self.float_bits(k)),
            Sort::Array => {
                let mut array = ArrayValue::filled(self.next() as u8);
                for _ in 0..self.below(4) {
                    array.set(self.bits(64) as u64, self.next() as u8);
                }
                Value::Array(std::sync::Arc::new(array))
            }
        }
    }
}

/// What to generate.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The widths of bit-vectors.
    pub widths: Vec<u8>,
    /// The formats of floats.
    pub floats: Vec<FloatKind>,
    /// Whether there are arrays of bytes.
    pub arrays: bool,
    /// Leaves out multiplication, division, square root and the like, which make solvers slow.
    pub cheap: bool,
    /// Percentage of nodes made without rewriting.
    pub raw: u64,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape { widths: vec![1, 2, 3, 4, 8], floats: Vec::new(), arrays: false, cheap: false, raw: 0 }
    }
}

/// Generates terms over a few variables of each sort.
#[derive(Debug)]
pub struct Generator {
    /// What it draws from.
    pub rng: Rng,
    shape: Shape,
    vars: Vec<VarId>,
    made: Vec<TermId>,
}

impl Generator {
    /// Makes the variables.
    pub fn new(terms: &mut Terms, seed: u64, shape: Shape) -> Generator {
        let mut sorts = vec![Sort::Bool, Sort::Bool];
        sorts.extend(shape.widths.iter().flat_map(|w| [Sort::Bv(*w); 2]));
        sorts.extend(shape.floats.iter().flat_map(|k| [Sort::Float(*k); 2]));
        if shape.arrays {
            sorts.push(Sort::Array);
        }
        let vars = sorts.iter().enumerate().map(|(i, s)| terms.var(format!("v{i}"), *s)).collect();
        Generator { rng: Rng::new(seed), shape, vars, made: Vec::new() }
    }

    /// Values for all variables.
    pub fn model(&mut self, terms: &Terms) -> Model {
        self.vars.iter().map(|v| (*v, self.rng.value(terms.var_sort(*v)))).collect()
    }

    /// A random term of the sort.
    pub fn term(&mut self, t: &mut Terms, sort: Sort, depth: u32) -> TermId {
        let again: Vec<TermId> = self.made.iter().rev().take(12).copied().filter(|x| t.sort(*x) == sort).collect();
        if !again.is_empty() && self.rng.chance(35) {
            return self.rng.pick(&again);
        }
        if depth == 0 || self.rng.chance(8) {
            return self.leaf(t, sort);
        }
        let node = self.node(t, sort, depth);
        let args: Vec<TermId> = node.args.iter().collect();
        let result = if self.rng.chance(self.shape.raw) {
            t.raw(node.op, &args, node.sort)
        } else {
            t.mk(node.op, &args, node.sort)
        };
        self.made.push(result);
        result
    }

    fn leaf(&mut self, t: &mut Terms, sort: Sort) -> TermId {
        let vars: Vec<VarId> = self.vars.iter().copied().filter(|v| t.var_sort(*v) == sort).collect();
        if !vars.is_empty() && self.rng.chance(60) {
            return t.var_term(self.rng.pick(&vars));
        }
        let value = self.rng.value(sort);
        t.constant(sort, &value)
    }

    /// A random operation with that result, and arguments; not yet built.
    pub fn node(&mut self, t: &mut Terms, sort: Sort, depth: u32) -> Node {
        let (op, sorts) = self.operation(sort);
        let depth = depth.saturating_sub(1);
        let mut args = match self.related_args(t, op, &sorts, depth) {
            Some(args) => args,
            None => sorts.iter().map(|s| self.term(t, *s, depth)).collect(),
        };
        if op.is_commutative() && t.is_const(args[0]) && !t.is_const(args[1]) {
            args.swap(0, 1);
        }
        Node { op, args: crate::term::Args::new(&args), sort }
    }

    /// Sometimes, arguments that have something to do with each other, as those of programs do.
    fn related_args(&mut self, t: &mut Terms, op: Op, sorts: &[Sort], depth: u32) -> Option<Vec<TermId>> {
        if self.rng.chance(70) {
            return None;
        }
        match (op, sorts) {
            (Op::Concat, &[Sort::Bv(high), Sort::Bv(low)]) => Some(self.adjacent(t, high, low, depth)),
            (Op::Add | Op::BvOr, &[Sort::Bv(w), _]) if w > 1 && self.rng.chance(40) => {
                let low = 1 + self.rng.below(usize::from(w) - 1) as u8;
                let (x, y) = (self.term(t, Sort::Bv(w - low), depth), self.term(t, Sort::Bv(low), depth));
                let zeros = t.bv(0, low);
                Some(vec![t.concat(x, zeros), t.zext(y, w)])
            }
            (Op::And | Op::Or | Op::Ite, [Sort::Bool, Sort::Bool, ..]) => {
                let a = self.term(t, Sort::Bool, depth);
                let b = self.variant(t, a);
                let third = sorts.get(2).map(|s| self.term(t, *s, depth));
                Some([a, b].into_iter().chain(third).collect())
            }
            (_, &[Sort::Bv(w), Sort::Bv(v)]) if w == v && w > 1 => {
                let narrow = 1 + self.rng.below(usize::from(w) - 1) as u8;
                let signed = self.rng.chance(50);
                let x = self.term(t, Sort::Bv(narrow), depth);
                let y = if self.rng.chance(50) {
                    t.bv(self.rng.bits(narrow), narrow)
                } else {
                    self.term(t, Sort::Bv(narrow), depth)
                };
                let extend = |t: &mut Terms, a: TermId| if signed { t.sext(a, w) } else { t.zext(a, w) };
                Some(vec![extend(t, x), extend(t, y)])
            }
            _ => None,
        }
    }

    /// Neighbouring parts of one term, or a term below copies of its sign.
    fn adjacent(&mut self, t: &mut Terms, high: u8, low: u8, depth: u32) -> Vec<TermId> {
        if self.rng.chance(30) {
            let x = self.term(t, Sort::Bv(low), depth);
            let sign = t.extract(x, low - 1, low - 1);
            return vec![t.sext(sign, high), x];
        }
        let whole = (high + low + self.rng.below(4) as u8).min(128);
        let x = self.term(t, Sort::Bv(whole), depth);
        let base = self.rng.below(usize::from(whole - high - low) + 1) as u8;
        vec![t.extract(x, base + high + low - 1, base + low), t.extract(x, base + low - 1, base)]
    }

    /// A condition on the same terms as another.
    fn variant(&mut self, t: &mut Terms, a: TermId) -> TermId {
        let positive = if t.op(a) == Op::Not { t.arg(a, 0) } else { a };
        let node = *t.node(positive);
        let comparable = node.args.len() == 2 && matches!(t.sort(node.args[0]), Sort::Bv(_));
        if !comparable {
            return t.not(a);
        }
        let (mut x, mut y) = (node.args[0], node.args[1]);
        if let (Sort::Bv(w), true) = (t.sort(y), t.is_const(y) && self.rng.chance(70)) {
            y = t.bv(self.rng.bits(w), w);
        }
        if self.rng.chance(50) {
            (x, y) = (y, x);
        }
        let op = self.rng.pick(&[node.op, node.op, node.op, Op::Eq, Op::Ult, Op::Ule, Op::Slt, Op::Sle]);
        let result = t.mk(op, &[x, y], Sort::Bool);
        if self.rng.chance(50) { t.not(result) } else { result }
    }

    fn operation(&mut self, sort: Sort) -> (Op, Vec<Sort>) {
        if self.rng.chance(12) {
            return (Op::Ite, vec![Sort::Bool, sort, sort]);
        }
        match sort {
            Sort::Bool => self.bool_operation(),
            Sort::Bv(w) => self.bv_operation(w),
            Sort::Float(k) => self.float_operation(k),
            Sort::Array if self.rng.chance(80) => (Op::Store, vec![Sort::Array, Sort::Bv(64), Sort::Bv(8)]),
            Sort::Array => (Op::ConstArray, vec![Sort::Bv(8)]),
        }
    }

    fn bool_operation(&mut self) -> (Op, Vec<Sort>) {
        let w = self.rng.pick(&self.shape.widths);
        if !self.shape.floats.is_empty() && self.rng.chance(50) {
            let kind = Sort::Float(self.rng.pick(&self.shape.floats));
            let classes = [Op::FIsNan, Op::FIsInf, Op::FIsZero, Op::FIsNormal, Op::FIsSubnormal, Op::FIsNegative];
            if self.rng.chance(30) {
                return (self.rng.pick(&classes), vec![kind]);
            }
            return (self.rng.pick(&[Op::FEq, Op::FLt, Op::FLe, Op::Eq]), vec![kind, kind]);
        }
        if self.shape.arrays && self.rng.chance(5) {
            return (Op::Eq, vec![Sort::Array; 2]);
        }
        let overflow = if self.shape.cheap {
            [Op::SAddO, Op::UAddO, Op::SSubO, Op::USubO, Op::SAddO, Op::UAddO]
        } else {
            [Op::SAddO, Op::UAddO, Op::SSubO, Op::USubO, Op::SMulO, Op::UMulO]
        };
        match self.rng.below(10) {
            0 => (Op::Not, vec![Sort::Bool]),
            1 | 2 => (self.rng.pick(&[Op::And, Op::Or]), vec![Sort::Bool; 2]),
            3 => (Op::Eq, vec![Sort::Bool; 2]),
            4 => (self.rng.pick(&overflow), vec![Sort::Bv(w); 2]),
            5..=7 => (Op::Eq, vec![Sort::Bv(w); 2]),
            _ => (self.rng.pick(&[Op::Ult, Op::Ule, Op::Slt, Op::Sle]), vec![Sort::Bv(w); 2]),
        }
    }

    fn bv_operation(&mut self, w: u8) -> (Op, Vec<Sort>) {
        let same = |n: usize| vec![Sort::Bv(w); n];
        let from_float = self.shape.floats.iter().find(|k| k.ieee_bits() == w).copied();
        match self.rng.below(12) {
            0 if w == 1 => (Op::BoolToBv, vec![Sort::Bool]),
            0 if w == 8 && self.shape.arrays => (Op::Select, vec![Sort::Array, Sort::Bv(64)]),
            0 if from_float.is_some() => (Op::FToIeee, from_float.map(Sort::Float).into_iter().collect()),
            0 | 1 => (self.rng.pick(&[Op::BvNot, Op::BvNeg]), same(1)),
            2 | 3 => (self.rng.pick(&[Op::BvAnd, Op::BvOr, Op::BvXor]), same(2)),
            4 | 5 => (self.rng.pick(&[Op::Add, Op::Sub]), same(2)),
            6 if !self.shape.cheap => {
                (self.rng.pick(&[Op::Mul, Op::Mul, Op::UDiv, Op::URem, Op::SDiv, Op::SRem]), same(2))
            }
            7 => (self.rng.pick(&[Op::Shl, Op::LShr, Op::AShr]), same(2)),
            8 if w > 1 => {
                let low = 1 + self.rng.below(usize::from(w) - 1) as u8;
                (Op::Concat, vec![Sort::Bv(w - low), Sort::Bv(low)])
            }
            9 if w > 1 => {
                let narrow = 1 + self.rng.below(usize::from(w) - 1) as u8;
                (self.rng.pick(&[Op::ZExt, Op::SExt]), vec![Sort::Bv(narrow)])
            }
            10 if w < 100 => {
                let wide = w + self.rng.below(6) as u8;
                let lo = self.rng.below(usize::from(wide - w) + 1) as u8;
                (Op::Extract { hi: lo + w - 1, lo }, vec![Sort::Bv(wide)])
            }
            _ => (self.rng.pick(&[Op::Add, Op::Sub, Op::BvXor]), same(2)),
        }
    }

    fn float_operation(&mut self, k: FloatKind) -> (Op, Vec<Sort>) {
        let same = |n: usize| vec![Sort::Float(k); n];
        let mode = self.rng.pick(&Rounding::ALL);
        let w = self.rng.pick(&self.shape.widths);
        let other = self.rng.pick(&self.shape.floats);
        match self.rng.below(9) {
            0 => (self.rng.pick(&[Op::FNeg, Op::FAbs]), same(1)),
            1 => (Op::FRound(mode), same(1)),
            2 => (self.rng.pick(&[Op::SToF(k, mode), Op::UToF(k, mode)]), vec![Sort::Bv(w)]),
            3 | 4 if other != k => (Op::FToF(k, mode), vec![Sort::Float(other)]),
            5 => (Op::IeeeToF(k), vec![Sort::Bv(k.ieee_bits())]),
            6 if !self.shape.cheap => (self.rng.pick(&[Op::FMul, Op::FDiv, Op::FRem]), same(2)),
            7 if !self.shape.cheap => {
                if self.rng.chance(50) {
                    (Op::FSqrt, same(1))
                } else {
                    (Op::FFma, same(3))
                }
            }
            _ => (self.rng.pick(&[Op::FAdd, Op::FSub]), same(2)),
        }
    }
}
