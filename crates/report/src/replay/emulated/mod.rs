//! Tests as programs of the machine that the code is for, which an emulator (qemu-user) plays.
//!
//! The emulator is a program of this machine, and behind the fence like any other. What it makes of the system calls of the code are its
//! own, so it is in its process that a test's filters are put on (`hook.c`). Such programs are linked statically: behind the fence there are
//! no libraries of other machines. LLVM's runtime for coverage is there for few machines, and `profile.c` does what is asked of it.
//!
//! What cannot be built or played here is told, and the tests run as code of this machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use covenant_goals::TestCase;

use super::build::{Tools, compile};
use super::object_cache;
use crate::Error;
use crate::fencing::Emulator;
use crate::subject::SubjectInfo;
use crate::suite;

const HOOK: &str = include_str!("hook.c");
const PROFILE: &str = include_str!("profile.c");

/// Tells the suite's own code that an emulator plays it.
pub(super) const IN_GUEST: &str = "-DCOVENANT_EMULATED";

/// Who could play the tests.
pub(super) enum Player {
    /// It is code of this machine, or none that an emulator is known for.
    None,
    /// There is one, but it cannot be asked, and why.
    Away(String),
    /// The subject as it is built for its machine, and tools with the emulator.
    There(Box<(SubjectInfo, Tools)>),
}

/// Whether these tests can be played, and by whom.
pub(super) fn player(
    subject: &SubjectInfo,
    tests: &[TestCase],
    scratch: &Path,
    tools: &Tools,
) -> Result<Player, Error> {
    let Some(subject) = subject.on_its_machine() else { return Ok(Player::None) };
    let Some(emulated) = subject.emulated else { return Ok(Player::None) };
    let Some(program) = object_cache::find(Path::new(emulated.emulator)) else { return Ok(Player::None) };
    // Accesses to registers are noticed by this machine's means.
    if !subject.devices.is_empty() || tests.iter().any(|test| test.more_volatile || !test.device.is_empty()) {
        return Ok(Player::Away("its device registers are played by this machine's own means".to_owned()));
    }
    let hook = match hook(tools.clang(), scratch) {
        Err(Error::Build { message, .. }) => return Ok(Player::Away(first_error(&message))),
        built => built?,
    };
    let tools = Tools { native: tools.native.played_by(Emulator { program, hook }), ..tools.clone() };
    Ok(Player::There(Box::new((subject, tools))))
}

/// The line that says why something was not built.
pub(super) fn first_error(message: &str) -> String {
    let line = message.lines().find(|line| line.contains("error")).or(message.lines().next());
    line.unwrap_or("no reason given").trim().to_owned()
}

/// What goes into the emulator's process.
fn hook(clang: &Path, scratch: &Path) -> Result<PathBuf, Error> {
    let folder = scratch.join("hook");
    std::fs::create_dir_all(&folder).map_err(Error::file(&folder))?;
    let (source, hook) = (folder.join("hook.c"), folder.join("hook.so"));
    for (path, text) in [(&source, HOOK), (&folder.join("filters.h"), suite::FILTERS_TEXT)] {
        std::fs::write(path, text).map_err(Error::file(path))?;
    }
    // In two steps: a compiler that does both at once writes elsewhere, which it may not.
    let object = folder.join("hook.o");
    for (flags, to, from) in
        [(&["-w", "-O1", "-fPIC", "-c", "-o"][..], &object, &source), (&["-shared", "-o"], &hook, &object)]
    {
        let mut command = Command::new(clang);
        command.args(flags).arg(to).arg(from);
        compile(command, &folder, "what an emulator needs")?;
    }
    Ok(hook)
}

/// What LLVM's runtime does for a program that counts.
pub(super) fn counting(clang: &Path, machine: &[String], scratch: &Path) -> Result<PathBuf, Error> {
    let (source, object) = (scratch.join("profile.c"), scratch.join("profile.o"));
    std::fs::write(&source, PROFILE).map_err(Error::file(&source))?;
    let mut command = Command::new(clang);
    command.args(machine).args(["-w", "-O1", "-c", "-o"]).arg(&object).arg(&source);
    compile(command, scratch, "the suite")?;
    Ok(object)
}
