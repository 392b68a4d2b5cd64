//! The end of a campaign: what is said of objectives that were not reached.

use std::collections::{BTreeMap, BTreeSet};

use covenant_goals::certificate::PATHS;
use covenant_goals::{Contradiction, ObjectiveId, Place, Proof, Reason, ReasonKind, Status};

use super::PathSearch;
use super::guide::Rest;
use crate::exhaustion::{self, EXHAUSTION};
use crate::lab::{Blocked, Lab, Prefixes};
use crate::route::BEYOND;

/// Why nothing can show a condition that its decision has more than once.
const ALONE: &str = "the condition is written more than once in its decision, so that no two evaluations differ in it alone, \
     as --mcdc unique-cause asks; --mcdc masking and --mcdc racc let the others change with it";

/// Why ways of the tree are not decided, and the limits behind which objectives lie.
type Known<'a> = (&'a BTreeSet<Reason>, &'a BTreeMap<ObjectiveId, Reason>);

impl PathSearch {
    /// Whether runs with their inputs can be written down. What is guided leaves out ways for reasons of its own.
    pub(crate) fn can_tell_paths(&self, lab: &Lab<'_>) -> bool {
        !lab.is_guided() && exhaustion::can_tell(&lab.taken)
    }

    /// What the search says of the objectives that it did not reach.
    pub(crate) fn conclude(&self, lab: &mut Lab<'_>, status: Status) -> Result<(), Contradiction> {
        let measured = lab.ledger.iter().filter(|(_, objective, _)| objective.measured).map(|(id, _, _)| id);
        for id in measured.collect::<Vec<_>>() {
            let words = "no test of the suite reaches it; it was not searched for";
            lab.ledger.explain(id, Reason::new(ReasonKind::Bound, words));
        }
        let open: Vec<ObjectiveId> = lab.ledger.open().collect();
        if lab.has_postponed() {
            let words = "runs with many turns of a loop were cut short for the time being";
            lab.gaps.insert(Reason::new(ReasonKind::Model, words));
        }
        let unknown: BTreeSet<Reason> = lab.tree.unknown().map(|(_, why)| why).collect();
        let prefixes = lab.prefixes();
        let mut blocked = lab.blocked();
        let told = self.can_tell_paths(lab);
        let limited = lab.limited(&open);
        for id in open {
            // Its parts may have decided it by now.
            if !lab.ledger.is_open(id) {
                continue;
            }
            let objective = lab.ledger.objective(id);
            if objective.parts.is_some() && objective.unmapped.is_none() {
                let reason = why_parts(lab, id, status, (&unknown, &limited));
                lab.ledger.explain(id, reason);
            } else if objective.places.is_empty() && objective.unmapped.is_none() {
                let words = format!(
                    "line {} `{}`: clang's coverage mapping says that no run has {} there, and there is no code for it",
                    objective.line, objective.text, objective.outcome
                );
                lab.ledger.refute(id, Proof { by: "compiler".to_owned(), file: None, words })?;
            } else if let Some(reason) = &objective.unmapped {
                let reason = reason.clone();
                lab.ledger.explain(id, reason);
            } else if let Some(rest) = self
                .rest_of(lab, id)
                .filter(|rest| !limited.contains_key(&id) && self.ways_tell(lab, id, Some(status), rest))
            {
                self.conclude_guided(lab, id, rest, (&prefixes, &mut blocked))?;
            } else if status == Status::Complete
                && lab.gaps.is_empty()
                && unknown.is_empty()
                && !limited.contains_key(&id)
                && self.is_exhausted(lab, id)
            {
                let passed = self.passed(lab, id);
                let why = lab.why_infeasible(id, (&prefixes, &passed), &mut blocked);
                let words = format!("{why}; all {} paths that can lead to it were followed", lab.stats.executions);
                let file = told.then(|| PATHS.to_owned());
                lab.ledger.refute(id, Proof { by: EXHAUSTION.to_owned(), file, words })?;
            } else {
                let mut reason = why_open(lab, id, status, (&unknown, &limited));
                if let Some(query) = lab.why_unanswered(id, &prefixes) {
                    reason.words = format!("{reason}; {query}");
                }
                lab.ledger.explain(id, reason);
            }
        }
        Ok(())
    }

    /// Whether ways that are decided say something of an objective. A label with a condition of its own may have obligations that
    /// nobody has tried yet, unless the search came to its end; a local path has none.
    fn ways_tell(&self, lab: &Lab<'_>, id: ObjectiveId, status: Option<Status>, rest: &Rest) -> bool {
        let is_path = lab.ledger.objective(id).path.is_some() && *rest == Rest::Nothing;
        lab.gaps.is_empty() && lab.stats.executions > 0 && (is_path || status == Some(Status::Complete))
    }

    /// Refutes local paths all of whose ways were taken or refuted: no prover need be asked about these.
    pub(crate) fn close_paths(&self, lab: &mut Lab<'_>) -> Result<(), Contradiction> {
        let prefixes = Prefixes::default();
        let mut blocked = lab.blocked();
        let open: Vec<ObjectiveId> = lab.ledger.open().collect();
        let limited = lab.limited(&open);
        for id in open {
            let waits = lab.has_postponed() || limited.contains_key(&id);
            let rest = self.rest_of(lab, id).filter(|rest| !waits && self.ways_tell(lab, id, None, rest));
            if rest.is_some() {
                self.conclude_guided(lab, id, Rest::Nothing, (&prefixes, &mut blocked))?;
            }
        }
        Ok(())
    }

