//! Tests with small and ordinary values, as people choose them: 0, 1, a letter.
//!
//! Solvers and fuzzers come upon extreme numbers, and upon bytes that are no text. Where the path of a test and the conditions that it
//! is there for leave a choice, such a value gives way to an ordinary one. The test then is what a run with these values does, if
//! that run reaches all that the test reached.

use std::rc::Rc;

use covenant_concolic::run::Run;
use covenant_constraints::{Evaluator, Model, Sort, TermId, Value, VarId};
use covenant_goals::test_case;
use covenant_goals::{TestCase, TestOutcome};
use covenant_interpreter::machine::{mask, signed};
use rustc_hash::FxHashMap;

use super::Lab;

/// Numbers up to that are ordinary.
const SMALL: i128 = 16; // not tuning: taste
/// What is tried first instead of a number that is not.
const NUMBERS: &[i128] = &[0, 1, 2, -1, 3, 4, 5, 8, 10, 16, 100, 1000]; // not tuning: taste
/// And instead of a byte.
const BYTES: &[u8] = b"\0\x01aA0 1bzx\x02\x03\x04"; // not tuning: taste

/// Instructions of the runs that are spent on all tests of a search.
const MOST_INSTRUCTIONS: u64 = 5_000_000; // not tuning: how long it takes

impl Lab<'_> {
    /// Gives the tests ordinary values.
    pub(super) fn make_tests_ordinary(&mut self) {
        let (mut tests, mut inputs) = (std::mem::take(&mut self.tests), std::mem::take(&mut self.inputs));
        let mut spent = 0;
        for (test, inputs) in tests.iter_mut().zip(&mut inputs) {
            let Some((inputs, instructions)) = inputs else { continue };
            spent += *instructions;
            if spent < MOST_INSTRUCTIONS {
                self.make_ordinary(test, inputs, instructions);
            }
        }
        (self.tests, self.inputs) = (tests, inputs);
        // These runs were told of all labels.
        self.want_labels();
    }

    /// Gives a test ordinary values. Its inputs and the instructions of its run change with it.
    fn make_ordinary(&mut self, test: &mut TestCase, inputs: &mut Rc<Model>, instructions: &mut u64) {
        let unordinary = test.cells.iter().any(|cell| !is_ordinary_cell(&cell.value));
        if test.outcome != TestOutcome::Returned || test.open.is_some() || !unordinary {
            return;
        }
        let (run, hit) = self.run_inputs(Rc::clone(inputs));
        if !is_plain(&run) {
            return;
        }
        let fitting = self.fitting(inputs, *instructions);
        let Some(changed) = self.ordinary_inputs(&run, fitting) else { return };
        let (again, reached) = self.run_inputs(Rc::new(changed));
        if !is_plain(&again) || !hit.iter().all(|id| reached.contains(id)) || again.local != run.local {
            return;
        }
        let old = std::mem::take(test);
        (*inputs, *instructions) = (Rc::clone(&again.inputs), again.instructions);
        *test = TestCase { name: old.name, observed: old.observed, ..again.case };
    }

    /// Inputs of a run with other values on the same path for which this holds, too; `None`: there are none.
    fn ordinary_inputs(&self, run: &Run, more: Vec<TermId>) -> Option<Model> {
        let terms = &self.cx.terms;
        let held = run.labels.held.values().copied();
        let conditions: Vec<TermId> = run.events.iter().map(|event| event.constraint).chain(held).chain(more).collect();
        if conditions.len() > self.tuning().shrink_conditions {
            return None;
        }
        let mut by_var: FxHashMap<VarId, Vec<TermId>> = FxHashMap::default();
        for &condition in &conditions {
            for var in terms.variables(&[condition]) {
                by_var.entry(var).or_default().push(condition);
            }
        }
        let unsigned: Vec<&str> =
            run.case.cells.iter().filter(|c| is_unsigned(&c.value)).map(|c| c.path.as_str()).collect();
        let mut model = Model::clone(&run.inputs);
        let mut changed = false;
        let mut vars: Vec<VarId> = run.inputs.iter().map(|(var, _)| var).collect();
        vars.sort_unstable();
        for var in vars.into_iter().take(self.tuning().shrink_variables) {
            let sort = terms.var_sort(var);
            let Sort::Bv(width @ 8..=64) = sort else { continue };
            let (Some(bits), width) = (model.value(terms, var).bits(), u32::from(width)) else { continue };
            let is_signed = !unsigned.contains(&terms.var_name(var));
            let about = by_var.get(&var).map_or(&[][..], Vec::as_slice);
            let mut holds = |number: i128| {
                let Some(value) = Value::from_bits(sort, number as u128 & mask(width)) else { return false };
                let old = model.value(terms, var);
                model.set(var, value);
                let mut evaluator = Evaluator::new(terms, &model);
                let fine = about.iter().all(|&condition| evaluator.eval(condition).is_true());
                if !fine {
                    model.set(var, old);
                }
                fine
            };
            changed |= find(bits, width, is_signed, &mut holds);
        }
        changed.then_some(model)
    }
}

