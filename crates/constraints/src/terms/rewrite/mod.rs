//! Local rewriting: named rules, tried when a node is built.
//!
//! A rule looks at one node, whose arguments are already simplified, and returns an equal term or nothing. It must be
//! valid for every value of the variables (`tests/rules.rs` checks each one against evaluation) and must make progress, so
//! that rewriting ends: a smaller term, or one closer to the normal form:
//! * comparisons with constants are strict (`<`), their negations comparisons again;
//! * shifts by constants and masks are extractions, extensions and concatenations, concatenations nest to the right;
//! * a constant in a sum is outermost and added; `x = 1` is the condition of a bit.

mod arith;
mod arrays;
mod bits;
mod boolean;
mod compare;
mod conditional;
mod equality;
mod floats;
mod linear;
mod overflow;
mod words;

use crate::op::Op;
use crate::term::{Node, TermId, Terms};

/// One rewriting rule.
#[derive(Clone, Copy)]
pub struct Rule {
    /// For tests and for those who look for a rule that does harm.
    pub name: &'static str,
    /// An equal term, if the rule fits the node.
    pub apply: fn(&mut Terms, &Node) -> Option<TermId>,
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Rules named after the functions that implement them.
macro_rules! rules {
    ($($name:ident),+ $(,)?) => {
        &[$($crate::rewrite::Rule { name: stringify!($name), apply: $name }),+]
    };
}
use rules;

/// The rules for nodes with this operation, in the order in which they are tried.
pub fn rules_for(op: Op) -> &'static [Rule] {
    match op {
        Op::Not => boolean::NOT,
        Op::And => boolean::AND,
        Op::Or => boolean::OR,
        Op::Eq => equality::EQ,
        Op::Ite => conditional::ITE,
        Op::BoolToBv => conditional::BOOL_TO_BV,
        Op::BvNot => bits::NOT,
        Op::BvAnd => bits::AND,
        Op::BvOr => bits::OR,
        Op::BvXor => bits::XOR,
        Op::BvNeg => arith::NEG,
        Op::Add => arith::ADD,
        Op::Sub => arith::SUB,
        Op::Mul => arith::MUL,
        Op::UDiv => arith::UDIV,
        Op::URem => arith::UREM,
        Op::SDiv => arith::SDIV,
        Op::SRem => arith::SREM,
        Op::Shl => words::SHL,
        Op::LShr => words::LSHR,
        Op::AShr => words::ASHR,
        Op::Concat => words::CONCAT,
        Op::Extract { .. } => words::EXTRACT,
        Op::ZExt => words::ZEXT,
        Op::SExt => words::SEXT,
        Op::Ult => compare::ULT,
        Op::Ule => compare::ULE,
        Op::Slt => compare::SLT,
        Op::Sle => compare::SLE,
        Op::SAddO | Op::SSubO | Op::SMulO => overflow::SIGNED,
        Op::UAddO | Op::USubO | Op::UMulO => overflow::UNSIGNED,
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FSqrt | Op::FFma | Op::FRound(_) => {
            floats::ARITHMETIC
        }
        Op::FNeg | Op::FAbs => floats::SIGN,
        Op::FEq | Op::FLt | Op::FLe => floats::COMPARE,
        Op::FIsNan | Op::FIsInf | Op::FIsZero | Op::FIsNormal | Op::FIsSubnormal | Op::FIsNegative => floats::CLASS,
        Op::FToF(..) | Op::SToF(..) | Op::UToF(..) | Op::FToS(_) | Op::FToU(_) => floats::CONVERT,
        Op::IeeeToF(_) | Op::FToIeee => floats::PATTERN,
        Op::Select => arrays::SELECT,
        Op::Store => arrays::STORE,
        Op::Var(_) | Op::True | Op::False | Op::BvConst(_) | Op::FloatConst(_) | Op::ConstArray => &[],
    }
}

