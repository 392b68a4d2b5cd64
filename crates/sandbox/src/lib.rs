//! A fence around programs that Covenant runs on a subject's behalf.
//!
//! Covenant invents hostile inputs and then runs the user's code on them. Whatever that code does, nothing outside one
//! private directory may change, nothing private may be read, and nothing may be left running. Three layers hold that,
//! each by means of the kernel's own, and each of them alone keeps most of it:
//!
//! * *namespaces*: the process sees its own root (the system's libraries, read-only, and the private directory), its own
//!   processes and no network, as a user without rights;
//! * *Landlock*: files outside the private directory cannot be changed nor, apart from the system's libraries, read, no TCP,
//!   no signals to processes outside;
//! * *seccomp*: only system calls that ordinary programs need.
//!
//! Besides these there are limits on sizes and counts. A machine that can keep files from changing neither by namespaces nor
//! by Landlock gets no [`Fence`], and nothing native runs there unless the user says so.
//!
//! What each layer does on this machine is found out by trying it, in a process of its own.

mod child;
mod compiler;
mod files;
mod limits;
mod policy;
mod probe;

use std::path::{Path, PathBuf};
use std::process::Command;

pub use compiler::{compiler_limit, limit_compiler};
pub use limits::Limits;
pub use policy::OWN_PROCESS;
pub use probe::{Offer, offers};

/// One of the kernel's means.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Layer {
    /// User, mount, process and network namespaces: other files, processes and networks are not there.
    Namespaces,
    /// Files by path: what may be read and written.
    Landlock,
    /// System calls by number and arguments.
    Seccomp,
}

impl Layer {
    /// All of them, the outermost first.
    pub const ALL: [Layer; 3] = [Layer::Namespaces, Layer::Landlock, Layer::Seccomp];

    /// As people are told of it, and as the command line has it.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Namespaces => "namespaces",
            Layer::Landlock => "Landlock",
            Layer::Seccomp => "seccomp",
        }
    }

    /// What the layer is for, in words.
    pub fn purpose(self) -> &'static str {
        match self {
            Layer::Namespaces => "own root directory, processes and network",
            Layer::Landlock => "no writing outside, no reading of private files",
            Layer::Seccomp => "only ordinary system calls",
        }
    }
}

/// Why something does not run behind a fence.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// This machine enforces none of the layers.
    #[error(
        "this machine offers neither namespaces nor Landlock, so nothing would keep native runs from changing files ({0})"
    )]
    NoFence(String),
    /// A directory that the fence needs cannot be used.
    #[error("the private directory {path} cannot be prepared: {source}")]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A layer that this machine offers could not be set up.
    #[error("the sandbox cannot be set up: {0}")]
    SetUp(String),
}

/// What is in force. Made once, used for each program that is started.
#[derive(Clone, Debug)]
pub struct Fence {
    layers: Vec<Layer>,
}

/// One program that is started behind a fence.
#[derive(Clone, Copy, Debug)]
pub struct Spec<'a> {
    /// What to run.
    pub program: &'a Path,
    /// A directory of the caller's that lives at least as long as the process. The private directory is made in it. Others must
    /// be able to pass through the directories above it.
    pub scratch: &'a Path,
    /// What may be read besides the program and the system's libraries.
    pub readable: &'a [PathBuf],
    /// Whether the program is an emulator: it has threads of its own, to which what [`Fence::inner_filters`] says must be put, too.
    pub emulates: bool,
    /// How much it may use.
    pub limits: Limits,
}

impl Fence {
    /// All that this machine offers, except what is to be left out.
    pub fn new(without: &[Layer]) -> Result<Fence, Error> {
        Fence::of(&offers(), without)
    }

    /// The same, where it is known what the machine offers.
    pub fn of(offers: &[Offer], without: &[Layer]) -> Result<Fence, Error> {
        let mut layers = Vec::new();
        let mut missing = Vec::new();
        for offer in offers {
            match &offer.problem {
                _ if without.contains(&offer.layer) => missing.push(format!("{}: switched off", offer.layer.name())),
                None => layers.push(offer.layer),
                Some(problem) => missing.push(format!("{}: {problem}", offer.layer.name())),
            }
        }
        if layers.contains(&Layer::Namespaces) || layers.contains(&Layer::Landlock) {
            Ok(Fence { layers })
        } else {
            Err(Error::NoFence(missing.join("; ")))
        }
    }

    /// The layers that are enforced.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// In words, for a report.
    pub fn describe(&self) -> String {
        let names: Vec<&str> = self.layers.iter().map(|layer| layer.name()).collect();
        format!("{}, limits", names.join(", "))
    }

    /// A command that runs the program behind the fence, in [`private_directory`]. Arguments, environment and streams are the
    /// caller's to add.
    pub fn command(&self, spec: &Spec<'_>) -> Result<Command, Error> {
        let plan = child::Plan::new(&self.layers, spec)?;
        let mut command = Command::new(spec.program);
        plan.apply_to(&mut command);
        Ok(command)
    }

    /// What a process of the program's own should put on itself before it runs the subject: seccomp filters as the kernel takes
    /// them, each an array of `struct sock_filter`. [`OWN_PROCESS`] stands for the number of the process.
    pub fn inner_filters(&self, program: &Path) -> Result<Vec<Vec<u8>>, Error> {
        if !self.layers.contains(&Layer::Seccomp) {
            return Ok(Vec::new());
        }
        policy::inner(policy::Machine::of(program), self.layers.contains(&Layer::Namespaces))
    }
}

/// The only directory that a program behind the fence can write to.
pub fn private_directory(scratch: &Path) -> PathBuf {
    scratch.join("work")
}
