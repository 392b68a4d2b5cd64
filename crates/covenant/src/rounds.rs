//! Search after search for what is still open, for those who have a time to use up.
//!
//! The first is the search of `covenant gen`. Each further one starts from all tests that are there, draws other lots, chooses
//! paths by another strategy, and allows runs and questions more than the one before. What one of them covered or proved stays so.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use covenant_constraints::solver::Steps;
use covenant_goals::{Contradiction, Ledger, Status, TestCase, Verdict};
use covenant_search::Settings;
use covenant_search::campaign::{self, Observer};
use covenant_search::strategy::StrategyConfig;

use crate::error::Error;
use crate::guided;
use crate::request::Request;
use crate::subject::Loaded;

/// How further searches choose paths, one after the other. Each has provers beside it.
const STRATEGIES: [&str; 4] = ["random+arc", "bfs+arc", "arc", "dfs+arc"];
/// A search allows so many times what the one before it did.
const MORE: u32 = 2; // not tuning: how searches differ that nobody can tell the best of
/// Further searches that are each allowed more.
const MOST_MORE: u32 = 6; // not tuning: the same

/// Searches of one session, one after the other.
#[derive(Debug)]
pub struct Rounds<'s> {
    request: &'s Request,
    loaded: &'s Loaded,
    cancel: Arc<AtomicBool>,
    done: u32,
    ledger: Option<Ledger>,
    tests: Vec<TestCase>,
}

impl<'s> Rounds<'s> {
    pub(crate) fn new(request: &'s Request, loaded: &'s Loaded, cancel: Arc<AtomicBool>) -> Rounds<'s> {
        Rounds { request, loaded, cancel, done: 0, ledger: None, tests: Vec::new() }
    }

    /// Searches once more. Why that ended.
    pub fn next_search(&mut self, observer: &mut dyn Observer) -> Result<Status, Error> {
        let settings = self.settings()?;
        let mut found = campaign::run_from(&self.loaded.subject, &settings, &self.tests, observer)?;
        if let Some(known) = &self.ledger {
            keep(known, &mut found.ledger)?;
        }
        self.done += 1;
        // Tests are numbered anew in each search, and only their inputs matter here.
        self.tests.extend(
            found
                .tests
                .into_iter()
                .filter(|test| !self.tests.iter().any(|known| known.has_same_inputs(test)))
                .collect::<Vec<_>>(),
        );
        self.ledger = Some(found.ledger);
        Ok(found.status)
    }

    /// How many objectives are covered, infeasible and open.
    pub fn counts(&self) -> (usize, usize, usize) {
        self.ledger.as_ref().map_or((0, 0, self.loaded.subject.objectives.len()), Ledger::counts)
    }

    /// Whether another search may be of use: something is open that has a place in the program.
    pub fn may_go_on(&self) -> bool {
        let Some(ledger) = &self.ledger else { return true };
        ledger.open().any(|id| ledger.objective(id).unmapped.is_none())
    }

    fn settings(&self) -> Result<Settings, Error> {
        let mut settings = guided::adapted(self.request.settings(Arc::clone(&self.cancel))?, self.request, self.loaded);
        if let Some(number) = self.done.checked_sub(1) {
            let more = MORE.saturating_pow(self.done.min(MOST_MORE));
            settings.seed = settings.seed.wrapping_add(u64::from(self.done));
            settings.max_steps = settings.max_steps.saturating_mul(u64::from(more));
            settings.solver_steps = Steps::like(self.request.solver_timeout.saturating_mul(more));
            let name = STRATEGIES[number as usize % STRATEGIES.len()];
            settings.strategy = name.parse::<StrategyConfig>().unwrap_or_default();
        }
        Ok(settings)
    }
}

/// What was known before is known after: proofs hold, and what a test reached is reached. `Err`: the two searches contradict each
/// other.
fn keep(known: &Ledger, found: &mut Ledger) -> Result<(), Contradiction> {
    for (id, _, verdict) in known.iter() {
        match verdict {
            Verdict::Covered(tests) => tests.iter().try_for_each(|&test| found.cover(id, test))?,
            Verdict::Infeasible(proof) => found.refute(id, proof.clone())?,
            Verdict::Unknown(_) => {}
        }
    }
    Ok(())
}
