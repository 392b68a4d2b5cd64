//! Condition coverage: each outcome of each atomic condition. These are the branches without the labels of switches.

use crate::criteria::{Criterion, Maker, Profile, branch};
use crate::objective::Outcome;

pub(super) const PROFILE: Profile = Profile {
    about: "Each outcome of each atomic condition",
    nouns: ("outcome of a condition", "outcomes of conditions"),
    is_condition: true,
    ..Profile::new(make)
};

fn make(maker: &mut Maker<'_>) {
    let mut all = branch::objectives(maker.program, maker.functions, maker.mappings, maker.source);
    all.retain(|o| matches!(o.outcome, Outcome::True | Outcome::False));
    all.iter_mut().for_each(|o| o.criterion = Criterion::Condition);
    maker.objectives.extend(all);
}