fn is_plain(run: &Run) -> bool {
    let elsewhere = run.limits.iter().any(|limit| limit.elsewhere);
    run.case.outcome == TestOutcome::Returned && run.defect.is_none() && !run.outside && !run.cut && !elsewhere
}

fn is_unsigned(value: &test_case::Value) -> bool {
    matches!(value, test_case::Value::Int { signed: false, .. })
}

fn is_ordinary_cell(value: &test_case::Value) -> bool {
    let test_case::Value::Int { bits, size, signed } = value else { return true };
    let Ok(bits) = bits.parse::<u128>() else { return true };
    is_ordinary(bits, 8 * (*size).clamp(1, 8), *signed)
}

fn number(bits: u128, width: u32, is_signed: bool) -> i128 {
    let bits = bits & mask(width);
    if is_signed { signed(bits, width) } else { bits as i128 }
}

fn is_ordinary(bits: u128, width: u32, is_signed: bool) -> bool {
    let number = number(bits, width, is_signed);
    if width == 8 {
        return (0..=4).contains(&number) || (32..127).contains(&number) || (9..=13).contains(&number);
    }
    number.abs() <= SMALL
}

/// Finds an ordinary number in the place of another one, or one nearer to zero.
fn find(bits: u128, width: u32, is_signed: bool, holds: &mut dyn FnMut(i128) -> bool) -> bool {
    let value = number(bits, width, is_signed);
    if is_ordinary(bits, width, is_signed) {
        return false;
    }
    let fits = |candidate: &i128| (is_signed || *candidate >= 0) && candidate.abs() < value.abs();
    if width == 8 {
        let printed = (33..127u8).map(i128::from);
        return BYTES.iter().map(|&byte| i128::from(byte)).chain(printed).any(&mut *holds);
    }
    if NUMBERS.iter().copied().filter(fits).any(&mut *holds) {
        return true;
    }
    let (mut good, mut bad) = (value, 0i128);
    while (good - bad).abs() > 1 {
        let middle = bad + (good - bad) / 2;
        if holds(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    good != value
}

#[cfg(test)]
mod tests {
    use super::find;

    fn found(bits: u128, width: u32, is_signed: bool, condition: impl Fn(i128) -> bool) -> Option<i128> {
        let mut last = None;
        find(bits, width, is_signed, &mut |number| {
            let fine = condition(number);
            if fine {
                last = Some(number);
            }
            fine
        });
        last
    }

    #[test]
    fn letters_stand_for_bytes_and_small_numbers_for_large_ones() {
        assert_eq!(found(0xff, 8, true, |n| n != 0 && n != 1), Some(i128::from(b'a')));
        assert_eq!(found(0x8000_0000, 32, false, |_| true), Some(0));
        assert_eq!(found(0x7fff_ffff, 32, true, |n| n > 4_000), Some(4_001));
        assert_eq!(found(0xffff_ffff, 32, false, |n| n >= 1 << 31), Some(1 << 31));
        assert_eq!(found(0xffff_ff00, 32, true, |n| n < -1), Some(-2));
    }

    #[test]
    fn what_is_ordinary_stays() {
        assert_eq!(found(u128::from(b'Q'), 8, true, |_| true), None);
        assert_eq!(found(7, 32, true, |_| true), None);
        assert_eq!(found(0xffff_fffe, 32, true, |_| true), None);
    }
}
