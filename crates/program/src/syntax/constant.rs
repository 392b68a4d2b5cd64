//! The values of constant expressions, as far as they are the same in every type.

use super::{Kind, Node, Syntax};

/// What every type of C can hold.
const ANYWHERE: std::ops::RangeInclusive<i128> = 0..=127;
/// What `int` can hold: no operation on these leaves a type unseen.
const INT: std::ops::RangeInclusive<i128> = -(1 << 31)..=(1 << 31) - 1;

impl Syntax {
    /// The value of an expression that is made of literals and constants of enumerations. Nothing where a type might
    /// change it.
    pub fn constant(&self, node: &Node) -> Option<i128> {
        let inner = |at: usize| self.constant(node.inner.get(at)?);
        match &node.kind {
            Kind::Literal(value) => Some(*value),
            Kind::Constant(Some(value)) => Some(*value),
            Kind::Constant(None) | Kind::Parentheses => inner(0),
            Kind::Cast { .. } => inner(0).filter(|value| ANYWHERE.contains(value) || !is_narrow(self.type_of(node))),
            Kind::Name(name) => self.enumerators.get(name).copied(),
            Kind::Unary { operator, .. } => unary(operator, inner(0)?),
            Kind::Binary { operator: "&&", .. } if inner(0) == Some(0) => Some(0),
            Kind::Binary { operator: "||", .. } if inner(0).is_some_and(|value| value != 0) => Some(1),
            Kind::Binary { operator, assigns: false } => binary(operator, inner(0)?, inner(1)?),
            Kind::Conditional if inner(0)? != 0 => inner(1),
            Kind::Conditional => inner(2),
            _ => None,
        }
    }
}

/// Whether a type may be smaller than the constants that are cast to it, or cut them in another way.
fn is_narrow(ty: &str) -> bool {
    !matches!(ty, "int" | "long" | "long long" | "unsigned int" | "unsigned long" | "unsigned long long")
}

fn unary(operator: &str, value: i128) -> Option<i128> {
    match operator {
        "!" => Some(i128::from(value == 0)),
        "+" | "__extension__" => Some(value),
        "-" if ANYWHERE.contains(&value) => Some(-value),
        _ => None,
    }
}

fn binary(operator: &str, left: i128, right: i128) -> Option<i128> {
    let truth = |holds: bool| Some(i128::from(holds));
    // What is compared may be converted first, which changes numbers below zero.
    let plain = left >= 0 && right >= 0;
    match operator {
        "&&" => truth(left != 0 && right != 0),
        "||" => truth(left != 0 || right != 0),
        "==" if plain => truth(left == right),
        "!=" if plain => truth(left != right),
        "<" if plain => truth(left < right),
        "<=" if plain => truth(left <= right),
        ">" if plain => truth(left > right),
        ">=" if plain => truth(left >= right),
        "+" => left.checked_add(right).filter(|sum| plain && INT.contains(sum)),
        "-" => left.checked_sub(right).filter(|rest| plain && *rest >= 0 && INT.contains(rest)),
        "*" => left.checked_mul(right).filter(|product| plain && INT.contains(product)),
        "&" if plain => Some(left & right),
        "|" if plain => Some(left | right),
        _ => None,
    }
}
