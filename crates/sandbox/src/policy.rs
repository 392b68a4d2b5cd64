//! Which system calls there are behind the fence.
//!
//! Two stages. The outer one holds for the suite's runner and all that it starts: what ordinary programs and the sanitizers
//! need, and nothing else. Other calls raise SIGSYS, so that the runner can say which call it was; a few that programs try
//! and do without fail instead. The inner one is put on by each test's process: no new programs, no signals to others.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

use crate::Error;

/// Stands for the number of the process in an inner filter; the process puts its own in its place.
pub const OWN_PROCESS: u32 = 0x5eed_c0de;

macro_rules! calls {
    ($($name:ident),* $(,)?) => { &[$(libc::$name),*] };
}

type Call = libc::c_long;

mod i386;

/// What the kernel calls a machine, in the filters.
const AUDIT_I386: u32 = 0x4000_0003; // not tuning: a format

/// The calls of a machine: groups of them, and those with rules of their own.
struct Calls {
    ordinary: &'static [Call],
    refused: &'static [Call],
    unseen: &'static [Call],
    clone: Call,
    clone3: Call,
    execve: Call,
    fork: Call,
    vfork: Call,
    ioctl: Call,
    kill: Call,
    tkill: Call,
    tgkill: Call,
    rt_sigqueueinfo: Call,
    personality: Call,
    prlimit64: Call,
    seccomp: Call,
}

const OWN: Calls = Calls {
    ordinary: ORDINARY,
    refused: REFUSED,
    unseen: UNSEEN,
    clone: libc::SYS_clone,
    clone3: libc::SYS_clone3,
    execve: libc::SYS_execve,
    fork: libc::SYS_fork,
    vfork: libc::SYS_vfork,
    ioctl: libc::SYS_ioctl,
    kill: libc::SYS_kill,
    tkill: libc::SYS_tkill,
    tgkill: libc::SYS_tgkill,
    rt_sigqueueinfo: libc::SYS_rt_sigqueueinfo,
    personality: libc::SYS_personality,
    prlimit64: libc::SYS_prlimit64,
    seccomp: libc::SYS_seccomp,
};

/// Whose calls a program makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Machine {
    /// This one's.
    Own,
    /// Those of 32-bit x86, once it has been started by one of this machine's.
    I386,
}

impl Machine {
    /// By the head of the program's file.
    pub(crate) fn of(program: &Path) -> Machine {
        let mut head = [0; 20];
        let read = std::fs::File::open(program).and_then(|mut file| file.read_exact(&mut head));
        // ELF, 32 bits, of the 80386.
        let is_i386 = read.is_ok() && head[..5] == *b"\x7fELF\x01" && head[18..] == [3, 0];
        if is_i386 && cfg!(target_arch = "x86_64") { Machine::I386 } else { Machine::Own }
    }
}

/// What ordinary programs, the C library and the sanitizers use.
#[rustfmt::skip]
const ORDINARY: &[Call] = calls![
    SYS_read, SYS_write, SYS_open, SYS_openat, SYS_openat2, SYS_creat, SYS_close, SYS_close_range, SYS_stat, SYS_fstat,
    SYS_lstat, SYS_newfstatat, SYS_statx, SYS_poll, SYS_ppoll, SYS_select, SYS_pselect6, SYS_lseek, SYS_mmap, SYS_mprotect,
    SYS_munmap, SYS_brk, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigpending, SYS_rt_sigtimedwait,
    SYS_rt_sigsuspend, SYS_rt_sigqueueinfo, SYS_sigaltstack, SYS_ioctl, SYS_pread64, SYS_pwrite64, SYS_readv, SYS_writev,
    SYS_preadv, SYS_pwritev, SYS_access, SYS_faccessat, SYS_faccessat2, SYS_pipe, SYS_pipe2, SYS_sched_yield, SYS_mremap,
    SYS_msync, SYS_mincore, SYS_madvise, SYS_dup, SYS_dup2, SYS_dup3, SYS_pause, SYS_nanosleep, SYS_clock_nanosleep,
    SYS_getitimer, SYS_setitimer, SYS_alarm, SYS_getpid, SYS_gettid, SYS_getppid, SYS_getpgid, SYS_getpgrp, SYS_getsid,
    SYS_setpgid, SYS_setsid, SYS_clone, SYS_fork, SYS_vfork, SYS_execve, SYS_exit, SYS_exit_group, SYS_wait4, SYS_waitid,
    SYS_uname, SYS_fcntl, SYS_flock, SYS_fsync, SYS_fdatasync, SYS_truncate, SYS_ftruncate, SYS_fallocate, SYS_getdents,
    SYS_getdents64, SYS_getcwd, SYS_chdir, SYS_fchdir, SYS_rename, SYS_renameat, SYS_renameat2, SYS_mkdir, SYS_mkdirat,
    SYS_rmdir, SYS_link, SYS_linkat, SYS_unlink, SYS_unlinkat, SYS_symlink, SYS_symlinkat, SYS_readlink, SYS_readlinkat,
    SYS_chmod, SYS_fchmod, SYS_fchmodat, SYS_umask, SYS_gettimeofday, SYS_time, SYS_getrlimit, SYS_setrlimit, SYS_prlimit64,
    SYS_getrusage, SYS_sysinfo, SYS_times, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getresuid, SYS_getresgid,
    SYS_getgroups, SYS_getpriority, SYS_sched_getaffinity, SYS_sched_getparam, SYS_sched_getscheduler, SYS_utime, SYS_utimes,
    SYS_utimensat, SYS_futimesat, SYS_statfs, SYS_fstatfs, SYS_prctl, SYS_arch_prctl, SYS_set_tid_address,
    SYS_set_robust_list, SYS_get_robust_list, SYS_rseq, SYS_futex, SYS_futex_waitv, SYS_getrandom, SYS_memfd_create,
    SYS_clock_gettime, SYS_clock_getres, SYS_eventfd2, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_wait, SYS_epoll_pwait,
    SYS_timer_create, SYS_timer_settime, SYS_timer_gettime, SYS_timer_delete, SYS_timerfd_create, SYS_timerfd_settime,
    SYS_kill, SYS_tkill, SYS_tgkill, SYS_restart_syscall, SYS_sendfile, SYS_copy_file_range, SYS_splice, SYS_tee,
    SYS_fadvise64, SYS_readahead, SYS_sync_file_range, SYS_membarrier, SYS_getcpu, SYS_personality,
];