    /// The guided strategy has tried all ways that can lead to the objective, within its bound.
    fn conclude_guided(
        &self,
        lab: &mut Lab<'_>,
        id: ObjectiveId,
        rest: Rest,
        (prefixes, blocked): (&Prefixes, &mut Blocked),
    ) -> Result<(), Contradiction> {
        let is_path = lab.ledger.objective(id).path.is_some();
        let why = match is_path {
            true => self.how_far(lab, id),
            false => Some(lab.why_infeasible(id, (prefixes, &self.passed(lab, id)), blocked)),
        };
        let why = why.unwrap_or_else(|| "no run comes to its end".to_owned());
        let ways = rest.ways(self.has_no_obligation(lab, id));
        match ways {
            None => {
                let words = format!("{why}; all ways that can lead to it were followed");
                lab.ledger.refute(id, Proof { by: EXHAUSTION.to_owned(), file: None, words })
            }
            Some(ways) => {
                let bound = lab.settings.loop_bound.filter(|_| ways.iter().all(|way| way.words == BEYOND));
                let within = match bound {
                    Some(bound) => {
                        format!("no path within the loop bound {bound} takes it, but a longer one may: {why}; ")
                    }
                    None => String::new(),
                };
                let kind = ways.iter().map(|way| way.kind).min().unwrap_or(ReasonKind::Solver);
                let ways = ways.into_iter().chain(why_unproved(lab, id)).map(|way| way.words);
                let words = format!("{within}{}", ways.collect::<Vec<_>>().join("; "));
                lab.ledger.explain(id, Reason::new(kind, words));
                Ok(())
            }
        }
    }

    /// Whether each path that can lead to it was taken. Strategies may leave out ways behind which they see no open edge.
    /// Those that lead on from a label count as open with it, but not each label is in a block that has some.
    pub(crate) fn is_exhausted(&self, lab: &Lab<'_>, id: ObjectiveId) -> bool {
        let is_seen = |place: &Place| match *place {
            Place::Label(function, inst, _) => self.is_seen(lab, function, inst),
            _ => true,
        };
        self.has_no_obligation(lab, id)
            && (lab.tree.is_complete() || lab.ledger.objective(id).places.iter().all(is_seen))
    }
}

/// Why what is made of parts is open: because of those that are.
fn why_parts(lab: &Lab<'_>, id: ObjectiveId, status: Status, known: Known<'_>) -> Reason {
    let objective = lab.ledger.objective(id);
    if objective.parts.as_ref().is_some_and(Vec::is_empty) {
        return Reason::new(ReasonKind::Bound, ALONE);
    }
    let parts = objective.parts.iter().flatten().flatten();
    let open: BTreeSet<ObjectiveId> = parts.copied().filter(|&part| lab.ledger.is_open(part)).collect();
    let names: Vec<&str> = open.iter().map(|&part| lab.ledger.objective(part).id.as_str()).collect();
    let nothing = || Reason::new(ReasonKind::Solver, "");
    let why = open.first().map_or_else(nothing, |&part| why_open(lab, part, status, known));
    Reason::new(why.kind, format!("still open: {}; {why}", names.join(", ")))
}

fn why_open(lab: &Lab<'_>, id: ObjectiveId, status: Status, (unknown, limited): Known<'_>) -> Reason {
    let cut = match status {
        Status::Timeout => Some("not reached in the time given; see --timeout"),
        Status::Interrupted => Some("not reached before the run was interrupted"),
        Status::Limit => Some("not reached within --max-tests or --max-iterations"),
        Status::Complete => None,
    };
    let cut = cut.map(|words| Reason::new(ReasonKind::Time, words));
    let more = limited.get(&id).into_iter().chain(&lab.gaps).chain(unknown).cloned().chain(why_unproved(lab, id));
    let left_out = "no known path reaches it, but paths that seemed to lead to nothing open were left out";
    Reason::all(cut.into_iter().chain(more)).unwrap_or_else(|| Reason::new(ReasonKind::Model, left_out))
}

/// Which provers were asked, and how each ended.
fn why_unproved(lab: &Lab<'_>, id: ObjectiveId) -> Option<Reason> {
    if let Some(why) = lab.system.flow.as_ref().and_then(|flow| flow.target(id).beyond.as_ref()) {
        return Some(Reason::new(ReasonKind::Model, format!("no prover was asked: {why}")));
    }
    let tried: Vec<String> =
        lab.unproved.get(&id).into_iter().flatten().map(|(name, how)| format!("{name} ({how})")).collect();
    if !tried.is_empty() {
        return Some(Reason::new(ReasonKind::Solver, format!("not proved by {}", tried.join(", "))));
    }
    let notes: Vec<&str> = lab.notes.iter().map(String::as_str).collect();
    let words = || format!("no prover was asked: {}", notes.join(", "));
    (!notes.is_empty()).then(|| Reason::new(ReasonKind::Model, words()))
}
