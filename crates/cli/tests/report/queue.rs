//! Work queues: a real NATS server on this machine, workers that are killed, and results that are those of one machine.

use std::collections::BTreeMap;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use libtest_mimic::Trial;
use serde_json::Value;

use crate::{LIMIT, covenant, process, trial};

/// `cargo build --workspace` makes it.
const PROGRAM: &str = "covenant-worker";

pub(crate) fn add(trials: &mut Vec<Trial>) {
    trials.push(trial("queue::as_on_one_machine".to_owned(), &["nats-server", PROGRAM], as_on_one_machine));
    trials.push(trial("queue::no_server".to_owned(), &[PROGRAM], no_server));
    trials.push(trial("queue::no_worker".to_owned(), &[], no_worker));
}

/// Ends with the test, however that ends.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn server(store: &Path) -> Result<(Process, String)> {
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let mut command = Command::new("nats-server");
    command.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(store);
    let server = Process(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?);
    for _ in 0..400 {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Ok((server, format!("nats://127.0.0.1:{port}")));
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    bail!("the server does not answer")
}

fn worker(home: &Path, url: &str) -> Result<Process> {
    let mut command = covenant(home);
    command.args(["worker", url, "--jobs", "1", "--quiet", "--ack-time", "1s"]);
    Ok(Process(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?))
}

/// With a header of its own, a flag that names a place, a covenant.toml and a static function.
fn project(root: &Path) -> Result<()> {
    fs::create_dir_all(root.join("src"))?;
    fs::create_dir_all(root.join("include"))?;
    fs::create_dir_all(root.join("build"))?;
    fs::write(root.join("covenant.toml"), "[function.high]\nassume = [\"x < 5000\"]\n")?;
    fs::write(root.join("include/low.h"), "#define BORDER 10\nint low(int x);\n")?;
    fs::write(root.join("src/low.c"), "#include \"low.h\"\nint low(int x) { return x < BORDER ? 1 : 0; }\n")?;
    let high = "#include <low.h>\nstatic int half(int x) { return x / 2; }\n\
        int high(int x) { if (low(x)) return 0; if (x > 6000) return 7; return half(x) > 50; }\n";
    fs::write(root.join("src/high.c"), high)?;
    let command = |file: &str| {
        let words = format!("cc -I{}/include -c ../{file}", root.display());
        serde_json::json!({"directory": root.join("build"), "file": format!("../{file}"), "command": words})
    };
    let commands = serde_json::json!([command("src/low.c"), command("src/high.c")]);
    Ok(fs::write(root.join("build/compile_commands.json"), commands.to_string())?)
}

/// Without an end, since what a function may take stands in its suite.
fn asked(root: &Path, more: &[&str]) -> Command {
    let mut command = covenant(root);
    command.args(["gen", "--all", "-p", "build", "--suite", "c,cmocka", "--timeout", "0"]).args(more);
    command
}

/// All files of the results, but for times, pages, and keys.
fn results(root: &Path) -> Result<BTreeMap<PathBuf, String>> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.join("covenant-out")];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let name = path.strip_prefix(root)?.to_path_buf();
            let mut text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
            if path.extension().is_some_and(|e| e == "html") || name.ends_with("covenant-out/index.json") {
                continue;
            }
            if path.extension().is_some_and(|e| e == "json") {
                let mut value: Value = serde_json::from_str(&text)?;
                value.as_object_mut().map(|members| ["stats", "timeline", "command"].map(|name| members.remove(name)));
                text = value.to_string();
            }
            found.insert(name, text);
        }
    }
    Ok(found)
}

fn same(one: &BTreeMap<PathBuf, String>, other: &BTreeMap<PathBuf, String>) -> Result<()> {
    let names = |all: &BTreeMap<PathBuf, String>| all.keys().cloned().collect::<Vec<_>>();
    ensure!(names(one) == names(other), "files differ:\n{:?}\n{:?}", names(one), names(other));
    for (name, text) in one {
        // A project has the name of its folder.
        let is_whole = name.ends_with("covenant-out/report.json");
        ensure!(is_whole || other[name] == *text, "{} differs:\n{text}\n{}", name.display(), other[name]);
    }
    Ok(())
}

fn as_on_one_machine() -> Result<()> {
    let home = tempfile::tempdir()?;
    let home = home.path().canonicalize()?;
    let places = ["local", "another/place", "third"].map(|name| home.join(name));
    for place in &places {
        project(place)?;
    }
    let local = process::run(asked(&places[0], &[]), &[], LIMIT)?;
    let (_server, url) = server(&home.join("store"))?;
    let first = worker(&home, &url)?;
    let asks =
        asked(&places[1], &["--on", &url]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let mut asks = Process(asks);
    // In the middle of its first function.
    for _ in 0..LIMIT.as_secs() * 20 {
        std::thread::sleep(Duration::from_millis(50));
        if asks.0.try_wait()?.is_some() || places[1].join("covenant-out").is_dir() {
            break;
        }
    }
    std::thread::sleep(Duration::from_millis(700));
    drop(first);
    let second = worker(&home, &url)?;
    for _ in 0..LIMIT.as_secs() * 20 {
        if asks.0.try_wait()?.is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let status = asks.0.try_wait()?.context("the workers did not come to an end")?;
    ensure!(status.code() == local.status, "{status}, and locally {:?}: {}", local.status, local.stderr);
    let expected = results(&places[0])?;
    ensure!(expected.keys().any(|name| name.ends_with("high/report.json")), "{:?}", expected.keys());
    same(&expected, &results(&places[1])?)?;
    drop(second);
    // Nobody works any more, and nobody has to.
    let third = process::run(asked(&places[2], &["--on", &url]), &[], LIMIT)?;
    ensure!(third.status == local.status && third.stderr.is_empty(), "{:?}: {}", third.status, third.stderr);
    same(&expected, &results(&places[2])?)
}

fn no_server() -> Result<()> {
    let home = tempfile::tempdir()?;
    project(home.path())?;
    for mut command in [asked(home.path(), &["--on", "nats://127.0.0.1:1"]), covenant(home.path())] {
        if command.get_args().next().is_none() {
            command.args(["worker", "nats://127.0.0.1:1"]);
        }
        let done = process::run(command, &[], LIMIT)?;
        ensure!(
            done.status == Some(2) && done.stderr.contains("no connection to nats://127.0.0.1:1"),
            "{}",
            done.stderr
        );
    }
    Ok(())
}

/// Where the part for queues is not installed, it is said how to get it.
fn no_worker() -> Result<()> {
    let home = tempfile::tempdir()?;
    project(home.path())?;
    let alone = home.path().join("covenant");
    let covenant = env!("CARGO_BIN_EXE_covenant");
    fs::hard_link(covenant, &alone).or_else(|_| fs::copy(covenant, &alone).map(|_| ()))?;
    let mut command = Command::new(&alone);
    command.args(["worker", "nats://127.0.0.1:1"]).env("PATH", "/usr/bin:/bin").current_dir(home.path());
    let done = process::run(command, &[], LIMIT)?;
    let what = "work queues need `covenant-worker`, which is not installed: cargo install --path crates/worker";
    ensure!(done.status == Some(2) && done.stderr.contains(what), "{}", done.stderr);
    Ok(())
}
