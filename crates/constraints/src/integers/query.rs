//! Constraints as one integer formula. What linear arithmetic has no word for is any value within bounds, so where the formula
//! has no model the constraints have none; where it has one, nothing is said.

use std::fmt::Write as _;

use super::constants::Constants;
use super::encode::Encoder;
use super::expr::Expr;
use super::reading::Readings;
use crate::sort::Sort;
use crate::term::{TermId, Terms};
use crate::tuning::Tuning;

/// The name of what switches a constraint on.
pub fn switch(index: usize) -> String {
    format!("on{index}")
}

/// Declarations and an assertion in which each constraint holds if its [`switch`] is on. Nothing if there are floats or
/// arrays among the terms.
pub fn query(terms: &Terms, constraints: &[TermId], tuning: &Tuning) -> Option<String> {
    let is_word = |t: TermId| matches!(terms.sort(t), Sort::Bool | Sort::Bv(_));
    if !terms.postorder(constraints).into_iter().all(is_word) {
        return None;
    }
    let readings = Readings::choose(terms, constraints, &[], tuning);
    let constants = Constants::default();
    let mut encoder = Encoder::new(terms, &readings, &constants, tuning);
    let mut roots = Vec::new();
    for (i, &constraint) in constraints.iter().enumerate() {
        let (on, holds) = (encoder.exprs.symbol(switch(i)), encoder.condition(constraint));
        roots.push(encoder.exprs.implies(on, holds));
    }
    let sides: Vec<Expr> = std::mem::take(&mut encoder.sides);
    roots.extend(sides);
    let mut text = String::new();
    for i in 0..constraints.len() {
        let _ = writeln!(text, "(declare-const {} Bool)", switch(i));
    }
    for (name, sort) in &encoder.variables {
        let _ = writeln!(text, "(declare-const {name} {sort})");
    }
    let body = encoder.exprs.with_lets(&roots, |texts| format!("(and true {})", texts.join(" ")));
    let _ = writeln!(text, "(assert {body})");
    Some(text)
}
