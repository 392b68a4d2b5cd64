//! The cheap forward analysis: ranges, known bits and small sets of values of each variable at each location, by
//! abstract interpretation with widening at the heads of loops and a little narrowing afterwards.
//!
//! Nobody relies on its results: they are candidates that [`super::houdini`] verifies edge by edge.

use covenant_constraints::analysis::{Facts, Range};
use covenant_constraints::eval::apply;
use covenant_constraints::sort::{Sort, mask};
use covenant_constraints::{Model, Op, TermId, Terms, Value, VarId, eval};
use covenant_transition::flow::{Edge, LocationId};
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::map::Map;
use super::shapes::Shapes;
use super::slice::Slice;
use super::value::{Known, Values, has_range};

/// A variable that is not listed may have any value.
pub(super) type State = Map<Known>;

#[derive(Debug)]
pub(super) struct Forward {
    /// `None`: not reached.
    states: SecondaryMap<LocationId, Option<State>>,
}

impl Forward {
    pub(super) fn state(&self, location: LocationId) -> Option<&State> {
        self.states[location].as_ref()
    }

    /// What is known of the variable at the location, if anything.
    pub(super) fn known(&self, location: LocationId, var: VarId) -> Option<&Known> {
        self.states[location].as_ref()?.get(var.index() as u32)
    }
}

/// Runs the analysis; what is not done when `expired` says so counts as unknown.
pub(super) fn analyse(
    slice: &Slice<'_>,
    terms: &mut Terms,
    shapes: &mut Shapes,
    expired: &dyn Fn() -> bool,
) -> Option<Forward> {
    let thresholds = thresholds(slice, terms, shapes);
    let mut run = Run { slice, terms, shapes, thresholds, states: SecondaryMap::new(), rounds: SecondaryMap::new() };
    run.ascend(expired)?;
    for _ in 0..slice.tuning.ranges_narrowings {
        if expired() {
            break;
        }
        run.descend();
    }
    Some(Forward { states: run.states })
}

/// The constants near which each variable is compared, by its index.
fn thresholds(slice: &Slice<'_>, terms: &Terms, shapes: &mut Shapes) -> FxHashMap<u32, Vec<u128>> {
    let mut found: FxHashMap<u32, Vec<u128>> = FxHashMap::default();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    for (_, edge) in slice.edges() {
        for &guard in &edge.guard {
            if !seen.insert(guard) || shapes.of(terms, guard).size > slice.tuning.ranges_guard {
                continue;
            }
            for t in terms.postorder(&[guard]) {
                if matches!(terms.op(t), Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::Eq) {
                    compare_constants(slice, terms, shapes, t, &mut found);
                }
            }
        }
    }
    for all in found.values_mut() {
        all.sort_unstable();
        all.dedup();
    }
    found
}

fn compare_constants(
    slice: &Slice<'_>,
    terms: &Terms,
    shapes: &mut Shapes,
    comparison: TermId,
    found: &mut FxHashMap<u32, Vec<u128>>,
) {
    let sides = [terms.arg(comparison, 0), terms.arg(comparison, 1)];
    for (this, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
        let Some(c) = terms.as_bv(this) else { continue };
        for var in &shapes.of(terms, other).vars {
            let Sort::Bv(w) = terms.var_sort(*var) else { continue };
            if !slice.relevant.contains(var) {
                continue;
            }
            let all = found.entry(var.index() as u32).or_default();
            if all.len() < slice.tuning.ranges_thresholds {
                all.extend([c.wrapping_sub(1), c, c.wrapping_add(1)].map(|v| v & mask(w)));
            }
        }
    }
}

struct Run<'a, 'f> {
    slice: &'a Slice<'f>,
    terms: &'a mut Terms,
    shapes: &'a mut Shapes,
    thresholds: FxHashMap<u32, Vec<u128>>,
    states: SecondaryMap<LocationId, Option<State>>,
    /// How often the state of a head has grown.
    rounds: SecondaryMap<LocationId, u32>,
}

