//! Constrained Horn clauses: invariants of transition systems, found by Z3's Spacer.
//!
//! A [`Horn`] has one [`Relation`] for each program location and one [`Rule`] for each step between locations. A solution
//! gives each relation a formula over its parameters that every reachable state satisfies and that keeps the query from
//! holding. [`solve`] proposes one; [`check`] verifies it with ordinary queries, so nothing here has to be trusted.
//!
//! There are two ways to ask ([`Mode`]):
//! * `Bits` gives Spacer the bit-vectors as they are. It is exact, but Spacer has little to generalise bit-vectors with: it finds
//!   invariants that follow the bits of the program's own conditions (flags, signs, equalities, small ranges) and otherwise
//!   counts states until the time is up. Use it for control state and narrow words.
//! * `Integers` reads bit-vectors as integers in their range, so that linear arithmetic does the work: bounds, and linear
//!   relations between variables, whatever the width. Sums, differences, products with constants, shifts, divisions and
//!   masks by constants, extensions, extractions and concatenations are exact, with wrap-around; what is not linear
//!   (products of variables, most bitwise operations, shifts by variables) is any value within easy bounds. So a proof is as
//!   good as its check, but [`HornAnswer::Reached`] may be due to such a value.
//!
//! Each mode tries several strategies of Spacer, and `Integers` also unknown numbers in place of the constants of the
//! program, without which loops up to a constant are often unrolled. Proposals that a quick check refutes are passed over.
//!
//! Found in `Integers`, within a second as a rule: bounds of counters, counters in step, `y = 2x`, bounds that come from other
//! variables or constants, indices of binary search, nested loops, modes that exclude each other; with more time, phases (`y`
//! follows `x` once `x` is 50). Not found: facts about remainders (that `x` is even, `Bits` finds at once), bounds that need
//! the product of a constant and a bound (`y = 3x` and `x < 1000`, so that `y` does not wrap around), and whatever is not
//! linear.
//!
//! In both modes floats are not modelled: what depends on them is any value, and invariants do not speak of them. Arrays go
//! to Spacer as arrays; facts about single elements at known places are found, facts about all elements are not, as they
//! need quantifiers, and a model with quantifiers is refused.
//!
//! Z3 runs in a copy of the process (see `isolate.rs` of the constraints), as its own checks end the process where they fail.

mod bits;
mod check;
mod clauses;
mod integers;
mod reduce;
mod search;
mod spacer;
#[cfg(test)]
mod tests;

pub use check::{Checked, Obligation, check, obligations};

use covenant_constraints::solver::{Cancel, Reason, Steps};
use covenant_constraints::sort::Sort;
use covenant_constraints::term::{TermId, Terms, VarId};
use covenant_constraints::tuning::Tuning;

/// What holds at a location, over its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// For people; need not be unique.
    pub name: String,
    /// All different. Relations may share variables: each relation, rule and query has its own copies.
    pub params: Vec<VarId>,
}

/// `from(its params) ∧ guard ⇒ to(args)`, for all values of the variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// None: the step starts the program.
    pub from: Option<usize>,
    /// Over the parameters of `from` and any other variables, which can have any value.
    pub guard: TermId,
    /// The relation that holds of the new state, by its index.
    pub to: usize,
    /// One for each parameter of `to`, over the same variables as the guard.
    pub args: Vec<TermId>,
}

/// `relation(its params) ∧ guard ⇒ false`, for all values of the variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The relation, by its index.
    pub relation: usize,
    /// What must hold besides, over the relation's variables.
    pub guard: TermId,
}

/// A transition system and what must not be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Horn {
    /// The unknowns; rules and query refer to them by index.
    pub relations: Vec<Relation>,
    /// What makes relations hold.
    pub rules: Vec<Rule>,
    /// What must not be reached.
    pub query: Query,
}

impl Horn {
    /// What is wrong with the indices and sorts, if anything.
    pub fn malformed(&self, terms: &Terms) -> Option<String> {
        for relation in &self.relations {
            let mut params = relation.params.clone();
            params.sort_unstable();
            params.dedup();
            if params.len() != relation.params.len() {
                return Some(format!("a parameter of {} occurs twice", relation.name));
            }
        }
        for (i, rule) in self.rules.iter().enumerate() {
            let Some(to) = self.relations.get(rule.to) else { return Some(format!("rule {i} leads nowhere")) };
            if rule.from.is_some_and(|from| from >= self.relations.len()) {
                return Some(format!("rule {i} comes from nowhere"));
            }
            if terms.sort(rule.guard) != Sort::Bool {
                return Some(format!("the guard of rule {i} is not Bool"));
            }
            let sorts = rule.args.iter().map(|a| terms.sort(*a));
            if !sorts.eq(to.params.iter().map(|p| terms.var_sort(*p))) {
                return Some(format!("the arguments of rule {i} are not those that {} has", to.name));
            }
        }
        if self.query.relation >= self.relations.len() || terms.sort(self.query.guard) != Sort::Bool {
            return Some("the query has no relation or a guard that is not Bool".into());
        }
        None
    }
}

/// How bit-vectors are given to Spacer; see the head of this module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// As machine words.
    Bits,
    /// As integers without bounds, where nothing wraps around.
    Integers,
}

/// Limits and mode of one call.
#[derive(Clone, Debug)]
pub struct HornOptions {
    /// For all that Spacer is asked.
    pub steps: Steps,
    /// Ends it from outside.
    pub cancel: Cancel,
    /// How words are read.
    pub mode: Mode,
    /// Numbers of the search.
    pub tuning: Tuning,
}

/// What Spacer said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HornAnswer {
    /// For each relation a formula over its parameters. A proposal, to be checked.
    Proved(Vec<TermId>),
    /// The query can hold, as far as the mode models the rules.
    Reached,
    /// [`Reason::Incomplete`] also where the clauses are malformed or the answer cannot be expressed as terms.
    Unknown(Reason),
}

/// Looks for invariants.
pub fn solve(terms: &mut Terms, horn: &Horn, options: &HornOptions) -> HornAnswer {
    if horn.malformed(terms).is_some() {
        return HornAnswer::Unknown(Reason::Incomplete);
    }
    let reduced = reduce::reduce(terms, horn);
    if !reduced.is_live(reduced.horn.query.relation) {
        return HornAnswer::Proved(reduced.fill(terms, Vec::new()));
    }
    if options.cancel.is_set() {
        return HornAnswer::Unknown(Reason::Cancelled);
    }
    search::search(terms, horn, &reduced, options)
}
