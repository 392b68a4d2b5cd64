//! What this machine offers, found out by trying.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use crate::{Layer, child};

/// One layer, and why it cannot be had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The layer that was tried.
    pub layer: Layer,
    /// Why this machine does not offer it; `None`: it does.
    pub problem: Option<String>,
}

/// All layers, each tried by itself in a process of its own.
pub fn offers() -> Vec<Offer> {
    Layer::ALL.into_iter().map(|layer| Offer { layer, problem: attempt(layer).err() }).collect()
}

fn attempt(layer: Layer) -> Result<(), String> {
    // The process ends before it would start anything.
    let mut command = Command::new("/proc/self/exe");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).env_clear();
    let scratch = tempfile::Builder::new().prefix("covenant-").tempdir().map_err(|e| e.to_string())?;
    child::trial(layer, scratch.path(), &mut command).map_err(|e| e.to_string())?;
    let status = command.status().map_err(|e| e.to_string())?;
    match (status.code(), status.signal()) {
        (Some(0), _) => Ok(()),
        (Some(code), _) => Err(format!("a try ended with status {code}")),
        (None, signal) => Err(format!("a try was ended by signal {}", signal.unwrap_or(0))),
    }
}
