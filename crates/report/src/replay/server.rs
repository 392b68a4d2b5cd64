//! The process that runs tests: the suite's own `--serve`, which forks once for each. Its side of the talk, and what is
//! on the wire, is in `suite/c/server.h`.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::run::End;
use crate::Error;
use crate::fencing::Native;

/// How counters of coverage come to us.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Counters {
    None = 0,
    /// They live in shared memory, and survive whatever ends a test.
    Shared = 1,
    /// A test that ends by itself copies them.
    Copied = 2,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) time: Duration,
    /// In bytes.
    pub(crate) memory: u64,
}

/// So much may a test print, and so large may a file become, in bytes.
const MOST_OUTPUT: u64 = 64 << 20;
const FILE_SIZE: u64 = 256 << 20;
/// The server has its own clock; this is for one that hangs.
const GRACE: Duration = Duration::from_secs(20);
/// One that has nothing more to do should end in that time.
const PATIENCE_MS: u32 = 200;
const TOKEN: usize = 16;
/// No answer is longer: a larger number is no length.
const LONGEST: u64 = 4 << 30;
/// So much is kept of what the server itself says.
const KEPT: u64 = 1 << 16;

const HELLO: u32 = 1;
const RUN: u32 = 2;
const PROFILE: u32 = 3;

/// What is known of one test's run.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) end: End,
    pub(crate) passed: bool,
    /// What the suite said about a failure.
    pub(crate) messages: String,
    /// The start of what the test wrote to standard error.
    pub(crate) errors: String,
    /// Processes that the test left behind, and that were ended.
    pub(crate) left: u32,
    /// There was more.
    pub(crate) cut: bool,
    /// The counters that are not zero: number and value, in ascending order.
    pub(crate) counters: Vec<(usize, u64)>,
    pub(crate) took: Duration,
}

/// The server ended or does not answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lost {
    /// The end of a sentence that begins with what it is.
    pub(crate) why: String,
    /// Before the first test, so that it is of no use to try another one.
    pub(crate) at_start: bool,
}

fn lost(why: impl Into<String>) -> Lost {
    Lost { why: why.into(), at_start: false }
}

pub(crate) struct Server {
    child: Child,
    /// Closed when there is no more to ask.
    requests: Option<ChildStdin>,
    answers: Receiver<Vec<u8>>,
    says: Option<JoinHandle<Vec<u8>>>,
    /// How many counters the program has.
    pub(crate) counters: usize,
    /// Where it runs; removed with it.
    _work: tempfile::TempDir,
}

impl Server {
    /// Starts the program. That it cannot be started at all is an error; that it ends before its first answer, as
    /// constructors of the subject can make it, is told like any other end.
    pub(crate) fn start(
        native: &Native,
        program: &Path,
        scratch: &Path,
        counters: Counters,
        settings: &[(&str, String)],
    ) -> Result<Result<Server, Lost>, Error> {
        let work = tempfile::Builder::new().prefix("work-").tempdir_in(scratch).map_err(Error::file(scratch))?;
        let failed = |source| Error::Program { program: PathBuf::from(program), source };
        let mut child = native.serve(program, work.path(), settings)?.spawn().map_err(failed)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(requests), Some(answers), Some(errors)) = pipes else {
            return Err(failed(std::io::Error::other("it has no pipes")));
        };
        let token = token();
        let (sender, receiver) = sync_channel(4);
        std::thread::spawn(move || pass_on(answers, token, &sender));
        let says = Some(std::thread::spawn(move || read_start(errors)));
        let mut server = Server { child, requests: Some(requests), answers: receiver, says, counters: 0, _work: work };
        let mut hello = HELLO.to_ne_bytes().to_vec();
        hello.extend(token);
        hello.extend((counters as u32).to_ne_bytes());
        Ok(match server.ask(&hello, GRACE) {
            Ok(answer) => {
                server.counters = Bytes(&answer).u64().unwrap_or(0) as usize;
                Ok(server)
            }
            Err(Lost { why, .. }) => Err(Lost { why: format!("{why}, before the first test"), at_start: true }),
        })
    }

    pub(crate) fn run(&mut self, test: &str, limits: &Limits, mutant: u32) -> Result<Answer, Lost> {
        let time = u32::try_from(limits.time.as_millis().max(1)).unwrap_or(u32::MAX);
        let memory = u32::try_from((limits.memory >> 20).max(1)).unwrap_or(u32::MAX);
        let mut request = RUN.to_ne_bytes().to_vec();
        request.extend(time.to_ne_bytes());
        request.extend(memory.to_ne_bytes());
        request.extend(MOST_OUTPUT.to_ne_bytes());
        request.extend(FILE_SIZE.to_ne_bytes());
        request.extend(mutant.to_ne_bytes());
        request.extend((test.len() as u32).to_ne_bytes());
        request.extend(test.as_bytes());
        let start = Instant::now();
        let answer = self.ask(&request, limits.time + GRACE)?;
        let answer = read_answer(&answer).map(|answer| Answer { took: start.elapsed(), ..answer });
        answer.ok_or_else(|| lost("gave an answer that is none"))
    }

    /// The profile of all tests since the last profile, as LLVM's runtime writes it.
    pub(crate) fn profile(&mut self) -> Result<Vec<u8>, Lost> {
        self.ask(&PROFILE.to_ne_bytes(), GRACE)
    }

    fn ask(&mut self, request: &[u8], patience: Duration) -> Result<Vec<u8>, Lost> {
        // A request that cannot be written is one that is not answered.
        if let Some(requests) = &mut self.requests {
            let _ = requests.write_all(request).and_then(|()| requests.flush());
        }
        match self.answers.recv_timeout(patience) {
            Ok(answer) => Ok(answer),
            Err(RecvTimeoutError::Timeout) => {
                self.end();
                Err(lost("did not answer in time"))
            }
            Err(RecvTimeoutError::Disconnected) => Err(self.lost()),
        }
    }

    /// Its answers have ended, so it has, or will.
    fn lost(&mut self) -> Lost {
        let status = self.child.wait();
        let said = self.says.take().and_then(|says| says.join().ok()).unwrap_or_default();
        let said = String::from_utf8_lossy(&said).into_owned();
        let line = said.lines().find(|line| !line.trim_matches('=').trim().is_empty());
        let line = line.map(|line| format!(" ({})", super::run::tidy(line))).unwrap_or_default();
        lost(format!("{}{line}", status.map_or("is gone".to_owned(), died)))
    }

    fn end(&mut self) {
        // Without effect on a process that has ended; the tests' processes die with it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    /// Without requests it ends by itself, and then all that it used is accounted for.
    fn drop(&mut self) {
        self.requests = None;
        for _ in 0..PATIENCE_MS {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.end();
    }
}

fn died(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.signal(), status.code()) {
        (Some(signal), _) => format!("died of signal {signal}"),
        (None, code) => format!("ended with status {}", code.unwrap_or(0)),
    }
}

