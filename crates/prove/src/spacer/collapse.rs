//! The part of a flow on ways to a target, with few places: only where paths meet and part again, and where values are
//! chosen freely.
//!
//! A place with one way in or one way out is taken out by joining its ways. What has to hold there can be said afterwards:
//! that each of its ways leads to where the condition of the next place holds. With a free choice on such a way that would
//! need a quantifier, so places before choices stay.

use std::collections::{BTreeMap, BTreeSet};

use covenant_constraints::{TermId, Terms, VarId};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

use covenant_transition::flow::{Edge, Flow, LocationId, live_variables};

/// A way between two places: one edge or several, joined.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) from: LocationId,
    /// `None`: the target.
    pub(super) to: Option<LocationId>,
    pub(super) guard: Vec<TermId>,
    /// Of variables that are read at `to` or later. Those that are not listed stay.
    pub(super) assign: FxHashMap<TermId, TermId>,
}

impl Way {
    /// A formula behind the way, in terms of the state before it.
    pub(super) fn before(&self, terms: &mut Terms, formula: TermId) -> TermId {
        if self.assign.is_empty() { formula } else { terms.substitute(formula, &self.assign) }
    }
}

/// The collapsed part of a flow.
#[derive(Debug)]
pub(super) struct Collapsed {
    /// Places that are left, without the root.
    pub(super) kept: BTreeSet<LocationId>,
    pub(super) ways: Vec<Way>,
    /// Places that were taken out, in that order, each with the ways that it had then.
    pub(super) gone: Vec<(LocationId, Vec<Way>)>,
    /// Places before the target that nothing leads to.
    pub(super) dead: Vec<LocationId>,
    pub(super) live: SecondaryMap<LocationId, BTreeSet<VarId>>,
}

/// Of no more than `most` edges. `Err`: why it was not tried.
pub(super) fn collapse(
    flow: &Flow,
    terms: &mut Terms,
    targets: &[LocationId],
    most: usize,
) -> Result<Collapsed, String> {
    let targets: BTreeSet<LocationId> = targets.iter().copied().collect();
    let before = backwards(flow, &targets);
    let reached = forwards(flow, &before, &targets);
    let dead = before.iter().copied().filter(|at| !reached.contains(at) && !targets.contains(at)).collect();
    let live = live_variables(flow, terms, &reached);
    let mut graph = Graph { root: flow.root, places: BTreeMap::new(), ways: Vec::new(), forks: BTreeSet::new() };
    for &at in reached.difference(&targets) {
        graph.places.entry(at).or_default();
        for &edge in &flow.locations[at].out {
            let edge = &flow.edges[edge];
            if reached.contains(&edge.to) {
                graph.add_edge(flow, terms, edge, targets.contains(&edge.to), &live);
            }
        }
        if graph.ways.len() > most {
            return Err("the part of the program before it is too large".to_owned());
        }
    }
    let gone = graph.join_all(terms, &live);
    let kept = graph.places.keys().copied().filter(|&at| at != flow.root).collect();
    Ok(Collapsed { kept, ways: graph.ways.into_iter().flatten().collect(), gone, dead, live })
}

/// All locations from which a target can be reached, with the targets.
fn backwards(flow: &Flow, targets: &BTreeSet<LocationId>) -> BTreeSet<LocationId> {
    let mut found = targets.clone();
    let mut work: Vec<LocationId> = targets.iter().copied().collect();
    while let Some(at) = work.pop() {
        let before = flow.locations[at].into.iter().map(|&edge| flow.edges[edge].from);
        work.extend(before.filter(|&from| found.insert(from)));
    }
    found
}

/// Those of the locations that the root leads to without going through a target.
fn forwards(flow: &Flow, within: &BTreeSet<LocationId>, targets: &BTreeSet<LocationId>) -> BTreeSet<LocationId> {
    let mut found = BTreeSet::from([flow.root]);
    let mut work = vec![flow.root];
    while let Some(at) = work.pop() {
        if !targets.contains(&at) {
            let after = flow.locations[at].out.iter().map(|&edge| flow.edges[edge].to);
            work.extend(after.filter(|to| within.contains(to) && found.insert(*to)));
        }
    }
    found
}

/// The ways into a place and out of it, by number.
#[derive(Debug, Default)]
struct Place {
    into: BTreeSet<usize>,
    out: BTreeSet<usize>,
}

