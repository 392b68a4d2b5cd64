//! A covenant-worker that runs, and the questions that wait for its answers.

use std::collections::HashMap;
use std::io::BufReader;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::wire::{self, Answer, Request};
use crate::{Error, Notes, PROGRAM};

/// It has limits of its own, which are shorter: where this one is met, it has stopped.
const PATIENCE: Duration = Duration::from_secs(120); // not tuning: when a program that says nothing is given up

#[derive(Debug)]
pub(crate) struct Link {
    child: Mutex<Child>,
    /// Closed to end it.
    words: Mutex<Option<ChildStdin>>,
    last: AtomicU64,
    waiting: Arc<Waiting>,
}

type Given = (Answer, Vec<u8>);

#[derive(Debug, Default)]
struct Waiting {
    /// None once it has ended.
    questions: Mutex<Option<HashMap<u64, Sender<Given>>>>,
    notes: Mutex<HashMap<u64, Arc<Notes>>>,
}

impl Link {
    pub(crate) fn start(program: &Path) -> Result<Link, Error> {
        let what = format!("{} cannot be started", program.display());
        let mut command = Command::new(program);
        // Ctrl-C is for covenant, which has something to say to the queue afterwards.
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        let mut child = command.spawn().map_err(|why| Error::new(&what, why))?;
        let (words, answers) = (child.stdin.take(), child.stdout.take());
        let waiting = Arc::new(Waiting { questions: Mutex::new(Some(HashMap::new())), notes: Mutex::default() });
        if let Some(answers) = answers {
            let waiting = Arc::clone(&waiting);
            std::thread::spawn(move || waiting.hear(answers));
        }
        Ok(Link { child: Mutex::new(child), words: Mutex::new(words), last: AtomicU64::new(0), waiting })
    }

    pub(crate) fn is_open(&self) -> bool {
        self.waiting.questions.lock().is_ok_and(|questions| questions.is_some())
    }

    /// Asks, and waits for the answer.
    pub(crate) fn ask(&self, request: &Request, body: &[u8]) -> Result<Given, Error> {
        self.ask_as(self.next(), request, body)
    }

    /// Has notes gathered, from now on.
    pub(crate) fn gather(&self, whom: &str, notes: Arc<Notes>) -> Result<(), Error> {
        let number = self.next();
        if let Ok(mut all) = self.waiting.notes.lock() {
            all.insert(number, notes);
        }
        self.ask_as(number, &Request::Notes { whom: whom.to_owned() }, &[]).map(|_| ())
    }

    /// Says what has no answer.
    pub(crate) fn say(&self, request: &Request) {
        let _ = self.write(self.next(), request, &[]);
    }

    fn next(&self) -> u64 {
        self.last.fetch_add(1, Ordering::Relaxed)
    }

    fn write(&self, number: u64, request: &Request, body: &[u8]) -> std::io::Result<()> {
        match self.words.lock().ok().as_deref_mut() {
            Some(Some(words)) => wire::write(words, number, request, body),
            _ => Err(std::io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn ask_as(&self, number: u64, request: &Request, body: &[u8]) -> Result<Given, Error> {
        let ended = || Error::new(PROGRAM, "it has ended");
        let (give, given) = mpsc::channel();
        match self.waiting.questions.lock().ok().as_deref_mut() {
            Some(Some(questions)) => questions.insert(number, give),
            _ => return Err(ended()),
        };
        if let Err(why) = self.write(number, request, body) {
            self.waiting.forget(number);
            return Err(if self.is_open() { Error::new(PROGRAM, why) } else { ended() });
        }
        let more = if let Request::Take { most, .. } = request { *most } else { Duration::ZERO };
        match given.recv_timeout(PATIENCE.saturating_add(more)) {
            Ok((Answer::Failed { what, why }, _)) => Err(Error { what, why }),
            Ok(found) => Ok(found),
            Err(RecvTimeoutError::Disconnected) => Err(ended()),
            Err(RecvTimeoutError::Timeout) => {
                self.kill();
                Err(Error::new(PROGRAM, "it does not answer"))
            }
        }
    }

    fn kill(&self) {
        if let Ok(mut child) = self.child.lock() {
            let _ = child.kill();
        }
    }
}

impl Drop for Link {
    /// It ends with its standard input.
    fn drop(&mut self) {
        if let Ok(mut words) = self.words.lock() {
            words.take();
        }
        if let Ok(mut child) = self.child.lock() {
            let _ = child.wait();
        }
    }
}

impl Waiting {
    fn hear(&self, answers: ChildStdout) {
        let mut answers = BufReader::new(answers);
        while let Ok(Some((number, answer, body))) = wire::read::<Answer>(&mut answers) {
            if let Answer::Note(note) = answer {
                let notes = self.notes.lock().ok().and_then(|notes| notes.get(&number).cloned());
                notes.into_iter().for_each(|notes| notes.add(note.clone()));
            } else if let Some(give) = self.forget(number) {
                let _ = give.send((answer, body));
            }
        }
        // Whatever still waits hears of it.
        if let Ok(mut questions) = self.questions.lock() {
            questions.take();
        }
    }

    fn forget(&self, number: u64) -> Option<Sender<Given>> {
        self.questions.lock().ok()?.as_mut()?.remove(&number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_not_there_or_ends_is_an_error() {
        let error = Link::start(Path::new("/nowhere/covenant-worker")).unwrap_err().to_string();
        assert!(error.starts_with("/nowhere/covenant-worker cannot be started: "), "{error}");
        let link = Link::start(Path::new("/bin/true")).unwrap();
        for _ in 0..2 {
            let error = link.ask(&Request::RollCall, &[]).unwrap_err();
            assert_eq!(error.what, PROGRAM);
        }
        // It hears what was said to it, and says what is no message.
        let link = Link::start(Path::new("/bin/cat")).unwrap();
        assert_eq!(link.ask(&Request::RollCall, &[]).unwrap_err().to_string(), "covenant-worker: it has ended");
        assert!(!link.is_open());
    }
}
