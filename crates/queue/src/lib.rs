//! Work for many machines: a queue of jobs, and a store of what they need and what came of them.
//!
//! The server keeps a job until somebody says that it is done. Whoever takes one says again and again that it is in work; what has not
//! been heard of for the *ack time* is taken for dead, and the job is given to another. So a job may be done twice, which must do no
//! harm, and is done at least once, whatever is killed, the server among them: it keeps all of this in files.
//!
//! This crate knows nothing of what jobs are about, nor of the server: `covenant-worker` does, a program of its own that few need and
//! that takes longer to build than most of the rest. It is started here and asked through its standard streams ([`wire`]). Calls
//! block, and may come from several threads. Everything can fail while the server is away, or when covenant-worker has ended; the
//! connection comes back by itself, and covenant-worker is started once more: callers try again.

mod link;
mod notes;
mod taken;
pub mod wire;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use link::Link;
pub use notes::Notes;
pub use taken::Taken;
use wire::{Answer, Request, VERSION};

/// The name of the program that knows the server.
pub const PROGRAM: &str = "covenant-worker";

/// What did not work, in words for people.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what}: {why}")]
pub struct Error {
    /// What was tried.
    pub what: String,
    /// What stood in its way.
    pub why: String,
}

impl Error {
    pub(crate) fn new(what: &str, why: impl std::fmt::Display) -> Error {
        Error { what: what.to_owned(), why: why.to_string() }
    }
}

/// Where the server is, and who we are.
#[derive(Serialize, Deserialize, Clone, Debug, Default)]
pub struct Address {
    /// `nats://[USER:PASSWORD@]HOST[:PORT]`, `nats://TOKEN@HOST` or `tls://…`, several with commas between them.
    pub servers: String,
    /// A `.creds` file, as `nsc` writes it.
    pub credentials: Option<PathBuf>,
    /// Certificates of authorities, beside those of the system.
    pub authority: Option<PathBuf>,
    /// A certificate of ours and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

impl Address {
    /// Without passwords.
    pub fn shown(&self) -> String {
        let one = |server: &str| match (server.split_once("://"), server.rsplit_once('@')) {
            (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
            (None, Some((_, host))) => host.to_owned(),
            _ => server.to_owned(),
        };
        self.servers.split(',').map(|server| one(server.trim())).collect::<Vec<_>>().join(",")
    }
}

/// A connection, for those who ask and for those who work.
#[derive(Debug)]
pub struct Queue {
    program: PathBuf,
    address: Address,
    /// Jobs and workers of other kinds do not see each other.
    kind: String,
    state: Mutex<State>,
}

/// What a covenant-worker that is started once more has to be told.
#[derive(Debug)]
struct State {
    link: Arc<Link>,
    notes: Vec<(String, Arc<Notes>)>,
    slots: Option<usize>,
}

impl Queue {
    /// `program` is covenant-worker. `kind` is one word: jobs go to workers that say the same.
    pub fn open(program: &Path, address: &Address, kind: &str) -> Result<Queue, Error> {
        let link = connect(program, address, kind)?;
        let state = Mutex::new(State { link, notes: Vec::new(), slots: None });
        Ok(Queue { program: program.to_owned(), address: address.clone(), kind: kind.to_owned(), state })
    }

    /// The program that is asked. One that has ended gets a successor.
    fn link(&self) -> Result<Arc<Link>, Error> {
        let Ok(mut state) = self.state.lock() else { return Err(Error::new(PROGRAM, "a call has failed")) };
        if !state.link.is_open() {
            let link = connect(&self.program, &self.address, &self.kind)?;
            for (whom, notes) in &state.notes {
                link.gather(whom, Arc::clone(notes))?;
            }
            if let Some(slots) = state.slots {
                link.ask(&Request::AnswerRollCalls { slots }, &[])?;
            }
            state.link = link;
        }
        Ok(Arc::clone(&state.link))
    }

    fn ask(&self, request: &Request, body: &[u8]) -> Result<(Answer, Vec<u8>), Error> {
        self.link()?.ask(request, body)
    }

