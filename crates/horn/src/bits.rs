//! Clauses over the terms as they are.

use covenant_constraints::smtlib::parse::{self, Document, ParseError, Scope};
use covenant_constraints::smtlib::with_lets;
use covenant_constraints::term::{TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::reduce::Reduced;
use super::{Relation, clauses};

/// The clauses as text.
pub(super) fn encode(terms: &Terms, reduced: &Reduced) -> String {
    let mut out = String::new();
    for (i, relation) in reduced.live() {
        let sorts: Vec<String> = relation.params.iter().map(|p| terms.var_sort(*p).to_string()).collect();
        clauses::declare(&mut out, i, &sorts);
    }
    let horn = &reduced.horn;
    for rule in &horn.rules {
        clause(terms, horn.relations.as_slice(), rule.from, rule.guard, Some((rule.to, &rule.args)), &mut out);
    }
    clause(terms, horn.relations.as_slice(), Some(horn.query.relation), horn.query.guard, None, &mut out);
    out
}

fn clause(
    terms: &Terms,
    relations: &[Relation],
    from: Option<usize>,
    guard: TermId,
    to: Option<(usize, &[TermId])>,
    out: &mut String,
) {
    let params: &[VarId] = from.map_or(&[], |i| &relations[i].params);
    let roots: Vec<TermId> =
        std::iter::once(guard).chain(to.iter().flat_map(|(_, args)| args.iter().copied())).collect();
    let mut variables: Vec<VarId> = params.to_vec();
    variables.extend(terms.variables(&roots));
    variables.sort_unstable();
    variables.dedup();
    let names: FxHashMap<VarId, String> = variables.iter().map(|v| (*v, v.to_string())).collect();
    let before = from.map(|i| {
        let args: Vec<String> = params.iter().map(VarId::to_string).collect();
        clauses::application(i, &args)
    });
    let body = with_lets(terms, &roots, names, |texts| {
        let after = to.map_or_else(|| "false".to_owned(), |(i, _)| clauses::application(i, &texts[1..]));
        match before {
            Some(before) => format!("(=> (and {before} {}) {after})", texts[0]),
            None => format!("(=> {} {after})", texts[0]),
        }
    });
    let bound: Vec<(String, String)> =
        variables.iter().map(|v| (v.to_string(), terms.var_sort(*v).to_string())).collect();
    clauses::assert(out, &bound, &body);
}

/// The invariants of live relations, from the model; none for those that it does not define, or with words that terms have
/// no meaning for.
pub(super) fn decode(terms: &mut Terms, reduced: &Reduced, model: &str) -> Result<Vec<(usize, TermId)>, ParseError> {
    let doc = Document::read(model)?;
    let mut scope = Scope::new();
    let mut invariants = Vec::new();
    for &item in parse::definition_items(&doc) {
        let Ok(definition) = parse::definition(&doc, item, terms, &scope) else { continue };
        let Some((i, relation)) = reduced.live().find(|(i, _)| clauses::relation_name(*i) == definition.name) else {
            scope.define(definition);
            continue;
        };
        let pairs = definition.params.iter().zip(&relation.params);
        let map = pairs.map(|(theirs, ours)| (terms.var_term(*theirs), terms.var_term(*ours))).collect();
        invariants.push((i, terms.substitute(definition.body, &map)));
    }
    Ok(invariants)
}
