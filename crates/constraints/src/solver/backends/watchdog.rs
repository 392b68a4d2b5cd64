//! A thread that interrupts a check which runs too long, for solvers that do not look at the clock themselves.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::Limits;

/// How often the limits are looked at.
const PERIOD: Duration = Duration::from_millis(5); // not tuning: how soon an end is noticed

#[derive(Default)]
struct State {
    armed: Option<Limits>,
    quit: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is two plain fields, valid whatever a panicking thread did.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) struct Watchdog {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    /// `interrupt` is called again and again, from another thread, while a check is armed and over its limits, and never
    /// when none is armed.
    pub(super) fn new(interrupt: impl Fn() + Send + 'static) -> Watchdog {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("solver watchdog".into()).spawn(move || {
            let mut state = theirs.lock();
            while !state.quit {
                // The lock is held: a check that ends now waits until the interrupt is through.
                if state.armed.as_ref().is_some_and(|l| l.exceeded().is_some()) {
                    interrupt();
                }
                let waited = theirs.wake.wait_timeout(state, PERIOD);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        });
        // Without threads checks still work, only without limits.
        Watchdog { shared, thread: thread.ok() }
    }

    /// Runs the check under the limits.
    pub(super) fn guard<T>(&self, limits: &Limits, check: impl FnOnce() -> T) -> T {
        self.shared.lock().armed = Some(limits.clone());
        let result = check();
        self.shared.lock().armed = None;
        result
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.lock().quit = true;
        self.shared.wake.notify_all();
        if let Some(thread) = self.thread.take() {
            // A panic over there is of no use to anyone any more.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::solver::{Cancel, Steps};

    #[test]
    fn interrupts_only_what_is_late() {
        let hit = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&hit);
        let dog = Watchdog::new(move || seen.store(true, Ordering::Relaxed));
        let limits = |ms| Limits {
            deadline: std::time::Instant::now() + Duration::from_millis(ms),
            ..Limits::new(Steps(0), &Cancel::default())
        };
        dog.guard(&limits(60_000), || std::thread::sleep(Duration::from_millis(20)));
        assert!(!hit.load(Ordering::Relaxed));
        dog.guard(&limits(1), || {
            while !hit.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        hit.store(false, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(20));
        assert!(!hit.load(Ordering::Relaxed), "nothing is armed any more");
    }
}
