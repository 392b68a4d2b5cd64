//! Rules as integer formulas.

use covenant_constraints::integers::{Constants, Encoder, Expr, INT, Readings, sort_text};
use covenant_constraints::term::{TermId, Terms, VarId};
use covenant_constraints::tuning::Tuning;

use crate::Horn;
use crate::clauses;
use crate::reduce::Reduced;

/// Clauses over integers.
#[derive(Debug)]
pub(crate) struct Encoding {
    pub(crate) text: String,
    pub(super) readings: Readings,
    /// Those that have parameters, which follow the other parameters of each relation.
    pub(super) constants: Constants,
}

/// The clauses as text; on demand with parameters for constants, and then nothing if there are none for them.
pub(crate) fn encode(terms: &Terms, reduced: &Reduced, with_parameters: bool, tuning: &Tuning) -> Option<Encoding> {
    let readings = readings(terms, &reduced.horn, tuning);
    let constants = if with_parameters { constants_of(terms, &reduced.horn, tuning) } else { Constants::default() };
    if with_parameters && constants.is_empty() {
        return None;
    }
    let mut text = String::new();
    for (i, relation) in reduced.live() {
        let mut sorts: Vec<String> = relation.params.iter().map(|p| sort_text(terms.var_sort(*p)).to_owned()).collect();
        sorts.extend(constants.names().map(|_| INT.to_owned()));
        clauses::declare(&mut text, i, &sorts);
    }
    let horn = &reduced.horn;
    let query = &horn.query;
    let rules = horn.rules.iter().map(|r| (r.from, r.guard, Some((r.to, r.args.as_slice()))));
    for (from, guard, to) in rules.chain([(Some(query.relation), query.guard, None)]) {
        let params = from.map_or(&[][..], |i| &horn.relations[i].params);
        let mut encoder = Encoder::new(terms, &readings, &constants, tuning);
        let mut before: Vec<Expr> = params.iter().map(|p| encoder.param(*p)).collect();
        let mut roots = vec![encoder.condition(guard)];
        let rigid: Vec<Expr> = constants.names().map(|name| encoder.exprs.symbol(name)).collect();
        before.extend(&rigid);
        if let Some((i, args)) = to {
            let params = &horn.relations[i].params;
            roots.extend(params.iter().zip(args).map(|(p, a)| encoder.argument(*p, *a)));
            roots.extend(&rigid);
        }
        let body = clause(&mut encoder, from, &before, &roots, to.map(|(i, _)| i));
        clauses::assert(&mut text, &encoder.variables, &body);
    }
    Some(Encoding { text, readings, constants })
}

/// What the rules compare, and what they hand on.
fn readings(terms: &Terms, horn: &Horn, tuning: &Tuning) -> Readings {
    let guards = horn.rules.iter().flat_map(|r| r.args.iter().copied().chain([r.guard]));
    let roots: Vec<TermId> = guards.chain([horn.query.guard]).collect();
    let params = |to: usize| horn.relations[to].params.iter().copied();
    let flows: Vec<(VarId, TermId)> =
        horn.rules.iter().flat_map(|rule| params(rule.to).zip(rule.args.iter().copied())).collect();
    Readings::choose(terms, &roots, &flows, tuning)
}

/// Those that the clauses compare with, count by or start from.
fn constants_of(terms: &Terms, horn: &Horn, tuning: &Tuning) -> Constants {
    let starts: Vec<TermId> = horn.rules.iter().flat_map(|r| r.args.iter().copied()).collect();
    let guards: Vec<TermId> = horn.rules.iter().map(|r| r.guard).chain([horn.query.guard]).collect();
    Constants::of(terms, &starts, &guards, tuning)
}

fn clause(
    encoder: &mut Encoder<'_>,
    from: Option<usize>,
    before: &[Expr],
    roots: &[Expr],
    to: Option<usize>,
) -> String {
    let sides = std::mem::take(&mut encoder.sides);
    let all: Vec<Expr> = before.iter().chain(&sides).chain(roots).copied().collect();
    encoder.exprs.with_lets(&all, |texts| {
        let (before, rest) = texts.split_at(before.len());
        let (conditions, args) = rest.split_at(sides.len() + 1);
        let mut left: Vec<String> = from.map(|i| clauses::application(i, before)).into_iter().collect();
        left.extend_from_slice(conditions);
        let right = to.map_or_else(|| "false".to_owned(), |i| clauses::application(i, args));
        format!("(=> (and {}) {right})", left.join(" "))
    })
}
