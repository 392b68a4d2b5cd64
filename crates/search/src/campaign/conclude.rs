//! The end of a campaign: what is said of objectives that were not reached.

use std::collections::{BTreeMap, BTreeSet};

use covenant_goals::certificate::PATHS;
use covenant_goals::{Contradiction, ObjectiveId, Place, Proof, Reason, ReasonKind, Status};

use super::Campaign;
use super::explain::Prefixes;
use super::guide::Rest;
use crate::exhaustion::{self, EXHAUSTION};
use crate::limits;
use crate::route::BEYOND;

/// Why nothing can show a condition that its decision has more than once.
const ALONE: &str = "the condition is written more than once in its decision, so that no two evaluations differ in it alone, \
     as --mcdc unique-cause asks; --mcdc masking and --mcdc racc let the others change with it";

impl Campaign<'_> {
    /// Whether runs with their inputs can be written down. What is guided leaves out ways for reasons of its own.
    pub(super) fn can_tell_paths(&self) -> bool {
        !self.is_guided() && exhaustion::can_tell(&self.taken)
    }

    /// What the search says of the objectives that it did not reach.
    pub(super) fn conclude(&mut self, status: Status) -> Result<(), Contradiction> {
        let measured = self.ledger.iter().filter(|(_, objective, _)| objective.measured).map(|(id, _, _)| id);
        for id in measured.collect::<Vec<_>>() {
            let words = "no test of the suite reaches it; it was not searched for";
            self.ledger.explain(id, Reason::new(ReasonKind::Bound, words));
        }
        let open: Vec<ObjectiveId> = self.ledger.open().collect();
        if self.patience.has_postponed() {
            let words = "runs with many turns of a loop were cut short for the time being";
            self.gaps.insert(Reason::new(ReasonKind::Model, words));
        }
        let unknown: BTreeSet<Reason> = self.tree.unknown().map(|(_, why)| why).collect();
        let prefixes = self.prefixes();
        let told = self.can_tell_paths();
        let limited = self.limited(&open);
        for id in open {
            // Its parts may have decided it by now.
            if !self.ledger.is_open(id) {
                continue;
            }
            let objective = self.ledger.objective(id);
            if objective.parts.is_some() && objective.untied.is_none() {
                let reason = self.why_parts(id, status, &unknown, &limited);
                self.ledger.explain(id, reason);
            } else if objective.places.is_empty() && objective.untied.is_none() {
                let words = "clang's coverage mapping says that no run can take it: there is no code for it".to_owned();
                self.ledger.refute(id, Proof { by: "compiler".to_owned(), file: None, words })?;
            } else if let Some(reason) = &objective.untied {
                let reason = Reason::new(ReasonKind::Unsupported, reason.as_str());
                self.ledger.explain(id, reason);
            } else if let Some(rest) =
                self.rest_of(id).filter(|rest| !limited.contains_key(&id) && self.ways_tell(id, Some(status), rest))
            {
                self.conclude_guided(id, rest, &prefixes)?;
            } else if status == Status::Complete
                && self.gaps.is_empty()
                && unknown.is_empty()
                && !limited.contains_key(&id)
                && self.is_exhausted(id)
            {
                let words = format!(
                    "all {} paths of the program for the stated inputs that can lead to it were explored and none takes \
                     it; {}",
                    self.stats.executions,
                    self.why_infeasible(id, &prefixes)
                );
                let file = told.then(|| PATHS.to_owned());
                self.ledger.refute(id, Proof { by: EXHAUSTION.to_owned(), file, words })?;
            } else {
                let mut reason = self.why_open(id, status, &unknown, &limited);
                if let Some(query) = self.why_unanswered(id, &prefixes) {
                    reason.words = format!("{reason}; {query}");
                }
                self.ledger.explain(id, reason);
            }
        }
        Ok(())
    }

    /// Whether ways that are decided say something of an objective. A label with a condition of its own may have chances that
    /// nobody has tried yet, unless the search came to its end; a local path has none.
    fn ways_tell(&self, id: ObjectiveId, status: Option<Status>, rest: &Rest) -> bool {
        let is_path = self.ledger.objective(id).path.is_some() && *rest == Rest::Nothing;
        self.gaps.is_empty() && self.stats.executions > 0 && (is_path || status == Some(Status::Complete))
    }

    /// Refutes local paths all of whose ways were taken or refuted: no prover need be asked about these.
    pub(super) fn close_paths(&mut self) -> Result<(), Contradiction> {
        let prefixes = Prefixes::default();
        let open: Vec<ObjectiveId> = self.ledger.open().collect();
        let limited = self.limited(&open);
        for id in open {
            let waits = self.patience.has_postponed() || limited.contains_key(&id);
            let rest = self.rest_of(id).filter(|rest| !waits && self.ways_tell(id, None, rest));
            if rest.is_some() {
                self.conclude_guided(id, Rest::Nothing, &prefixes)?;
            }
        }
        Ok(())
    }

    /// The guided strategy has tried all ways that can lead to the objective, within its bound.
    fn conclude_guided(&mut self, id: ObjectiveId, rest: Rest, prefixes: &Prefixes) -> Result<(), Contradiction> {
        let is_path = self.ledger.objective(id).path.is_some();
        let why = if is_path { self.how_far(id) } else { Some(self.why_infeasible(id, prefixes)) };
        let why = why.unwrap_or_else(|| "no run comes to its end".to_owned());
        let ways = rest.ways(self.has_no_chance(id));
        match ways {
            None => {
                let words =
                    format!("all ways of the program for the stated inputs that can lead to it were tried; {why}");
                self.ledger.refute(id, Proof { by: EXHAUSTION.to_owned(), file: None, words })
            }
            Some(ways) => {
                let bound = self.settings.loop_bound.filter(|_| ways.iter().all(|way| way.words == BEYOND));
                let within = match bound {
                    Some(bound) => {
                        format!("no path within the loop bound {bound} takes it, but a longer one may: {why}; ")
                    }
                    None => String::new(),
                };
                let kind = ways.iter().map(|way| way.kind).min().unwrap_or(ReasonKind::Solver);
                let ways = ways.into_iter().chain(self.why_unproved(id)).map(|way| way.words);
                let words = format!("{within}{}", ways.collect::<Vec<_>>().join("; "));
                self.ledger.explain(id, Reason::new(kind, words));
                Ok(())
            }
        }
    }

    /// Whether each path that can lead to it was taken. Strategies may leave out ways behind which they see no open edge.
    /// Those that lead on from a label count as open with it, but not each label is in a block that has some.
    pub(super) fn is_exhausted(&self, id: ObjectiveId) -> bool {
        let is_seen = |place: &Place| match *place {
            Place::Label(function, inst, _) => self.is_seen(function, inst),
            _ => true,
        };
        self.has_no_chance(id) && (self.tree.is_complete() || self.ledger.objective(id).places.iter().all(is_seen))
    }

    /// Why what is made of parts is open: because of those that are.
    fn why_parts(
        &self,
        id: ObjectiveId,
        status: Status,
        unknown: &BTreeSet<Reason>,
        limited: &BTreeMap<ObjectiveId, Reason>,
    ) -> Reason {
        let objective = self.ledger.objective(id);
        if objective.parts.as_ref().is_some_and(Vec::is_empty) {
            return Reason::new(ReasonKind::Bound, ALONE);
        }
        let parts = objective.parts.iter().flatten().flatten();
        let open: BTreeSet<ObjectiveId> = parts.copied().filter(|&part| self.ledger.is_open(part)).collect();
        let names: Vec<&str> = open.iter().map(|&part| self.ledger.objective(part).id.as_str()).collect();
        let nothing = || Reason::new(ReasonKind::Solver, "");
        let why = open.first().map_or_else(nothing, |&part| self.why_open(part, status, unknown, limited));
        Reason::new(why.kind, format!("still open: {}; {why}", names.join(", ")))
    }

    /// The limits of ours behind which objectives lie, for those that do.
    pub(super) fn limited(&self, objectives: &[ObjectiveId]) -> BTreeMap<ObjectiveId, Reason> {
        if self.limits.is_empty() {
            return BTreeMap::new();
        }
        let drawn = if self.pilot.cfg().is_empty() { Some(limits::map(self.subject)) } else { None };
        let cfg = drawn.as_ref().unwrap_or(self.pilot.cfg());
        let wanted: Vec<_> = objectives.iter().map(|&id| self.ledger.objective(id)).collect();
        let before = objectives.iter().zip(self.limits.before(self.subject, cfg, &wanted));
        let limited = before.filter(|(_, words)| !words.is_empty());
        limited.map(|(&id, words)| (id, Reason::new(ReasonKind::Model, limits::named(&words)))).collect()
    }

    fn why_open(
        &self,
        id: ObjectiveId,
        status: Status,
        unknown: &BTreeSet<Reason>,
        limited: &BTreeMap<ObjectiveId, Reason>,
    ) -> Reason {
        let cut = match status {
            Status::Timeout => Some("not reached in the time given; see --timeout"),
            Status::Interrupted => Some("not reached before the run was interrupted"),
            Status::Limit => Some("not reached within --max-tests or --max-iterations"),
            Status::Complete => None,
        };
        let cut = cut.map(|words| Reason::new(ReasonKind::Time, words));
        let limits = limited.get(&id);
        let more = limits.into_iter().chain(&self.gaps).chain(unknown).cloned().chain(self.why_unproved(id));
        let left_out = "no known path reaches it, but paths that seemed to lead to nothing open were left out";
        Reason::all(cut.into_iter().chain(more)).unwrap_or_else(|| Reason::new(ReasonKind::Model, left_out))
    }

    /// Which provers were asked, and how each ended.
    fn why_unproved(&self, id: ObjectiveId) -> Option<Reason> {
        let arc = self.arc.as_ref();
        if let Some(why) = arc.and_then(|arc| arc.flow.target(id).beyond.as_ref()) {
            return Some(Reason::new(ReasonKind::Unsupported, format!("no prover was asked: {why}")));
        }
        let tried: Vec<String> =
            self.tried.get(&id).into_iter().flatten().map(|(name, how)| format!("{name} ({how})")).collect();
        if !tried.is_empty() {
            return Some(Reason::new(ReasonKind::Solver, format!("not proved by {}", tried.join(", "))));
        }
        let notes: Vec<&str> = self.notes.iter().map(String::as_str).collect();
        let words = || format!("no prover was asked: {}", notes.join(", "));
        (!notes.is_empty()).then(|| Reason::new(ReasonKind::Unsupported, words()))
    }
}
