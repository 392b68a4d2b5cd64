//! Induction over several iterations: the states from which a target is reached within so many rounds of its loops, by
//! weakest preconditions, and the conditions that none of them occurs.
//!
//! That these conditions are inductive is k-induction; together with what is known already a small k is mostly enough. What
//! an edge chooses freely cannot be said before it: a condition on it counts as met, so that more states look bad than
//! are. That is safe, since the candidates are verified like all others.

use covenant_constraints::{Op, Sort, TermId, Terms, VarId};
use covenant_transition::flow::{Edge, LocationId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::entail::before;
use super::shapes::{Shapes, conjuncts, disjuncts};
use super::slice::Slice;
use super::walk::Candidates;

#[derive(Debug)]
pub(super) struct Unrolling {
    target: LocationId,
    /// In the order of the slice.
    region: Vec<LocationId>,
    /// From where the target is reached as far as seen; `None`: too large to say.
    bad: FxHashMap<LocationId, Option<TermId>>,
    /// The same, with choices as they are: no state is listed that does not lead there.
    ways: FxHashMap<LocationId, TermId>,
}

impl Unrolling {
    pub(super) fn new(slice: &Slice<'_>, terms: &Terms, target: LocationId) -> Unrolling {
        let bad = [(target, Some(terms.tt()))].into_iter().collect();
        let ways = [(target, terms.tt())].into_iter().collect();
        Unrolling { target, region: region(slice, target), bad, ways }
    }

    /// One more round. Whether anything is new.
    pub(super) fn deepen(&mut self, slice: &Slice<'_>, terms: &mut Terms, shapes: &mut Shapes) -> bool {
        let mut changed = false;
        for &location in self.region.iter().rev() {
            if location == self.target || location == slice.flow.root {
                continue;
            }
            let mut all = Some(terms.ff());
            let mut ways = terms.ff();
            for &e in &slice.flow.locations[location].out {
                let edge = &slice.flow.edges[e];
                if let Some(&behind) = self.ways.get(&edge.to) {
                    let way = condition_before(terms, shapes, edge, behind);
                    ways = terms.or(ways, way);
                }
                let Some(behind) = self.bad.get(&edge.to) else { continue };
                let way = behind.and_then(|b| precondition(slice, terms, shapes, edge, b));
                all = all.zip(way).map(|(a, b)| terms.or(a, b));
            }
            if shapes.of(terms, ways).size <= slice.tuning.induction_ways {
                self.ways.insert(location, ways);
            }
            let all = all.filter(|t| shapes.of(terms, *t).size <= slice.tuning.induction_size);
            if all == Some(terms.ff()) {
                continue;
            }
            changed |= self.bad.insert(location, all) != Some(all);
        }
        changed
    }

    /// Edges into the region, and that behind them no way to the target begins. If one of these may be false, then nothing
    /// inside the region excludes the target.
    pub(super) fn entries<'f>(&self, slice: &Slice<'f>, terms: &mut Terms) -> Vec<(&'f Edge, TermId)> {
        let inside: FxHashSet<LocationId> = self.region.iter().copied().collect();
        let mut found = Vec::new();
        for &location in &self.region {
            let Some(&ways) = self.ways.get(&location) else { continue };
            for (_, edge) in slice.edges_into(location) {
                if edge.from == slice.flow.root || !inside.contains(&edge.from) {
                    found.push((edge, terms.not(ways)));
                }
            }
        }
        found
    }

    /// That no state is bad, in parts, and what would be more general.
    pub(super) fn candidates(
        &self,
        slice: &Slice<'_>,
        terms: &mut Terms,
        shapes: &mut Shapes,
    ) -> (Candidates, Vec<LocationId>) {
        let mut found = Candidates::default();
        let mut places = Vec::new();
        for &location in &self.region {
            let Some(Some(bad)) = self.bad.get(&location).copied() else { continue };
            let mut all = Vec::new();
            for state in disjuncts(terms, bad) {
                let never = terms.not(state);
                all.extend(conjuncts(terms, never));
                for literal in conjuncts(terms, state) {
                    let negation = terms.not(literal);
                    all.extend(conjuncts(terms, negation));
                    neighbours(terms, literal, &mut all);
                }
            }
            let mut seen = FxHashSet::default();
            all.retain(|c| terms.as_bool(*c) != Some(true) && seen.insert(*c));
            all.retain(|c| shapes.of(terms, *c).vars.iter().all(|v| slice.flow.is_state(*v)));
            all.truncate(slice.tuning.induction_candidates);
            if location != slice.flow.root && !all.is_empty() {
                found.insert(location, all);
                places.push(location);
            }
        }
        (found, places)
    }
}