impl Run<'_, '_> {
    /// Each loop until its head is stable, inner ones within outer ones.
    fn ascend(&mut self, expired: &dyn Fn() -> bool) -> Option<()> {
        let order = &self.slice.order;
        let mut open: Vec<crate::order::Component> = Vec::new();
        let mut at = 0;
        let mut steps = 0u64;
        while at < order.sequence.len() {
            steps += 1;
            if steps.is_multiple_of(256) && expired() {
                return None;
            }
            let location = order.sequence[at];
            match order.component_of(location) {
                Some(component) => {
                    self.grow(location);
                    open.push(*component);
                }
                None => self.states[location] = self.incoming(location),
            }
            at += 1;
            while let Some(component) = open.last().filter(|c| c.end == at) {
                if self.grow(component.head) {
                    at = component.start + 1;
                } else {
                    open.pop();
                }
            }
        }
        Some(())
    }

    /// Takes what comes in into the state of a head; whether it has changed.
    fn grow(&mut self, head: LocationId) -> bool {
        let Some(new) = self.incoming(head) else { return false };
        let Some(old) = self.states[head].clone() else {
            self.states[head] = Some(new);
            return true;
        };
        let rounds = self.rounds[head];
        let (thresholds, tuning) = (&self.thresholds, self.slice.tuning);
        let most = tuning.ranges_values;
        let grown = old.intersect(&new, &mut |key, a, b| {
            let joined = a.join(b, most);
            if joined == *a {
                return Some(joined);
            }
            let wide = match rounds {
                _ if rounds < tuning.ranges_patience => joined,
                _ if rounds < tuning.ranges_widenings => a.widen(b, thresholds.get(&key).map_or(&[][..], |t| t), most),
                _ => return None,
            };
            Some(wide).filter(|k| !k.is_top())
        });
        let changed = !grown.same(&old);
        self.rounds[head] += u32::from(changed);
        self.states[head] = Some(grown);
        changed
    }

    /// One pass over all locations that computes each state anew from those before it: what widening gave up too much
    /// comes back.
    fn descend(&mut self) {
        for at in 0..self.slice.order.sequence.len() {
            let location = self.slice.order.sequence[at];
            self.states[location] = self.incoming(location);
        }
    }

    fn incoming(&mut self, location: LocationId) -> Option<State> {
        if location == self.slice.flow.root {
            return Some(State::default());
        }
        let (mut result, most): (Option<State>, usize) = (None, self.slice.tuning.ranges_values);
        let edges: SmallVec<[&Edge; 4]> = self.slice.edges_into(location).map(|(_, edge)| edge).collect();
        for edge in edges {
            let Some(from) = self.states[edge.from].clone() else { continue };
            let Some(after) = self.step(edge, from) else { continue };
            result = Some(match result {
                None => after,
                Some(before) => {
                    before.intersect(&after, &mut |_, a, b| Some(a.join(b, most)).filter(|joined| !joined.is_top()))
                }
            });
        }
        result
    }

    /// The state behind the edge; `None` if it cannot be taken.
    fn step(&mut self, edge: &Edge, from: State) -> Option<State> {
        if edge.guard.is_empty() && edge.assign.is_empty() {
            return Some(from);
        }
        let assigned: SmallVec<[(VarId, TermId); 8]> =
            edge.assign.iter().copied().filter(|(v, _)| self.slice.relevant.contains(v)).collect();
        let mut mentioned: SmallVec<[VarId; 8]> = SmallVec::new();
        for &term in edge.guard.iter().chain(assigned.iter().map(|(_, t)| t)) {
            mentioned.extend_from_slice(&self.shapes.of(self.terms, term).vars);
        }
        mentioned.sort_unstable();
        mentioned.dedup();
        mentioned.retain(|v| has_range(self.terms.var_sort(*v)));
        let tuning = self.slice.tuning;
        let mut eye = Eye { facts: Facts::new(tuning), sets: FxHashMap::default(), most: tuning.ranges_values };
        for &var in &mentioned {
            if let Some(known) = from.get(var.index() as u32) {
                for condition in known.conditions(self.terms, var) {
                    eye.facts.assume(self.terms, condition, 0).ok()?;
                }
                if let Some(values) = &known.values {
                    eye.sets.insert(var, values.clone());
                }
            }
        }
        for &guard in &edge.guard {
            eye.facts.assume(self.terms, guard, 0).ok()?;
            self.filter(guard, &mut eye)?;
        }
        let mut after = from;
        if !edge.guard.is_empty() {
            for &var in &mentioned {
                if self.slice.relevant.contains(&var) {
                    let known = self.evaluate(self.terms.var_term(var), &eye)?;
                    set(&mut after, var, known);
                }
            }
        }
        let new: SmallVec<[(VarId, Option<Known>); 8]> =
            assigned.iter().map(|(var, term)| Some((*var, self.evaluate_any(*term, &eye)?))).collect::<Option<_>>()?;
        for (var, known) in new {
            match known {
                Some(known) => set(&mut after, var, known),
                None => after.remove(var.index() as u32),
            }
        }
        Some(after)
    }

