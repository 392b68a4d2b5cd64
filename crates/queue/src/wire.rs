//! What covenant and covenant-worker say to each other: messages with a head in JSON and a body of bytes.
//!
//! Covenant asks on the standard input of covenant-worker, each time with another number; answers come from the standard output, with
//! the number of the question, in any order. The first question is [`Request::Open`].

use std::io::{self, Read, Write};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Address;

/// Changes whenever a message does. Both programs must have the same.
pub const VERSION: u32 = 1;

/// More than this no head has.
const MOST_HEAD: u32 = 1 << 20;

/// What covenant asks for.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub enum Request {
    /// A connection. Jobs of other kinds are not seen.
    Open {
        /// [`VERSION`] of the program that asks.
        version: u32,
        /// Where the server is.
        address: Address,
        /// One word.
        kind: String,
    },
    /// Keeps the body under a name.
    Store {
        /// The object.
        name: String,
    },
    /// Whether there is an object.
    Has {
        /// The object.
        name: String,
    },
    /// An object, if there is one.
    Fetch {
        /// The object.
        name: String,
    },
    /// Forgets an object.
    Forget {
        /// The object.
        name: String,
    },
    /// Puts the body into the queue as a job.
    Publish {
        /// With that of a recent job it is that one.
        id: String,
    },
    /// Whether a job is waiting or in work.
    IsQueued {
        /// Its number in the queue.
        job: u64,
    },
    /// Takes a job out of the queue.
    Withdraw {
        /// Its number in the queue.
        job: u64,
    },
    /// The next job.
    Take {
        /// For so long.
        most: Duration,
        /// After so much silence another gets it.
        ack_time: Duration,
    },
    /// Says something about a job that was taken.
    Say {
        /// Its number among those that were taken.
        taken: u64,
        /// What is said.
        word: Word,
    },
    /// Nothing will be said about a job any more. There is no answer.
    Drop {
        /// Its number among those that were taken.
        taken: u64,
    },
    /// Notes to somebody, as further answers.
    Notes {
        /// To whom.
        whom: String,
    },
    /// A note to somebody.
    Tell {
        /// To whom.
        whom: String,
        /// What is said.
        note: String,
    },
    /// From now on roll calls are answered.
    AnswerRollCalls {
        /// Jobs at a time.
        slots: usize,
    },
    /// How many jobs can be done at a time.
    RollCall,
}

/// What there is to say about a job in work.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// It is in work.
    Beat,
    /// It is done.
    Done,
    /// Another should do it.
    GiveBack,
}

/// What covenant-worker says.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It is done.
    Done,
    /// There is nothing.
    Nothing,
    /// Yes or no.
    Is(bool),
    /// A number.
    Number(u64),
    /// The body is an object.
    Object,
    /// The body is a job, with its number among those that were taken.
    Taken(u64),
    /// A note that came.
    Note(String),
    /// It did not work.
    Failed {
        /// What was tried.
        what: String,
        /// What stood in its way.
        why: String,
    },
}

/// Writes a message.
pub fn write<T: Serialize>(to: &mut impl Write, number: u64, head: &T, body: &[u8]) -> io::Result<()> {
    let head = serde_json::to_vec(&(number, head))?;
    let size = u32::try_from(head.len()).ok().filter(|size| *size <= MOST_HEAD);
    let size = size.ok_or_else(|| io::Error::other("a message with a long head"))?;
    to.write_all(&size.to_le_bytes())?;
    to.write_all(&(body.len() as u64).to_le_bytes())?;
    to.write_all(&head)?;
    to.write_all(body)?;
    to.flush()
}

/// The next message with its number and body; `None` at the end.
pub fn read<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<Option<(u64, T, Vec<u8>)>> {
    let (mut head, mut body) = ([0; 4], [0; 8]);
    if from.take(4).read(&mut head[..1])? == 0 {
        return Ok(None);
    }
    from.read_exact(&mut head[1..])?;
    from.read_exact(&mut body)?;
    let head = u32::from_le_bytes(head);
    if head > MOST_HEAD {
        return Err(io::Error::other("this is no message"));
    }
    let head = exactly(from, u64::from(head))?;
    let body = exactly(from, u64::from_le_bytes(body))?;
    let (number, head) = serde_json::from_slice(&head)?;
    Ok(Some((number, head, body)))
}

fn exactly(from: &mut impl Read, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match from.take(size).read_to_end(&mut bytes)? as u64 == size {
        true => Ok(bytes),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut stream = Vec::new();
        write(&mut stream, 7, &Answer::Taken(3), b"\xff\n\0").unwrap();
        write(&mut stream, 8, &Answer::Done, b"").unwrap();
        let mut from = stream.as_slice();
        assert_eq!(read(&mut from).unwrap(), Some((7, Answer::Taken(3), b"\xff\n\0".to_vec())));
        assert_eq!(read(&mut from).unwrap(), Some((8, Answer::Done, Vec::new())));
        assert_eq!(read::<Answer>(&mut from).unwrap(), None);
    }

    #[test]
    fn what_is_cut_off_or_is_no_message_is_refused() {
        let mut stream = Vec::new();
        write(&mut stream, 7, &Answer::Object, b"12345").unwrap();
        for end in 1..stream.len() {
            assert!(read::<Answer>(&mut &stream[..end]).is_err(), "{end}");
        }
        assert!(read::<Answer>(&mut &b"HTTP/1.1 400 Bad Request\r\n\r\n"[..]).is_err());
        assert!(write(&mut stream, 1, &Answer::Note("x".repeat(2 << 20)), b"").is_err());
    }
}
