//! Limits on what a process may use. They hold for each process; the number of processes is for all of them together.

use nix::sys::resource::{Resource, setrlimit};

/// How much a process may use; `None`: as much as ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The largest file, in bytes.
    pub file_size: Option<u64>,
    /// All files of the private directory together, where there are namespaces.
    pub disk: u64,
    /// Processes and threads, where there are namespaces: elsewhere the user's other processes count.
    pub processes: Option<u64>,
    /// Files that are open at the same time.
    pub descriptors: Option<u64>,
    /// Of the processor, in seconds.
    pub seconds: Option<u64>,
    /// Address space in bytes; not for programs with an address sanitizer, which reserve terabytes.
    pub address_space: Option<u64>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            file_size: Some(256 << 20),
            disk: 256 << 20,
            processes: Some(64),
            descriptors: Some(1024),
            seconds: None,
            address_space: None,
        }
    }
}

impl Limits {
    /// For the calling process. Only system calls: it runs between fork and exec.
    pub(crate) fn set(&self, own_processes: bool) -> nix::Result<()> {
        setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
        let processes = self.processes.filter(|_| own_processes);
        let limits = [
            (Resource::RLIMIT_FSIZE, self.file_size),
            (Resource::RLIMIT_NPROC, processes),
            (Resource::RLIMIT_NOFILE, self.descriptors),
            (Resource::RLIMIT_CPU, self.seconds),
            (Resource::RLIMIT_AS, self.address_space),
        ];
        for (resource, value) in limits {
            if let Some(value) = value {
                setrlimit(resource, value, value)?;
            }
        }
        Ok(())
    }
}
