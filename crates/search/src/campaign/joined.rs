//! Paths and the model in turn.
//!
//! What leaps do not find (see `leap`), paths reach cheaply; what they do not reach, the model finds or proves. So paths come
//! first, and small programs never need more. Each side has its turn as long as it gets somewhere: a turn ends when it was in
//! vain for a while, and it goes to the other side, or when it was long; then whoever decided more objectives for its work
//! goes on. In vain, each may take as much work as the other did last, and more each time as long as neither gets anywhere.
//!
//! The provers belong to the model's side and cost most. They are asked once paths have been in vain for a while, or as soon
//! as questions about paths are hard; the first time only for what is easily proved.

use covenant_goals::{Contradiction, ObjectiveId, Status};

use super::{Campaign, Observer, arc};

/// The work that a turn may take in vain, at least.
const WORK_IN_VAIN: u64 = 400_000;
/// How much longer paths may try at first where so few branches are open: mostly they come upon the last ones too, for less
/// than the other side would need.
const PATIENCE: u64 = 6;
const FEW_BRANCHES: usize = 24;
/// The same for programs that take no way twice: their paths come to an end, and what none of them reaches is decided then.
const WITHOUT_LOOPS: u64 = 30;
/// The same for programs whose loops have a bound that was found.
const BOUNDED: u64 = 60;
/// What paths have to try in vain before provers are asked who answer more slowly than the model does.
const BEFORE_PROVERS: u64 = 1_000_000;
/// How much longer a turn may take that is not in vain.
const LONG: u64 = 4;
/// Turns of paths after each of which labels are looked for that are impossible, each twice as long as the one before.
const MOST_ROUNDS: u32 = 6;
/// How much less work such a turn may take in vain.
const LABELS_FIRST: u64 = 2;
/// The most that this grows to.
const MOST_WORK: u64 = 1 << 40;
/// So few open objectives are worth the provers after a turn of the model in vain, if that was so many rounds, or if so
/// much work was done that they are cheap beside it.
const FEW_OPEN: usize = 8;
const EARLY_ROUNDS: u32 = 24;
const MUCH_WORK: u64 = 1_500_000;

/// Rounds of the model without a verdict after which the provers are asked.
const QUIET_ROUNDS: u32 = 75;
/// The same for what is cheap to prove.
const FEW_QUIET_ROUNDS: u32 = 2;
/// A predicate of so many parts is one that grows with every turn of a loop: the provers are asked at once.
const LONG_PREDICATE: usize = 90;

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Paths,
    Model,
}

/// How the sides did in their last turns: objectives decided, for how much work.
#[derive(Clone, Copy, Default, Debug)]
struct Rates([Option<(u64, u64)>; 2]);

impl Rates {
    fn set(&mut self, side: Side, gain: u64, work: u64) {
        self.0[side as usize] = Some((gain, work));
    }

    /// Who goes on after a turn of `side`.
    fn next(&self, side: Side) -> Side {
        let other = if side == Side::Paths { Side::Model } else { Side::Paths };
        match (self.0[side as usize], self.0[other as usize]) {
            (Some((gain, work)), Some((others, theirs)))
                if gain > 0 && u128::from(gain) * u128::from(theirs) >= u128::from(others) * u128::from(work) =>
            {
                side
            }
            _ => other,
        }
    }
}