    /// Removes the values for which a guard of one variable does not hold.
    fn filter(&mut self, guard: TermId, eye: &mut Eye) -> Option<()> {
        let shape = self.shapes.of(self.terms, guard);
        let [var] = shape.vars[..] else { return Some(()) };
        let Some(values) = eye.sets.get_mut(&var) else { return Some(()) };
        let sort = self.terms.var_sort(var);
        values.retain(|v| {
            let model: Model = Value::from_bits(sort, *v).map(|value| (var, value)).into_iter().collect();
            eval(self.terms, guard, &model).is_true()
        });
        (!values.is_empty()).then_some(())
    }

    /// The outer `None`: no value is possible. The inner: a sort without ranges, or nothing is known.
    #[allow(clippy::option_option)]
    fn evaluate_any(&self, term: TermId, eye: &Eye) -> Option<Option<Known>> {
        if !has_range(self.terms.sort(term)) {
            return Some(None);
        }
        self.evaluate(term, eye).map(Some)
    }

    fn evaluate(&self, term: TermId, eye: &Eye) -> Option<Known> {
        let width = self.terms.width(term);
        let range = eye.facts.range(self.terms, term).unwrap_or(Range::top(width));
        Known::new(range, values_of(self.terms, term, eye, self.slice.tuning.ranges_depth), eye.most)
    }
}

fn set(state: &mut State, var: VarId, known: Known) {
    let key = var.index() as u32;
    if known.is_top() {
        state.remove(key);
    } else {
        state.insert(key, known);
    }
}

/// What is known while one edge is looked at.
struct Eye {
    facts: Facts,
    sets: FxHashMap<VarId, Values>,
    /// Values that are told apart.
    most: usize,
}

/// The values that a term may have, if they are few and easy to see.
fn values_of(terms: &Terms, term: TermId, eye: &Eye, depth: u32) -> Option<Values> {
    if let Some(value) = terms.as_value(term) {
        return value.bits().map(|v| Values::from_slice(&[v]));
    }
    if let Some(var) = terms.as_var(term) {
        return eye.sets.get(&var).cloned();
    }
    let node = terms.node(term);
    if depth == 0 || !has_range(node.sort) {
        return None;
    }
    if node.op == Op::Ite {
        let mut all = Values::new();
        let taken = eye.facts.decide(terms, node.args[0]).map(|(holds, _)| holds);
        for (way, holds) in [(1, true), (2, false)] {
            if taken.is_none_or(|t| t == holds) {
                all.extend(values_of(terms, node.args[way], eye, depth - 1)?);
            }
        }
        return limited(all, eye.most);
    }
    let args: SmallVec<[Values; 2]> =
        node.args.iter().map(|a| values_of(terms, a, eye, depth - 1)).collect::<Option<_>>()?;
    let sorts: SmallVec<[Sort; 3]> = node.args.iter().map(|a| terms.sort(a)).collect();
    let mut all = Values::new();
    let pairs = match args.as_slice() {
        [a] => a.iter().map(|x| [*x, 0]).collect::<Vec<_>>(),
        [a, b] => a.iter().flat_map(|x| b.iter().map(|y| [*x, *y])).collect(),
        _ => return None,
    };
    for pair in pairs {
        let values: Option<SmallVec<[Value; 2]>> =
            sorts.iter().zip(pair).map(|(sort, bits)| Value::from_bits(*sort, bits)).collect();
        all.push(apply(node.op, node.sort, &values?, &sorts).bits()?);
    }
    limited(all, eye.most)
}

fn limited(mut all: Values, most: usize) -> Option<Values> {
    all.sort_unstable();
    all.dedup();
    Some(all).filter(|all| all.len() <= most)
}
