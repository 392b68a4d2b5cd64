//! A job that somebody has taken.

use std::sync::Arc;

use crate::Error;
use crate::link::Link;
use crate::wire::{Request, Word};

/// It is given to another if nothing is heard of it for the ack time.
pub struct Taken {
    link: Arc<Link>,
    number: u64,
    job: Vec<u8>,
}

impl std::fmt::Debug for Taken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Taken").field("bytes", &self.job.len()).finish_non_exhaustive()
    }
}

impl Taken {
    pub(crate) fn new(link: Arc<Link>, number: u64, job: Vec<u8>) -> Taken {
        Taken { link, number, job }
    }

    /// What is to be done.
    pub fn job(&self) -> &[u8] {
        &self.job
    }

    /// It is in work.
    pub fn beat(&self) -> Result<(), Error> {
        self.say(Word::Beat)
    }

    /// It is done: nobody gets it any more.
    pub fn done(&self) -> Result<(), Error> {
        self.say(Word::Done)
    }

    /// Somebody else should do it, now.
    pub fn give_back(&self) -> Result<(), Error> {
        self.say(Word::GiveBack)
    }

    fn say(&self, word: Word) -> Result<(), Error> {
        self.link.ask(&Request::Say { taken: self.number, word }, &[]).map(|_| ())
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.link.say(&Request::Drop { taken: self.number });
    }
}
