//! Random inputs: no constraint is ever solved.
//!
//! Random testing, the baseline of every comparison. Each input that some run has read gets random bits; what a pointer
//! points to is drawn among the first few choices. Inputs that no run has read so far keep their defaults until one does.
//! Branches that need one value of four thousand million are out of its reach, and it says nothing about what it misses.

use std::collections::BTreeMap;

use covenant_constraints::random::Rng;
use covenant_constraints::{Model, Sort, Value, VarId};

use super::{Next, Profile, Ran, Strategy, View};

pub(super) const PROFILE: Profile = Profile {
    about: "random inputs, no solver; never ends, how far luck goes",
    needs_cfg: false,
    is_exhaustive: false,
    make: |start| Box::new(RandomInput::new(start.rng)),
};

/// Choices of a pointer among which the lot decides: nothing, something new, something that is there.
const CHOICES: usize = 3; // not tuning: there are no more

#[derive(Debug)]
pub(super) struct RandomInput {
    rng: Rng,
    inputs: BTreeMap<VarId, Sort>,
}

impl RandomInput {
    pub(super) fn new(rng: Rng) -> RandomInput {
        RandomInput { rng, inputs: BTreeMap::new() }
    }

    fn value(&mut self, sort: Sort, is_choice: bool) -> Option<Value> {
        let bits = u128::from(self.rng.next()) << 64 | u128::from(self.rng.next());
        match sort {
            Sort::Bool => Some(Value::Bool(bits & 1 == 1)),
            Sort::Bv(_) if is_choice => Value::from_bits(sort, bits % CHOICES as u128),
            Sort::Bv(width) => Value::from_bits(sort, bits & (u128::MAX >> (128 - u32::from(width)))),
            _ => None,
        }
    }
}

impl Strategy for RandomInput {
    fn ran(&mut self, run: &Ran<'_>, view: &View<'_>) {
        for (var, _) in run.inputs.iter() {
            self.inputs.insert(var, view.terms.var_sort(var));
        }
    }

    fn next(&mut self, view: &View<'_>) -> Next {
        if self.inputs.is_empty() || view.tree.is_complete() {
            return Next::Done;
        }
        let mut model = Model::new();
        let inputs: Vec<(VarId, Sort)> = self.inputs.iter().map(|(&var, &sort)| (var, sort)).collect();
        for (var, sort) in inputs {
            let is_choice = view.terms.var_name(var).starts_with('&');
            if let Some(value) = self.value(sort, is_choice) {
                model.set(var, value);
            }
        }
        Next::Inputs(model)
    }
}

#[cfg(test)]
mod tests {
    use super::super::StrategyKind;
    use super::super::testing::*;

    #[test]
    fn inputs_are_drawn_without_a_flip() {
        let log = explore(chain, StrategyKind::RandomInput, 3);
        assert!(log.flips.is_empty() && log.open.is_empty());
        assert_ne!(log.runs, explore(chain, StrategyKind::RandomInput, 4).runs);
    }
}
