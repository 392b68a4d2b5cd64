//! Which system calls there are behind the fence.
//!
//! Two stages. The outer one holds for the suite's runner and all that it starts: what ordinary programs and the sanitizers
//! need, and nothing else. Other calls raise SIGSYS, so that the runner can say which call it was; a few that programs try
//! and do without fail instead. The inner one is put on by each test's process: no new programs, no signals to others.

use std::collections::BTreeMap;

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

/// What fails with "operation not permitted", as it does for a user without rights.
#[rustfmt::skip]
const REFUSED: &[Call] = calls![
    SYS_chown, SYS_fchown, SYS_lchown, SYS_fchownat, SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid,
    SYS_setresgid, SYS_setgroups, SYS_setfsuid, SYS_setfsgid, SYS_capset, SYS_mknod, SYS_mknodat, SYS_setpriority,
    SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setaffinity, SYS_settimeofday, SYS_clock_settime, SYS_sethostname,
    SYS_setdomainname, SYS_seccomp, SYS_mlock, SYS_mlockall, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr,
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

fn filter(rules: Rules, matched: SeccompAction, otherwise: SeccompAction) -> Result<BpfProgram, Error> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(failed)?;
    SeccompFilter::new(rules, otherwise, matched, arch).and_then(BpfProgram::try_from).map_err(failed)
}

/// The strictest answer of all filters counts: a signal before an error, an error before leave.
pub(crate) fn outer() -> Result<Vec<BpfProgram>, Error> {
    let mut known = always(ORDINARY);
    known.extend(always(REFUSED));
    known.extend(always(&[libc::SYS_clone3]));
    // New namespaces would come with new rights.
    let fresh = libc::CLONE_NEWUSER
        | libc::CLONE_NEWNS
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNET
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWCGROUP;
    let mut refused = always(REFUSED);
    let plain = condition(0, SeccompCmpOp::MaskedEq(fresh as u32 as u64), 0)?;
    // Only a look at the personality, which the sanitizers take.
    refused.insert(libc::SYS_personality, rule(vec![condition(0, SeccompCmpOp::Ne, 0xffff_ffff)?])?);
    // Typing into a terminal.
    refused.insert(libc::SYS_ioctl, rule(vec![condition(1, SeccompCmpOp::Eq, libc::TIOCSTI)?])?);
    known.insert(libc::SYS_clone, rule(vec![plain])?);
    Ok(vec![
        // Its flags lie in memory, where no filter can look; the C library then uses clone.
        filter(always(&[libc::SYS_clone3]), SeccompAction::Errno(libc::ENOSYS as u32), SeccompAction::Allow)?,
        filter(known, SeccompAction::Allow, SeccompAction::Trap)?,
        // The last one: it refuses the call by which filters are put on.
        filter(refused, SeccompAction::Errno(libc::EPERM as u32), SeccompAction::Allow)?,
    ])
}

/// `namespaces`: files outside cannot even be named, the number of processes is limited and they end with the first, so there
/// may be new ones.
pub(crate) fn inner(namespaces: bool) -> Result<Vec<Vec<u8>>, Error> {
    let own = u64::from(OWN_PROCESS);
    let other = |argument| condition(argument, SeccompCmpOp::Ne, own);
    let mut rules = Rules::new();
    rules.insert(libc::SYS_kill, rule(vec![other(0)?, condition(0, SeccompCmpOp::Ne, 0)?])?);
    rules.insert(libc::SYS_tkill, rule(vec![other(0)?])?);
    rules.insert(libc::SYS_tgkill, rule(vec![other(0)?])?);
    rules.insert(libc::SYS_rt_sigqueueinfo, rule(vec![other(0)?])?);
    rules.insert(libc::SYS_prlimit64, rule(vec![other(0)?, condition(0, SeccompCmpOp::Ne, 0)?])?);
    if !namespaces {
        rules.extend(always(UNSEEN));
        rules.extend(always(&[libc::SYS_fork, libc::SYS_vfork]));
        let thread = libc::CLONE_THREAD as u64;
        rules.insert(libc::SYS_clone, rule(vec![condition(0, SeccompCmpOp::MaskedEq(thread), 0)?])?);
    }
    let filters = [
        filter(rules, SeccompAction::Trap, SeccompAction::Allow)?,
        // As if there were no programs at all.
        filter(always(&[libc::SYS_execve]), SeccompAction::Errno(libc::ENOENT as u32), SeccompAction::Allow)?,
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
        assert_eq!(outer().unwrap().len(), 3);
        for own in [true, false] {
            let filters = inner(own).unwrap();
            assert!(filters.iter().all(|f| !f.is_empty() && f.len() % 8 == 0));
            let place = filters[0].chunks(8).any(|i| i[4..] == OWN_PROCESS.to_ne_bytes());
            assert!(place, "the number of the process is somewhere to be put in");
        }
    }
}