/// Every group of rules, for tests that go through all.
pub fn all_groups() -> &'static [&'static [Rule]] {
    &[
        boolean::NOT,
        boolean::AND,
        boolean::OR,
        equality::EQ,
        conditional::ITE,
        conditional::BOOL_TO_BV,
        bits::NOT,
        bits::AND,
        bits::OR,
        bits::XOR,
        arith::NEG,
        arith::ADD,
        arith::SUB,
        arith::MUL,
        arith::UDIV,
        arith::UREM,
        arith::SDIV,
        arith::SREM,
        words::SHL,
        words::LSHR,
        words::ASHR,
        words::CONCAT,
        words::EXTRACT,
        words::ZEXT,
        words::SEXT,
        compare::ULT,
        compare::ULE,
        compare::SLT,
        compare::SLE,
        overflow::SIGNED,
        overflow::UNSIGNED,
        floats::ARITHMETIC,
        floats::SIGN,
        floats::COMPARE,
        floats::CLASS,
        floats::CONVERT,
        floats::PATTERN,
        arrays::SELECT,
        arrays::STORE,
    ]
}

/// The result of the first rule that fits.
pub(crate) fn apply(terms: &mut Terms, node: &Node) -> Option<TermId> {
    rules_for(node.op).iter().find_map(|rule| (rule.apply)(terms, node))
}

/// Shorthands for patterns.
impl Terms {
    /// The argument of a unary node with this operation.
    fn un(&self, t: TermId, op: Op) -> Option<TermId> {
        let node = self.node(t);
        (node.op == op).then(|| node.args[0])
    }

    /// The arguments of a binary node with this operation.
    fn bin(&self, t: TermId, op: Op) -> Option<(TermId, TermId)> {
        let node = self.node(t);
        (node.op == op).then(|| (node.args[0], node.args[1]))
    }

    /// `(x, c)` for a commutative node with a constant, which is always second.
    fn with_const(&self, t: TermId, op: Op) -> Option<(TermId, u128)> {
        let (x, c) = self.bin(t, op)?;
        Some((x, self.as_bv(c)?))
    }

    fn is_zero(&self, t: TermId) -> bool {
        self.as_bv(t) == Some(0)
    }

    fn is_ones(&self, t: TermId) -> bool {
        self.as_bv(t).is_some_and(|c| c == crate::sort::mask(self.width(t)))
    }

    /// Whether the two are each other's negation.
    fn complementary(&self, a: TermId, b: TermId) -> bool {
        if self.un(a, Op::Not) == Some(b) || self.un(b, Op::Not) == Some(a) {
            return true;
        }
        let (x, y) = (self.node(a), self.node(b));
        let crossed = || x.args[0] == y.args[1] && x.args[1] == y.args[0];
        match (x.op, y.op) {
            (Op::Ult, Op::Ule) | (Op::Ule, Op::Ult) | (Op::Slt, Op::Sle) | (Op::Sle, Op::Slt) => crossed(),
            // Of comparisons with constants both are strict: x < c and c - 1 < x.
            (Op::Ult, Op::Ult) => self.adjacent_bounds(x, y, false) || self.adjacent_bounds(y, x, false),
            (Op::Slt, Op::Slt) => self.adjacent_bounds(x, y, true) || self.adjacent_bounds(y, x, true),
            _ => false,
        }
    }

    /// `upper` is `x < c` and `lower` is `c - 1 < x`.
    fn adjacent_bounds(&self, upper: &Node, lower: &Node, signed: bool) -> bool {
        if upper.args[0] != lower.args[1] {
            return false;
        }
        let (Some(c), Some(d)) = (self.as_bv(upper.args[1]), self.as_bv(lower.args[0])) else { return false };
        let w = self.width(upper.args[0]);
        let max = if signed { crate::sort::mask(w) >> 1 } else { crate::sort::mask(w) };
        d != max && d.wrapping_add(1) & crate::sort::mask(w) == c
    }

    /// The bits that a signed number needs to hold every value of the term.
    fn signed_bits(&self, t: TermId) -> u8 {
        let w = self.width(t);
        match self.op(t) {
            Op::SExt => self.width(self.arg(t, 0)),
            Op::ZExt => self.width(self.arg(t, 0)) + 1,
            Op::BvConst(id) => {
                let c = crate::sort::to_signed(self.const_value(id), w);
                let magnitude = if c < 0 { !c } else { c };
                (129 - magnitude.leading_zeros()) as u8
            }
            _ => w,
        }
    }

    /// The bits that an unsigned number needs to hold every value of the term; at least 1.
    fn unsigned_bits(&self, t: TermId) -> u8 {
        match self.op(t) {
            Op::ZExt => self.width(self.arg(t, 0)),
            Op::BvConst(id) => (128 - self.const_value(id).leading_zeros()).max(1) as u8,
            _ => self.width(t),
        }
    }
}
