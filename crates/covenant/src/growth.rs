//! Larger objects, where those of usual size leave something open.
//!
//! How many elements an object behind a pointer has is a choice of ours. Where the search has nothing left to try and runs ended
//! at the size of an object, it is done again with larger ones, from the tests that are there. (A search that does not come to that
//! point has others do so in between: `Aside` of `covenant-search`.) Only what the first search left
//! open is taken from the others: freedom costs nothing where it is not used. Each further search also holds the proofs of the
//! first against its runs.

use covenant_concolic::Subject;
use covenant_goals::{Contradiction, Status};
use covenant_search::Settings;
use covenant_search::campaign::{self, Findings, Observer};

/// Elements of objects, one search after the other, and of those that are structs with pointers.
pub(crate) const LARGER: [(u64, u64); 3] = [(64, 4), (256, 16), (4096, 64)]; // not tuning: what the inputs are

/// Searches on with larger objects as long as some objective may need them.
pub(crate) fn grow(
    first: &mut Findings,
    subject: &Subject,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<(), Contradiction> {
    for (elements, nodes) in LARGER {
        // What has no place in the program is not found with larger objects either.
        let is_open =
            first.ledger.iter().any(|(_, objective, verdict)| objective.unmapped.is_none() && verdict.is_limited());
        if first.status != Status::Complete || !first.ended_by_size || !is_open {
            return Ok(());
        }
        let mut settings = Settings { own_tests: false, ..settings.clone() };
        settings.inputs.enlarged(elements, nodes);
        let further = campaign::run_from(subject, &settings, &first.tests, observer)?;
        take(first, further)?;
    }
    Ok(())
}

fn take(first: &mut Findings, further: Findings) -> Result<(), Contradiction> {
    first.take_tests(&further)?;
    first.status = further.status;
    first.ended_by_size = further.ended_by_size;
    first.limits.extend(further.limits);
    Ok(())
}
