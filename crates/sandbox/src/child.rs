//! What a process does to itself between fork and exec.
//!
//! Everything that needs memory is prepared outside ([`Plan::new`]); inside there are system calls only, because another
//! thread of the parent may have held a lock at the time of the fork.
#![allow(unsafe_code, reason = "fork and pre_exec, and two system calls that no crate offers")]

use std::ffi::{CStr, CString};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use landlock::{RulesetCreated, RulesetStatus};
use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::signal::{SigHandler, Signal};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, Gid, Pid, Uid};
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
    /// The program is an emulator.
    emulates: bool,
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
        Ok(Plan {
            drop_to,
            namespaces,
            work: c_path(&work)?,
            limits: spec.limits,
            rules,
            filters,
            emulates: spec.emulates,
            trial: false,
        })
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
        let mut behind = None;
        if let Some(namespaces) = &self.namespaces {
            behind = namespaces.enter(&self.work, self.emulates)?;
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
        // Last of all: the process that stays is behind the same fence, so that a hold on it is worth nothing.
        behind.map_or(Ok(()), |ends| stay_first(&ends))
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
    fn enter(&self, work: &CStr, emulates: bool) -> nix::Result<Option<OwnedFd>> {
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
        let behind = first_process(emulates)?;
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
        nix::unistd::chdir(work)?;
        Ok(behind)
    }
}

fn write(path: &CStr, bytes: &[u8]) -> nix::Result<()> {
    let file = nix::fcntl::open(path, OFlag::O_WRONLY, nix::sys::stat::Mode::empty())?;
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
///
/// The kernel spares a first process its own signals, as long as it has no handler for them. A program of this machine can
/// live with that; an emulator means its own end when it raises the signal by which what it plays ended, and would wait for that
/// end for ever. So it has to become the second one ([`stay_first`]): then there is a pipe for what became of it.
fn first_process(emulates: bool) -> nix::Result<Option<OwnedFd>> {
    let ends = emulates.then(|| nix::unistd::pipe2(OFlag::O_CLOEXEC)).transpose()?;
    // SAFETY: there is one thread, and the child makes system calls only.
    match unsafe { nix::unistd::fork() }? {
        ForkResult::Child => {
            prctl::set_pdeathsig(Signal::SIGKILL)?;
            Ok(ends.map(|(_, told)| told))
        }
        ForkResult::Parent { child } => {
            // Whoever reads from the other ends waits for the program, not for this process.
            let heard = ends.map(|(heard, told)| {
                drop(told);
                heard
            });
            close_all_but(heard.as_ref());
            let first = ended(child);
            let mut bytes = [0; size_of::<i32>()];
            let status = match heard.map(|heard| nix::unistd::read(&heard, &mut bytes)) {
                Some(Ok(length)) if length == bytes.len() => i32::from_ne_bytes(bytes),
                _ => first,
            };
            end_with(status)
        }
    }
}

/// Goes on as a second process, and leaves one behind that does nothing but take in those that ended, as a first process has to, and
/// tell how the second one did.
fn stay_first(told: &OwnedFd) -> nix::Result<()> {
    // SAFETY: there is one thread, and the child makes system calls only.
    match unsafe { nix::unistd::fork() }? {
        ForkResult::Child => Ok(()),
        ForkResult::Parent { child } => {
            close_all_but(Some(told));
            let status = ended(child);
            let _ = nix::unistd::write(told, &status.to_ne_bytes());
            end_with(status)
        }
    }
}

fn close_all_but(kept: Option<&OwnedFd>) {
    let kept = kept.map(|kept| kept.as_raw_fd().unsigned_abs());
    let (below, above) = (kept.unwrap_or(0), kept.map_or(0, |kept| kept + 1));
    // SAFETY: numbers only; nothing here uses one of these descriptors any more.
    unsafe {
        if below > 0 {
            libc::close_range(0, below - 1, 0);
        }
        libc::close_range(above, u32::MAX, 0);
    }
}

/// How a child ended: its status, and a signal as a number below 0.
fn ended(child: Pid) -> i32 {
    loop {
        match waitpid(None, None) {
            Ok(WaitStatus::Exited(process, status)) if process == child => return status,
            Ok(WaitStatus::Signaled(process, signal, _)) if process == child => return -(signal as i32),
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => return 127,
        }
    }
}

/// Ends as another process did. The first process of a namespace cannot end by a signal of its own, and gives a number instead.
fn end_with(status: i32) -> ! {
    if let Ok(signal) = Signal::try_from(-status) {
        // Handlers of the process that this one is a copy of are here still: Rust has some for stacks that overflow.
        // SAFETY: it is the default that is set.
        let _ = unsafe { nix::sys::signal::signal(signal, SigHandler::SigDfl) };
        let _ = nix::sys::signal::kill(Pid::this(), signal);
    }
    // SAFETY: ends the process, which nobody else shares.
    unsafe { libc::_exit(if status < 0 { 128 - status } else { status }) }
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
