//! Paths and the model in turn.
//!
//! What paths reach, they reach cheaply; what they do not reach, the model finds or proves. So paths come first, and small
//! programs never need more. Each side has its turn as long as it gets somewhere: a turn ends when it was in vain for a
//! while, and it goes to the other side, or when it was long; then whoever decided more objectives for its work goes on.
//! In vain, each may take as much work as the other did last, and more each time as long as neither gets anywhere.

use covenant_goals::Contradiction;

use super::{Campaign, Observer};

/// The work that a turn may take in vain, at least.
const WORK_IN_VAIN: u64 = 400_000;
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
const MUCH_WORK: u64 = 2_000_000;

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
    pub(super) fn search_joined(&mut self, observer: &mut dyn Observer) -> Result<&'static str, Contradiction> {
        let (mut most, mut vain) = (WORK_IN_VAIN, 0u32);
        let (mut side, mut rates) = (Side::Paths, Rates::default());
        loop {
            let (start, before) = (self.work(), self.ledger.decided());
            let labels = side == Side::Paths && self.has_labels() && self.looks_for_labels();
            let long = (LONG * most) << self.chances.rounds.min(MOST_ROUNDS);
            let ended = match side {
                Side::Paths if labels => self.search_paths(most / LABELS_FIRST, long, observer)?,
                Side::Paths => self.search_paths(most, LONG * most.max(start), observer)?,
                Side::Model => self.search_model(most, observer)?,
            };
            if ended == Some("complete") {
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
                Some("complete") if self.has_holes() => return self.search_model_alone(observer),
                Some("complete") => {
                    self.look_for_certificates(observer)?;
                    return Ok("complete");
                }
                Some(status) => return Ok(status),
                None => {}
            }
            let (gain, work) = ((self.ledger.decided() - before) as u64, self.work() - start);
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

    /// All paths are known, so that what is open is infeasible; where others cannot check that, a proof is better still.
    fn look_for_certificates(&mut self, observer: &mut dyn Observer) -> Result<(), Contradiction> {
        let open = self.ledger.open().count() as u64;
        let certified = self.can_tell_paths() && self.ledger.open().all(|id| self.is_exhausted(id));
        // Who was asked before would be asked for more than this is worth.
        if !certified && self.effort == 0 {
            let calls = |campaign: &Self| campaign.solver.stats().calls + campaign.judge.stats().calls;
            let before = calls(self);
            self.prove_open()?;
            self.search_model(WORK_IN_VAIN * open, observer)?;
            self.stats.certificate_calls = calls(self) - before;
        }
        Ok(())
    }

    fn looks_for_labels(&self) -> bool {
        self.chances.may_be_proved() && self.chances.rounds < MOST_ROUNDS
    }

    /// Whether the provers are asked when a turn of the model is over, before it has had all its rounds.
    pub(super) fn asks_early(&self) -> bool {
        let in_vain = self.quiet >= EARLY_ROUNDS || self.quiet > 0 && self.work() >= MUCH_WORK;
        in_vain && self.ledger.counts().2 <= FEW_OPEN
    }

    /// Whether open objectives are left of which paths say nothing.
    fn has_holes(&self) -> bool {
        let left = self.ledger.open().next().is_some();
        left && (!self.gaps.is_empty() || self.tree.unknown().next().is_some())
    }

    /// No way is left: rounds of the model until it has nothing to do either.
    fn search_model_alone(&mut self, observer: &mut dyn Observer) -> Result<&'static str, Contradiction> {
        loop {
            if let Some(status) = self.search_model(u64::MAX, observer)? {
                return Ok(status);
            }
            if self.idle {
                return Ok("complete");
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