/// The other comparisons of the same two sides.
fn neighbours(terms: &mut Terms, literal: TermId, all: &mut Vec<TermId>) {
    let literal = if terms.op(literal) == Op::Not { terms.arg(literal, 0) } else { literal };
    let node = *terms.node(literal);
    if node.args.len() != 2 || !matches!(terms.sort(node.args[0]), Sort::Bv(_)) {
        return;
    }
    let (a, b) = (node.args[0], node.args[1]);
    match node.op {
        Op::Slt | Op::Sle => all.extend([terms.sle(a, b), terms.sle(b, a), terms.eq(a, b)]),
        Op::Ult | Op::Ule => all.extend([terms.ule(a, b), terms.ule(b, a), terms.eq(a, b)]),
        Op::Eq => all.extend([terms.sle(a, b), terms.sle(b, a), terms.ule(a, b), terms.ule(b, a)]),
        _ => {}
    }
}

/// The locations nearest to the target, going backwards, and the loops they are in, in the order of the slice.
fn region(slice: &Slice<'_>, target: LocationId) -> Vec<LocationId> {
    let mut found: FxHashSet<LocationId> = FxHashSet::default();
    let mut queue = std::collections::VecDeque::from([target]);
    found.insert(target);
    while let Some(location) = queue.pop_front() {
        for (_, edge) in slice.edges_into(location) {
            if found.len() < slice.tuning.induction_near && found.insert(edge.from) {
                queue.push_back(edge.from);
            }
        }
    }
    for component in &slice.order.components {
        let members = slice.order.members(component);
        if members.len() <= slice.tuning.induction_loop && found.contains(&component.head) {
            found.extend(members);
        }
    }
    let mut region: Vec<LocationId> = found.into_iter().filter(|l| slice.order.contains(*l)).collect();
    region.sort_by_key(|l| slice.order.position(*l));
    region
}

/// That the edge is taken into a state with `behind`, choices included.
fn condition_before(terms: &mut Terms, shapes: &mut Shapes, edge: &Edge, behind: TermId) -> TermId {
    let early = before(terms, shapes, edge, behind, &mut FxHashMap::default());
    let guard = terms.and_all(edge.guard.iter().copied());
    terms.and(guard, early)
}

/// States from which the edge can be taken into a state with `behind`, and perhaps more. `None`: too large.
fn precondition(
    slice: &Slice<'_>,
    terms: &mut Terms,
    shapes: &mut Shapes,
    edge: &Edge,
    behind: TermId,
) -> Option<TermId> {
    let whole = condition_before(terms, shapes, edge, behind);
    if shapes.of(terms, whole).size > slice.tuning.induction_size {
        return None;
    }
    let choices: FxHashSet<VarId> =
        shapes.of(terms, whole).vars.iter().copied().filter(|v| !slice.flow.is_state(*v)).collect();
    Some(if choices.is_empty() { whole } else { forget(terms, shapes, whole, true, &choices) })
}

/// A condition that holds whenever `term` (or its negation, for `polarity` false) does for some values of the choices, and
/// mentions none of them. The recursion follows the Boolean structure of a term of limited size.
fn forget(terms: &mut Terms, shapes: &mut Shapes, term: TermId, polarity: bool, choices: &FxHashSet<VarId>) -> TermId {
    if !shapes.of(terms, term).vars.iter().any(|v| choices.contains(v)) {
        return if polarity { term } else { terms.not(term) };
    }
    let node = *terms.node(term);
    match (node.op, polarity) {
        (Op::Not, _) => forget(terms, shapes, node.args[0], !polarity, choices),
        (Op::And, true) | (Op::Or, false) => {
            let (a, b) = both(terms, shapes, &node.args, polarity, choices);
            terms.and(a, b)
        }
        (Op::Or, true) | (Op::And, false) => {
            let (a, b) = both(terms, shapes, &node.args, polarity, choices);
            terms.or(a, b)
        }
        _ => terms.tt(),
    }
}

fn both(
    terms: &mut Terms,
    shapes: &mut Shapes,
    args: &covenant_constraints::term::Args,
    polarity: bool,
    choices: &FxHashSet<VarId>,
) -> (TermId, TermId) {
    let a = forget(terms, shapes, args[0], polarity, choices);
    let b = forget(terms, shapes, args[1], polarity, choices);
    (a, b)
}
