//! A program of `tests/c/run` or `tests/c/trap`: one C file, or a directory of them.

use crate::annotations::Annotations;
use anyhow::{Context, Result};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

#[derive(Debug, Clone)]
pub(crate) struct Program {
    pub(crate) name: String,
    /// The C files; the one with `main` and the annotations first.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) notes: Annotations,
    /// Changes with any byte of the sources, their headers or their input.
    pub(crate) content: u64,
}

impl Program {
    /// Whether it means something on the machine that programs are compiled for.
    pub(crate) fn is_meant(&self) -> bool {
        let machine = std::env::var("COVENANT_TEST_TARGET").unwrap_or_else(|_| "x86_64".to_owned());
        self.notes.machines.as_ref().is_none_or(|machines| machines.contains(&machine))
    }

    fn load(path: &Path) -> Result<Program> {
        let name = path.file_stem().context("no name")?.to_string_lossy().into_owned();
        let mut files = if path.is_dir() { listed(path)? } else { vec![path.to_owned()] };
        let mut content = DefaultHasher::new();
        for file in &files {
            fs::read(file)?.hash(&mut content);
        }
        files.retain(|file| has_extension(file, "c"));
        files.sort_by_key(|file| !file.ends_with("main.c"));
        let main = files.first().with_context(|| format!("no C file in {}", path.display()))?;
        let mut notes = Annotations::read(main)?;
        // A campaign runs all programs for another machine.
        notes.flags.extend(machine().flags.iter().map(|flag| (*flag).to_owned()));
        notes.flags.hash(&mut content);
        notes.stdin.hash(&mut content);
        Ok(Program { name, notes, content: content.finish(), files })
    }
}

/// A machine that programs are compiled for, and what runs them here; none: this machine does.
pub(crate) struct Machine {
    flags: &'static [&'static str],
    pub(crate) runs: Option<&'static str>,
}

impl Machine {
    pub(crate) fn is_mips(&self) -> bool {
        self.runs == Some("qemu-mips")
    }
}

/// As `COVENANT_TEST_TARGET` says.
pub(crate) fn machine() -> Machine {
    let (flags, runs): (&[&str], _) = match std::env::var("COVENANT_TEST_TARGET").unwrap_or_default().as_str() {
        "i386" => (&["-m32", "-msse2", "-mfpmath=sse"], None),
        "arm" => (&["--target=arm-linux-gnueabihf"], Some("qemu-arm")),
        "aarch64" => (&["--target=aarch64-linux-gnu"], Some("qemu-aarch64")),
        "riscv64" => (&["--target=riscv64-linux-gnu"], Some("qemu-riscv64")),
        "mips" => (&["--target=mips-linux-gnu"], Some("qemu-mips")),
        _ => (&[], None),
    };
    Machine { flags, runs }
}

/// All programs of a directory, sorted by name.
pub(crate) fn load_all(directory: &Path) -> Result<Vec<Program>> {
    let paths = listed(directory)?;
    paths.iter().filter(|path| path.is_dir() || has_extension(path, "c")).map(|path| Program::load(path)).collect()
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|e| e == extension)
}

fn listed(directory: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(directory).with_context(|| format!("cannot list {}", directory.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
