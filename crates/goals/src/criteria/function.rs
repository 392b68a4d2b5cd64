//! Function coverage: each function is called.

use crate::criteria::Maker;
use crate::objective::{Criterion, Objective, Outcome, Place};

pub(crate) fn make(maker: &mut Maker<'_>) {
    maker.each(|site, _, labels| {
        let function = &site.program.functions[site.function];
        let name = function.source_name().to_owned();
        let mut objective: Objective =
            site.objective(Criterion::Function, function.loc, name, Outcome::Holds("called".to_owned()));
        objective.places.push(Place::Entry(site.function));
        labels.objectives.push(objective);
    });
}
