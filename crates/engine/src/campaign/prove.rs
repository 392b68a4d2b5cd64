//! Asking the provers about what no run has reached.

use std::rc::Rc;
use std::sync::atomic::Ordering;

use covenant_constraints::{Op, TermId, Terms};
use covenant_goals::{Contradiction, ObjectiveId, Proof};
use rustc_hash::FxHashSet;

use super::{Campaign, Observer};
use crate::prover::flow::LocationId;
use crate::prover::invariants::{self, Budget, Hints, Method};
use crate::prover::justify::{Invariant, Lemmas, justify};

/// Questions to the solver for each call, and for each target of it.
const QUERIES: u64 = 500;
const QUERIES_EACH: u64 = 40;
/// Each time they may ask four times as much, up to so many times.
const MOST_EFFORT: u32 = 4;

impl Campaign<'_> {
    /// Looks for invariants that exclude open objectives.
    pub(super) fn prove_open(&mut self, observer: &mut dyn Observer) -> Result<(), Contradiction> {
        let Some(arc) = &mut self.arc else { return Ok(()) };
        let mut targets: Vec<LocationId> = Vec::new();
        let mut open: Vec<ObjectiveId> = Vec::new();
        for id in self.ledger.open() {
            let target = arc.flow.target(id);
            let objective = self.ledger.objective(id);
            let tied = !objective.places.is_empty() && objective.untied.is_none();
            if tied && target.beyond.is_none() && !arc.visited(&target.locations) {
                targets.extend(&target.locations);
                open.push(id);
            }
        }
        if targets.is_empty() {
            return Ok(());
        }
        let cancel = &self.settings.cancel;
        let effort = self.effort;
        self.effort = (self.effort + 1).min(MOST_EFFORT);
        let budget = Budget {
            queries: (QUERIES + QUERIES_EACH * targets.len() as u64) << (2 * effort),
            timeout: self.settings.solver_timeout,
            expired: &|| cancel.load(Ordering::Relaxed),
        };
        let hints = Hints::default();
        let outcome = invariants::prove(&arc.flow, &mut self.cx.terms, &mut *self.judge, &targets, budget, &hints);
        for (&location, &formula) in &outcome.invariant {
            add_lemmas(&self.cx.terms, &mut arc.facts, location, formula);
        }
        let flow = Rc::clone(&arc.flow);
        for id in open {
            let target = flow.target(id);
            let proofs: Option<Vec<_>> = target.locations.iter().map(|at| outcome.proofs.get(at)).collect();
            let Some(proofs) = proofs else { continue };
            let mut lemmas = Lemmas::default();
            for (&location, &formula) in proofs.iter().flat_map(|proof| &proof.invariant) {
                add_lemmas(&self.cx.terms, &mut lemmas, location, formula);
            }
            let by = match proofs.iter().map(|proof| proof.method).max() {
                Some(Method::Induction(k)) => format!("{k}-induction"),
                _ => "invariants".to_owned(),
            };
            self.refute_with(id, &lemmas, by)?;
            self.show_refuted(observer, &[id]);
            if self.settings.cancel.load(Ordering::Relaxed) {
                break;
            }
        }
        Ok(())
    }

    /// Refutes an objective if these lemmas are enough.
    pub(super) fn refute_with(&mut self, id: ObjectiveId, lemmas: &Lemmas, by: String) -> Result<(), Contradiction> {
        let Some(arc) = &mut self.arc else { return Ok(()) };
        let target = arc.flow.target(id);
        let timeout = self.settings.solver_timeout;
        match justify(&arc.flow, &mut self.cx.terms, &mut *self.judge, lemmas, &target.locations, timeout) {
            Ok(invariant) => {
                let words = explain(&invariant, target.locations.len());
                arc.invariants.insert(id, invariant);
                let file = covenant_goals::certificate::file(&self.ledger.objective(id).id);
                let file = Some(file.display().to_string());
                self.ledger.refute(id, Proof { by, file, words })
            }
            Err(why) => {
                self.ledger.explain(id, format!("a proof was found but not confirmed: {why}"));
                Ok(())
            }
        }
    }
}

/// What a proof says, in words.
pub(super) fn explain(invariant: &Invariant, places: usize) -> String {
    match (places, invariant.len()) {
        (0, _) => "no path of the program leads there".to_owned(),
        (_, 1) => "the conditions on the last step exclude each other".to_owned(),
        (_, count) => format!("what holds at {count} places of the program excludes it"),
    }
}

/// Adds the conjuncts of a formula.
fn add_lemmas(terms: &Terms, lemmas: &mut Lemmas, location: LocationId, formula: TermId) {
    let known = lemmas.entry(location).or_default();
    let mut seen: FxHashSet<TermId> = known.iter().copied().collect();
    let mut work = vec![formula];
    while let Some(term) = work.pop() {
        if terms.op(term) == Op::And {
            work.extend([terms.arg(term, 1), terms.arg(term, 0)]);
        } else if terms.as_bool(term) != Some(true) && seen.insert(term) {
            known.push(term);
        }
    }
}