#[derive(Debug)]
struct Graph {
    root: LocationId,
    places: BTreeMap<LocationId, Place>,
    ways: Vec<Option<Way>>,
    /// Places before free choices.
    forks: BTreeSet<LocationId>,
}

impl Graph {
    fn add_edge(
        &mut self,
        flow: &Flow,
        terms: &Terms,
        edge: &Edge,
        is_last: bool,
        live: &SecondaryMap<LocationId, BTreeSet<VarId>>,
    ) {
        let to = (!is_last).then_some(edge.to);
        let matters = |var: &VarId| to.is_some_and(|to| live[to].contains(var));
        let assign: Vec<&(VarId, TermId)> = edge.assign.iter().filter(|(var, _)| matters(var)).collect();
        let read: Vec<TermId> = edge.guard.iter().copied().chain(assign.iter().map(|(_, term)| *term)).collect();
        if terms.variables(&read).into_iter().any(|var| !flow.is_state(var)) {
            self.forks.insert(edge.from);
        }
        let assign = assign.into_iter().map(|(var, term)| (terms.var_term(*var), *term)).collect();
        self.add(terms, Way { from: edge.from, to, guard: edge.guard.clone(), assign });
    }

    fn add(&mut self, terms: &Terms, way: Way) {
        if way.guard.iter().any(|&guard| terms.as_bool(guard) == Some(false)) {
            return;
        }
        let number = self.ways.len();
        self.places.entry(way.from).or_default().out.insert(number);
        if let Some(to) = way.to {
            self.places.entry(to).or_default().into.insert(number);
        }
        self.ways.push(Some(way));
    }

    fn take(&mut self, number: usize) -> Option<Way> {
        let way = self.ways[number].take()?;
        if let Some(place) = self.places.get_mut(&way.from) {
            place.out.remove(&number);
        }
        if let Some(place) = way.to.and_then(|to| self.places.get_mut(&to)) {
            place.into.remove(&number);
        }
        Some(way)
    }

    /// Whether taking the place out leaves no more ways than there were.
    fn is_simple(&self, at: LocationId) -> bool {
        let Some(place) = self.places.get(&at) else { return false };
        let few = place.into.len() <= 1 || place.out.len() <= 1;
        at != self.root && few && !self.forks.contains(&at) && place.into.is_disjoint(&place.out)
    }

    fn join_all(
        &mut self,
        terms: &mut Terms,
        live: &SecondaryMap<LocationId, BTreeSet<VarId>>,
    ) -> Vec<(LocationId, Vec<Way>)> {
        let mut gone = Vec::new();
        let mut work: Vec<LocationId> = self.places.keys().copied().collect();
        while let Some(at) = work.pop() {
            if !self.is_simple(at) {
                continue;
            }
            let Some(place) = self.places.remove(&at) else { continue };
            let into: Vec<Way> = place.into.into_iter().filter_map(|number| self.take(number)).collect();
            let out: Vec<Way> = place.out.into_iter().filter_map(|number| self.take(number)).collect();
            for first in &into {
                for second in &out {
                    let way = join(terms, first, second, live);
                    self.add(terms, way);
                }
            }
            work.extend(into.iter().map(|way| way.from));
            work.extend(out.iter().filter_map(|way| way.to));
            gone.push((at, out));
        }
        gone
    }
}

fn join(terms: &mut Terms, first: &Way, second: &Way, live: &SecondaryMap<LocationId, BTreeSet<VarId>>) -> Way {
    let mut memo = FxHashMap::default();
    let mut early = |term: TermId| terms.substitute_with(term, &first.assign, &mut memo);
    let mut guard = first.guard.clone();
    guard.extend(second.guard.iter().map(|&term| early(term)));
    let mut assign: FxHashMap<TermId, TermId> = second.assign.iter().map(|(&var, &term)| (var, early(term))).collect();
    let lives = |var: TermId| {
        let var = terms.as_var(var);
        second.to.is_some_and(|to| var.is_some_and(|var| live[to].contains(&var)))
    };
    for (&var, &term) in &first.assign {
        if lives(var) {
            assign.entry(var).or_insert(term);
        }
    }
    guard.retain(|&term| terms.as_bool(term) != Some(true));
    Way { from: first.from, to: second.to, guard, assign }
}
