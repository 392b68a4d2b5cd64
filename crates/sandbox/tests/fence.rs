//! What the fence keeps in, tried with a small C program that does one harmful thing after another.
//!
//! Each thing is tried with all layers and with each layer left out in turn.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use covenant_sandbox::{Fence, Layer, Limits, Spec, private_directory};

/// The code by which a test's process puts filters on itself.
const FILTERS: &str = include_str!("../../report/src/suite/c/filters.h");
const SOURCE: &str = include_str!("harm.c");
/// What goes into the process of an emulator.
const HOOK: &str = include_str!("../../report/src/replay/emulated/hook.c");

struct World {
    outside: tempfile::TempDir,
    program: PathBuf,
    /// What plays the program, if it is another machine's.
    emulator: Option<PathBuf>,
}

impl World {
    fn new() -> World {
        World::built(&[]).unwrap()
    }

    /// The program as it is for this machine and, where that can be built, for 32 bits, whose system calls have other numbers, and for
    /// another machine.
    fn all() -> Vec<World> {
        std::iter::once(World::new()).chain(World::built(&["-m32"]).ok()).chain(World::played()).collect()
    }

    /// The program for a machine that an emulator plays. `None`: it cannot be built or played here.
    fn played() -> Option<World> {
        let path = std::env::var_os("PATH")?;
        let emulator =
            std::env::split_paths(&path).map(|folder| folder.join("qemu-arm")).find(|file| file.is_file())?;
        let world = World::built(&["--target=arm-linux-gnueabihf", "-static", "-DCOVENANT_EMULATED"]).ok()?;
        std::fs::write(world.outside.path().join("hook.c"), HOOK).unwrap();
        let mut clang = Command::new("clang-19");
        let built = clang.args(["-w", "-shared", "-fPIC", "hook.c", "-o", "hook.so"]).current_dir(world.outside.path());
        assert!(built.status().unwrap().success());
        Some(World { emulator: Some(emulator), ..world })
    }

    fn built(flags: &[&str]) -> Result<World, String> {
        let outside = tempfile::tempdir().unwrap();
        let program = outside.path().join("harm");
        std::fs::write(outside.path().join("harm.c"), SOURCE).unwrap();
        std::fs::write(outside.path().join("filters.h"), FILTERS).unwrap();
        let built = Command::new("clang-19")
            .arg("-w")
            .args(flags)
            .arg("harm.c")
            .arg("-o")
            .arg(&program)
            .current_dir(outside.path())
            .output()
            .unwrap();
        if !built.status.success() {
            return Err(String::from_utf8_lossy(&built.stderr).into_owned());
        }
        std::fs::write(outside.path().join("canary"), "sings").unwrap();
        Ok(World { outside, program, emulator: None })
    }

    fn canary(&self) -> PathBuf {
        self.outside.path().join("canary")
    }

    fn run(&self, without: &[Layer], what: &str, argument: &Path) -> Output {
        let fence = Fence::new(without).unwrap();
        let scratch = tempfile::tempdir().unwrap();
        let program = scratch.path().join("harm");
        std::fs::copy(&self.program, &program).unwrap();
        let hook = scratch.path().join("hook.so");
        let mut readable = Vec::new();
        if self.emulator.is_some() {
            std::fs::copy(self.outside.path().join("hook.so"), &hook).unwrap();
            readable.extend([hook.clone(), program.clone()]);
        }
        let started = self.emulator.as_ref().unwrap_or(&program);
        let spec = Spec {
            program: started,
            scratch: scratch.path(),
            readable: &readable,
            emulates: self.emulator.is_some(),
            limits: Limits::default(),
        };
        let mut command = fence.command(&spec).unwrap();
        let filters = fence.inner_filters(started).unwrap();
        let digits = |bytes: &Vec<u8>| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
        let filters = filters.iter().map(digits).collect::<Vec<_>>().join(",");
        command.env_clear().env("FILTERS", &filters);
        if self.emulator.is_some() {
            command.env("COVENANT_FILTERS", &filters).env("LD_PRELOAD", &hook).arg(&program);
        }
        command.arg(what).arg(argument).stdin(Stdio::null());
        command.output().unwrap()
    }
}

/// All layers, and all but one.
fn choices() -> Vec<Vec<Layer>> {
    std::iter::once(Vec::new()).chain(Layer::ALL.into_iter().map(|layer| vec![layer])).collect()
}

