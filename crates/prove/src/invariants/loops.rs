//! What a loop does with its variables: which it changes, what they are when it is entered, and by how much they move in
//! one iteration.

use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Op, TermId, Terms, VarId};
use covenant_transition::flow::{Edge, LocationId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::forward::Forward;
use super::shapes::Shapes;
use super::slice::Slice;
use super::transport::moved_variable;
use crate::order::Component;

/// Moves of a variable that need no allocation.
const INLINE: usize = 4; // not tuning: memory

/// Values of a variable as others at the head of the loop, moved by constants. `None`: others are possible too.
type Moves = Option<SmallVec<[(VarId, u128); INLINE]>>;

/// A variable that is not listed has the value that it has at the head.
type Moved = FxHashMap<VarId, Moves>;

#[derive(Debug)]
pub(super) struct Loop {
    pub(super) head: LocationId,
    pub(super) component: Component,
    pub(super) modified: FxHashSet<VarId>,
    /// What a changed variable may be when the loop is entered, over variables that the loop does not change.
    pub(super) initial: FxHashMap<VarId, SmallVec<[TermId; 2]>>,
    /// By how much a variable moves in one iteration; only variables that do nothing else.
    pub(super) steps: FxHashMap<VarId, SmallVec<[u128; INLINE]>>,
}

impl Loop {
    pub(super) fn new(
        slice: &Slice<'_>,
        terms: &mut Terms,
        shapes: &mut Shapes,
        forward: &Forward,
        known: &dyn Fn(LocationId) -> Vec<TermId>,
        component: Component,
    ) -> Loop {
        let mut this = Loop {
            head: component.head,
            component,
            modified: modified(slice, &component),
            initial: FxHashMap::default(),
            steps: FxHashMap::default(),
        };
        this.find_initial(slice, terms, shapes, forward, known);
        if component.end - component.start <= slice.tuning.loops_locations
            && this.modified.len() <= slice.tuning.loops_modified
        {
            this.find_steps(slice, terms);
        }
        this
    }

    fn find_initial(
        &mut self,
        slice: &Slice<'_>,
        terms: &mut Terms,
        shapes: &mut Shapes,
        forward: &Forward,
        known: &dyn Fn(LocationId) -> Vec<TermId>,
    ) {
        let entries: Vec<&Edge> = slice
            .edges_into(self.head)
            .map(|(_, edge)| edge)
            .filter(|edge| !slice.order.is_member(&self.component, edge.from))
            .collect();
        let known: Vec<Vec<TermId>> = entries.iter().map(|edge| known(edge.from)).collect();
        let mut vars: Vec<VarId> = self.modified.iter().copied().collect();
        vars.sort_unstable();
        for var in vars.into_iter().filter(|v| slice.is_live(self.head, *v)) {
            let mut all: SmallVec<[TermId; 2]> = SmallVec::new();
            for (edge, known) in entries.iter().zip(&known) {
                let value = self
                    .entry_value(slice, terms, shapes, forward, edge, var)
                    .or_else(|| self.equal_value(slice, terms, shapes, edge, var, known));
                let Some(value) = value else { continue };
                if !all.contains(&value) && all.len() < slice.tuning.loops_initial {
                    all.push(value);
                }
            }
            if !all.is_empty() {
                self.initial.insert(var, all);
            }
        }
    }

    fn entry_value(
        &self,
        slice: &Slice<'_>,
        terms: &mut Terms,
        shapes: &mut Shapes,
        forward: &Forward,
        edge: &Edge,
        var: VarId,
    ) -> Option<TermId> {
        let Some((_, term)) = edge.assign.iter().find(|(v, _)| *v == var) else {
            let value = forward.known(edge.from, var)?.range.value()?;
            let sort = terms.var_sort(var);
            let value = covenant_constraints::Value::from_bits(sort, value)?;
            return Some(terms.constant(sort, &value));
        };
        self.lasts(slice, terms, shapes, edge, *term).then_some(*term)
    }

    /// Whether the term means the same all through the loop as before the edge into it.
    fn lasts(&self, slice: &Slice<'_>, terms: &Terms, shapes: &mut Shapes, edge: &Edge, term: TermId) -> bool {
        let shape = shapes.of(terms, term);
        let kept = |v: &VarId| !self.modified.contains(v) && !edge.assign.iter().any(|(a, _)| a == v);
        shape.size <= slice.tuning.loops_initial_size && slice.can_say(self.head, &shape) && shape.vars.iter().all(kept)
    }

    /// What a variable that the edge into the loop leaves alone is known to equal.
    fn equal_value(
        &self,
        slice: &Slice<'_>,
        terms: &mut Terms,
        shapes: &mut Shapes,
        edge: &Edge,
        var: VarId,
        known: &[TermId],
    ) -> Option<TermId> {
        if edge.assign.iter().any(|(v, _)| *v == var) {
            return None;
        }
        for &condition in known {
            if terms.op(condition) != Op::Eq {
                continue;
            }
            let sides = [terms.arg(condition, 0), terms.arg(condition, 1)];
            for (this, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
                let Some((x, by)) = moved_variable(terms, this).filter(|(x, _)| *x == var) else { continue };
                let value = if by == 0 {
                    other
                } else {
                    let by = terms.bv(by, terms.width(terms.var_term(x)));
                    terms.sub(other, by)
                };
                if self.lasts(slice, terms, shapes, edge, value) {
                    return Some(value);
                }
            }
        }
        None
    }

    fn find_steps(&mut self, slice: &Slice<'_>, terms: &Terms) {
        let mut states: FxHashMap<LocationId, Moved> = FxHashMap::default();
        states.insert(self.head, Moved::default());
        for &location in &slice.order.members(&self.component)[1..] {
            let mut state = self.arriving(slice, terms, &states, location);
            if let Some(inner) = slice.order.component_of(location) {
                for var in modified(slice, inner) {
                    state.insert(var, None);
                }
            }
            states.insert(location, state);
        }
        let round = self.arriving(slice, terms, &states, self.head);
        for (var, moves) in round {
            let Some(moves) = moves else { continue };
            if moves.iter().all(|(base, _)| *base == var) {
                let mut by: SmallVec<[u128; INLINE]> = moves.iter().map(|(_, by)| *by).collect();
                by.sort_unstable();
                self.steps.insert(var, by);
            }
        }
    }

    /// The join over the edges from inside the loop whose start has been seen.
    fn arriving(
        &self,
        slice: &Slice<'_>,
        terms: &Terms,
        states: &FxHashMap<LocationId, Moved>,
        location: LocationId,
    ) -> Moved {
        let mut joined: Option<Moved> = None;
        for (_, edge) in slice.edges_into(location) {
            if !slice.order.is_member(&self.component, edge.from) {
                continue;
            }
            let Some(from) = states.get(&edge.from) else { continue };
            let after = self.behind(slice, terms, edge, from);
            joined = Some(match joined {
                None => after,
                Some(before) => join(before, after, slice.tuning.loops_moves),
            });
        }
        joined.unwrap_or_default()
    }

    fn behind(&self, slice: &Slice<'_>, terms: &Terms, edge: &Edge, from: &Moved) -> Moved {
        let mut after = from.clone();
        for (var, term) in &edge.assign {
            if self.modified.contains(var) {
                after.insert(*var, moves_of(terms, *term, from, slice.tuning, slice.tuning.loops_depth));
            }
        }
        after
    }
}

/// The variables that edges inside a loop set.
fn modified(slice: &Slice<'_>, component: &Component) -> FxHashSet<VarId> {
    let mut found = FxHashSet::default();
    for location in slice.order.members(component) {
        for (_, edge) in slice.edges_into(*location) {
            if slice.order.is_member(component, edge.from) {
                found.extend(edge.assign.iter().map(|(v, _)| *v).filter(|v| slice.relevant.contains(v)));
            }
        }
    }
    found
}

fn moves_of(terms: &Terms, term: TermId, from: &Moved, tuning: &Tuning, depth: u32) -> Moves {
    if let Some((base, by)) = moved_variable(terms, term) {
        let before = from.get(&base).cloned().unwrap_or_else(|| Some(SmallVec::from_elem((base, 0), 1)))?;
        let mask = covenant_constraints::sort::mask(match terms.sort(term) {
            covenant_constraints::Sort::Bv(w) => w,
            _ => 1,
        });
        return Some(before.into_iter().map(|(b, o)| (b, o.wrapping_add(by) & mask)).collect());
    }
    let node = terms.node(term);
    if node.op == Op::Ite && depth > 0 {
        let a = moves_of(terms, node.args[1], from, tuning, depth - 1)?;
        let b = moves_of(terms, node.args[2], from, tuning, depth - 1)?;
        return union(a, b, tuning.loops_moves);
    }
    None
}

fn union(
    mut a: SmallVec<[(VarId, u128); INLINE]>,
    b: SmallVec<[(VarId, u128); INLINE]>,
    most: usize,
) -> Option<SmallVec<[(VarId, u128); INLINE]>> {
    for one in b {
        if !a.contains(&one) {
            a.push(one);
        }
    }
    Some(a).filter(|a| a.len() <= most)
}

fn join(mut a: Moved, mut b: Moved, most: usize) -> Moved {
    let unmoved = |v: VarId| Some(SmallVec::from_elem((v, 0), 1));
    let vars: FxHashSet<VarId> = a.keys().chain(b.keys()).copied().collect();
    for var in vars {
        let x = a.remove(&var).unwrap_or_else(|| unmoved(var));
        let y = b.remove(&var).unwrap_or_else(|| unmoved(var));
        a.insert(var, x.zip(y).and_then(|(x, y)| union(x, y, most)));
    }
    a
}
