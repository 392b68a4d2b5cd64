//! Function coverage: each function is called.

use crate::Criterion;
use crate::criteria::{Maker, Profile};
use crate::objective::{Objective, Outcome, Place};

pub(super) const PROFILE: Profile =
    Profile { about: "Each function that the code can call", nouns: ("function", "functions"), ..Profile::new(make) };

fn make(maker: &mut Maker<'_>) {
    maker.each(|site, _, labels| {
        let function = &site.program.functions[site.function];
        let name = function.source_name().to_owned();
        let mut objective: Objective =
            site.objective(Criterion::Function, function.loc, name, Outcome::Holds("called".to_owned()));
        objective.places.push(Place::Entry(site.function));
        labels.objectives.push(objective);
    });
}