/// What fails with "operation not permitted", as it does for a user without rights. Emulators ask where memory is, and do without.
#[rustfmt::skip]
const REFUSED: &[Call] = calls![
    SYS_chown, SYS_fchown, SYS_lchown, SYS_fchownat, SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid,
    SYS_setresgid, SYS_setgroups, SYS_setfsuid, SYS_setfsgid, SYS_capset, SYS_mknod, SYS_mknodat, SYS_setpriority,
    SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setaffinity, SYS_settimeofday, SYS_clock_settime, SYS_sethostname,
    SYS_setdomainname, SYS_seccomp, SYS_mlock, SYS_mlockall, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr,
    SYS_get_mempolicy, SYS_set_mempolicy,
];

/// Changes of a file that is named, which Landlock lets pass: without a root directory of one's own, nobody may.
const UNSEEN: &[Call] = calls![SYS_chmod, SYS_fchmodat, SYS_utime, SYS_utimes, SYS_utimensat, SYS_futimesat];

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

fn always(calls: &[Call]) -> Rules {
    calls.iter().map(|call| (*call, Vec::new())).collect()
}

fn condition(argument: u8, op: SeccompCmpOp, value: u64) -> Result<SeccompCondition, Error> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, op, value).map_err(failed)
}

fn rule(conditions: Vec<SeccompCondition>) -> Result<Vec<SeccompRule>, Error> {
    Ok(vec![SeccompRule::new(conditions).map_err(failed)?])
}

fn failed(e: impl std::fmt::Display) -> Error {
    Error::SetUp(format!("seccomp: {e}"))
}

/// What is asked of the calls of a machine.
type Wanted<'a> = &'a dyn Fn(&Calls) -> Result<Rules, Error>;

fn filter(
    machine: Machine,
    rules: Wanted<'_>,
    matched: SeccompAction,
    otherwise: SeccompAction,
) -> Result<BpfProgram, Error> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(failed)?;
    let program = |calls: &Calls| -> Result<BpfProgram, Error> {
        let filter = SeccompFilter::new(rules(calls)?, otherwise.clone(), matched.clone(), arch);
        filter.and_then(BpfProgram::try_from).map_err(failed)
    };
    let own = program(&OWN)?;
    if machine == Machine::Own {
        return Ok(own);
    }
    let mut other = program(&i386::CALLS)?;
    // A program begins with a look at the machine: the second instruction compares it.
    match other.get_mut(1) {
        Some(compare) if compare.code == JUMP_IF_EQUAL => compare.k = AUDIT_I386,
        _ => return Err(failed("a filter does not begin as expected")),
    }
    let step = |code, jt, jf, k| seccompiler::sock_filter { code, jt, jf, k };
    let length = u32::try_from(own.len()).map_err(failed)?;
    let mut both =
        vec![step(LOAD_WORD, 0, 0, MACHINE_IN_CALL), step(JUMP_IF_EQUAL, 0, 1, AUDIT_I386), step(JUMP, 0, 0, length)];
    both.extend(own);
    both.extend(other);
    Ok(both)
}

/// Instructions of the kernel's filters, and where the machine is in what they look at.
const LOAD_WORD: u16 = 0x20; // not tuning: a format
const JUMP: u16 = 0x05; // not tuning: a format
const JUMP_IF_EQUAL: u16 = 0x15; // not tuning: a format
const MACHINE_IN_CALL: u32 = 4; // not tuning: a format

