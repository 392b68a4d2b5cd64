//! A NATS server on this machine, and workers.

use anyhow::{Context, Result, bail};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

pub(crate) struct Server {
    process: Child,
    store: PathBuf,
    port: u16,
}

impl Server {
    pub(crate) fn start(store: &Path) -> Result<Server> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let process = Server::run(store, port)?;
        Ok(Server { process, store: store.to_path_buf(), port })
    }

    fn run(store: &Path, port: u16) -> Result<Child> {
        let mut command = Command::new("nats-server");
        command.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(store);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = command.spawn().context("no nats-server here; `apt-get install nats-server` has it")?;
        for _ in 0..200 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return Ok(process);
            }
            if let Some(status) = process.try_wait()? {
                bail!("nats-server: {status}");
            }
            thread::sleep(Duration::from_millis(50));
        }
        bail!("nats-server does not answer")
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// As `kill -9`, and another one on the same files.
    pub(crate) fn kill_and_start(&mut self) -> Result<()> {
        self.process.kill()?;
        self.process.wait()?;
        self.process = Server::run(&self.store, self.port)?;
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A worker that takes one function at a time.
pub(crate) struct Worker(Child);

impl Worker {
    pub(crate) fn start(covenant: &Path, url: &str, ack_time: &str) -> Result<Worker> {
        let mut command = Command::new(covenant);
        command.args(["worker", url, "--jobs", "1", "--quiet", "--ack-time", ack_time]);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        Ok(Worker(command.spawn().context("a worker cannot be started")?))
    }

    pub(crate) fn kill(&mut self) -> Result<()> {
        self.0.kill()?;
        self.0.wait()?;
        Ok(())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}
