//! `suite/c`: plain C. `suite.c` includes the file that defines the entry function, so that its static functions, types
//! and variables are in sight; `externs.c` defines what nobody else does; `runner.c` runs the tests
//! and `tools.c` has the inputs of other tools, `world.c` and `failures.c` functions in place of the C library's, `device.c` device registers. The same files
//! serve `make check` and the native replay.

mod externs;
mod makefile;
mod source;
mod test;

pub(crate) use externs::{by_symbol, function_by_symbol, register_type};
use std::path::Path;

use covenant_goals::TestCase;

use crate::Error;
use crate::files::write_file;
use crate::subject::SubjectInfo;
use crate::suite::Profile;

pub(crate) const SUITE: &str = "suite.c";
const RUNNER: &str = "runner.c";
pub(crate) const OTHERS: &str = "externs.c";
const HEADER: &str = "covenant.h";
const QUIET: &str = "quiet.h";
const TOOLS: &str = "tools.c";
/// Parts of the runner.
const PROCESS: &str = "process.h";
const FILTERS: &str = "filters.h";
/// The code by which a test's process puts filters on itself.
pub(crate) const FILTERS_TEXT: &str = include_str!("filters.h");
const SERVER: &str = "server.h";
const EXPECTATIONS: &str = "expectations.h";
const EFFECTS: &str = "effects.h";
const GIVEN: &str = "given.h";
const WORLD: &str = "world.c";
const FAILURES: &str = "failures.c";
const DEVICE: &str = "device.c";
/// What is compiled beside the subject's files.
pub(crate) const SUPPORT: &[&str] = &[RUNNER, TOOLS, WORLD, FAILURES, DEVICE];
/// Everything that is needed to build the suite, except the subject.
pub(crate) const SOURCES: &[&str] = &[
    SUITE,
    RUNNER,
    PROCESS,
    FILTERS,
    SERVER,
    EXPECTATIONS,
    EFFECTS,
    GIVEN,
    TOOLS,
    OTHERS,
    WORLD,
    FAILURES,
    DEVICE,
    HEADER,
    QUIET,
];

pub(super) const PROFILE: Profile = Profile {
    about: "Plain C with a Makefile, each test in a process of its own",
    write: |suite| write(suite.folder, suite.subject, suite.tests, suite.oracle),
    kit: None,
};

pub(crate) fn write(folder: &Path, subject: &SubjectInfo, tests: &[TestCase], oracle: bool) -> Result<(), Error> {
    let put = |name: &str, text: &str| write_file(&folder.join(name), text.as_bytes());
    put(HEADER, include_str!("covenant.h"))?;
    put(QUIET, include_str!("quiet.h"))?;
    put(RUNNER, include_str!("runner.c"))?;
    put(PROCESS, include_str!("process.h"))?;
    put(FILTERS, FILTERS_TEXT)?;
    put(SERVER, include_str!("server.h"))?;
    put(EXPECTATIONS, include_str!("expectations.h"))?;
    put(EFFECTS, include_str!("effects.h"))?;
    put(GIVEN, include_str!("given.h"))?;
    put(WORLD, super::world::WORLD)?;
    put(FAILURES, super::world::FAILURES)?;
    put(DEVICE, super::device::DEVICE)?;
    put(TOOLS, include_str!("tools.c"))?;
    put(OTHERS, &externs::write(subject))?;
    put(SUITE, &source::write(subject, tests, oracle)?)?;
    put("Makefile", &makefile::write(folder, subject)?)
}
