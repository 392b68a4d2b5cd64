//! Functions that are analysed elsewhere: what a job is, who puts jobs into a queue (`gen --all --on`) and who works on them
//! (`covenant worker`).

pub(crate) mod archive;
pub(crate) mod ask;
pub(crate) mod job;
pub(crate) mod worker;

use std::path::PathBuf;

use anyhow::{Context, Result};
use covenant_program::clang::FrontEnd;
use covenant_queue::{Address, PROGRAM, Queue};
use covenant_report::subject::sha256;

use crate::args::QueueArgs;

/// Headers of the system by which two machines are told to be alike.
const WORLD: &str = "#include <assert.h>\n#include <ctype.h>\n#include <errno.h>\n#include <fcntl.h>\n#include <limits.h>\n\
    #include <locale.h>\n#include <math.h>\n#include <setjmp.h>\n#include <signal.h>\n#include <stdint.h>\n#include <stdio.h>\n\
    #include <stdlib.h>\n#include <string.h>\n#include <sys/stat.h>\n#include <time.h>\n#include <unistd.h>\n#include <wchar.h>\n";

/// The queue of jobs for machines like this one.
pub(crate) fn open(server: &str, args: &QueueArgs, build: &str) -> Result<(Queue, Address)> {
    let address = Address {
        servers: server.to_owned(),
        credentials: args.creds.clone(),
        authority: args.tlsca.clone(),
        certificate: args.tlscert.clone().zip(args.tlskey.clone()),
    };
    let program = program().with_context(|| format!("work queues need `{PROGRAM}`, which is not installed: {GET}"))?;
    let queue = Queue::open(&program, &address, &kind(build)?)?;
    Ok((queue, address))
}

/// How to get [`PROGRAM`].
pub(crate) const GET: &str = "cargo install --path crates/worker";

/// The part that knows the server, as git finds its parts: beside this program, or on the PATH.
pub(crate) fn program() -> Option<PathBuf> {
    let here = std::env::current_exe().ok().and_then(|own| own.parent().map(PathBuf::from));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = here.into_iter().chain(std::env::split_paths(&path));
    places.map(|folder| folder.join(PROGRAM)).find(|program| program.is_file())
}

/// The same on machines whose results are the same: the build of covenant, clang, and the headers of the system, which do not travel.
fn kind(build: &str) -> Result<String> {
    let folder = tempfile::Builder::new().prefix("covenant-").tempdir().context("no temporary folder")?;
    let file = folder.path().join("world.c");
    std::fs::write(&file, WORLD).with_context(|| file.display().to_string())?;
    let units = FrontEnd::default().compile(std::slice::from_ref(&file))?;
    let text: String = units.iter().map(|unit| unit.preprocessed()).collect();
    // But for where that file is.
    let lines = text.lines().filter(|line| !line.contains("world.c"));
    let world: String = lines.flat_map(|line| [line, "\n"]).collect();
    Ok(sha256(format!("{build}\n{world}").as_bytes())[..16].to_owned())
}

#[cfg(test)]
mod tests {
    use super::kind;

    #[test]
    fn machines_that_are_alike_have_one_name() {
        let name = kind("1").unwrap();
        assert!(name.len() == 16 && name.chars().all(|c| c.is_ascii_hexdigit()), "{name}");
        assert_eq!(name, kind("1").unwrap());
        assert_ne!(name, kind("2").unwrap());
    }
}