/// The strictest answer of all filters counts: a signal before an error, an error before leave.
pub(crate) fn outer(machine: Machine, emulates: bool) -> Result<Vec<BpfProgram>, Error> {
    // Threads that are there already get filters by that call alone. More filters allow nothing more.
    let refused: Wanted<'_> = if emulates {
        &|calls| {
            let mut refused = refused(calls)?;
            refused.remove(&calls.seccomp);
            Ok(refused)
        }
    } else {
        &refused
    };
    Ok(vec![
        // Its flags lie in memory, where no filter can look; the C library then uses clone.
        filter(
            machine,
            &|calls| Ok(always(&[calls.clone3])),
            SeccompAction::Errno(libc::ENOSYS as u32),
            SeccompAction::Allow,
        )?,
        filter(machine, &known, SeccompAction::Allow, SeccompAction::Trap)?,
        // The last one: it refuses the call by which filters are put on.
        filter(machine, refused, SeccompAction::Errno(libc::EPERM as u32), SeccompAction::Allow)?,
    ])
}

fn known(calls: &Calls) -> Result<Rules, Error> {
    let mut known = always(calls.ordinary);
    known.extend(always(calls.refused));
    known.extend(always(&[calls.clone3]));
    // New namespaces would come with new rights.
    let fresh = libc::CLONE_NEWUSER
        | libc::CLONE_NEWNS
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNET
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWCGROUP;
    let plain = condition(0, SeccompCmpOp::MaskedEq(fresh as u32 as u64), 0)?;
    known.insert(calls.clone, rule(vec![plain])?);
    Ok(known)
}

fn refused(calls: &Calls) -> Result<Rules, Error> {
    let mut refused = always(calls.refused);
    // Only a look at the personality, which the sanitizers take.
    refused.insert(calls.personality, rule(vec![condition(0, SeccompCmpOp::Ne, 0xffff_ffff)?])?);
    // Typing into a terminal.
    refused.insert(calls.ioctl, rule(vec![condition(1, SeccompCmpOp::Eq, libc::TIOCSTI)?])?);
    Ok(refused)
}

/// `namespaces`: files outside cannot even be named, the number of processes is limited and they end with the first, so there
/// may be new ones.
pub(crate) fn inner(machine: Machine, namespaces: bool) -> Result<Vec<Vec<u8>>, Error> {
    let own = u64::from(OWN_PROCESS);
    let other = |argument| condition(argument, SeccompCmpOp::Ne, own);
    let trapped = |calls: &Calls| {
        let mut rules = Rules::new();
        rules.insert(calls.kill, rule(vec![other(0)?, condition(0, SeccompCmpOp::Ne, 0)?])?);
        rules.insert(calls.tkill, rule(vec![other(0)?])?);
        rules.insert(calls.tgkill, rule(vec![other(0)?])?);
        rules.insert(calls.rt_sigqueueinfo, rule(vec![other(0)?])?);
        rules.insert(calls.prlimit64, rule(vec![other(0)?, condition(0, SeccompCmpOp::Ne, 0)?])?);
        if !namespaces {
            rules.extend(always(calls.unseen));
            rules.extend(always(&[calls.fork, calls.vfork]));
            let thread = libc::CLONE_THREAD as u64;
            rules.insert(calls.clone, rule(vec![condition(0, SeccompCmpOp::MaskedEq(thread), 0)?])?);
        }
        Ok(rules)
    };
    let started = |calls: &Calls| Ok(always(&[calls.execve]));
    let filters = [
        filter(machine, &trapped, SeccompAction::Trap, SeccompAction::Allow)?,
        // As if there were no programs at all.
        filter(machine, &started, SeccompAction::Errno(libc::ENOENT as u32), SeccompAction::Allow)?,
    ];
    Ok(filters.iter().map(bytes).collect())
}

/// `struct sock_filter` is a code, two distances and a value.
fn bytes(program: &BpfProgram) -> Vec<u8> {
    let one = |i: &seccompiler::sock_filter| {
        let mut bytes = [0; 8];
        bytes[..2].copy_from_slice(&i.code.to_ne_bytes());
        bytes[2] = i.jt;
        bytes[3] = i.jf;
        bytes[4..].copy_from_slice(&i.k.to_ne_bytes());
        bytes
    };
    program.iter().flat_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_can_be_made() {
        assert_eq!(outer(Machine::Own, false).unwrap().len(), 3);
        assert_eq!(outer(Machine::Own, true).unwrap().len(), 3);
        for (machine, own) in [Machine::Own, Machine::I386].into_iter().flat_map(|m| [(m, true), (m, false)]) {
            let filters = inner(machine, own).unwrap();
            assert!(filters.iter().all(|f| !f.is_empty() && f.len() % 8 == 0));
            let place = filters[0].chunks(8).any(|i| i[4..] == OWN_PROCESS.to_ne_bytes());
            assert!(place, "the number of the process is somewhere to be put in");
        }
    }
}
