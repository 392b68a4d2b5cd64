//! Whether some input is left by what the user assumes.
//!
//! Assumptions that exclude each other prove everything. So where no run got into the function, the search is asked one more
//! question: whether the function is ever entered.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::anyhow;
use covenant_goals::{Criterion, VerdictKind};
use covenant_search::campaign::{self, Observer};

use crate::assumed;
use crate::error::Error;
use crate::request::Request;
use crate::subject;

/// An error if it is proved that no input satisfies what is assumed on entry. `tests` is how many tests a search found.
pub(crate) fn require(
    request: &Request,
    tests: usize,
    cancel: Arc<AtomicBool>,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let said: Vec<String> = assumed::said_of_inputs(request).collect();
    if tests > 0 || said.is_empty() || !is_excluded(request, cancel, observer)? {
        return Ok(());
    }
    Err(Error::from(anyhow!("no input satisfies all that is said of the inputs ({})", said.join("; "))))
}

fn is_excluded(request: &Request, cancel: Arc<AtomicBool>, observer: &mut dyn Observer) -> Result<bool, Error> {
    let request = Request {
        criteria: vec![Criterion::Function],
        measured: Vec::new(),
        points: Vec::new(),
        strategy: None,
        max_tests: None,
        max_iterations: None,
        ..request.clone()
    };
    let mut subject = subject::load(&request, &mut |_| {})?.subject;
    subject.objectives.retain(|objective| objective.function == subject.function);
    let findings = campaign::run_from(&subject, &request.settings(cancel)?, &[], observer)?;
    Ok(findings.ledger.iter().any(|(_, _, verdict)| verdict.kind() == VerdictKind::Infeasible))
}
