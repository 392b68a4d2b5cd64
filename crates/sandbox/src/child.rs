//! What a process does to itself between fork and exec.
//!
//! Everything that needs memory is prepared outside ([`Plan::new`]); inside there are system calls only, because another
//! thread of the parent may have held a lock at the time of the fork.
#![allow(unsafe_code, reason = "fork and pre_exec, and two system calls that no crate offers")]

use std::ffi::{CStr, CString};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use landlock::{RulesetCreated, RulesetStatus};
use nix::errno::Errno;
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, Gid, Uid};
use seccompiler::BpfProgram;

use crate::files::{self, Mount, Root, c_path};
use crate::{Error, Layer, Limits, Spec, policy};

/// The user that owns nothing. Root becomes that one first, so that what follows is the same for everybody.
const NOBODY: u32 = 65534;
/// The user's number inside: any but 0, so that exec takes all capabilities away.
const INSIDE: u32 = 1000;

pub(crate) struct Plan {
    drop_to: Option<u32>,
    namespaces: Option<Namespaces>,
    work: CString,
    limits: Limits,
    rules: Option<RulesetCreated>,
    filters: Vec<BpfProgram>,
    /// End with status 0 instead of starting the program.
    trial: bool,
}

struct Namespaces {
    root: Root,
    /// Of the file system in memory.
    options: CString,
    /// The lines of `uid_map` and `gid_map`, after root became nobody and for anybody else.
    nobody_map: String,
    user_map: String,
    group_map: String,
}

impl Plan {
    pub(crate) fn new(layers: &[Layer], spec: &Spec<'_>) -> Result<Plan, Error> {
        let drop_to = Uid::effective().is_root().then_some(NOBODY);
        let work = files::prepare(spec, drop_to)?;
        let namespaces = if layers.contains(&Layer::Namespaces) {
            let options = format!("size={},nr_inodes=16384,mode=0777", spec.limits.disk);
            Some(Namespaces {
                root: files::root(spec, &work)?,
                options: CString::new(options).unwrap_or_default(),
                nobody_map: format!("{INSIDE} {NOBODY} 1\n"),
                user_map: format!("{INSIDE} {} 1\n", Uid::effective()),
                group_map: format!("{INSIDE} {} 1\n", Gid::effective()),
            })
        } else {
            None
        };
        // After the root is laid out: its /proc is one of the places that may be read.
        let rules = layers.contains(&Layer::Landlock).then(|| files::rules(spec, &work)).transpose()?;
        let filters = if layers.contains(&Layer::Seccomp) {
            policy::outer(policy::Machine::of(spec.program), spec.emulates)?
        } else {
            Vec::new()
        };
        Ok(Plan { drop_to, namespaces, work: c_path(&work)?, limits: spec.limits, rules, filters, trial: false })
    }

    pub(crate) fn apply_to(mut self, command: &mut Command) {
        // SAFETY: `enter` makes system calls only; see the head of this file.
        unsafe {
            command.pre_exec(move || self.enter().map_err(std::io::Error::from));
        }
    }

    fn enter(&mut self) -> nix::Result<()> {
        // Without a terminal nobody can type into it.
        let _ = nix::unistd::setsid();
        if let Some(user) = self.drop_to {
            become_user(user);
        }
        if let Some(namespaces) = &self.namespaces {
            namespaces.enter(&self.work)?;
        } else {
            nix::unistd::chdir(self.work.as_c_str())?;
        }
        self.limits.set(self.namespaces.is_some())?;
        drop_capabilities();
        prctl::set_no_new_privs()?;
        if let Some(rules) = self.rules.take() {
            let status = rules.restrict_self().map_err(|_| Errno::EPERM)?;
            if status.ruleset == RulesetStatus::NotEnforced {
                return Err(Errno::ENOSYS);
            }
        }
        for filter in &self.filters {
            seccompiler::apply_filter(filter).map_err(|_| Errno::ENOSYS)?;
        }
        if self.trial {
            // SAFETY: ends the process, which nobody else shares.
            unsafe { libc::_exit(0) }
        }
        Ok(())
    }
}

/// Root's own files, and its exemption from limits, must not be the subject's. Where it cannot be done (a container with one
/// user) the other layers must do.
fn become_user(user: u32) {
    let (uid, gid) = (Uid::from_raw(user), Gid::from_raw(user));
    let _ = nix::unistd::setgroups(&[]);
    let _ = nix::unistd::setresgid(gid, gid, gid);
    let _ = nix::unistd::setresuid(uid, uid, uid);
    // A change of the user closes /proc/self to its own process, and the maps of users are written there.
    let _ = prctl::set_dumpable(true);
}

/// A process that kept root's number has no right beyond that.
fn drop_capabilities() {
    #[repr(C)]
    struct Header {
        version: u32,
        pid: i32,
    }
    let header = Header { version: 0x2008_0522, pid: 0 };
    let nothing = [0u32; 6];
    for capability in 0..64 {
        // SAFETY: numbers only.
        unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
    }
    // SAFETY: both structures are as the kernel wants them in this version, and live until the call is over.
    unsafe { libc::syscall(libc::SYS_capset, &raw const header, nothing.as_ptr()) };
}

