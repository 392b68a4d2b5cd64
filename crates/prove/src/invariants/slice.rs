//! The part of a flow that matters for some targets: the locations on ways to them, and the variables that decide which
//! way is taken, each as long as it is read again.
//!
//! What is left out is left open: an invariant that says nothing of a variable holds whatever its value.

use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Terms, VarId};
use covenant_transition::flow::{Edge, EdgeId, Flow, LocationId};
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::control::Control;
use super::shapes::{Shape, Shapes};
use crate::order::{Order, backwards};

/// Of all variables at all locations together. Beyond it nothing is said of the variables that come later.
const MAX_LIVE: usize = 8_000_000; // not tuning: memory

#[derive(Debug)]
pub(super) struct Slice<'f> {
    pub(super) flow: &'f Flow,
    pub(super) tuning: &'f Tuning,
    /// The locations that the root reaches and that reach a target.
    pub(super) order: Order,
    /// Locations that reach a target but that no path from the root goes to.
    pub(super) dead: Vec<LocationId>,
    pub(super) relevant: FxHashSet<VarId>,
    /// In order. A variable is live where it may be read before it is written.
    live: SecondaryMap<LocationId, Vec<VarId>>,
}

impl<'f> Slice<'f> {
    pub(super) fn new(
        flow: &'f Flow,
        terms: &Terms,
        shapes: &mut Shapes,
        targets: &[LocationId],
        tuning: &'f Tuning,
    ) -> Slice<'f> {
        let within = backwards(flow, targets);
        let order = Order::new(flow, &within);
        let dead = flow.locations.keys().filter(|l| within[*l] && !order.contains(*l)).collect();
        let mut slice = Slice { flow, tuning, order, dead, relevant: FxHashSet::default(), live: SecondaryMap::new() };
        slice.find_relevant(terms, shapes, targets);
        slice.find_live(terms, shapes);
        slice
    }

    /// Edges inside the slice, by the order of the locations they leave.
    pub(super) fn edges(&self) -> impl Iterator<Item = (EdgeId, &'f Edge)> + '_ {
        let flow = self.flow;
        self.order
            .sequence
            .iter()
            .flat_map(move |l| flow.locations[*l].out.iter())
            .map(move |e| (*e, &flow.edges[*e]))
            .filter(|(_, edge)| self.order.contains(edge.to))
    }

    /// Edges into a location from inside the slice.
    pub(super) fn edges_into(&self, to: LocationId) -> impl Iterator<Item = (EdgeId, &'f Edge)> + '_ {
        let flow = self.flow;
        flow.locations[to]
            .into
            .iter()
            .map(move |e| (*e, &flow.edges[*e]))
            .filter(|(_, edge)| self.order.contains(edge.from))
    }

    pub(super) fn live(&self, location: LocationId) -> &[VarId] {
        &self.live[location]
    }

    pub(super) fn is_live(&self, location: LocationId, var: VarId) -> bool {
        self.live[location].binary_search(&var).is_ok()
    }

    /// Whether a term with this shape can be said at the location: only of variables that are live there.
    pub(super) fn can_say(&self, location: LocationId, shape: &Shape) -> bool {
        shape.vars.iter().all(|v| self.is_live(location, *v))
    }

    /// Variables of the guards that decide whether a target is reached, and what these are computed from, where that
    /// is decided, and so on.
    fn find_relevant(&mut self, terms: &Terms, shapes: &mut Shapes, targets: &[LocationId]) {
        let control = Control::new(self.flow, &self.order, targets);
        let mut search = Search::default();
        for (e, edge) in self.edges() {
            for (var, _) in &edge.assign {
                search.writes.entry(*var).or_default().push(e);
            }
        }
        for &location in if control.complete { targets } else { &self.order.sequence } {
            search.location(location);
        }
        while let Some(next) = search.pending.pop() {
            match next {
                Matter::Location(location) => {
                    for &branch in control.branches(&self.order, location) {
                        search.branch(branch);
                    }
                    if !control.complete {
                        search.branch(location);
                    }
                }
                Matter::Branch(location) => {
                    for &e in &self.flow.locations[location].out {
                        let edge = &self.flow.edges[e];
                        for guard in edge.guard.iter().filter(|_| self.order.contains(edge.to)) {
                            search.variables(self.flow, &shapes.of(terms, *guard));
                        }
                    }
                }
                Matter::Variable(var) => {
                    for e in search.writes.remove(&var).unwrap_or_default() {
                        let edge = &self.flow.edges[e];
                        search.location(edge.from);
                        if self.flow.locations[edge.from].out.len() > 1 {
                            search.branch(edge.from);
                        }
                        for (_, term) in edge.assign.iter().filter(|(v, _)| *v == var) {
                            search.variables(self.flow, &shapes.of(terms, *term));
                        }
                    }
                }
            }
        }
        self.relevant = search.relevant;
    }

    fn find_live(&mut self, terms: &Terms, shapes: &mut Shapes) {
        let mut uses: FxHashMap<VarId, Vec<LocationId>> = FxHashMap::default();
        for (_, edge) in self.edges() {
            let read = edge.assign.iter().filter(|(var, _)| self.relevant.contains(var)).map(|(_, term)| term);
            for term in edge.guard.iter().chain(read) {
                for var in shapes.of(terms, *term).vars.iter().filter(|v| self.relevant.contains(v)) {
                    uses.entry(*var).or_default().push(edge.from);
                }
            }
        }
        let mut all: Vec<VarId> = uses.keys().copied().collect();
        all.sort_unstable();
        let mut total = 0;
        for var in all {
            total += self.spread(var, &uses[&var]);
            if total > MAX_LIVE {
                return;
            }
        }
    }

    /// Walks from the uses of a variable back to where it is written.
    fn spread(&mut self, var: VarId, uses: &[LocationId]) -> usize {
        let mut count = 0;
        let mut pending: Vec<LocationId> = uses.to_vec();
        while let Some(location) = pending.pop() {
            let here = &mut self.live[location];
            // Variables are done one after the other, so this one is the last if it is there.
            if here.last() == Some(&var) {
                continue;
            }
            here.push(var);
            count += 1;
            for (_, edge) in self.edges_into(location) {
                if !edge.assign.iter().any(|(v, _)| *v == var) {
                    pending.push(edge.from);
                }
            }
        }
        count
    }
}

/// Something whose causes are to be found.
enum Matter {
    /// Whether it is reached.
    Location(LocationId),
    /// Which way is taken.
    Branch(LocationId),
    /// Its value.
    Variable(VarId),
}

#[derive(Default)]
struct Search {
    pending: Vec<Matter>,
    locations: FxHashSet<LocationId>,
    branches: FxHashSet<LocationId>,
    relevant: FxHashSet<VarId>,
    /// The edges that set a variable.
    writes: FxHashMap<VarId, Vec<EdgeId>>,
}

impl Search {
    fn location(&mut self, location: LocationId) {
        if self.locations.insert(location) {
            self.pending.push(Matter::Location(location));
        }
    }

    /// Which way a branch takes matters only if it is reached.
    fn branch(&mut self, location: LocationId) {
        if self.branches.insert(location) {
            self.pending.push(Matter::Branch(location));
            self.location(location);
        }
    }

    fn variables(&mut self, flow: &Flow, shape: &Shape) {
        for &var in shape.vars.iter().filter(|v| flow.is_state(**v)) {
            if self.relevant.insert(var) {
                self.pending.push(Matter::Variable(var));
            }
        }
    }
}
