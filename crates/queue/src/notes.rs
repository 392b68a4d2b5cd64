//! What workers say to those who wait.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// Notes that have come and that nobody has taken.
#[derive(Debug, Default)]
pub struct Notes {
    said: Mutex<BTreeSet<String>>,
    came: Condvar,
}

impl Notes {
    pub(crate) fn add(&self, note: String) {
        if let Ok(mut said) = self.said.lock() {
            said.insert(note);
            self.came.notify_all();
        }
    }

    /// Waits until somebody says this, or until the time is over; whether somebody did.
    pub fn wait_for(&self, note: &str, most: Duration) -> bool {
        let Ok(said) = self.said.lock() else { return false };
        let waited = self.came.wait_timeout_while(said, most, |said| !said.contains(note));
        waited.is_ok_and(|(mut said, _)| said.remove(note))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_taken_once() {
        let notes = Notes::default();
        notes.add("a".to_owned());
        assert!(!notes.wait_for("b", Duration::from_millis(1)));
        assert!(notes.wait_for("a", Duration::ZERO));
        assert!(!notes.wait_for("a", Duration::from_millis(1)));
    }
}
