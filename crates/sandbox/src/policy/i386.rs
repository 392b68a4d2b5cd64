//! The numbers of system calls on 32-bit x86, as the kernel's `unistd_32.h` has them.

use super::{Call, Calls};

/// Names are for readers.
macro_rules! numbers {
    ($($name:ident $number:literal),* $(,)?) => { &[$($number),*] };
}

pub(super) const CALLS: Calls = Calls {
    ordinary: ORDINARY,
    refused: REFUSED,
    unseen: UNSEEN,
    clone: 120,
    clone3: 435,
    execve: 11,
    fork: 2,
    vfork: 190,
    ioctl: 54,
    kill: 37,
    tkill: 238,
    tgkill: 270,
    rt_sigqueueinfo: 178,
    personality: 136,
    prlimit64: 340,
    seccomp: 354,
};

/// The same calls as on x86-64, and those that 32 bits need for large files, numbers and times.
#[rustfmt::skip]
const ORDINARY: &[Call] = numbers![
    read 3, write 4, open 5, openat 295, openat2 437, creat 8, close 6, close_range 436, stat 106, fstat 108,
    lstat 107, statx 383, poll 168, ppoll 309, select 82, pselect6 308, lseek 19, mmap 90, mprotect 125, munmap 91,
    brk 45, rt_sigaction 174, rt_sigprocmask 175, rt_sigreturn 173, rt_sigpending 176, rt_sigtimedwait 177,
    rt_sigsuspend 179, rt_sigqueueinfo 178, sigaltstack 186, ioctl 54, pread64 180, pwrite64 181, readv 145,
    writev 146, preadv 333, pwritev 334, access 33, faccessat 307, faccessat2 439, pipe 42, pipe2 331,
    sched_yield 158, mremap 163, msync 144, mincore 218, madvise 219, dup 41, dup2 63, dup3 330, pause 29,
    nanosleep 162, clock_nanosleep 267, getitimer 105, setitimer 104, alarm 27, getpid 20, gettid 224, getppid 64,
    getpgid 132, getpgrp 65, getsid 147, setpgid 57, setsid 66, clone 120, fork 2, vfork 190, execve 11, exit 1,
    exit_group 252, wait4 114, waitid 284, uname 122, fcntl 55, flock 143, fsync 118, fdatasync 148, truncate 92,
    ftruncate 93, fallocate 324, getdents 141, getdents64 220, getcwd 183, chdir 12, fchdir 133, rename 38,
    renameat 302, renameat2 353, mkdir 39, mkdirat 296, rmdir 40, link 9, linkat 303, unlink 10, unlinkat 301,
    symlink 83, symlinkat 304, readlink 85, readlinkat 305, chmod 15, fchmod 94, fchmodat 306, umask 60,
    gettimeofday 78, time 13, getrlimit 76, setrlimit 75, prlimit64 340, getrusage 77, sysinfo 116, times 43,
    getuid 24, geteuid 49, getgid 47, getegid 50, getresuid 165, getresgid 171, getgroups 80, getpriority 96,
    sched_getaffinity 242, sched_getparam 155, sched_getscheduler 157, utime 30, utimes 271, utimensat 320,
    futimesat 299, statfs 99, fstatfs 100, prctl 172, arch_prctl 384, set_tid_address 258, set_robust_list 311,
    get_robust_list 312, rseq 386, futex 240, futex_waitv 449, getrandom 355, memfd_create 356, clock_gettime 265,
    clock_getres 266, eventfd2 328, epoll_create1 329, epoll_ctl 255, epoll_wait 256, epoll_pwait 319,
    timer_create 259, timer_settime 260, timer_gettime 261, timer_delete 263, timerfd_create 322, timerfd_settime 325,
    kill 37, tkill 238, tgkill 270, restart_syscall 0, sendfile 187, copy_file_range 377, splice 313, tee 315,
    fadvise64 250, readahead 225, sync_file_range 314, membarrier 375, getcpu 318, personality 136, waitpid 7,
    _llseek 140, _newselect 142, mmap2 192, truncate64 193, ftruncate64 194, stat64 195, lstat64 196, fstat64 197,
    fstatat64 300, getuid32 199, getgid32 200, geteuid32 201, getegid32 202, getgroups32 205, getresuid32 209,
    getresgid32 211, fcntl64 221, sendfile64 239, set_thread_area 243, get_thread_area 244, fadvise64_64 272,
    statfs64 268, fstatfs64 269, ugetrlimit 191, sigreturn 119, sigaction 67, sigprocmask 126, sigpending 73,
    sigsuspend 72, clock_gettime64 403, clock_getres_time64 406, clock_nanosleep_time64 407, timer_gettime64 408,
    timer_settime64 409, timerfd_settime64 411, utimensat_time64 412, pselect6_time64 413, ppoll_time64 414,
    rt_sigtimedwait_time64 421, futex_time64 422,
];

/// The same, and those with 32-bit numbers of users.
#[rustfmt::skip]
const REFUSED: &[Call] = numbers![
    chown 182, fchown 95, lchown 16, fchownat 298, setuid 23, setgid 46, setreuid 70, setregid 71, setresuid 164,
    setresgid 170, setgroups 81, setfsuid 138, setfsgid 139, capset 185, mknod 14, mknodat 297, setpriority 97,
    sched_setscheduler 156, sched_setparam 154, sched_setaffinity 241, settimeofday 79, clock_settime 264,
    sethostname 74, setdomainname 121, seccomp 354, mlock 150, mlockall 152, setxattr 226, lsetxattr 227,
    fsetxattr 228, chown32 212, lchown32 198, fchown32 207, setuid32 213, setgid32 214, setreuid32 203,
    setregid32 204, setresuid32 208, setresgid32 210, setgroups32 206, setfsuid32 215, setfsgid32 216, stime 25,
    clock_settime64 404, get_mempolicy 275, set_mempolicy 276,
];

/// The same.
#[rustfmt::skip]
const UNSEEN: &[Call] = numbers![
    chmod 15, fchmodat 306, utime 30, utimes 271, utimensat 320, futimesat 299, utimensat_time64 412,
];
