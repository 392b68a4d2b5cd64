//! The end of a campaign: what is said of objectives that were not reached.

use std::collections::BTreeSet;

use covenant_goals::{Contradiction, ObjectiveId, Proof};

use super::Campaign;

impl Campaign<'_> {
    /// What the search says of the objectives that it did not reach.
    pub(super) fn conclude(&mut self, status: &'static str) -> Result<(), Contradiction> {
        let open: Vec<ObjectiveId> = self.ledger.open().collect();
        if self.patience.has_postponed() {
            self.gaps.insert("runs with many turns of a loop were cut short for the time being".to_owned());
        }
        let unknown: BTreeSet<String> = self.tree.unknown().map(|(_, why)| why.to_owned()).collect();
        for id in open {
            let objective = self.ledger.objective(id);
            if objective.places.is_empty() && objective.untied.is_none() {
                let words = "clang's coverage mapping says that no run can take it: there is no code for it".to_owned();
                self.ledger.refute(id, Proof { by: "compiler".to_owned(), file: None, words })?;
            } else if let Some(reason) = &objective.untied {
                let reason = reason.clone();
                self.ledger.explain(id, reason);
            } else if status == "complete" && self.gaps.is_empty() && unknown.is_empty() {
                let words = format!(
                    "all {} paths of the program for the stated inputs were explored and none takes it",
                    self.stats.executions
                );
                self.ledger.refute(id, Proof { by: "exhaustion".to_owned(), file: None, words })?;
            } else {
                let reason = self.why_open(id, status, &unknown);
                self.ledger.explain(id, reason);
            }
        }
        Ok(())
    }

    fn why_open(&self, id: ObjectiveId, status: &str, unknown: &BTreeSet<String>) -> String {
        let reason = match status {
            "timeout" => "not reached in the time given; see --timeout".to_owned(),
            "interrupted" => "not reached before the run was interrupted".to_owned(),
            "limit" => "not reached within --max-tests or --max-iterations".to_owned(),
            _ => String::new(),
        };
        let more = self.gaps.iter().chain(unknown).cloned().chain(self.why_unproved(id));
        let parts: Vec<String> = std::iter::once(reason).filter(|r| !r.is_empty()).chain(more).collect();
        parts.join("; ")
    }

    /// Which provers were asked, and how each ended.
    fn why_unproved(&self, id: ObjectiveId) -> Option<String> {
        let arc = self.arc.as_ref();
        if let Some(why) = arc.and_then(|arc| arc.flow.target(id).beyond.as_ref()) {
            return Some(format!("no prover was asked: {why}"));
        }
        let tried: Vec<String> =
            self.tried.get(&id).into_iter().flatten().map(|(name, how)| format!("{name} ({how})")).collect();
        if !tried.is_empty() {
            return Some(format!("not proved by {}", tried.join(", ")));
        }
        let notes: Vec<&str> = self.notes.iter().map(String::as_str).collect();
        (!notes.is_empty()).then(|| format!("no prover was asked: {}", notes.join(", ")))
    }
}
