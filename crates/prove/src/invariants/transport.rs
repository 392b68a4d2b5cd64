//! Carrying conditions over an edge: what holds before it, said of the variables behind it.
//!
//! A condition of variables that the edge leaves alone stays as it is. Where the edge sets `y` to `x + c` it is said of `y - c`
//! instead of `x`, and where it sets `y` to some other term that the condition contains, of `y`. The rest is
//! forgotten; nothing depends on it, since all of these are only candidates.

use covenant_constraints::sort::Sort;
use covenant_constraints::{Op, TermId, Terms, VarId};
use covenant_transition::flow::Edge;
use rustc_hash::{FxHashMap, FxHashSet};

use super::shapes::{Shapes, conjuncts, disjuncts, is_alternative};
use super::slice::Slice;

/// Stand for what cannot be said behind an edge, one of each sort.
#[derive(Debug, Default)]
pub(super) struct Transport {
    lost: FxHashMap<Sort, VarId>,
}

/// `x + c` for a term that is a variable moved by a constant.
pub(super) fn moved_variable(terms: &Terms, term: TermId) -> Option<(VarId, u128)> {
    if let Some(var) = terms.as_var(term) {
        return Some((var, 0));
    }
    let node = terms.node(term);
    if node.op != Op::Add {
        return None;
    }
    Some((terms.as_var(node.args[0])?, terms.as_bv(node.args[1])?))
}

/// Adds to a set of conditions what follows by striking out disjuncts that are known to be false, of no more than `most`.
fn resolve(terms: &mut Terms, known: &mut Vec<TermId>, most: usize) {
    let mut set: FxHashSet<TermId> = known.iter().copied().collect();
    let mut at = 0;
    while at < known.len() {
        let condition = known[at];
        at += 1;
        if !is_alternative(terms, condition) {
            continue;
        }
        let parts = disjuncts(terms, condition);
        if parts.len() > most {
            continue;
        }
        let open: Vec<TermId> = parts
            .into_iter()
            .filter(|p| {
                let negation = terms.not(*p);
                !conjuncts(terms, negation).iter().all(|n| set.contains(n))
            })
            .collect();
        let rest = terms.or_all(open);
        for part in conjuncts(terms, rest) {
            if part != condition && set.insert(part) {
                known.push(part);
            }
        }
    }
}

impl Transport {
    /// What can be said behind the edge if `known` holds before it: first what the edge itself makes true.
    pub(super) fn carry(
        &mut self,
        slice: &Slice<'_>,
        terms: &mut Terms,
        shapes: &mut Shapes,
        edge: &Edge,
        known: &[TermId],
    ) -> Vec<TermId> {
        let mut before: Vec<TermId> = Vec::new();
        for &guard in &edge.guard {
            before.extend(conjuncts(terms, guard));
        }
        before.extend_from_slice(known);
        resolve(terms, &mut before, slice.tuning.transport_alternatives);
        let (map, assigned) = self.renaming(slice, terms, edge);
        let mut memo = FxHashMap::default();
        let mut seen = FxHashSet::default();
        let mut carried = Vec::new();
        self.definitions(slice, terms, shapes, edge, &assigned, &mut carried);
        seen.extend(carried.iter().copied());
        for condition in before {
            if terms.as_bool(condition).is_some() {
                continue;
            }
            let shape = shapes.of(terms, condition);
            if shape.size > slice.tuning.transport_size {
                continue;
            }
            let untouched = shape.vars.iter().all(|v| !assigned.contains(v));
            if untouched && slice.can_say(edge.to, &shape) && seen.insert(condition) {
                carried.push(condition);
            }
            if map.is_empty() {
                continue;
            }
            let renamed = terms.substitute_with(condition, &map, &mut memo);
            for part in conjuncts(terms, renamed) {
                let shape = shapes.of(terms, part);
                let fits = shape.size <= slice.tuning.transport_size && terms.as_bool(part).is_none();
                if part != condition && fits && slice.can_say(edge.to, &shape) && seen.insert(part) {
                    carried.push(part);
                }
            }
        }
        carried
    }

    /// How terms over the variables before the edge are said behind it, and which variables it sets. What cannot be said
    /// becomes a variable that is nowhere live.
    fn renaming(
        &mut self,
        slice: &Slice<'_>,
        terms: &mut Terms,
        edge: &Edge,
    ) -> (FxHashMap<TermId, TermId>, FxHashSet<VarId>) {
        let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
        let assigned: FxHashSet<VarId> = edge.assign.iter().map(|(v, _)| *v).collect();
        for &(var, term) in &edge.assign {
            if !slice.is_live(edge.to, var) || terms.is_const(term) {
                continue;
            }
            let new = terms.var_term(var);
            match moved_variable(terms, term) {
                Some((old, by)) => {
                    let old_term = terms.var_term(old);
                    let value = if by == 0 {
                        new
                    } else {
                        let by = terms.bv(by, terms.width(new));
                        terms.sub(new, by)
                    };
                    // The variable's own next value is the best name for it.
                    if old == var || !map.contains_key(&old_term) {
                        map.insert(old_term, value);
                    }
                }
                None => {
                    map.entry(term).or_insert(new);
                }
            }
        }
        for &var in &assigned {
            let old = terms.var_term(var);
            let lost = self.lost(terms, terms.var_sort(var));
            map.entry(old).or_insert(lost);
        }
        map.retain(|old, new| old != new);
        (map, assigned)
    }

    fn lost(&mut self, terms: &mut Terms, sort: Sort) -> TermId {
        let var = *self.lost.entry(sort).or_insert_with(|| terms.var("lost", sort));
        terms.var_term(var)
    }

    /// `y = t` for what the edge sets, where `t` keeps its value.
    fn definitions(
        &mut self,
        slice: &Slice<'_>,
        terms: &mut Terms,
        shapes: &mut Shapes,
        edge: &Edge,
        assigned: &FxHashSet<VarId>,
        carried: &mut Vec<TermId>,
    ) {
        for &(var, term) in &edge.assign {
            let shape = shapes.of(terms, term);
            let kept = shape.vars.iter().all(|v| !assigned.contains(v) && slice.is_live(edge.to, *v));
            if kept && shape.size <= slice.tuning.transport_definition && slice.is_live(edge.to, var) {
                let new = terms.var_term(var);
                let same = terms.eq(new, term);
                if terms.as_bool(same).is_none() {
                    carried.push(same);
                }
            }
        }
    }
}
