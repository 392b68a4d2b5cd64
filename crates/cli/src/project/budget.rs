//! One time budget for all functions, handed out in rounds: at first everybody gets a little, then those that are still open get
//! more of what is left. Most functions need only a part of what they are offered, so most of the time goes to the hard ones.

use std::time::{Duration, Instant};

/// Less is of little use: clang needs some of it.
const LEAST: Duration = Duration::from_secs(2); // not tuning: what a process takes to start
/// A function is searched anew in each round, so each must offer much more than the last one.
const GROWTH: u32 = 3; // not tuning: what repeated work costs at most

pub(super) struct Budget {
    end: Option<Instant>,
    workers: usize,
    last: Duration,
}

impl Budget {
    /// `total` of zero has no end.
    pub(super) fn new(started: Instant, total: Duration, workers: usize) -> Budget {
        let end = if total.is_zero() { None } else { started.checked_add(total) };
        Budget { end, workers: workers.max(1), last: Duration::ZERO }
    }

    /// What is left of the whole; `None`: it has no end.
    pub(super) fn left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// What each of so many functions may take in the next round; zero: as long as it likes. `None`: there is no further round.
    pub(super) fn round(&mut self, open: usize) -> Option<Duration> {
        let first = self.last.is_zero();
        let slice = match self.left() {
            None => first.then_some(Duration::ZERO),
            Some(left) => slice(left, self.workers, open, self.last),
        }?;
        // With no end there is one round.
        self.last = slice.max(Duration::from_millis(1));
        Some(slice)
    }

    /// What a function may take that begins now; `None`: nothing, or no more than it had before.
    pub(super) fn offer(&self, slice: Duration, before: Duration) -> Option<Duration> {
        match self.left() {
            None => Some(slice),
            Some(left) => Some(slice.min(left)).filter(|offer| !offer.is_zero() && *offer > before),
        }
    }
}

/// The next slice of each, where `left` is left and the last round gave `last`.
fn slice(left: Duration, workers: usize, open: usize, last: Duration) -> Option<Duration> {
    if left.is_zero() || open == 0 {
        return None;
    }
    let rounds = if last.is_zero() { GROWTH } else { 2 };
    let count = u32::try_from(open).unwrap_or(u32::MAX).max(1);
    let share = left.saturating_mul(u32::try_from(workers).unwrap_or(1)) / count / rounds;
    let wanted = share.max(last.saturating_mul(GROWTH)).max(LEAST);
    let slice = wanted.min(left);
    // To search for no longer than before finds what was found before.
    (slice > last + last / 2).then_some(slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[test]
    fn first_a_little_then_more() {
        // A minute, two workers: ten functions may take 4 s each, then the two that are open share what is left.
        let first = slice(seconds(60), 2, 10, Duration::ZERO).unwrap();
        assert_eq!(first, seconds(4));
        let second = slice(seconds(50), 2, 2, first).unwrap();
        assert_eq!(second, seconds(25));
        assert_eq!(slice(seconds(20), 2, 1, second), None, "as much was in vain");
    }

    #[test]
    fn many_functions_get_the_least_until_the_time_is_over() {
        assert_eq!(slice(seconds(60), 2, 2000, Duration::ZERO), Some(LEAST));
        assert_eq!(slice(seconds(1), 2, 2000, Duration::ZERO), Some(seconds(1)));
        assert_eq!(slice(Duration::ZERO, 2, 3, Duration::ZERO), None);
        assert_eq!(slice(seconds(60), 2, 0, Duration::ZERO), None);
    }

    #[test]
    fn without_an_end_there_is_one_round() {
        let mut budget = Budget::new(Instant::now(), Duration::ZERO, 2);
        assert_eq!((budget.round(3), budget.round(3)), (Some(Duration::ZERO), None));
        assert_eq!(budget.offer(Duration::ZERO, Duration::ZERO), Some(Duration::ZERO));
        let mut budget = Budget::new(Instant::now(), seconds(600), 1);
        assert!(budget.round(4).is_some_and(|slice| slice > seconds(49) && slice <= seconds(50)));
        assert_eq!(budget.offer(seconds(50), seconds(50)), None);
    }
}
