//! What a question may cost, counted instead of timed: the same question gets the same answer on every machine, whatever
//! else runs there.

use std::ops::{Add, Div, Mul};
use std::time::Duration;

/// Steps of a solver. Each back end counts something of its own (Bitwuzla the calls of its terminator, Z3 its resources)
/// and weighs it so that a step takes about a microsecond; see `bitwuzla_call` and `z3_resource` in
/// [`Tuning`](crate::tuning::Tuning).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Steps(pub u64);

impl Steps {
    /// About as many as are done in so many milliseconds.
    pub const fn like_millis(millis: u64) -> Steps {
        Steps(millis.saturating_mul(1_000))
    }

    /// About as many as are done in so many seconds.
    pub const fn like_secs(secs: u64) -> Steps {
        Steps::like_millis(secs.saturating_mul(1_000))
    }

    /// About as many as are done in that time.
    pub fn like(time: Duration) -> Steps {
        Steps(u64::try_from(time.as_micros()).unwrap_or(u64::MAX))
    }

    /// What is left; none where more was used.
    pub fn saturating_sub(self, other: Steps) -> Steps {
        Steps(self.0.saturating_sub(other.0))
    }

    /// When the clock ends what is allowed so many steps: long after they are used up, unless the machine is slower by
    /// orders of magnitude or the solver is caught somewhere where it counts nothing.
    pub(crate) fn last_resort(self) -> Duration {
        GRACE.saturating_add(Duration::from_micros(self.0.saturating_mul(SLOWER)))
    }
}

/// How much slower than expected a solver may be before the clock ends it.
const SLOWER: u64 = 20; // not tuning: it decides nothing unless the machine or the solver is out of order
const GRACE: Duration = Duration::from_secs(5); // not tuning: as above

impl Add for Steps {
    type Output = Steps;

    fn add(self, other: Steps) -> Steps {
        Steps(self.0.saturating_add(other.0))
    }
}

impl Mul<u32> for Steps {
    type Output = Steps;

    fn mul(self, times: u32) -> Steps {
        Steps(self.0.saturating_mul(u64::from(times)))
    }
}

impl Div<u32> for Steps {
    type Output = Steps;

    fn div(self, parts: u32) -> Steps {
        Steps(self.0 / u64::from(parts.max(1)))
    }
}
