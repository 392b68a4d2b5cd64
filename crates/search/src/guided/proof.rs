//! Certificates of local paths whose conditions exclude each other.
//!
//! There is nothing to remember but which paths these are: to check one, its conditions are collected from the program anew,
//! and a solver that had no part in the search is asked whether they hold together.

use covenant_constraints::{Terms, smtlib};
use covenant_goals::certificate::{GUARDS, Guards, Question, Script};
use covenant_goals::local_path::code_of;
use covenant_goals::{Ledger, Objective, Verdict};
use covenant_program::ir::{FuncId, Program};

use super::paths::conditions;

/// Who says that conditions exclude each other.
pub const GUARDS_BY: &str = "guards";
const SCHEMA: u32 = 1; // not tuning: a format
const ABOUT: &str = "The conditions of each of these local paths exclude each other, whatever the functions do that are called \
                     on it; of small ones it counts what they give back. `covenant check` collects them from the \
                     program and has cvc5 confirm that.";

/// The certificate of all paths that were decided so.
pub fn certificate(ledger: &Ledger) -> Option<Guards> {
    let decided = ledger.iter().filter(|(_, _, verdict)| is_by_guards(verdict));
    let paths: Vec<String> = decided.map(|(_, objective, _)| objective.id.clone()).collect();
    (!paths.is_empty()).then(|| Guards { schema: SCHEMA, about: ABOUT.to_owned(), paths })
}

fn is_by_guards(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Infeasible(proof) if proof.by == GUARDS_BY && proof.file.is_some())
}

/// What must have no model for the path to be infeasible. `Err`: why the certificate is none.
pub fn script(program: &Program, certificate: &Guards, objective: &Objective) -> Result<Script, String> {
    if certificate.schema != SCHEMA || !certificate.paths.contains(&objective.id) {
        return Err(format!("{GUARDS} does not list it in a way that this version understands"));
    }
    if let Some(why) = &objective.untied {
        return Err(format!("nobody knows where it is in the program: {why}"));
    }
    let (function, code) = code_of(objective).ok_or("it is no local path")?;
    let mut terms = Terms::new();
    let found = conditions(program, FuncId::from_u32(function), code, &mut terms);
    let conditions = found.ok_or("the function has no such path")?;
    let text = smtlib::asserted(&terms, &conditions);
    let words = "no input makes the conditions of the path hold together".to_owned();
    Ok(Script { prelude: "(set-logic ALL)\n".to_owned(), questions: vec![Question { text, words, free: Vec::new() }] })
}