/// Nothing that a subject prints can be taken for an answer if it does not know this.
fn token() -> [u8; TOKEN] {
    use std::hash::{BuildHasher, Hasher, RandomState};
    let part = || RandomState::new().build_hasher().finish().to_ne_bytes();
    let mut token = [0; TOKEN];
    token[..8].copy_from_slice(&part());
    token[8..].copy_from_slice(&part());
    token
}

/// Reads answers until there are no more. Whatever is before a token is not ours.
fn pass_on(stream: impl Read, token: [u8; TOKEN], to: &SyncSender<Vec<u8>>) {
    let mut stream = std::io::BufReader::with_capacity(1 << 16, stream);
    let mut window = [0; TOKEN];
    loop {
        if stream.read_exact(&mut window).is_err() {
            return;
        }
        while window != token {
            window.rotate_left(1);
            if stream.read_exact(&mut window[TOKEN - 1..]).is_err() {
                return;
            }
        }
        let mut length = [0; 8];
        if stream.read_exact(&mut length).is_err() {
            return;
        }
        let length = u64::from_ne_bytes(length);
        let mut answer = Vec::new();
        let complete = length <= LONGEST && stream.by_ref().take(length).read_to_end(&mut answer).is_ok();
        if !complete || answer.len() as u64 != length || to.send(answer).is_err() {
            return;
        }
    }
}

/// The start of a stream, all of which is read so that nobody waits for us.
fn read_start(mut stream: impl Read) -> Vec<u8> {
    let mut kept = Vec::new();
    let _ = stream.by_ref().take(KEPT).read_to_end(&mut kept);
    let _ = std::io::copy(&mut stream, &mut std::io::sink());
    kept
}

/// Numbers and texts of an answer, from its start on.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(head)
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_ne_bytes(self.take(4)?.try_into().ok()?))
    }

    fn u64(&mut self) -> Option<u64> {
        Some(u64::from_ne_bytes(self.take(8)?.try_into().ok()?))
    }

    fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.u64()?).ok()?;
        Some(String::from_utf8_lossy(self.take(length)?).into_owned())
    }
}

fn read_answer(bytes: &[u8]) -> Option<Answer> {
    let mut bytes = Bytes(bytes);
    let (kind, number) = (bytes.u32()?, bytes.u32()? as i32);
    let (passed, left) = (bytes.u32()? != 0, bytes.u32()?);
    let (cut, _) = (bytes.u32()? != 0, bytes.u32()?);
    let (call, path) = (bytes.text()?, bytes.text()?);
    let (messages, errors) = (bytes.text()?, bytes.text()?);
    let count = usize::try_from(bytes.u64()?).ok()?;
    let mut counters = Vec::with_capacity(count.min(bytes.0.len()));
    for _ in 0..count {
        counters.push((usize::try_from(bytes.u64()?).ok()?, bytes.u64()?));
    }
    let end = match kind {
        0 => End::Returned(number),
        1 => End::Exited(number),
        2 => End::Signal(number),
        3 => End::Sanitizer,
        4 => End::Timeout,
        5 => End::Memory,
        6 => End::Output,
        7 => End::FileSize,
        8 => End::Sandbox { call, path: Some(path).filter(|path| !path.is_empty()) },
        9 if number == 0 => End::Server("has no test of that name".to_owned()),
        9 => End::Server(format!("cannot start it: {}", std::io::Error::from_raw_os_error(number))),
        _ => return None,
    };
    Some(Answer { end, passed, messages, errors, left, cut, counters, took: Duration::ZERO })
}
