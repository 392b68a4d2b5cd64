//! Against a real server on this machine, if it is installed.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use covenant_queue::{Address, Error, Queue};

fn open(address: &Address, kind: &str) -> Result<Queue, Error> {
    Queue::open(Path::new(env!("CARGO_BIN_EXE_covenant-worker")), address, kind)
}

struct Server {
    process: Child,
    folder: tempfile::TempDir,
    port: u16,
}

impl Server {
    /// `None` where it is not installed, which is said.
    fn start(more: &[&str]) -> Option<Server> {
        if Command::new("nats-server").arg("--version").output().is_err() {
            eprintln!("SKIPPED: nats-server is not installed");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let process = Server::run(&folder, port, more);
        Some(Server { process, folder, port })
    }

    fn run(folder: &tempfile::TempDir, port: u16, more: &[&str]) -> Child {
        let mut command = Command::new("nats-server");
        command.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(folder.path()).args(more);
        let mut process = command.stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let mut lines = lines.map_while(Result::ok);
        assert!(lines.any(|line| line.contains("Server is ready")));
        // It must not be stopped by what is not read.
        std::thread::spawn(move || lines.for_each(drop));
        process
    }

    fn killed_and_started(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        self.process = Server::run(&self.folder, self.port, &[]);
    }

    fn open(&self, kind: &str) -> Queue {
        let address = Address { servers: format!("nats://127.0.0.1:{}", self.port), ..Address::default() };
        open(&address, kind).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn again<T>(work: impl Fn() -> Result<T, Error>) -> T {
    let tries = (0..50).find_map(|_| work().map_err(|_| std::thread::sleep(Duration::from_millis(100))).ok());
    tries.expect("the server came back")
}

const SHORT: Duration = Duration::from_secs(1);

#[test]
fn jobs_and_objects_outlive_what_is_killed() {
    let Some(mut server) = Server::start(&[]) else { return };
    let (asks, works) = (server.open("a"), server.open("a"));
    assert_eq!(asks.roll_call().unwrap(), 0);
    works.answer_roll_calls(3).unwrap();
    // The server may hear of the call before it hears of the answer.
    let called = (0..20).map(|_| asks.roll_call().unwrap());
    assert_eq!(called.into_iter().find(|there| *there > 0), Some(3));
    assert_eq!((asks.has("x").unwrap(), asks.fetch("x").unwrap()), (false, None));
    // More than one piece, and none.
    let large: Vec<u8> = (0..300_000u32).map(|n| n as u8).collect();
    asks.store("x", &large).unwrap();
    asks.store("empty", b"").unwrap();
    let number = asks.publish("one", b"job").unwrap();
    assert_eq!(asks.publish("one", b"job").unwrap(), number);
    // Another kind hears nothing of it.
    assert!(server.open("b").take(Duration::from_millis(200), SHORT).unwrap().is_none());
    // Taken and never heard of again: another gets it.
    drop(works.take(SHORT, SHORT).unwrap().expect("a job"));
    server.killed_and_started();
    assert_eq!(again(|| works.fetch("x")).as_deref(), Some(large.as_slice()));
    assert_eq!(again(|| works.fetch("empty")).as_deref(), Some(&[][..]));
    assert!(again(|| asks.is_queued(number)));
    let taken = (0..10).find_map(|_| works.take(SHORT, SHORT).ok().flatten()).expect("the job again");
    assert_eq!(taken.job(), b"job");
    let notes = asks.notes("me").unwrap();
    taken.beat().unwrap();
    taken.done().unwrap();
    works.tell("me", "one");
    assert!(notes.wait_for("one", Duration::from_secs(5)));
    assert!(!again(|| asks.is_queued(number)));
    let number = asks.publish("two", b"other").unwrap();
    asks.withdraw(number).unwrap();
    assert!(works.take(Duration::from_millis(200), SHORT).unwrap().is_none());
}

#[test]
fn who_has_a_password_is_let_in() {
    let Some(server) = Server::start(&["--user", "me", "--pass", "secret"]) else { return };
    let open = |who: &str| {
        let address = Address { servers: format!("nats://{who}127.0.0.1:{}", server.port), ..Address::default() };
        open(&address, "a").and_then(|queue| queue.has("x")).map_err(|error| error.to_string())
    };
    assert_eq!(open("me:secret@"), Ok(false));
    for who in ["", "me:wrong@"] {
        assert!(open(who).is_err_and(|error| error.contains("authorization violation") && !error.contains("wrong")));
    }
}

#[test]
fn what_is_missing_is_named() {
    let address = |servers: &str| Address { servers: servers.to_owned(), ..Address::default() };
    let error = open(&address("nats://127.0.0.1:1"), "a").unwrap_err().to_string();
    assert!(error.starts_with("no connection to nats://127.0.0.1:1"), "{error}");
}

#[test]
fn a_covenant_worker_that_is_killed_has_a_successor() {
    let Some(server) = Server::start(&[]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let (script, started) = (folder.path().join("program"), folder.path().join("started"));
    let text = "#!/bin/sh\necho $$ >>STARTED\nexec PROGRAM\n";
    let text = text.replace("STARTED", &started.display().to_string());
    std::fs::write(&script, text.replace("PROGRAM", env!("CARGO_BIN_EXE_covenant-worker"))).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let address = Address { servers: format!("nats://127.0.0.1:{}", server.port), ..Address::default() };
    let queue = Queue::open(&script, &address, "a").unwrap();
    queue.answer_roll_calls(2).unwrap();
    let notes = queue.notes("me").unwrap();
    queue.publish("one", b"job").unwrap();
    let taken = queue.take(SHORT, SHORT).unwrap().expect("a job");
    let pid = std::fs::read_to_string(&started).unwrap();
    assert!(Command::new("kill").args(["-9", pid.trim()]).status().unwrap().success());
    // Nothing can be said any more of what it had taken.
    assert_eq!(taken.beat().unwrap_err().what, "covenant-worker");
    drop(taken);
    // It listens and answers as its predecessor did, and the job comes again.
    assert_eq!((0..20).map(|_| again(|| queue.roll_call())).find(|there| *there > 0), Some(2));
    queue.tell("me", "here");
    assert!(notes.wait_for("here", Duration::from_secs(5)));
    assert_eq!((0..10).find_map(|_| queue.take(SHORT, SHORT).ok().flatten()).expect("the job again").job(), b"job");
    assert_eq!(std::fs::read_to_string(&started).unwrap().lines().count(), 2);
}
