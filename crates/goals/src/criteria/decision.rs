//! Decision coverage: each outcome of each whole Boolean expression, and each label of a switch.
//!
//! A decision of one condition is that condition. Those of several are taken when one of the edges that end them is.

use std::collections::HashSet;

use covenant_program::coverage::edge_mapping::{self, SiteKind};
use covenant_program::ir::Body;

use crate::Criterion;
use crate::criteria::branch;
use crate::criteria::decisions::{Shape, shapes};
use crate::criteria::mcdc::{Next, Sites, outcomes};
use crate::criteria::{Maker, Needs, Profile, Site};
use crate::objective::{Objective, Outcome, Place};
use crate::words::{Reason, ReasonKind};

pub(super) const PROFILE: Profile = Profile {
    about: "Each outcome of each whole Boolean expression, and each label of a switch",
    nouns: ("outcome of a decision", "outcomes of decisions"),
    needs: Needs::Decisions,
    is_condition: true,
    ..Profile::new(make)
};

fn make(maker: &mut Maker<'_>) {
    maker.each_with_decisions(|site, inserter, labels| {
        let Some(mapping) = site.mapping else { return };
        let sites: Sites =
            edge_mapping::branches(inserter.body(), mapping).into_iter().map(|s| (s.region, s)).collect();
        let shapes = shapes(site, &sites);
        let inside: HashSet<usize> = shapes.iter().flat_map(|shape| shape.conditions.iter().copied()).collect();
        let mut made: Vec<Objective> = Vec::new();
        for shape in &shapes {
            let ends = ends(site, inserter.body(), shape, &sites);
            made.extend(of_decision(site, shape, ends));
        }
        let mut single: Vec<&edge_mapping::BranchSite> =
            sites.values().filter(|s| !inside.contains(&s.region)).collect();
        single.sort_by_key(|s| s.region);
        for one in single {
            made.extend(of_condition(site, inserter.body(), one));
        }
        made.sort_by_key(|o| (o.line, o.column));
        labels.objectives.extend(made);
    });
}

/// The edges that end a decision, by its outcome.
fn ends(site: &Site<'_>, body: &Body, shape: &Shape, sites: &Sites) -> Result<[Vec<Place>; 2], String> {
    let diagram = shape.diagram.clone()?;
    let mut ends = [Vec::new(), Vec::new()];
    for (way, (condition, outcome)) in outcomes(body, shape, sites)? {
        if let Next::End(value) = diagram.after(condition, outcome) {
            ends[usize::from(!value)].push(Place::Edge(site.function, way.block, way.edge));
        }
    }
    ends.iter_mut().for_each(|places| places.sort_by_key(|place| format!("{place:?}")));
    Ok(ends)
}

fn of_decision(site: &Site<'_>, shape: &Shape, ends: Result<[Vec<Place>; 2], String>) -> Vec<Objective> {
    let both = [(Outcome::True, 0), (Outcome::False, 1)];
    let objective = |(outcome, side): (Outcome, usize)| {
        let mut objective = site.of_span(Criterion::Decision, shape.span, outcome);
        objective.text.clone_from(&shape.text);
        match &ends {
            Ok(places) => objective.places.clone_from(&places[side]),
            Err(why) => objective.unmapped = Some(Reason::new(ReasonKind::Model, why.as_str())),
        }
        objective
    };
    both.into_iter().map(objective).collect()
}

/// The outcomes of a condition that is a decision of its own, or of a label.
fn of_condition(site: &Site<'_>, body: &Body, one: &edge_mapping::BranchSite) -> Vec<Objective> {
    let text = site.region_text(one.region);
    let both = match one.kind {
        SiteKind::Condition => vec![(Outcome::True, &one.on_true, 0), (Outcome::False, &one.on_false, 1)],
        SiteKind::Case => vec![(branch::label(&text), &one.on_true, 0)],
        SiteKind::NoCase => vec![(Outcome::Default, &one.on_true, 0)],
    };
    let objective = |(outcome, mapped, side): (Outcome, _, usize)| {
        let mut objective = site.of_region(Criterion::Decision, one.region, outcome);
        (objective.places, objective.unmapped) = branch::places(body, site.function, mapped);
        objective.counted = branch::counted(site.function, &one.counted[side]);
        objective
    };
    both.into_iter().map(objective).collect()
}