impl Namespaces {
    fn enter(&self, work: &CStr) -> nix::Result<()> {
        let nobody = Uid::effective().as_raw() == NOBODY;
        unshare(
            CloneFlags::CLONE_NEWUSER
                | CloneFlags::CLONE_NEWNS
                | CloneFlags::CLONE_NEWPID
                | CloneFlags::CLONE_NEWNET
                | CloneFlags::CLONE_NEWIPC
                | CloneFlags::CLONE_NEWUTS,
        )?;
        let (user, group) =
            if nobody { (&self.nobody_map, &self.nobody_map) } else { (&self.user_map, &self.group_map) };
        write(c"/proc/self/setgroups", b"deny")?;
        write(c"/proc/self/uid_map", user.as_bytes())?;
        write(c"/proc/self/gid_map", group.as_bytes())?;
        let none: Option<&CStr> = None;
        mount(none, c"/", none, MsFlags::MS_REC | MsFlags::MS_PRIVATE, none)?;
        let root = self.root.directory.as_c_str();
        mount(Some(root), root, none, MsFlags::MS_BIND, none)?;
        self.root.mounts.iter().try_for_each(attach)?;
        let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
        mount(Some(c"tmpfs"), self.root.private.as_c_str(), Some(c"tmpfs"), flags, Some(self.options.as_c_str()))?;
        first_process()?;
        let proc = self.root.proc.as_c_str();
        let quiet = flags | MsFlags::MS_NOEXEC;
        if mount(Some(c"proc"), proc, Some(c"proc"), quiet, none).is_err() {
            // Containers often forbid a new one. The outer one shows more processes, but gives no hold on them.
            mount(Some(c"/proc"), proc, none, MsFlags::MS_BIND | MsFlags::MS_REC, none)?;
        }
        restrict(root, false, true)?;
        nix::unistd::chdir(root)?;
        nix::unistd::pivot_root(c".", c".")?;
        umount2(c".", MntFlags::MNT_DETACH)?;
        nix::unistd::chdir(work)
    }
}

fn write(path: &CStr, bytes: &[u8]) -> nix::Result<()> {
    let file = nix::fcntl::open(path, nix::fcntl::OFlag::O_WRONLY, nix::sys::stat::Mode::empty())?;
    nix::unistd::write(&file, bytes).map(|_| ())
}

fn attach(mounted: &Mount) -> nix::Result<()> {
    let none: Option<&CStr> = None;
    let target = mounted.target.as_c_str();
    mount(Some(mounted.source.as_c_str()), target, none, MsFlags::MS_BIND | MsFlags::MS_REC, none)?;
    if mounted.device { Ok(()) } else { restrict(target, true, !mounted.writable) }
}

/// Takes rights from what is mounted somewhere, and from what is mounted below it.
fn restrict(target: &CStr, below: bool, read_only: bool) -> nix::Result<()> {
    let attributes = libc::mount_attr {
        attr_set: libc::MOUNT_ATTR_NOSUID
            | libc::MOUNT_ATTR_NODEV
            | if read_only { libc::MOUNT_ATTR_RDONLY } else { 0 },
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    let recursive = if below { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: the path ends with a zero byte, and the structure has the size that is given.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            target.as_ptr(),
            recursive,
            &raw const attributes,
            size_of::<libc::mount_attr>(),
        )
    };
    Errno::result(result).map(|_| ())
}

/// Goes on as the first process of the new namespace: when it ends, the kernel ends all others. The process that was started
/// stays outside and ends as that one does.
fn first_process() -> nix::Result<()> {
    // SAFETY: there is one thread, and the child makes system calls only.
    match unsafe { nix::unistd::fork() }? {
        ForkResult::Child => prctl::set_pdeathsig(Signal::SIGKILL),
        ForkResult::Parent { child } => {
            // Whoever reads from the other ends waits for the program, not for this process.
            // SAFETY: numbers only; nothing here uses a descriptor any more.
            unsafe { libc::close_range(0, u32::MAX, 0) };
            let status = loop {
                match waitpid(child, None) {
                    Ok(WaitStatus::Exited(_, status)) => break status,
                    Ok(WaitStatus::Signaled(_, signal, _)) => {
                        let _ = nix::sys::signal::kill(nix::unistd::Pid::this(), signal);
                        break 128 + signal as i32;
                    }
                    Ok(_) | Err(Errno::EINTR) => {}
                    Err(_) => break 127,
                }
            };
            // SAFETY: ends the process, which nobody else shares.
            unsafe { libc::_exit(status) }
        }
    }
}

/// One layer on a process that ends at once. The directory is removed when the command is.
pub(crate) fn trial(layer: Layer, scratch: &Path, command: &mut Command) -> Result<(), Error> {
    let spec =
        Spec { program: Path::new("/dev/null"), scratch, readable: &[], emulates: false, limits: Limits::default() };
    let mut plan = Plan::new(&[layer], &spec)?;
    plan.trial = true;
    plan.apply_to(command);
    Ok(())
}
