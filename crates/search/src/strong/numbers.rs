//! Other numbers for a run, with which a mutant may show that does not show yet.

use std::collections::BTreeMap;

use covenant_concolic::run::Run;
use covenant_constraints::{Evaluator, Model, Sort, TermId, Terms, Value, VarId};
use covenant_interpreter::machine::mask;
use rustc_hash::FxHashMap;

/// Conditions and inputs of a run for which other numbers are tried.
const MOST_CONDITIONS: usize = 400; // not tuning: how long it takes
/// Inputs that are replaced, each by itself.
const MOST_REPLACED: usize = 3; // not tuning: how long it takes
/// Numbers with several digits that differ: how often a loop goes round for a number is a hard question to a solver.
const USUAL: &[i128] = &[10, 123, 4567, 1_234_567, -123, -4567]; // not tuning: taste

/// The inputs with one number replaced, whatever the way of the run.
pub(super) fn usual_numbers(terms: &Terms, inputs: &Model) -> Vec<Model> {
    let mut numbers: Vec<(VarId, Sort)> = inputs.iter().map(|(var, _)| (var, terms.var_sort(var))).collect();
    numbers.retain(|(_, sort)| matches!(sort, Sort::Bv(16..=64)));
    numbers.sort_unstable_by_key(|(var, _)| *var);
    let mut models = Vec::new();
    for (var, sort) in numbers.into_iter().take(MOST_REPLACED) {
        for &number in USUAL {
            let bits = number as u128 & mask(u32::from(sort.width()));
            let Some(value) = Value::from_bits(sort, bits) else { continue };
            let mut model = inputs.clone();
            model.set(var, value);
            models.push(model);
        }
    }
    models
}

/// Inputs with numbers that differ from each other and from zero, as far as the way of a run and what a mutant needs allow it. What
/// only the mutant reads is among them.
pub(super) fn other_numbers(terms: &Terms, own: &Run, changed: &Run, labels: &[u32]) -> Vec<Model> {
    let held = labels.iter().filter_map(|label| own.labels.held.get(label).copied());
    let conditions: Vec<TermId> = own.events.iter().map(|event| event.constraint).chain(held).collect();
    let mut vars: BTreeMap<VarId, bool> = changed.inputs.iter().map(|(var, _)| (var, true)).collect();
    vars.extend(own.inputs.iter().map(|(var, _)| (var, false)));
    if conditions.len() > MOST_CONDITIONS || vars.len() > MOST_CONDITIONS {
        return Vec::new();
    }
    let mut by_var: FxHashMap<VarId, Vec<TermId>> = FxHashMap::default();
    for &condition in &conditions {
        for var in terms.variables(&[condition]) {
            by_var.entry(var).or_default().push(condition);
        }
    }
    let mut models = Vec::new();
    for start in [3u128, 12] {
        let mut model = Model::clone(&own.inputs);
        for (&var, _) in vars.iter().filter(|(_, is_new)| **is_new) {
            model.set(var, changed.inputs.value(terms, var));
        }
        let mut next = start;
        let mut is_other = false;
        for &var in vars.keys() {
            let sort = terms.var_sort(var);
            let Sort::Bv(8..=64) = sort else { continue };
            let about = by_var.get(&var).map_or(&[][..], Vec::as_slice);
            let old = model.value(terms, var);
            for bits in [next, next + 1, next * 16 + 1, u128::MAX - next] {
                let bits = bits & mask(u32::from(sort.width()));
                let Some(value) = Value::from_bits(sort, bits) else { continue };
                model.set(var, value);
                let mut evaluator = Evaluator::new(terms, &model);
                if about.iter().all(|&condition| evaluator.eval(condition).is_true()) {
                    is_other = true;
                    break;
                }
                model.set(var, old.clone());
            }
            next += 2;
        }
        if is_other {
            models.push(model);
        }
    }
    models.extend(moved_together(terms, own, changed, &conditions));
    models
}

/// Bytes that are alike stay alike and become others: where they are compared, none of them can move by itself.
fn moved_together(terms: &Terms, own: &Run, changed: &Run, conditions: &[TermId]) -> Option<Model> {
    let mut model = Model::clone(&own.inputs);
    for (var, value) in changed.inputs.iter() {
        if !own.inputs.iter().any(|(known, _)| known == var) {
            model.set(var, value.clone());
        }
    }
    let mut bytes: Vec<VarId> = model.iter().map(|(var, _)| var).collect();
    bytes.retain(|&var| matches!(terms.var_sort(var), Sort::Bv(8)));
    bytes.sort_unstable();
    let mut others: BTreeMap<u128, u128> = BTreeMap::new();
    for var in bytes {
        let Some(old) = model.value(terms, var).bits() else { continue };
        let next = u128::from(b'a') + others.len() as u128;
        let bits = *others.entry(old).or_insert(next) & 0xff;
        let Some(value) = Value::from_bits(terms.var_sort(var), bits) else { continue };
        model.set(var, value);
    }
    let mut evaluator = Evaluator::new(terms, &model);
    let is_possible = conditions.iter().all(|&condition| evaluator.eval(condition).is_true());
    (is_possible && !others.is_empty()).then_some(model)
}
