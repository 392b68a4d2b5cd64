//! The format of all Rust files.
//!
//! `cargo fmt` follows `mod` lines and does not look into macros, and so it misses the files that a registry declares
//! (strategies, criteria, back ends, suites, provers). Here every file under version control is given to rustfmt.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// Returns whether everything is in order.
pub(crate) fn run(root: &Path, check: bool) -> Result<bool> {
    let files = crate::tidy::listed(root, &[])?;
    let ours = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "rs");
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--edition", "2024"]).args(check.then_some("--check"));
    rustfmt.args(files.into_iter().filter(ours)).current_dir(root);
    Ok(rustfmt.status().context("cannot start rustfmt")?.success())
}
