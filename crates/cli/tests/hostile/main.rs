//! The subjects of `tests/c/hostile`: code that does harm where it can. Whatever covenant finds out about them, canary files
//! and a canary process outside are untouched afterwards, nothing is left running or lying about, and the exit code is one
//! that the subject states; it is never that of a contradiction or of a panic.
//!
//! - `own::FILE::FUNCTION`: as whoever runs the tests.
//! - `other::FILE::FUNCTION`: as an ordinary user, if the tests run as root. Ignored for cases that do not reach the system
//!   natively, for which it makes no difference who runs them: `cargo xtask campaign` has them.
//! - `without-LAYER::FILE::FUNCTION`: with one layer of the fence switched off, for the cases that reach the system natively.
//!
//! A covenant that has no fence runs nothing natively here.

mod canaries;
mod notes;

use std::fs;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use canaries::Canaries;
use libtest_mimic::{Arguments, Failed, Trial};
use notes::Case;

/// `nobody`.
const OTHER: u32 = 65534;
const LAYERS: &[&str] = &["landlock", "namespaces", "seccomp"];
/// So long may one run take in all.
const LIMIT: Duration = Duration::from_secs(60);
/// Cases that natively reach the system: the suite has no function of its own for what they call.
const REACHING: &[&str] = &[
    "delete_named",
    "delete_always",
    "overwrite_with_open",
    "rename_over",
    "make_folder",
    "write_home",
    "write_temporary",
    "write_project",
    "climb_out",
    "look_around",
    "wander",
    "read_key",
    "read_canary",
    "read_memory_of_init",
    "split_by_symbol",
    "handle_the_fence",
    "mapped_file",
    "file_in_memory",
    "huge_file",
    "many_descriptors",
    "close_all",
    "endless_output",
    "assembly_unlink",
    "assembly_kill",
    "assembly_fork",
    "assembly_open",
    "own_memory",
    "own_map",
    "harm_afterwards",
    "innocent",
    "main",
];

/// One run of covenant.
#[derive(Clone)]
struct Run {
    file: PathBuf,
    case: Case,
    user: Option<u32>,
    without: Option<&'static str>,
    program: Arc<Program>,
}

/// Covenant, where everybody can start it.
struct Program {
    path: PathBuf,
    fenced: bool,
    _folder: tempfile::TempDir,
}

fn main() -> Result<ExitCode> {
    let mut args = Arguments::from_args();
    // Half of the time is spent waiting: for compilers, for limits of time, for processes to end.
    args.test_threads = args.test_threads.or_else(|| Some(2 * std::thread::available_parallelism().ok()?.get()));
    let program = Arc::new(program()?);
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/hostile").canonicalize()?;
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let root = fs::metadata("/proc/self")?.uid() == 0;
    let mut trials = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "c")) {
        let name = file.file_stem().and_then(|stem| stem.to_str()).context("a name that is no text")?;
        for case in notes::cases(file)? {
            let run = |user, without| Run {
                file: file.clone(),
                case: case.clone(),
                user,
                without,
                program: Arc::clone(&program),
            };
            let full = |kind: &str| format!("{kind}::{name}::{}", case.function);
            let reaches = REACHING.contains(&case.function.as_str());
            let mut add = |kind: String, run: Run, ignored: bool| {
                let trial = Trial::test(kind, move || check(&run).map_err(|error| Failed::from(format!("{error:#}"))));
                trials.push(trial.with_ignored_flag(ignored));
            };
            add(full("own"), run(None, None), false);
            if root {
                add(full("other"), run(Some(OTHER), None), !reaches);
            }
            if program.fenced && reaches {
                for layer in LAYERS {
                    add(full(&format!("without-{layer}")), run(root.then_some(OTHER), Some(layer)), false);
                }
            }
        }
    }
    Ok(libtest_mimic::run(&args, trials).exit_code())
}

fn program() -> Result<Program> {
    let folder = tempfile::Builder::new().prefix("covenant-hostile").tempdir_in("/tmp")?;
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))?;
    let path = folder.path().join("covenant");
    fs::copy(env!("CARGO_BIN_EXE_covenant"), &path)?;
    let help = Command::new(&path).args(["gen", "--help"]).output()?;
    let fenced = String::from_utf8_lossy(&help.stdout).contains("--sandbox");
    Ok(Program { path, fenced, _folder: folder })
}

fn check(run: &Run) -> Result<()> {
    let mut canaries = Canaries::new(run.user, &run.file)?;
    let marker = canaries.path("").display().to_string();
    let mut command = Command::new(&run.program.path);
    command.args(["gen", "subject.c", "-f", &run.case.function, "--timeout", "2s", "-o", "out"]);
    command.args(&run.case.options);
    match run.without {
        _ if !run.program.fenced => command.arg("--no-replay"),
        Some(layer) => command.args(["--sandbox-without", layer]),
        None => &mut command,
    };
    command.arg("--").args(canaries.macros());
    command.current_dir(canaries.path("p")).env("HOME", canaries.path("h")).env("TMPDIR", canaries.path("t"));
    command.env("XDG_CACHE_HOME", canaries.path("cache")).env("COVENANT_HOSTILE", &marker);
    canaries::as_user(&mut command, run.user).process_group(0);
    let done = finish(command)?;
    let told = format!("exit code {:?}\n{}", done.status, done.said);
    canaries.check(done.group, &marker).context(told.clone())?;
    let status = done.status.with_context(|| format!("it does not end\n{}", done.said))?;
    ensure!(run.case.exits.contains(&status), "expected one of {:?}, {told}", run.case.exits);
    if let Some(says) = &run.case.says {
        ensure!(done.said.contains(says), "it does not say {says}; {told}");
    }
    Ok(())
}

struct Done {
    group: u32,
    /// As a shell has it; `None`: it was ended because it took too long.
    status: Option<i32>,
    said: String,
}

fn finish(mut command: Command) -> Result<Done> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let group = child.id();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let begun = Instant::now();
    std::thread::scope(|scope| {
        let stdout = scope.spawn(|| text(stdout));
        let stderr = scope.spawn(|| text(stderr));
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)));
            }
            if begun.elapsed() > LIMIT {
                child.kill()?;
                child.wait()?;
                break None;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let said = stdout.join().unwrap_or_default() + &stderr.join().unwrap_or_default();
        Ok(Done { group, status, said })
    })
}

fn text(stream: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        let _ = stream.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
