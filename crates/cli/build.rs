//! Names this build by its sources: results of one covenant are not taken for those of another.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

/// What verdicts depend on, seen from the workspace.
const PLACES: &[&str] = &[
    "Cargo.lock",
    "crates/check/src",
    "crates/cli/src",
    "crates/concolic/src",
    "crates/constraints/src",
    "crates/covenant/src",
    "crates/goals/src",
    "crates/horn/src",
    "crates/interpreter/library",
    "crates/interpreter/src",
    "crates/program/src",
    "crates/prove/src",
    "crates/queue/src",
    "crates/report/src",
    "crates/search/src",
    "crates/transition/src",
];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut hasher = DefaultHasher::new();
    for place in PLACES {
        let path = root.join(place);
        println!("cargo:rerun-if-changed={}", path.display());
        for file in files(&path) {
            hasher.write(file.strip_prefix(&root).unwrap_or(&file).to_string_lossy().as_bytes());
            hasher.write(&std::fs::read(&file).unwrap_or_default());
        }
    }
    println!("cargo:rustc-env=COVENANT_BUILD={:016x}", hasher.finish());
}

/// All files there, in an order of their own.
fn files(path: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| found.extend(files(&entry.path()))),
        Err(_) => found.extend(path.is_file().then(|| path.to_path_buf())),
    }
    found
}
