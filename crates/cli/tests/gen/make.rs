//! `make check` in a suite. What is the same in all suites is compiled once for each compiler.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex};

use anyhow::{Result, ensure};

use crate::process;

/// Files that every suite has, with the same text.
const SAME: &[&str] = &["runner", "tools", "world", "failures", "device"];
const HEADERS: &[&str] =
    &["covenant.h", "process.h", "filters.h", "server.h", "expectations.h", "effects.h", "given.h"];

/// The folders of their objects, by all that they are made of.
static OBJECTS: LazyLock<Mutex<HashMap<String, PathBuf>>> = LazyLock::new(Mutex::default);

/// The Makefile notices that the compiler is another.
pub(crate) fn suite_passes(home: &Path, compiler: &str, level: &str) -> Result<()> {
    let suite = home.join("out/suite/c");
    let words = [format!("CC={compiler}"), format!("CFLAGS={level} -Wall -Wextra -Werror")];
    let make = |what: &str| {
        let mut make = Command::new("make");
        make.arg(what).args(&words).current_dir(&suite);
        process::run(make, &[], crate::LIMIT)
    };
    let key = key(&suite, &words)?;
    let known = OBJECTS.lock().ok().and_then(|objects| objects.get(&key).cloned());
    if let Some(known) = &known {
        // Behind the compiler's choices, so that they are not compiled again.
        make("build/choices")?;
        for name in SAME.iter().map(|name| format!("{name}.o")) {
            fs::write(suite.join("build").join(&name), fs::read(known.join(&name))?)?;
        }
    }
    let done = make("check")?;
    let output =
        || format!("{}\n{}", process::tail(&String::from_utf8_lossy(&done.stdout), 5), process::tail(&done.stderr, 15));
    ensure!(done.status == Some(0), "make check with {compiler}: status {:?}\n{}", done.status, output());
    if known.is_none() {
        let folder = tempfile::Builder::new().prefix("covenant-objects").tempdir()?.keep();
        for name in SAME.iter().map(|name| format!("{name}.o")) {
            fs::copy(suite.join("build").join(&name), folder.join(&name))?;
        }
        if let Ok(mut objects) = OBJECTS.lock() {
            objects.insert(key, folder);
        }
    }
    Ok(())
}

/// Removes the objects.
pub(crate) fn clean() {
    if let Ok(objects) = OBJECTS.lock() {
        objects.values().for_each(|folder| drop(fs::remove_dir_all(folder)));
    }
}

fn key(suite: &Path, words: &[String]) -> Result<String> {
    let mut key = words.join("\0");
    let makefile = fs::read_to_string(suite.join("Makefile"))?;
    key.extend(makefile.lines().find(|line| line.starts_with("MACHINE =")));
    for name in SAME.iter().map(|name| format!("{name}.c")).chain(HEADERS.iter().map(|name| (*name).to_owned())) {
        key.push_str(&fs::read_to_string(suite.join(name))?);
    }
    Ok(key)
}
