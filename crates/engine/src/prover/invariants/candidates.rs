//! Which conditions are tried where: what the forward analysis found, templates at the heads of loops, what guards and
//! assignments make true, and all of these carried along the edges.

use covenant_constraints::{Evaluator, Model, TermId, Terms};
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::forward::Forward;
use super::order::Component;
use super::shapes::Shapes;
use super::slice::Slice;
use super::transport::Transport;
use crate::prover::flow::{Edge, LocationId};

/// Conditions per location that are carried on; templates of the location itself come on top.
const MAX_CARRIED: usize = 96;

/// Where two ways meet, as many conditions of each side are combined with those of the other.
const MAX_COMBINED: usize = 4;
const MAX_COMBINED_SIZE: usize = 16;

/// Conditions by location, each a conjunct that may be dropped by itself.
pub(super) type Conditions = SecondaryMap<LocationId, Vec<TermId>>;

/// What to start from.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// Conditions for single locations: templates at heads, and what others propose.
    pub(super) given: FxHashMap<LocationId, Vec<TermId>>,
}

/// All candidates of the slice.
pub(super) fn collect(
    slice: &Slice<'_>,
    terms: &mut Terms,
    shapes: &mut Shapes,
    forward: &Forward,
    sources: &Sources,
    expired: &dyn Fn() -> bool,
) -> Conditions {
    let mut walk = Walk {
        slice,
        terms,
        shapes,
        forward,
        sources,
        transport: Transport::default(),
        carried: SecondaryMap::new(),
        repeated: FxHashSet::default(),
    };
    walk.run(expired);
    let mut all = walk.carried;
    for &location in &slice.order.sequence {
        if location == slice.flow.root {
            all[location].clear();
            continue;
        }
        if forward.state(location).is_none() {
            all[location] = vec![terms.ff()];
            continue;
        }
        let mut conditions: Vec<TermId> = Vec::new();
        for &var in slice.live(location) {
            if let Some(known) = forward.known(location, var) {
                conditions.extend(known.conditions(terms, var));
            }
        }
        conditions.append(&mut all[location]);
        let mut seen = FxHashSet::default();
        conditions.retain(|c| terms.as_bool(*c) != Some(true) && seen.insert(*c));
        all[location] = conditions;
    }
    for &location in &slice.dead {
        all[location] = vec![terms.ff()];
    }
    all
}

struct Walk<'a, 'f> {
    slice: &'a Slice<'f>,
    terms: &'a mut Terms,
    shapes: &'a mut Shapes,
    forward: &'a Forward,
    sources: &'a Sources,
    transport: Transport,
    carried: Conditions,
    /// Heads whose loop has been gone through a second time with what comes back to it.
    repeated: FxHashSet<LocationId>,
}

impl Walk<'_, '_> {
    fn run(&mut self, expired: &dyn Fn() -> bool) {
        let order = &self.slice.order;
        let mut open: Vec<Component> = Vec::new();
        let mut at = 0;
        while at < order.sequence.len() && !expired() {
            let location = order.sequence[at];
            self.visit(location, order.component_of(location));
            open.extend(order.component_of(location).copied());
            at += 1;
            while let Some(component) = open.last().copied().filter(|c| c.end == at) {
                open.pop();
                if self.repeated.insert(component.head) {
                    self.visit(component.head, None);
                    open.push(component);
                    at = component.start + 1;
                }
            }
        }
    }

    /// Takes in what comes along the edges: for the head of a loop that is entered only from outside it, later from
    /// everywhere.
    fn visit(&mut self, location: LocationId, entered: Option<&Component>) {
        if location == self.slice.flow.root || self.forward.state(location).is_none() {
            return;
        }
        let first = entered.filter(|c| !self.repeated.contains(&c.head));
        let edges: Vec<&Edge> = self
            .slice
            .edges_into(location)
            .map(|(_, edge)| edge)
            .filter(|edge| self.forward.state(edge.from).is_some())
            .filter(|edge| first.is_none_or(|c| !self.slice.order.is_member(c, edge.from)))
            .collect();
        let mut arriving: Vec<Vec<TermId>> = Vec::new();
        for edge in edges {
            let known = std::mem::take(&mut self.carried[edge.from]);
            arriving.push(self.transport.carry(self.slice, self.terms, self.shapes, edge, &known));
            self.carried[edge.from] = known;
        }
        let mut all = self.meet(arriving);
        all.truncate(MAX_CARRIED);
        if let Some(given) = self.sources.given.get(&location) {
            all.extend_from_slice(given);
        }
        let mut seen = FxHashSet::default();
        all.retain(|c| seen.insert(*c));
        self.carried[location] = all;
    }

    /// What arrives on all edges first; then what arrives on some, which may hold on the others for another reason; then
    /// the alternatives of two edges.
    fn meet(&mut self, arriving: Vec<Vec<TermId>>) -> Vec<TermId> {
        if arriving.len() == 1 {
            return arriving.into_iter().next().unwrap_or_default();
        }
        let mut count: FxHashMap<TermId, usize> = FxHashMap::default();
        for condition in arriving.iter().flatten() {
            *count.entry(*condition).or_default() += 1;
        }
        let everywhere = |c: &TermId| count[c] == arriving.len();
        let mut all: Vec<TermId> = arriving.first().into_iter().flatten().copied().filter(|c| everywhere(c)).collect();
        let mut partial: Vec<Vec<TermId>> = Vec::new();
        for side in &arriving {
            partial.push(side.iter().copied().filter(|c| !everywhere(c)).collect());
        }
        let mut combined = Vec::new();
        if let [a, b] = &partial[..] {
            self.combine(a, b, &mut combined);
        }
        for condition in partial.into_iter().flatten() {
            let negation = self.terms.not(condition);
            // What is certainly false on another edge is no candidate.
            if !count.contains_key(&negation) {
                all.push(condition);
            }
        }
        all.truncate(MAX_CARRIED - combined.len().min(MAX_CARRIED));
        all.extend(combined);
        all
    }

    fn combine(&mut self, a: &[TermId], b: &[TermId], combined: &mut Vec<TermId>) {
        let mut small = |side: &[TermId]| -> Vec<TermId> {
            let fits = |c: &&TermId| self.shapes.of(self.terms, **c).size <= MAX_COMBINED_SIZE;
            side.iter().filter(fits).take(MAX_COMBINED).copied().collect()
        };
        let (a, b) = (small(a), small(b));
        for &x in &a {
            for &y in &b {
                let either = self.terms.or(x, y);
                if self.terms.as_bool(either).is_none() {
                    combined.push(either);
                }
            }
        }
    }
}

/// Drops the candidates that are false in a state that a run was seen in.
pub(super) fn filter(
    terms: &Terms,
    shapes: &mut Shapes,
    conditions: &mut Conditions,
    samples: &FxHashMap<LocationId, Vec<Model>>,
) {
    for (&location, models) in samples {
        for model in models {
            let mut evaluator = Evaluator::new(terms, model);
            conditions[location].retain(|c| {
                let listed = shapes.of(terms, *c).vars.iter().all(|v| model.get(*v).is_some());
                !listed || evaluator.eval(*c).is_true()
            });
        }
    }
}
