//! Making inputs small. Solvers like extreme values; people do not, and loops run as often as their bounds say.

use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Evaluator, Model, Sort, TermId, Terms, Value, VarId};
use rustc_hash::FxHashMap;

/// Makes the values of `vars` as small as a few tries can, as long as all conditions hold.
pub fn shrink(terms: &Terms, model: &mut Model, conditions: &[TermId], vars: &[VarId], tuning: &Tuning) {
    if conditions.len() > tuning.shrink_conditions {
        return;
    }
    let mut by_var: FxHashMap<VarId, Vec<TermId>> = FxHashMap::default();
    for &condition in conditions {
        for var in terms.variables(&[condition]) {
            by_var.entry(var).or_default().push(condition);
        }
    }
    for &var in vars.iter().take(tuning.shrink_variables) {
        let Sort::Bv(width @ 2..=64) = terms.var_sort(var) else { continue };
        let Some(bits) = model.value(terms, var).bits() else { continue };
        let about = by_var.get(&var).map_or(&[][..], Vec::as_slice);
        let mut holds = |model: &mut Model, bits: u128| {
            let Some(value) = Value::from_bits(terms.var_sort(var), bits) else { return false };
            let old = model.value(terms, var);
            model.set(var, value);
            let mut evaluator = Evaluator::new(terms, model);
            let fine = about.iter().all(|&condition| evaluator.eval(condition).is_true());
            if !fine {
                model.set(var, old);
            }
            fine
        };
        smallest(model, bits, u32::from(width), &mut holds);
    }
}

/// Tries small numbers first, then halves the distance to zero while that is possible.
fn smallest(model: &mut Model, bits: u128, width: u32, holds: &mut dyn FnMut(&mut Model, u128) -> bool) {
    let mask = covenant_interpreter::machine::mask(width);
    let value = covenant_interpreter::machine::signed(bits, width);
    if value.unsigned_abs() <= 4 {
        return;
    }
    for candidate in [0i128, 1, 2, -1, 3, 4] {
        if holds(model, candidate as u128 & mask) {
            return;
        }
    }
    let (mut good, mut bad) = (value, 0i128);
    while (good - bad).abs() > 1 {
        let middle = bad + (good - bad) / 2;
        if holds(model, middle as u128 & mask) {
            good = middle;
        } else {
            bad = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_down_as_far_as_the_conditions_let_them() {
        let mut terms = Terms::new();
        let (x, y) = (terms.var("x", Sort::Bv(32)), terms.var("y", Sort::Bv(32)));
        let (a, b) = (terms.var_term(x), terms.var_term(y));
        let hundred = terms.bv(100, 32);
        let conditions = [terms.slt(hundred, a), terms.slt(a, b)];
        let mut model = Model::new();
        model.set(x, Value::from_bits(Sort::Bv(32), 0x3fff_0000).unwrap());
        model.set(y, Value::from_bits(Sort::Bv(32), 0x7fff_ffff).unwrap());
        shrink(&terms, &mut model, &conditions, &[x, y], &Tuning::default());
        assert_eq!((model.value(&terms, x).bits(), model.value(&terms, y).bits()), (Some(101), Some(102)));
    }
}
