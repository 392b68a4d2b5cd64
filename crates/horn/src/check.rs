//! Whether formulas are invariants that exclude the query, by ordinary queries.

use covenant_constraints::solver::{self, Answer, Reason, Solver, Steps};
use covenant_constraints::term::{TermId, Terms};
use rustc_hash::FxHashMap;

use super::Horn;

/// What has to hold for a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Obligation {
    /// The rule with this index keeps the invariants.
    Rule(usize),
    /// The invariant excludes the query.
    Query,
}

/// The outcome of [`check`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// The query cannot hold.
    Holds,
    /// This obligation has a counterexample; that says nothing about the query itself.
    Fails(Obligation),
    /// No solver could tell for this obligation.
    Unknown(Obligation, Reason),
}

impl Checked {
    /// Whether the solution was confirmed.
    pub fn holds(self) -> bool {
        self == Checked::Holds
    }
}

/// The negation of each obligation: all are unsatisfiable iff the invariants prove that the query cannot hold. Those that
/// are `false` already stand too. `None` if the clauses are malformed or the invariants are not one for each relation.
pub fn obligations(terms: &mut Terms, horn: &Horn, invariants: &[TermId]) -> Option<Vec<(Obligation, TermId)>> {
    if horn.malformed(terms).is_some() || invariants.len() != horn.relations.len() {
        return None;
    }
    let mut all = Vec::with_capacity(horn.rules.len() + 1);
    for (i, rule) in horn.rules.iter().enumerate() {
        let before = rule.from.map_or(terms.tt(), |from| invariants[from]);
        let params = horn.relations[rule.to].params.iter().map(|p| terms.var_term(*p));
        let map: FxHashMap<TermId, TermId> = params.zip(rule.args.iter().copied()).collect();
        let after = terms.substitute(invariants[rule.to], &map);
        let broken = terms.not(after);
        let step = terms.and(before, rule.guard);
        all.push((Obligation::Rule(i), terms.and(step, broken)));
    }
    all.push((Obligation::Query, terms.and(invariants[horn.query.relation], horn.query.guard)));
    Some(all)
}

/// Verifies a proposal. The steps are those of each query.
pub fn check(terms: &mut Terms, solver: &mut dyn Solver, horn: &Horn, invariants: &[TermId], steps: Steps) -> Checked {
    let Some(obligations) = obligations(terms, horn, invariants) else {
        return Checked::Unknown(Obligation::Query, Reason::Incomplete);
    };
    for (obligation, goal) in obligations {
        if goal == terms.ff() {
            continue;
        }
        match solver.solve(terms, &solver::Query { path: &[], goal, steps, hint: None }) {
            Answer::Unsat(_) => {}
            Answer::Sat(_) => return Checked::Fails(obligation),
            Answer::Unknown(reason) => return Checked::Unknown(obligation, reason),
        }
    }
    Checked::Holds
}
