//! A job that somebody has taken.

use async_nats::jetstream::{AckKind, Message};

use crate::{ANSWER, Error, Queue, failed};

/// It is given to another if nothing is heard of it for the ack time.
pub struct Taken<'a> {
    queue: &'a Queue,
    message: Message,
}

impl std::fmt::Debug for Taken<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Taken").field("bytes", &self.message.payload.len()).finish_non_exhaustive()
    }
}

impl<'a> Taken<'a> {
    pub(crate) fn new(queue: &'a Queue, message: Message) -> Taken<'a> {
        Taken { queue, message }
    }

    /// What is to be done.
    pub fn job(&self) -> &[u8] {
        &self.message.payload
    }

    /// It is in work.
    pub fn beat(&self) -> Result<(), Error> {
        self.say(AckKind::Progress, false)
    }

    /// It is done: nobody gets it any more.
    pub fn done(&self) -> Result<(), Error> {
        self.say(AckKind::Ack, true)
    }

    /// Somebody else should do it, now.
    pub fn give_back(&self) -> Result<(), Error> {
        self.say(AckKind::Nak(None), false)
    }

    fn say(&self, kind: AckKind, surely: bool) -> Result<(), Error> {
        let what = "the queue did not hear of a job";
        self.queue.wait(ANSWER, what, async {
            let said = match surely {
                true => self.message.double_ack_with(kind).await,
                false => self.message.ack_with(kind).await,
            };
            said.map_err(failed(what))
        })
    }
}
