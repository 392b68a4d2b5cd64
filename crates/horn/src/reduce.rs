//! What Spacer need not see: relations that no start leads to or that do not lead to the query, and floats.

use covenant_constraints::sort::Sort;
use covenant_constraints::term::{TermId, Terms};
use rustc_hash::FxHashMap;

use super::{Horn, Query, Relation, Rule};

/// Clauses without floats, and which of the relations matter.
#[derive(Debug)]
pub(super) struct Reduced {
    /// The same relations; only rules between live ones.
    pub(super) horn: Horn,
    reachable: Vec<bool>,
    relevant: Vec<bool>,
}

impl Reduced {
    /// Whether a start leads there and it leads to the query, going by the graph alone.
    pub(super) fn is_live(&self, relation: usize) -> bool {
        self.reachable[relation] && self.relevant[relation]
    }

    pub(super) fn live(&self) -> impl Iterator<Item = (usize, &Relation)> {
        self.horn.relations.iter().enumerate().filter(|(i, _)| self.is_live(*i))
    }

    /// The invariants of all relations, given those of live ones. Nothing holds where nothing gets; where nothing matters,
    /// everything may hold.
    pub(super) fn fill(&self, terms: &Terms, found: Vec<(usize, TermId)>) -> Vec<TermId> {
        let mut all: Vec<TermId> =
            (0..self.horn.relations.len()).map(|i| terms.bool(self.reachable[i] && !self.relevant[i])).collect();
        for (i, invariant) in found {
            all[i] = invariant;
        }
        all
    }
}

pub(super) fn reduce(terms: &mut Terms, horn: &Horn) -> Reduced {
    let no_floats = without_floats(terms, horn);
    let edges = || no_floats.rules.iter().filter(|r| r.guard != terms.ff());
    let mut reachable = vec![false; horn.relations.len()];
    spread(&mut reachable, edges().filter(|r| r.from.is_none()).map(|r| r.to).collect(), |at| {
        edges().filter(|r| r.from == Some(at)).map(|r| r.to).collect()
    });
    let mut relevant = vec![false; horn.relations.len()];
    spread(&mut relevant, vec![horn.query.relation], |at| {
        edges().filter(|r| r.to == at).filter_map(|r| r.from).collect()
    });
    let live = |i: usize| reachable[i] && relevant[i];
    let rules = edges().filter(|r| live(r.to) && r.from.is_none_or(live)).cloned().collect();
    Reduced { horn: Horn { rules, ..no_floats }, reachable, relevant }
}

/// Marks everything that can be got to.
fn spread(marked: &mut [bool], start: Vec<usize>, next: impl Fn(usize) -> Vec<usize>) {
    let mut stack = start;
    while let Some(at) = stack.pop() {
        if !std::mem::replace(&mut marked[at], true) {
            stack.extend(next(at));
        }
    }
}

/// Float parameters go; what other terms compute from floats becomes a fresh variable, which can have any value.
fn without_floats(terms: &mut Terms, horn: &Horn) -> Horn {
    let is_float = |terms: &Terms, t: TermId| matches!(terms.sort(t), Sort::Float(_));
    let guards = horn.rules.iter().flat_map(|r| r.args.iter().copied().chain([r.guard]));
    let roots: Vec<TermId> = guards.chain([horn.query.guard]).collect();
    let mut map = FxHashMap::default();
    for t in terms.postorder(&roots) {
        let node = *terms.node(t);
        if !is_float(terms, t) && node.args.iter().any(|a| is_float(terms, a)) {
            let any = terms.new_var("any", node.sort);
            map.insert(t, any);
        }
    }
    let mut memo = FxHashMap::default();
    let mut replace = |terms: &mut Terms, t: TermId| {
        if map.is_empty() { t } else { terms.substitute_with(t, &map, &mut memo) }
    };
    let mut rules = Vec::with_capacity(horn.rules.len());
    for rule in &horn.rules {
        let guard = replace(terms, rule.guard);
        let args = rule.args.iter().filter(|a| !is_float(terms, **a)).copied().collect::<Vec<_>>();
        let args = args.into_iter().map(|a| replace(terms, a)).collect();
        rules.push(Rule { from: rule.from, guard, to: rule.to, args });
    }
    let guard = replace(terms, horn.query.guard);
    let relations = horn.relations.iter().map(|r| Relation {
        name: r.name.clone(),
        params: r.params.iter().copied().filter(|p| !matches!(terms.var_sort(*p), Sort::Float(_))).collect(),
    });
    Horn { relations: relations.collect(), rules, query: Query { relation: horn.query.relation, guard } }
}
