//! Certificates of local paths whose conditions exclude each other.
//!
//! There is nothing to remember but which paths these are: their conditions are those of the program.

use covenant_goals::certificate::Guards;
use covenant_goals::{Ledger, Verdict};

/// Who says that conditions exclude each other.
pub const GUARDS_BY: &str = "guards";
const SCHEMA: u32 = 1; // not tuning: a format
const ABOUT: &str = "The conditions of each of these local paths exclude each other, whatever the functions do that are called \
                     on it; of small ones it counts what they give back. `covenant check` follows them in \
                     the program and has cvc5 confirm that.";

/// The certificate of all paths that were decided so.
pub fn certificate(ledger: &Ledger) -> Option<Guards> {
    let decided = ledger.iter().filter(|(_, _, verdict)| is_by_guards(verdict));
    let paths: Vec<String> = decided.map(|(_, objective, _)| objective.id.clone()).collect();
    (!paths.is_empty()).then(|| Guards { schema: SCHEMA, about: ABOUT.to_owned(), paths })
}

fn is_by_guards(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Infeasible(proof) if proof.by == GUARDS_BY && proof.file.is_some())
}
