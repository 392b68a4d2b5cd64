//! The Horn clauses of a collapsed flow, and lemmas for all its locations from their solution.

use std::collections::BTreeMap;

use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Sort, TermId, Terms, VarId};
use covenant_horn::{Horn, Query, Relation, Rule};
use covenant_transition::flow::LocationId;
use covenant_transition::lemma_check::Lemmas;
use rustc_hash::FxHashMap;

use super::collapse::{Collapsed, Way};
use crate::question::add_lemmas;

/// Clauses, and which relation a location has. The last relation, without parameters, is the target.
#[derive(Debug)]
pub(super) struct Clauses {
    pub(super) horn: Horn,
    numbers: BTreeMap<LocationId, usize>,
}

/// `known` has to be inductive; it makes the rules stronger. `Err`: there would be too much.
pub(super) fn clauses(terms: &mut Terms, part: &Collapsed, known: &Lemmas, tuning: &Tuning) -> Result<Clauses, String> {
    if part.kept.len() > tuning.spacer_relations {
        return Err(format!("{} places where paths meet are too many", part.kept.len()));
    }
    let mut relations = Vec::new();
    let mut numbers = BTreeMap::new();
    for &at in &part.kept {
        let is_array = |var: &VarId| terms.var_sort(*var) == Sort::Array;
        let params: Vec<VarId> = part.live[at].iter().copied().filter(|var| !is_array(var)).collect();
        if params.len() > tuning.spacer_variables {
            return Err(format!("{} variables at one place are too many", params.len()));
        }
        numbers.insert(at, relations.len());
        relations.push(Relation { name: format!("{at}"), params });
    }
    let target = relations.len();
    relations.push(Relation { name: "target".to_owned(), params: Vec::new() });
    let facts: BTreeMap<LocationId, Vec<TermId>> =
        part.kept.iter().map(|&at| (at, useful(terms, part, known, at, tuning))).collect();
    let rules = part.ways.iter().map(|way| {
        let to = way.to.and_then(|to| numbers.get(&to).copied()).unwrap_or(target);
        let facts = facts.get(&way.from).map_or(&[][..], Vec::as_slice);
        rule(terms, way, numbers.get(&way.from).copied(), (to, &relations[to]), facts)
    });
    let rules = rules.collect();
    let query = Query { relation: target, guard: terms.tt() };
    Ok(Clauses { horn: Horn { relations, rules, query }, numbers })
}

/// Known facts about what is read at a place or later. Arrays are not in the clauses, so nothing is said of them.
fn useful(terms: &Terms, part: &Collapsed, known: &Lemmas, at: LocationId, tuning: &Tuning) -> Vec<TermId> {
    let fits = |fact: &TermId| {
        let all = terms.postorder(&[*fact]);
        let mut vars = all.iter().filter_map(|&term| terms.as_var(term));
        all.len() <= tuning.spacer_fact_size
            && vars.all(|var| part.live[at].contains(&var) && terms.var_sort(var) != Sort::Array)
    };
    known.get(&at).into_iter().flatten().copied().filter(fits).take(tuning.spacer_facts).collect()
}

fn rule(terms: &mut Terms, way: &Way, from: Option<usize>, to: (usize, &Relation), facts: &[TermId]) -> Rule {
    let guard = terms.and_all(facts.iter().chain(&way.guard).copied());
    let args = to.1.params.iter().map(|&param| {
        let var = terms.var_term(param);
        way.assign.get(&var).copied().unwrap_or(var)
    });
    let mut all: Vec<TermId> = args.collect();
    all.push(guard);
    let map = reads(terms, &all);
    if !map.is_empty() {
        let mut memo = FxHashMap::default();
        for term in &mut all {
            *term = terms.substitute_with(*term, &map, &mut memo);
        }
    }
    let guard = all.pop().unwrap_or(guard);
    Rule { from, guard, to: to.0, args: all }
}

/// What is read from arrays, each replaced by a variable that may have any value.
fn reads(terms: &mut Terms, roots: &[TermId]) -> FxHashMap<TermId, TermId> {
    let mut map = FxHashMap::default();
    for term in terms.postorder(roots) {
        let node = *terms.node(term);
        if node.sort != Sort::Array && node.args.iter().any(|arg| terms.sort(arg) == Sort::Array) {
            let any = terms.new_var("any", node.sort);
            map.insert(term, any);
        }
    }
    map
}

impl Clauses {
    /// What holds at all locations on the way if the invariants hold at those that have a relation.
    pub(super) fn lemmas(&self, terms: &mut Terms, part: &Collapsed, invariants: &[TermId]) -> Lemmas {
        let mut holds: FxHashMap<LocationId, TermId> =
            self.numbers.iter().map(|(&at, &number)| (at, invariants[number])).collect();
        let mut lemmas = Lemmas::default();
        let never = terms.ff();
        lemmas.extend(part.dead.iter().map(|&at| (at, vec![never])));
        for (&at, &formula) in &holds {
            add_lemmas(terms, &mut lemmas, at, formula);
        }
        // The ways of a place lead to places that were taken out later, or not at all.
        for (at, ways) in part.gone.iter().rev() {
            let mut formulas = Vec::new();
            for way in ways {
                let after = way.to.map_or(never, |to| holds.get(&to).copied().unwrap_or(never));
                let after = way.before(terms, after);
                let guard = terms.and_all(way.guard.iter().copied());
                formulas.push(terms.implies(guard, after));
            }
            for &formula in &formulas {
                add_lemmas(terms, &mut lemmas, *at, formula);
            }
            let all = terms.and_all(formulas);
            holds.insert(*at, all);
        }
        lemmas
    }
}