/// Containers often lack namespaces, old kernels Landlock; seccomp is everywhere that these tests run.
#[test]
fn the_machine_offers_enough() {
    let offers = covenant_sandbox::offers();
    let problem = |layer| offers.iter().find(|o| o.layer == layer).and_then(|o| o.problem.clone());
    assert_eq!(problem(Layer::Seccomp), None);
    assert!(problem(Layer::Namespaces).is_none() || problem(Layer::Landlock).is_none(), "{offers:?}");
}

#[test]
fn an_ordinary_program_runs() {
    World::all().iter().for_each(runs);
}

fn runs(world: &World) {
    for without in choices() {
        let done = world.run(&without, "write-here", Path::new("note"));
        assert!(done.status.success(), "without {without:?}: {done:?}");
        assert_eq!(done.stdout, b"done\n", "without {without:?}");
    }
}

#[test]
fn nothing_outside_changes_or_can_be_read() {
    World::all().iter().for_each(changes_and_reads_nothing);
}

fn changes_and_reads_nothing(world: &World) {
    let before = world.canary().metadata().unwrap();
    for without in choices() {
        for what in ["remove", "overwrite", "rename", "chmod", "link", "truncate", "read", "utime"] {
            let done = world.run(&without, what, &world.canary());
            assert!(!done.stdout.starts_with(b"done"), "{what} without {without:?}: {done:?}");
            assert_eq!(std::fs::read(world.canary()).unwrap(), b"sings", "{what} without {without:?}");
        }
        for what in ["create", "mkdir", "symlink"] {
            let target = world.outside.path().join(what);
            world.run(&without, what, &target);
            assert!(target.symlink_metadata().is_err(), "{what} without {without:?}");
        }
    }
    let after = world.canary().metadata().unwrap();
    assert_eq!((after.mode(), after.mtime(), after.nlink()), (before.mode(), before.mtime(), before.nlink()));
}

#[test]
fn no_program_no_network_no_signal() {
    World::all().iter().for_each(starts_and_reaches_nothing);
}

fn starts_and_reaches_nothing(world: &World) {
    let mut canary = Command::new("sleep").arg("100").spawn().unwrap();
    for without in choices() {
        for what in ["exec", "connect", "ptrace"] {
            let done = world.run(&without, what, Path::new(&canary.id().to_string()));
            assert!(!done.stdout.starts_with(b"done"), "{what} without {without:?}: {done:?}");
        }
        for what in ["kill", "kill-all"] {
            world.run(&without, what, Path::new(&canary.id().to_string()));
            assert!(canary.try_wait().unwrap().is_none(), "{what} without {without:?}");
        }
    }
    canary.kill().unwrap();
    canary.wait().unwrap();
}

#[test]
fn processes_end_with_the_first() {
    World::all().iter().for_each(leaves_nothing);
}

fn leaves_nothing(world: &World) {
    let done = world.run(&[], "daemon", Path::new("x"));
    assert!(done.status.success(), "{done:?}");
    // A daemon would hold the pipe open and `output` would not come back.
    assert_eq!(done.stdout, b"done\n");
}

/// The first process of a namespace is spared its own signals; a program that an emulator plays must not hang in one.
#[test]
fn what_is_played_ends_by_its_signal() {
    World::played().iter().for_each(ends_by_its_signal);
}

fn ends_by_its_signal(world: &World) {
    for without in choices() {
        for signal in [libc::SIGSEGV, libc::SIGABRT, libc::SIGFPE, libc::SIGKILL, libc::SIGTERM] {
            let done = world.run(&without, "raise", Path::new(&signal.to_string()));
            assert_eq!(done.status.signal(), Some(signal), "without {without:?}: {done:?}");
        }
    }
}

#[test]
fn the_private_directory_is_where_it_says() {
    let scratch = Path::new("/scratch");
    assert_eq!(private_directory(scratch), Path::new("/scratch/work"));
}

/// Root becomes another user first; an ordinary user stays who they are, and owns what is outside.
#[test]
fn all_of_it_as_an_ordinary_user() {
    const NOBODY: u32 = 65534;
    let home = tempfile::tempdir().unwrap();
    if home.path().metadata().unwrap().uid() != 0 {
        return;
    }
    let program = home.path().join("tests");
    // By another process: what this one has open for writing, a child of another test may have open still, and then it cannot be run.
    let copied = Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&program).status().unwrap();
    assert!(copied.success());
    std::fs::set_permissions(home.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let work = home.path().join("tmp");
    std::fs::create_dir(&work).unwrap();
    std::os::unix::fs::chown(&work, Some(NOBODY), Some(NOBODY)).unwrap();
    let mut command = Command::new(&program);
    command.args(["--skip", "as_an_ordinary_user"]).uid(NOBODY).gid(NOBODY).env("TMPDIR", &work).current_dir(&work);
    let done = command.output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
}