    /// Keeps an object under a name.
    pub fn store(&self, name: &str, content: &[u8]) -> Result<(), Error> {
        self.ask(&Request::Store { name: name.to_owned() }, content).map(|_| ())
    }

    /// Whether there is an object of that name.
    pub fn has(&self, name: &str) -> Result<bool, Error> {
        Ok(self.ask(&Request::Has { name: name.to_owned() }, &[])?.0 == Answer::Is(true))
    }

    /// The object of that name, if there is one.
    pub fn fetch(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let (answer, object) = self.ask(&Request::Fetch { name: name.to_owned() }, &[])?;
        Ok(Some(object).filter(|_| answer == Answer::Object))
    }

    /// Forgets an object.
    pub fn forget(&self, name: &str) -> Result<(), Error> {
        self.ask(&Request::Forget { name: name.to_owned() }, &[]).map(|_| ())
    }

    /// Puts a job into the queue; its number there. With the same `id` as a recent one it is that one.
    pub fn publish(&self, id: &str, job: &[u8]) -> Result<u64, Error> {
        number(self.ask(&Request::Publish { id: id.to_owned() }, job)?.0)
    }

    /// Whether a job is still in the queue, waiting or in work.
    pub fn is_queued(&self, job: u64) -> Result<bool, Error> {
        Ok(self.ask(&Request::IsQueued { job }, &[])?.0 == Answer::Is(true))
    }

    /// Takes a job out of the queue that nobody wants any more.
    pub fn withdraw(&self, job: u64) -> Result<(), Error> {
        self.ask(&Request::Withdraw { job }, &[]).map(|_| ())
    }

    /// The next job, if one comes within this time. It is given to another when nothing has been heard of it for the ack time.
    pub fn take(&self, most: Duration, ack_time: Duration) -> Result<Option<Taken>, Error> {
        let link = self.link()?;
        Ok(match link.ask(&Request::Take { most, ack_time }, &[])? {
            (Answer::Taken(taken), job) => Some(Taken::new(link, taken, job)),
            _ => None,
        })
    }

    /// Hears what is said by [`Queue::tell`] to `whom`.
    pub fn notes(&self, whom: &str) -> Result<Arc<Notes>, Error> {
        let notes = Arc::new(Notes::default());
        self.link()?.gather(whom, Arc::clone(&notes))?;
        if let Ok(mut state) = self.state.lock() {
            state.notes.push((whom.to_owned(), Arc::clone(&notes)));
        }
        Ok(notes)
    }

    /// Says something to whoever listens now: a hint that may be lost.
    pub fn tell(&self, whom: &str, note: &str) {
        let _ = self.ask(&Request::Tell { whom: whom.to_owned(), note: note.to_owned() }, &[]);
    }

    /// Says, whenever somebody asks, that so many jobs can be done here at a time.
    pub fn answer_roll_calls(&self, slots: usize) -> Result<(), Error> {
        self.ask(&Request::AnswerRollCalls { slots }, &[])?;
        if let Ok(mut state) = self.state.lock() {
            state.slots = Some(slots);
        }
        Ok(())
    }

    /// How many jobs those who are there now can do at a time.
    pub fn roll_call(&self) -> Result<usize, Error> {
        let count = number(self.ask(&Request::RollCall, &[])?.0)?;
        Ok(usize::try_from(count).unwrap_or(usize::MAX))
    }
}

fn connect(program: &Path, address: &Address, kind: &str) -> Result<Arc<Link>, Error> {
    let link = Link::start(program)?;
    link.ask(&Request::Open { version: VERSION, address: address.clone(), kind: kind.to_owned() }, &[])?;
    Ok(Arc::new(link))
}

fn number(answer: Answer) -> Result<u64, Error> {
    match answer {
        Answer::Number(number) => Ok(number),
        _ => Err(Error::new(PROGRAM, "an answer to something else")),
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn passwords_are_not_shown() {
        let address = Address { servers: "nats://me:secret@host:4222, tls://other".to_owned(), ..Address::default() };
        assert_eq!(address.shown(), "nats://host:4222,tls://other");
    }
}
