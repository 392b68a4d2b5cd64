//! Whether conditions before an edge make conditions behind it true: by their looks, or else as the oracle says.

use covenant_constraints::{Op, TermId, Terms, VarId};
use covenant_transition::flow::Edge;
use rustc_hash::{FxHashMap, FxHashSet};

use super::oracle::Oracle;
use super::shapes::{Shapes, conjuncts};

/// What became of the conditions behind an edge.
#[derive(Debug, Default)]
pub(super) struct Entailed {
    /// The conditions before the edge that the proof used.
    pub(super) needs: FxHashSet<TermId>,
    /// The conditions behind it that may be false.
    pub(super) failed: Vec<TermId>,
}

/// The premises of one edge.
struct Premises {
    /// Those known before the edge come first, then guards.
    all: Vec<TermId>,
    from_known: usize,
    index: FxHashMap<TermId, usize>,
}

impl Premises {
    fn new(terms: &mut Terms, edge: &Edge, known: &[TermId]) -> Premises {
        let mut all = known.to_vec();
        for &guard in &edge.guard {
            all.extend(conjuncts(terms, guard));
        }
        let index = all.iter().enumerate().rev().map(|(i, t)| (*t, i)).collect();
        Premises { all, from_known: known.len(), index }
    }

    fn need(&self, used: impl IntoIterator<Item = usize>, needs: &mut FxHashSet<TermId>) {
        needs.extend(used.into_iter().filter(|i| *i < self.from_known).map(|i| self.all[i]));
    }

    /// Premises that make the condition true by their looks.
    fn shows(&self, terms: &Terms, condition: TermId, used: &mut Vec<usize>, depth: u32) -> bool {
        if terms.as_bool(condition) == Some(true) {
            return true;
        }
        if let Some(&i) = self.index.get(&condition) {
            used.push(i);
            return true;
        }
        let node = terms.node(condition);
        let mark = used.len();
        let shown = depth > 0
            && match node.op {
                Op::Or => node.args.iter().any(|a| self.shows(terms, a, used, depth - 1)),
                Op::And => node.args.iter().all(|a| self.shows(terms, a, used, depth - 1)),
                _ => false,
            };
        if !shown {
            used.truncate(mark);
        }
        shown
    }

    /// Indices of the premises that have to do with the variables, directly or through others.
    fn connected(&self, terms: &Terms, shapes: &mut Shapes, vars: impl IntoIterator<Item = VarId>) -> Vec<usize> {
        let mut by_var: FxHashMap<VarId, Vec<usize>> = FxHashMap::default();
        for (i, t) in self.all.iter().enumerate() {
            for var in &shapes.of(terms, *t).vars {
                by_var.entry(*var).or_default().push(i);
            }
        }
        let mut pending: Vec<VarId> = vars.into_iter().collect();
        let mut seen: FxHashSet<VarId> = pending.iter().copied().collect();
        let mut found: FxHashSet<usize> = FxHashSet::default();
        while let Some(var) = pending.pop() {
            for i in by_var.remove(&var).into_iter().flatten() {
                if found.insert(i) {
                    pending.extend(shapes.of(terms, self.all[i]).vars.iter().filter(|v| seen.insert(**v)));
                }
            }
        }
        let mut found: Vec<usize> = found.into_iter().collect();
        found.sort_unstable();
        found
    }
}

/// The condition as it reads before the edge.
pub(super) fn before(
    terms: &mut Terms,
    shapes: &mut Shapes,
    edge: &Edge,
    condition: TermId,
    memo: &mut FxHashMap<TermId, TermId>,
) -> TermId {
    let shape = shapes.of(terms, condition);
    if !edge.assign.iter().any(|(v, _)| shape.mentions(*v)) {
        return condition;
    }
    let map: FxHashMap<TermId, TermId> = edge.assign.iter().map(|(v, t)| (terms.var_term(*v), *t)).collect();
    terms.substitute_with(condition, &map, memo)
}

/// Which of `goals` hold behind the edge if `known` holds before it.
pub(super) fn entail(
    terms: &mut Terms,
    shapes: &mut Shapes,
    oracle: &mut Oracle<'_>,
    edge: &Edge,
    known: &[TermId],
    goals: &[TermId],
) -> Entailed {
    let mut result = Entailed::default();
    let never = terms.ff();
    if known.contains(&never) {
        result.needs.insert(never);
        return result;
    }
    let premises = Premises::new(terms, edge, known);
    let mut memo = FxHashMap::default();
    let mut open: Vec<(TermId, TermId)> = Vec::new();
    for &goal in goals {
        let early = before(terms, shapes, edge, goal, &mut memo);
        let mut used = Vec::new();
        if premises.shows(terms, early, &mut used, oracle.tuning().entail_depth) {
            premises.need(used, &mut result.needs);
        } else {
            open.push((goal, early));
        }
    }
    if open.is_empty() {
        return result;
    }
    let mut vars: Vec<VarId> = Vec::new();
    for t in open.iter().map(|(_, early)| *early).chain(premises.all[premises.from_known..].iter().copied()) {
        vars.extend_from_slice(&shapes.of(terms, t).vars);
    }
    let related = premises.connected(terms, shapes, vars);
    let given: Vec<TermId> = related.iter().map(|i| premises.all[*i]).collect();
    let wanted: Vec<TermId> = open.iter().map(|(_, early)| *early).collect();
    let judgement = oracle.judge(terms, shapes, &given, &wanted);
    premises.need(judgement.used.iter().map(|i| related[*i]), &mut result.needs);
    result.failed.extend(judgement.failed.iter().map(|i| open[*i].0));
    result
}