impl Campaign<'_> {
    pub(super) fn search_joined(&mut self, observer: &mut dyn Observer) -> Result<Status, Contradiction> {
        let (mut most, mut vain) = (WORK_IN_VAIN, 0u32);
        let (mut side, mut rates) = (Side::Paths, Rates::default());
        if let Some(status) = self.search_ahead(observer)? {
            return Ok(status);
        }
        loop {
            let (start, before) = (self.work(), self.ledger.decided());
            let labels = side == Side::Paths && self.has_labels() && self.looks_for_labels();
            let long = (LONG * most) << self.chances.rounds.min(MOST_ROUNDS);
            let ended = match side {
                Side::Paths if labels => self.search_paths(most / LABELS_FIRST, long, false, observer)?,
                Side::Paths => self.search_paths(most, LONG * most.max(start), vain == 0, observer)?,
                Side::Model => self.search_model(most, observer)?,
            };
            if ended == Some(Status::Complete) {
                self.close_paths()?;
            }
            match ended {
                // Labels that are plainly impossible are in the way of others.
                None if labels => {
                    let in_vain = self.ledger.decided() == before;
                    self.prove_labels(in_vain || self.ledger.counts().2 <= FEW_OPEN)?;
                    continue;
                }
                // Long runs or hard questions left holes; what lies there can only be proved.
                Some(Status::Complete) if self.has_holes() => return self.search_model_alone(observer),
                Some(Status::Complete) => {
                    self.look_for_certificates(observer)?;
                    return Ok(Status::Complete);
                }
                Some(status) => return Ok(status),
                None => {}
            }
            let (gain, work) = ((self.ledger.decided() - before) as u64, self.work() - start);
            tracing::info!(target: "turn", ?side, gain, work, open = self.ledger.counts().2, "over");
            rates.set(side, gain, work.max(1));
            side = rates.next(side);
            if gain > 0 {
                (most, vain, self.quiet) = (WORK_IN_VAIN, 0, 0);
                continue;
            }
            vain += 1;
            most = work.clamp(most, MOST_WORK);
            if vain.is_multiple_of(2) {
                most = (2 * most).min(MOST_WORK);
                self.wait_longer(observer)?;
                self.go_deeper();
            }
        }
    }

    /// Rounds of the model until it has nothing to do, or for so much work in vain; `Some`: the campaign ends.
    pub(super) fn search_model(
        &mut self,
        most: u64,
        observer: &mut dyn Observer,
    ) -> Result<Option<Status>, Contradiction> {
        let mut start = self.work();
        loop {
            if let Some(status) = self.is_over(observer) {
                return Ok(Some(status));
            }
            let before = self.ledger.decided();
            let round = self.arc_round(observer)?;
            tracing::debug!(target: "turn", ?round, decided = self.ledger.decided() - before, "round of the model");
            self.idle = round == arc::Round::Idle;
            self.quiet = if self.ledger.decided() == before { self.quiet + 1 } else { 0 };
            if self.quiet >= FEW_QUIET_ROUNDS << (2 * self.chances.proved) || self.idle {
                self.prove_labels(true)?;
            }
            if self.quiet == 0 {
                (start, self.in_vain) = (self.work(), 0);
            }
            self.ask_provers(self.work() - start >= most, observer)?;
            if self.idle || self.work() - start >= most {
                return Ok(None);
            }
        }
    }

    /// Asks the provers if it is time to. `enough`: the turn of the model is over.
    fn ask_provers(&mut self, enough: bool, observer: &mut dyn Observer) -> Result<(), Contradiction> {
        let long = self.arc.as_ref().is_some_and(|arc| arc.model.size.predicate_peak > LONG_PREDICATE);
        let rounds = self.quiet >= QUIET_ROUNDS << (2 * self.effort);
        let due = rounds || self.effort == 0 && (long || self.hard);
        let early = self.effort == 0 && (self.idle || enough) && self.asks_early();
        if !due && !early {
            return Ok(());
        }
        let open: Vec<ObjectiveId> = self.ledger.open().collect();
        // What is easily proved is at once; before much is tried for the rest, paths have another turn.
        let hasty = !due && !self.has_labels() && !std::mem::replace(&mut self.looked, true);
        self.prove_open(hasty)?;
        let refuted: Vec<ObjectiveId> = open.into_iter().filter(|&id| !self.ledger.is_open(id)).collect();
        if !refuted.is_empty() {
            self.show_refuted(observer, &refuted);
        }
        Ok(())
    }

    /// All paths are known, so that what is open is infeasible; where others cannot check that, a proof is better still.
    fn look_for_certificates(&mut self, observer: &mut dyn Observer) -> Result<(), Contradiction> {
        let open = self.ledger.open().count() as u64;
        let certified = self.can_tell_paths() && self.ledger.open().all(|id| self.is_exhausted(id));
        // Who was asked before would be asked for more than this is worth.
        if !certified && self.effort == 0 {
            let calls = |campaign: &Self| campaign.solver.stats().calls + campaign.judge.stats().calls;
            let before = calls(self);
            self.prove_open(false)?;
            self.search_model(WORK_IN_VAIN * open, observer)?;
            self.stats.certificate_calls = calls(self) - before;
        }
        Ok(())
    }

    fn looks_for_labels(&self) -> bool {
        self.chances.may_be_proved() && self.chances.rounds < MOST_ROUNDS
    }

    /// How much longer paths may try in vain now. Where questions are hard there are no paths that are cheap.
    pub(super) fn how_much_longer(&self) -> u64 {
        match self.ledger.counts().2 {
            _ if self.hard || self.has_labels() => 1,
            _ if !self.pilot.loops => WITHOUT_LOOPS,
            _ if self.leaps.in_vain => BOUNDED,
            open if open <= FEW_BRANCHES => PATIENCE,
            _ => 1,
        }
    }

    /// Whether the provers are asked when the model has nothing to do, or its turn is over, before it has had all its rounds.
    fn asks_early(&self) -> bool {
        let paths_first = self.in_vain < BEFORE_PROVERS && !self.has_labels();
        let in_vain = self.quiet >= EARLY_ROUNDS || self.quiet > 0 && self.work() >= MUCH_WORK;
        !paths_first && (self.idle || in_vain && self.ledger.counts().2 <= FEW_OPEN)
    }

    /// Whether open objectives are left of which paths say nothing.
    fn has_holes(&self) -> bool {
        let open: Vec<ObjectiveId> = self.ledger.open().collect();
        let paths_tell = self.gaps.is_empty() && self.tree.unknown().next().is_none();
        !open.is_empty() && (!paths_tell || !self.limited(&open).is_empty())
    }

    /// No way is left: rounds of the model until it has nothing to do either.
    fn search_model_alone(&mut self, observer: &mut dyn Observer) -> Result<Status, Contradiction> {
        (self.in_vain, self.looked) = (u64::MAX, true);
        loop {
            if let Some(status) = self.search_model(u64::MAX, observer)? {
                return Ok(status);
            }
            if self.idle {
                return Ok(Status::Complete);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_decides_more_for_its_work_goes_on() {
        let mut rates = Rates::default();
        rates.set(Side::Paths, 10, 100);
        assert_eq!(rates.next(Side::Paths), Side::Model, "the other was never tried");
        rates.set(Side::Model, 30, 100);
        assert_eq!(rates.next(Side::Model), Side::Model);
        rates.set(Side::Model, 5, 100);
        assert_eq!(rates.next(Side::Model), Side::Paths);
        rates.set(Side::Paths, 0, 100);
        assert_eq!(rates.next(Side::Paths), Side::Model, "in vain");
        rates.set(Side::Model, 0, 100);
        assert_eq!(rates.next(Side::Model), Side::Paths);
    }
}
