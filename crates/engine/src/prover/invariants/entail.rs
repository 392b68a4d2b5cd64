//! Whether conditions before an edge make conditions behind it true: by their looks, by ranges, and by the solver, in
//! this order.

use covenant_constraints::analysis::Facts;
use covenant_constraints::{Evaluator, Op, TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::oracle::{Oracle, Verdict};
use super::shapes::{Shapes, conjuncts};
use crate::prover::flow::Edge;

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
    fn new(terms: &Terms, edge: &Edge, known: &[TermId]) -> Premises {
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
        if premises.shows(terms, early, &mut used, 6) {
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
    if by_ranges(terms, &premises, &related, &mut open, &mut result) {
        return result;
    }
    by_solver(terms, shapes, oracle, &premises, &related, open, &mut result);
    result
}

/// Removes the goals that ranges prove. Whether all is done, because there are none left or the edge cannot be taken.
fn by_ranges(
    terms: &Terms,
    premises: &Premises,
    related: &[usize],
    open: &mut Vec<(TermId, TermId)>,
    result: &mut Entailed,
) -> bool {
    let mut facts = Facts::new();
    for &i in related {
        if let Err(contradiction) = facts.assume(terms, premises.all[i], i) {
            premises.need(contradiction.0, &mut result.needs);
            return true;
        }
    }
    open.retain(|(_, early)| match facts.decide(terms, *early) {
        Some((true, used)) => {
            premises.need(used, &mut result.needs);
            false
        }
        _ => true,
    });
    open.is_empty()
}

fn by_solver(
    terms: &mut Terms,
    shapes: &mut Shapes,
    oracle: &mut Oracle<'_>,
    premises: &Premises,
    related: &[usize],
    mut open: Vec<(TermId, TermId)>,
    result: &mut Entailed,
) {
    let mut conditions: Vec<TermId> = related.iter().map(|i| premises.all[*i]).collect();
    while !open.is_empty() {
        let all = terms.and_all(open.iter().map(|(_, early)| *early));
        let some_fails = terms.not(all);
        conditions.push(some_fails);
        let verdict = oracle.ask(terms, shapes, &conditions);
        conditions.pop();
        match verdict {
            Verdict::Impossible(used) => {
                premises.need(used.into_iter().filter_map(|k| related.get(k).copied()), &mut result.needs);
                return;
            }
            Verdict::Possible(model) => {
                let mut evaluator = Evaluator::new(terms, &model);
                let before = open.len();
                open.retain(|(goal, early)| {
                    let holds = evaluator.eval(*early).is_true();
                    if !holds {
                        result.failed.push(*goal);
                    }
                    holds
                });
                if open.len() == before {
                    // No model of the question: nothing can be concluded from it.
                    result.failed.extend(open.drain(..).map(|(goal, _)| goal));
                }
            }
            Verdict::Unknown if open.len() > 1 && !oracle.exhausted() => {
                // One hard condition must not take the others with it.
                let half = open.split_off(open.len() / 2);
                by_solver(terms, shapes, oracle, premises, related, half, result);
            }
            Verdict::Unknown => {
                result.failed.extend(open.drain(..).map(|(goal, _)| goal));
            }
        }
    }
}
