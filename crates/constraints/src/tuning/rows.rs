//! The table.

use super::{Entry, Wrong, parse, table};

/// A number that came with the code that uses it.
const OLD: &str = "inherited, not measured again when the table was made";
/// A time that became steps.
const CONVERTED: &str =
    "inherited as milliseconds, a thousand steps for each; tests/c/gen and tests/c/prove, 2026-11-16";

/// What a solver counts, against the CPU time that it took.
const CALIBRATED: &str = "2,400 questions of tests/c/gen and tests/c/prove, 2026-11-16: calls of the terminator take 20 to 80 \
    microseconds, those with wide quotients or arrays a millisecond and more; a resource of Z3 takes 0.5 to 2 microseconds";

table! {
    // Solvers.
    solver_terms: usize = 4_000, "terms", "the terms that a solver may see before it is made anew: it looks at all of \
        them in each query, whatever it is about", OLD;
    solver_growth: usize = 4, "times", "how many times the terms of its first query a solver may see: paths that are long \
        need many, and to tell it all of them again for each query would cost more than what it carries along", OLD;
    bitwuzla_call: u64 = 40, "solver steps", "what a call of Bitwuzla's terminator counts for", CALIBRATED;
    bitwuzla_gates: u64 = 20, "gates for a solver step", "how many gates of products, quotients and accesses to arrays add a step to that",
        CALIBRATED;
    z3_resources: u64 = 1_000, "resources for a thousand solver steps", "what Z3 may use up as a back end", CALIBRATED;
    spacer_resources: u64 = 1_000, "resources for a thousand solver steps", "what Z3 may use up as Spacer", CALIBRATED;
    arithmetic_resources: u64 = 1_000, "resources for a thousand solver steps", "what Z3 may use up on linear arithmetic", CALIBRATED;
    relax_soon: u64 = 40_000, "solver steps", "what a query may cost before it is asked without what is hard", CONVERTED;
    arithmetic_soon: u64 = 40_000, "solver steps", "what a query may cost before linear arithmetic is asked", CONVERTED;
    arithmetic_most: u64 = 500_000, "solver steps", "what linear arithmetic may cost: where it helps, it does so at once",
        CONVERTED;
    arithmetic_constraints: usize = 1_000, "constraints", "larger queries are none for linear arithmetic", OLD;
    arithmetic_terms: usize = 4_000, "terms", "larger queries are none for linear arithmetic, and too large to be begun \
        twice", OLD;
    narrow_gain: u8 = 4, "bits", "what must be saved for a term to be made narrow", OLD;
    narrow_hard: usize = 64, "terms", "hard terms in a constraint beyond which it stays as it is: finding their ranges would \
        take longer than what is gained", OLD;
    propagate_visits: usize = 2_000_000, "terms", "what is looked at to simplify the constraints of a query; a loop of many \
        rounds has terms as deep as it is long", OLD;
    alike_nodes: usize = 20_000, "terms", "larger queries are not compared with those that differ in names only", OLD;

    // Spacer.
    spacer_first: u64 = 2_000_000, "solver steps", "what a first try of a way to ask Spacer may cost", CONVERTED;
    spacer_bits: u64 = 1_000_000, "solver steps", "for one objective, as bit-vectors", CONVERTED;
    spacer_integers: u64 = 3_000_000, "solver steps", "for one objective, as integers; doubles with each step of the \
        effort", CONVERTED;
    spacer_in_all: u64 = 8_000_000, "solver steps", "for all objectives of a call together, as long as there are few; doubles \
        likewise", CONVERTED;
    spacer_least: u64 = 400_000, "solver steps", "what each objective gets at least", CONVERTED;

    // The search.
    model_patience: u64 = 300_000, "solver steps", "for one question about the model, before the provers were asked", CONVERTED;
}
