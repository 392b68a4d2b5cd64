//! How code under test is started natively: here and nowhere else, behind a fence unless the user said otherwise.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use covenant_sandbox::{Fence, Layer, Limits, Spec, private_directory};

use crate::Error;

/// What the user wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fencing {
    /// As strong as the machine allows; nothing runs where it allows nothing.
    Auto {
        /// Layers that are left out, to see that the others hold.
        without: Vec<Layer>,
    },
    /// With the user's own rights.
    Off,
}

impl Default for Fencing {
    fn default() -> Fencing {
        Fencing::Auto { without: Vec::new() }
    }
}

/// A directory for programs and their private directories. Others can pass through it: behind the fence root is somebody else.
pub(crate) fn scratch() -> Result<tempfile::TempDir, Error> {
    let passable = std::fs::Permissions::from_mode(0o711);
    let made = tempfile::Builder::new().prefix("covenant-").permissions(passable).tempdir();
    made.map_err(Error::file(&std::env::temp_dir()))
}

/// What is in force: chosen once for a command of the user's.
#[derive(Clone, Debug)]
pub(crate) struct Native {
    fence: Option<Fence>,
    /// What plays the programs, if they are another machine's.
    emulator: Option<Emulator>,
}

/// A program of this machine that plays those of another one.
#[derive(Clone, Debug)]
pub(crate) struct Emulator {
    pub(crate) program: PathBuf,
    /// A library that goes into its process, and puts on the filters of a test there.
    pub(crate) hook: PathBuf,
}

impl Fencing {
    pub(crate) fn choose(&self) -> Result<Native, Error> {
        let fence = match self {
            Fencing::Auto { without } => Some(Fence::new(without)?),
            Fencing::Off => None,
        };
        Ok(Native { fence, emulator: None })
    }
}

impl Native {
    /// The same for programs that this emulator plays.
    pub(crate) fn played_by(&self, emulator: Emulator) -> Native {
        Native { fence: self.fence.clone(), emulator: Some(emulator) }
    }

    /// A command in a private directory below `scratch`, which belongs to this program alone and lives as long as it runs. The
    /// environment is empty.
    fn command(&self, program: &Path, scratch: &Path) -> Result<Command, Error> {
        let started = self.emulator.as_ref().map_or(program, |emulator| &emulator.program);
        let played = self.emulator.as_ref().map(|emulator| [emulator.hook.clone(), program.to_path_buf()]);
        let mut command = match &self.fence {
            Some(fence) => {
                let readable = played.as_ref().map_or(&[][..], |files| files);
                let spec = Spec {
                    program: started,
                    scratch,
                    readable,
                    emulates: self.emulator.is_some(),
                    limits: Limits::default(),
                };
                let mut command = fence.command(&spec)?;
                command.env_clear();
                if let Some(filters) = inner_filters(fence, started)? {
                    command.env("COVENANT_FILTERS", filters);
                }
                command
            }
            None => {
                let work = private_directory(scratch);
                std::fs::create_dir_all(&work).map_err(Error::file(&work))?;
                let mut command = Command::new(started);
                command.env_clear().current_dir(work);
                command
            }
        };
        if let Some([hook, program]) = played {
            command.env("LD_PRELOAD", hook).arg(program);
        }
        Ok(command)
    }

    /// The suite as a server: standard streams are pipes to us, and the environment has nothing but settings.
    pub(crate) fn serve(&self, program: &Path, scratch: &Path, settings: &[(&str, String)]) -> Result<Command, Error> {
        let mut command = self.command(program, scratch)?;
        command.arg("--serve").envs(settings.iter().map(|(name, value)| (*name, value.as_str())));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Ok(command)
    }

    /// A program of its own, with an empty environment.
    pub(crate) fn plain(&self, program: &Path, scratch: &Path) -> Result<Command, Error> {
        self.command(program, scratch)
    }

    /// In words, for the report.
    pub(crate) fn describe(&self) -> String {
        self.fence.as_ref().map_or_else(|| "off".to_owned(), Fence::describe)
    }
}

/// What each test's process puts on itself, as hexadecimal digits, a comma between two filters.
fn inner_filters(fence: &Fence, program: &Path) -> Result<Option<String>, Error> {
    let filters = fence.inner_filters(program)?;
    let digits = |bytes: &Vec<u8>| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    Ok((!filters.is_empty()).then(|| filters.iter().map(digits).collect::<Vec<_>>().join(",")))
}
