//! Talking to cvc5: scripts in, one answer for each question out.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use covenant_goals::certificate::{Question, Script};

/// Beyond its own limit, for starting and ending.
const GRACE: Duration = Duration::from_secs(5);
const NEVER: Duration = Duration::from_secs(1 << 30);
/// In the process that has all questions, one has at most this part of the time-out, and no more than a few seconds: it may
/// well be soon answered in another way.
const SHARE: u32 = 4;
const MOST_SHARE: Duration = Duration::from_secs(4);
/// What separates the answers. cvc5 echoes it with the quotes.
const MARK: &str = "covenant-next";

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    Sat,
    Unsat,
    Timeout,
    /// Why there is none.
    Unknown(String),
}

#[derive(Clone, Debug)]
pub(super) struct Solver {
    pub(super) program: PathBuf,
    /// For one question.
    pub(super) timeout: Duration,
}

impl Solver {
    /// All questions in one process.
    pub(super) fn ask_all(&self, script: &Script) -> std::io::Result<Vec<Answer>> {
        let mut text = script.prelude.clone();
        let ask = |q: &Question| format!("(echo \"{MARK}\")\n(push 1)\n{}(check-sat)\n(pop 1)\n", q.text);
        text.extend(script.questions.iter().map(ask));
        let share = (self.timeout / SHARE).min(MOST_SHARE);
        let count = u32::try_from(script.questions.len()).unwrap_or(u32::MAX);
        let output = self.run(&text, &["--incremental"], share, share.saturating_mul(count))?;
        Ok(answers(&output, script.questions.len()))
    }

    /// One question in a process of its own.
    pub(super) fn ask(&self, script: &Script, index: usize) -> std::io::Result<Answer> {
        let question = script.questions.get(index).map_or("", |q| &q.text);
        let text = format!("{}(echo \"{MARK}\")\n{question}(check-sat)\n", script.prelude);
        // Sums and products with constants are soon decided as integers, where bit by bit takes for ever.
        let numbers = self.run(&text, &["--solve-bv-as-int=sum"], self.timeout / SHARE, self.timeout / SHARE)?;
        if answers(&numbers, 1).remove(0) == Answer::Unsat {
            return Ok(Answer::Unsat);
        }
        let output = self.run(&text, &[], self.timeout, self.timeout)?;
        Ok(answers(&output, 1).remove(0))
    }

    fn run(&self, text: &str, options: &[&str], each: Duration, all: Duration) -> std::io::Result<Output> {
        let mut command = Command::new(&self.program);
        command.args(["--lang", "smt2", "--quiet"]).args(options);
        command.arg(format!("--tlimit-per={}", each.as_millis().max(1)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let now = Instant::now();
        // A time-out beyond what the clock can express is none.
        let deadline = now.checked_add(all.saturating_add(GRACE)).unwrap_or(now + NEVER);
        std::thread::scope(|scope| {
            // A solver that ends before it has read all is judged by what it said.
            scope.spawn(move || stdin.map(|mut pipe| pipe.write_all(text.as_bytes())));
            let stdout = scope.spawn(|| read(stdout));
            let stderr = scope.spawn(|| read(stderr));
            let in_time = wait(&mut child, deadline);
            let (stdout, stderr) = (stdout.join().unwrap_or_default(), stderr.join().unwrap_or_default());
            Ok(Output { stdout, stderr, in_time })
        })
    }
}

/// A solver that is told more and more, and asked in between.
pub(super) struct Session {
    child: Child,
    told: Option<ChildStdin>,
    said: BufReader<ChildStdout>,
    /// Why it does not answer any more.
    pub(super) broken: Option<String>,
}

impl Session {
    pub(super) fn new(solver: &Solver) -> std::io::Result<Session> {
        let mut command = Command::new(&solver.program);
        command.args(["--lang", "smt2", "--quiet", "--incremental"]);
        command.arg(format!("--tlimit-per={}", (solver.timeout / SHARE).min(MOST_SHARE).as_millis().max(1)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let told = child.stdin.take();
        let said = child.stdout.take().ok_or_else(|| std::io::Error::other("it has no output"))?;
        Ok(Session { child, told, said: BufReader::new(said), broken: None })
    }

    pub(super) fn send(&mut self, text: &str) {
        let sent = self.told.as_mut().map(|pipe| pipe.write_all(text.as_bytes()));
        if !matches!(sent, Some(Ok(()))) {
            self.broken.get_or_insert_with(|| "cvc5 ended".to_owned());
        }
    }

    pub(super) fn check(&mut self) -> Answer {
        self.send("(check-sat)\n");
        let flushed = self.told.as_mut().map(Write::flush);
        let mut line = String::new();
        let read = self.said.read_line(&mut line);
        if self.broken.is_some() || !matches!(flushed, Some(Ok(()))) || !matches!(read, Ok(1..)) {
            // It ends when its time is up.
            self.broken.get_or_insert_with(|| "cvc5 did not answer in time".to_owned());
            return Answer::Timeout;
        }
        match line.trim() {
            "sat" => Answer::Sat,
            "unsat" => Answer::Unsat,
            "unknown" | "timeout" => Answer::Timeout,
            other => {
                let why = format!("cvc5 says: {other}");
                self.broken = Some(why.clone());
                Answer::Unknown(why)
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.told = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Output {
    stdout: String,
    stderr: String,
    in_time: bool,
}

/// Waits for the end, or brings it about.
fn wait(child: &mut Child, deadline: Instant) -> bool {
    while matches!(child.try_wait(), Ok(None)) {
        if Instant::now() >= deadline {
            let _ = child.kill();
            let _ = child.wait();
            return false;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    true
}

fn read(stream: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        let _ = stream.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// One answer for each question. cvc5 stops at the first error, so that later questions have none.
fn answers(output: &Output, count: usize) -> Vec<Answer> {
    let mut parts = output.stdout.split(MARK).skip(1);
    let before = output.stdout.split(MARK).next().unwrap_or_default();
    (0..count).map(|_| parts.next().map_or_else(|| silent(output, before), |part| answer(part, output))).collect()
}

fn answer(part: &str, output: &Output) -> Answer {
    // The quotes of the echo are around the mark.
    let mut lines = part.lines().map(|line| line.trim().trim_matches('"')).filter(|line| !line.is_empty());
    match lines.next() {
        Some("unsat") => Answer::Unsat,
        Some("sat") => Answer::Sat,
        Some("unknown" | "timeout") => Answer::Timeout,
        Some(line) if line.contains("interrupted by timeout") => Answer::Timeout,
        Some(line) => Answer::Unknown(format!("cvc5 says: {line}")),
        None => silent(output, ""),
    }
}

fn silent(output: &Output, before: &str) -> Answer {
    if !output.in_time {
        return Answer::Timeout;
    }
    let said = [before, output.stderr.as_str()].into_iter().flat_map(str::lines).find(|line| !line.trim().is_empty());
    Answer::Unknown(said.map_or_else(|| "cvc5 gave no answer".to_owned(), |line| format!("cvc5 says: {}", line.trim())))
}
