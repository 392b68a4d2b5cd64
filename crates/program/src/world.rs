//! The world outside the code under test: which functions of the C library and of POSIX reach it, and how far a run of
//! Covenant models them.
//!
//! A function that is listed as [`Support::Missing`] exists natively and not in a run of Covenant. It is never a stub by
//! itself: a run that calls it ends there, and nothing is claimed of what would follow. One that is [`Support::Fixed`] gives
//! a value of Covenant's choice, and native suites replace it by one that gives the same. [`Support::Modelled`] ones do in
//! a run of Covenant what they do natively in an empty directory without environment, shell and network.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use rustc_hash::FxBuildHasher;
use strum::Display;

/// What a function needs of the world.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Display)]
#[expect(missing_docs, reason = "the words for the user say it")]
pub enum Kind {
    #[strum(serialize = "another process")]
    Process,
    #[strum(serialize = "a network")]
    Network,
    #[strum(serialize = "memory that is shared with others or mapped by the system")]
    Memory,
    #[strum(serialize = "properties of files that are not modelled")]
    Files,
    #[strum(serialize = "descriptors in a way that is not modelled")]
    Descriptors,
    #[strum(serialize = "a device or a terminal")]
    Device,
    #[strum(serialize = "real time")]
    Time,
    #[strum(serialize = "another thread")]
    Thread,
    #[strum(serialize = "signals in a way that is not modelled")]
    Signals,
    #[strum(serialize = "users and groups of the system")]
    Users,
    #[strum(serialize = "the kernel")]
    Kernel,
    #[strum(serialize = "random numbers of the system")]
    Random,
    #[strum(serialize = "other programs' code")]
    Loader,
}

/// How far a run of Covenant has the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Support {
    /// It exists natively only: a run ends at its call.
    Missing,
    /// It gives a value of Covenant's choice, natively too.
    Fixed,
    /// It does what it does natively.
    Modelled,
}

const MISSING: &[(Kind, &str)] = &[
    (
        Kind::Process,
        "fork _Fork __fork vfork __vfork clone __clone clone3 wait waitpid __waitpid wait3 wait4 waitid execl \
         execle execlp execv execve execvp execvpe execveat fexecve posix_spawn posix_spawnp \
         posix_spawn_file_actions_init posix_spawn_file_actions_destroy posix_spawn_file_actions_addopen \
         posix_spawn_file_actions_addclose posix_spawn_file_actions_adddup2 posix_spawnattr_init \
         posix_spawnattr_destroy posix_spawnattr_setflags daemon setsid getsid setpgid getpgid __getpgid \
         setpgrp getpgrp killpg tgkill tkill pidfd_open pidfd_send_signal pidfd_getfd nice setpriority \
         getpriority sched_setscheduler sched_getscheduler sched_setparam sched_getparam sched_setaffinity \
         sched_getaffinity sched_getcpu sched_rr_get_interval ptrace process_vm_readv process_vm_writev \
         getrusage vhangup gettid wordexp wordfree",
    ),
    (
        Kind::Network,
        "socket socketpair bind connect listen accept accept4 send sendto sendmsg sendmmsg recv recvfrom \
         recvmsg recvmmsg shutdown getsockopt setsockopt getsockname getpeername sockatmark isfdtype \
         getaddrinfo freeaddrinfo getnameinfo gethostbyname gethostbyname_r gethostbyname2 gethostbyaddr \
         gethostbyaddr_r gethostent sethostent endhostent getservbyname getservbyport getservent \
         getprotobyname getprotobynumber getnetbyname getifaddrs freeifaddrs if_nametoindex if_indextoname \
         if_nameindex if_freenameindex res_init __res_init res_query res_search rcmd rexec ruserok \
         gethostname getdomainname",
    ),
    (
        Kind::Memory,
        "mmap mmap64 munmap mprotect mremap msync madvise posix_madvise mincore mlock mlock2 munlock mlockall \
         munlockall remap_file_pages pkey_alloc pkey_free pkey_mprotect shm_open shm_unlink shmget shmat \
         shmdt shmctl semget semop semtimedop semctl msgget msgsnd msgrcv msgctl ftok mq_open mq_close \
         mq_unlink mq_send mq_receive mq_timedsend mq_timedreceive mq_notify mq_getattr mq_setattr sem_open \
         sem_close sem_unlink memfd_create memfd_secret brk sbrk mallopt mallinfo mallinfo2 malloc_trim \
         malloc_info malloc_stats userfaultfd",
    ),
    (
        Kind::Files,
        "link linkat symlink symlinkat readlink readlinkat chmod fchmod fchmodat lchmod chown fchown fchownat \
         lchown truncate truncate64 utime utimes lutimes futimes futimens futimesat utimensat mknod mknodat \
         __xmknod mkfifo mkfifoat umask statfs statfs64 fstatfs fstatfs64 statvfs statvfs64 fstatvfs \
         fstatvfs64 pathconf fpathconf realpath canonicalize_file_name getcwd getwd get_current_dir_name \
         mkdtemp mkstemp mkstemp64 tmpfile tmpfile64 mkostemp mkostemp64 mkstemps mkostemps mktemp tempnam tmpnam tmpnam_r glob glob64 globfree \
         globfree64 ftw ftw64 nftw nftw64 fts_open fts_read fts_close fts_children fts_set scandir64 \
         readdir_r seekdir telldir dirfd fdopendir openat openat64 \
         open_by_handle_at name_to_handle_at unlinkat renameat renameat2 mkdirat faccessat fstatat fstatat64 \
         __fxstatat __fxstat __fxstat64 statx flock lockf lockf64 fallocate fallocate64 \
         posix_fallocate posix_fallocate64 posix_fadvise posix_fadvise64 readahead sync syncfs \
         sync_file_range setxattr lsetxattr fsetxattr getxattr lgetxattr fgetxattr listxattr llistxattr \
         flistxattr removexattr lremovexattr fremovexattr inotify_init inotify_init1 inotify_add_watch \
         inotify_rm_watch fanotify_init fanotify_mark setmntent getmntent endmntent quotactl fchdir \
         euidaccess eaccess dbm_open catopen",
    ),
    (
        Kind::Descriptors,
        "dup dup2 dup3 pipe pipe2 fcntl fcntl64 select pselect poll ppoll __poll_chk epoll_create \
         epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd eventfd_read eventfd_write signalfd sendfile \
         sendfile64 splice tee vmsplice copy_file_range readv writev pread pread64 pwrite pwrite64 preadv \
         preadv64 pwritev pwritev64 preadv2 pwritev2 ftruncate ftruncate64 closefrom close_range \
         getdtablesize aio_read aio_write aio_error aio_return aio_suspend aio_cancel aio_fsync lio_listio \
         pclose",
    ),
    (
        Kind::Device,
        "ioctl tcgetattr tcsetattr tcflush tcdrain tcflow tcsendbreak tcgetpgrp tcsetpgrp tcgetsid \
         cfsetispeed cfsetospeed cfgetispeed cfgetospeed ttyname ttyname_r ctermid openpty forkpty login_tty \
         posix_openpt getpt grantpt unlockpt ptsname ptsname_r getpass openlog syslog vsyslog __syslog_chk \
         closelog setlogmask klogctl iopl ioperm",
    ),
    (
        Kind::Time,
        "alarm setitimer getitimer ualarm timer_create timer_settime timer_gettime timer_delete timer_getoverrun \
         timerfd_create timerfd_settime timerfd_gettime clock_settime settimeofday stime adjtime adjtimex \
         ntp_adjtime ntp_gettime clock_getcpuclockid clock_adjtime ftime",
    ),
    (
        Kind::Thread,
        "pthread_create pthread_detach pthread_exit pthread_cancel pthread_testcancel pthread_kill \
         pthread_setcancelstate pthread_setcanceltype pthread_self pthread_join pthread_tryjoin_np \
         pthread_timedjoin_np pthread_cond_init pthread_cond_destroy pthread_cond_wait pthread_cond_timedwait \
         pthread_cond_signal pthread_cond_broadcast pthread_rwlock_init pthread_rwlock_destroy \
         pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock \
         pthread_rwlock_unlock pthread_barrier_init pthread_barrier_wait pthread_barrier_destroy \
         pthread_spin_init pthread_spin_lock pthread_spin_trylock pthread_spin_unlock pthread_spin_destroy \
         pthread_mutex_timedlock pthread_key_create pthread_key_delete pthread_getspecific \
         pthread_setspecific pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate \
         pthread_attr_setstacksize pthread_attr_setstack pthread_atfork pthread_setname_np pthread_getname_np \
         pthread_setaffinity_np pthread_getaffinity_np pthread_sigqueue thrd_create thrd_join thrd_detach \
         thrd_exit thrd_current thrd_sleep thrd_yield mtx_init mtx_lock mtx_timedlock mtx_trylock mtx_unlock \
         mtx_destroy cnd_init cnd_wait cnd_timedwait cnd_signal cnd_broadcast cnd_destroy tss_create tss_get \
         tss_set tss_delete call_once sem_init sem_destroy sem_wait sem_trywait sem_timedwait sem_post \
         sem_getvalue makecontext swapcontext getcontext setcontext",
    ),
    (
        Kind::Signals,
        "pause sigsuspend sigwait sigwaitinfo sigtimedwait sigqueue sigpause sigblock sigsetmask sigstack \
         sigreturn sigvec sighold sigrelse sigignore sigset gsignal ssignal",
    ),
    (
        Kind::Users,
        "setuid seteuid setreuid setresuid setfsuid setgid setegid setregid setresgid setfsgid getresuid \
         getresgid getgroups setgroups initgroups getgrouplist getpwnam getpwnam_r getpwuid getpwuid_r \
         getpwent setpwent endpwent fgetpwent getgrnam getgrnam_r getgrgid getgrgid_r getgrent setgrent \
         endgrent getspnam getspent setspent endspent putpwent getlogin getlogin_r cuserid crypt crypt_r \
         getutent getutid getutline pututline setutent endutent utmpname getutxent pututxline updwtmp logwtmp",
    ),
    (
        Kind::Kernel,
        "syscall mount umount umount2 pivot_root chroot unshare setns swapon swapoff reboot init_module \
         finit_module delete_module kexec_load bpf perf_event_open keyctl add_key request_key personality \
         prctl arch_prctl seccomp setrlimit setrlimit64 getrlimit getrlimit64 prlimit prlimit64 ulimit vlimit \
         io_setup io_submit io_getevents io_destroy io_uring_setup io_uring_enter io_uring_register \
         io_uring_queue_init io_uring_queue_exit acct sethostname setdomainname sethostid gethostid uname \
         sysinfo getauxval confstr getloadavg get_nprocs get_nprocs_conf get_phys_pages get_avphys_pages \
         capget capset lookup_dcookie membarrier backtrace backtrace_symbols backtrace_symbols_fd _exit_group \
         landlock_create_ruleset modify_ldt",
    ),
    (Kind::Random, "getrandom getentropy arc4random arc4random_buf arc4random_uniform"),
    (Kind::Loader, "dlopen dlmopen dlsym dlvsym dlclose dlerror dladdr dladdr1 dlinfo dl_iterate_phdr"),
];

/// Functions whose values are Covenant's choice.
const FIXED: &[(Kind, &str)] = &[
    (Kind::Time, "time clock gettimeofday clock_gettime clock_getres timespec_get times sleep usleep nanosleep"),
    (Kind::Process, "getpid getppid kill system popen"),
    (Kind::Users, "getuid geteuid getgid getegid"),
    (Kind::Kernel, "sysconf"),
];

/// Functions that do in a run what they do natively, and that a user who runs a suite should know of.
const MODELLED: &[(Kind, &str)] = &[
    (
        Kind::Files,
        "fopen fopen64 freopen freopen64 open open64 creat creat64 remove unlink rename mkdir rmdir chdir \
         access stat stat64 lstat lstat64 fstat fstat64 opendir readdir readdir64 closedir rewinddir scandir",
    ),
    (Kind::Process, "raise"),
];

/// Functions of the C library whose results and effects C determines wholly, from their arguments and the memory that they
/// are given, in the "C" locale. Whatever else the library has may fail, or depends on the world or on who wrote the library;
/// what a run of Covenant sees of it is one of several possibilities.
const DETERMINED: &str = "\
     memcpy memmove memset memcmp memchr memrchr memmem mempcpy rawmemchr memccpy explicit_bzero bcopy bzero bcmp swab \
     __memcpy_chk __memmove_chk __memset_chk __mempcpy_chk __mempcpy __explicit_bzero_chk \
     strlen strnlen strcpy strncpy strcat strncat strcmp strncmp strcasecmp strncasecmp strchr strrchr strstr strcasestr \
     strchrnul strspn strcspn strpbrk strtok strtok_r __strtok_r strsep stpcpy stpncpy __stpcpy __stpncpy index rindex \
     __strcpy_chk __strncpy_chk __strcat_chk __strncat_chk __stpcpy_chk __stpncpy_chk \
     isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper \
     isascii toascii __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc \
     abs labs llabs imaxabs div ldiv lldiv imaxdiv ffs ffsl ffsll atoi atol atoll atof strtol strtoll strtoul strtoull \
     strtoimax strtoumax strtod strtof strtold __isoc23_strtol __isoc23_strtoll __isoc23_strtoul __isoc23_strtoull \
     __isoc23_strtoimax __isoc23_strtoumax free exit _exit _Exit quick_exit abort \
     __assert_fail __assert __assert_perror_fail __chk_fail __stack_chk_fail longjmp siglongjmp _longjmp \
     sprintf snprintf vsprintf vsnprintf __sprintf_chk __snprintf_chk __vsprintf_chk __vsnprintf_chk sscanf vsscanf \
     __isoc99_sscanf __isoc99_vsscanf __isoc23_sscanf __isoc23_vsscanf \
     wcslen wcsnlen wcscpy wcsncpy wcscat wcsncat wcscmp wcsncmp wcschr wcsrchr wcsstr wcsspn wcscspn wcspbrk wcstok \
     wmemcpy wmemmove wmemset wmemcmp wmemchr wmempcpy wcpcpy difftime \
     fabsl copysignl fdiml fmaxl fminl fmodl frexpl ilogbl logbl modfl nanl nextafterl nexttoward nexttowardf rintl roundl \
     sqrtl hypot hypotf atan2 atan2f __fpclassifyl __isinfl __isnanl __finitel __signbitl __iseqsigl __issignalingl";

/// Whether C leaves nothing open about what a call of this function of the library does, and about that [`Part`] of its result
/// which [`fixed_part`] names.
pub fn is_determined(name: &str) -> bool {
    static NAMES: LazyLock<Names> = LazyLock::new(|| DETERMINED.split_whitespace().collect());
    NAMES.contains(name)
}

/// Names that are asked for at every call of a run.
type Names = HashSet<&'static str, FxBuildHasher>;

/// Whether C leaves nothing open about a call of this function of the library by code that looks at this part of the result.
pub fn is_determined_for(name: &str, used: Part) -> bool {
    is_determined(name) && used <= fixed_part(name)
}

/// How much of a number matters, or is fixed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    /// Whether it is zero.
    Zero,
    /// Whether it is zero, negative or positive.
    Sign,
    /// All of it.
    Whole,
}

/// Determined functions that return any number of the right sign.
const FIXED_SIGN: &str = "memcmp strcmp strncmp strcasecmp strncasecmp wcscmp wcsncmp wmemcmp";
/// Determined functions that return zero, or any other number.
const FIXED_ZERO: &str = "\
     bcmp isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit isascii";

/// The part of its result that C fixes for a determined function.
pub fn fixed_part(name: &str) -> Part {
    static PARTS: LazyLock<HashMap<&'static str, Part, FxBuildHasher>> = LazyLock::new(|| {
        let of = |names: &'static str, part| names.split_whitespace().map(move |name| (name, part));
        of(FIXED_SIGN, Part::Sign).chain(of(FIXED_ZERO, Part::Zero)).collect()
    });
    PARTS.get(name).copied().unwrap_or(Part::Whole)
}

/// Functions of the C library that call back, with other arguments or more often where a sanitizer stands in for them.
const OPEN_ORDER: &str = "qsort qsort_r";

/// Whether the function calls back, and native runs differ in what it passes and how often.
pub fn calls_in_open_order(name: &str) -> bool {
    OPEN_ORDER.split_whitespace().any(|known| known == name)
}

/// Whether a program asks its tester for inputs by this function: it gives any value and does nothing else.
pub fn is_harness(name: &str) -> bool {
    ["__VERIFIER_", "klee_", "CREST_", "__Crest", "__covenant_"].iter().any(|prefix| name.starts_with(prefix))
}

/// What functions begin with that stand for assembly of another machine; the function that it is in, and a number follow.
pub const ASSEMBLY: &str = "covenant_asm_";

/// Whether a function stands for assembly.
pub fn is_assembly(name: &str) -> bool {
    name.starts_with(ASSEMBLY)
}

/// Functions of the C library that give new memory, or none.
const ALLOCATING: &str = "\
     malloc calloc realloc reallocarray aligned_alloc memalign posix_memalign valloc pvalloc strdup __strdup strndup wcsdup";
/// Functions of the C library that fail where the world is not as they need it, and do nothing then.
const FAILING: &str = "fopen fopen64 tmpfile tmpfile64 remove rename unlink mkdir rmdir";

/// Functions of the C library that look for a file by its name, which is what they are given first.
const LOOKING: &str = "\
     fopen fopen64 freopen freopen64 open open64 access remove unlink rename stat stat64 lstat lstat64 opendir scandir";

/// Functions of the C library that read or write streams that are open: what their device does is the world's.
const STREAMING: &str = "\
     fgetc getc getchar getc_unlocked getchar_unlocked fgetc_unlocked ungetc fgets gets getline getdelim __getdelim fread \
     fread_unlocked scanf fscanf vscanf vfscanf read fputc putc putchar putc_unlocked putchar_unlocked fputc_unlocked fputs \
     puts fwrite fwrite_unlocked printf fprintf vprintf vfprintf dprintf vdprintf write perror fflush fclose close";

/// Whether the function reads or writes a stream that is open; by the name in the source.
pub fn is_on_streams(name: &str) -> bool {
    static NAMES: LazyLock<Names> = LazyLock::new(|| STREAMING.split_whitespace().collect());
    NAMES.contains(name)
}

/// What sources call a function of the C library that headers give another symbol.
pub fn name_in_sources(symbol: &str) -> &str {
    let prefixes = ["__isoc99_", "__isoc23_"];
    prefixes.iter().find_map(|prefix| symbol.strip_prefix(prefix)).unwrap_or(symbol)
}

/// Whether the function looks for a file by its name, which is what it is given first.
pub fn looks_for_files(name: &str) -> bool {
    static NAMES: LazyLock<Names> = LazyLock::new(|| LOOKING.split_whitespace().collect());
    NAMES.contains(name)
}

/// Whether the function gives new memory: besides that it may fail, C leaves nothing open about it.
pub fn allocates(name: &str) -> bool {
    static NAMES: LazyLock<Names> = LazyLock::new(|| ALLOCATING.split_whitespace().collect());
    NAMES.contains(name)
}

/// Which calls of the C library may fail at any time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Failures {
    /// No call fails that need not.
    None,
    /// Those that give memory.
    #[default]
    Alloc,
    /// Also those that open, remove or rename files.
    All,
}

/// Functions of the C library a call of which may fail at any time.
pub fn failing(failures: Failures) -> impl Iterator<Item = &'static str> {
    let lists = match failures {
        Failures::None => ["", ""],
        Failures::Alloc => [ALLOCATING, ""],
        Failures::All => [ALLOCATING, FAILING],
    };
    lists.into_iter().flat_map(str::split_whitespace)
}

/// Whether a call of this function of the C library may fail at any time.
pub fn may_fail(name: &str, failures: Failures) -> bool {
    static FILES: LazyLock<Names> = LazyLock::new(|| FAILING.split_whitespace().collect());
    failures >= Failures::Alloc && allocates(name) || failures >= Failures::All && FILES.contains(name)
}

/// What a function of this name reaches; `None`: nothing outside, or no function of the C library at all.
pub fn reaches(name: &str) -> Option<(Kind, Support)> {
    static KNOWN: LazyLock<HashMap<&'static str, (Kind, Support), FxBuildHasher>> = LazyLock::new(|| {
        let lists = [(MISSING, Support::Missing), (FIXED, Support::Fixed), (MODELLED, Support::Modelled)];
        let rows = lists
            .into_iter()
            .flat_map(|(list, support)| list.iter().map(move |(kind, names)| (names, (*kind, support))));
        rows.flat_map(|(names, known)| names.split_whitespace().map(move |name| (name, known))).collect()
    });
    KNOWN.get(name).copied()
}

/// What a function needs that exists natively and that no run of Covenant has.
pub fn missing(name: &str) -> Option<Kind> {
    reaches(name).filter(|(_, support)| *support == Support::Missing).map(|(kind, _)| kind)
}

/// Whether native suites have a function of their own for this one.
pub fn is_fixed(name: &str) -> bool {
    reaches(name).is_some_and(|(_, support)| support == Support::Fixed)
}

/// Whether a call changes something outside the process, or may.
pub fn has_effects(name: &str) -> bool {
    let harmless = [
        "access",
        "stat",
        "stat64",
        "lstat",
        "lstat64",
        "fstat",
        "fstat64",
        "opendir",
        "readdir",
        "readdir64",
        "closedir",
        "rewinddir",
        "scandir",
        "chdir",
    ];
    match reaches(name) {
        Some((Kind::Random | Kind::Thread, _)) | None => false,
        Some((_, Support::Fixed)) => ["kill", "system", "popen"].contains(&name),
        Some(_) => !harmless.contains(&name),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_name_stands_twice() {
        let mut seen = BTreeSet::new();
        for (_, names) in MISSING.iter().chain(FIXED).chain(MODELLED) {
            for name in names.split_whitespace() {
                assert!(seen.insert(name), "{name}");
            }
        }
    }

    #[test]
    fn kinds_are_known_by_name() {
        assert_eq!(missing("fork"), Some(Kind::Process));
        assert_eq!(missing("connect").map(|kind| kind.to_string()).as_deref(), Some("a network"));
        assert_eq!(reaches("remove"), Some((Kind::Files, Support::Modelled)));
        assert!(is_fixed("time") && !has_effects("time") && has_effects("system") && has_effects("symlink"));
        assert_eq!(reaches("strlen"), None);
    }

    #[test]
    fn what_may_fail_is_a_choice() {
        assert!(may_fail("strdup", Failures::Alloc) && may_fail("strdup", Failures::All));
        assert!(!may_fail("malloc", Failures::None) && !may_fail("fopen", Failures::Alloc));
        assert!(may_fail("fopen", Failures::All) && !may_fail("strlen", Failures::All));
    }

    #[test]
    fn what_reaches_outside_is_not_determined() {
        for (_, names) in MISSING.iter().chain(FIXED).chain(MODELLED) {
            for name in names.split_whitespace() {
                assert!(!is_determined(name), "{name}");
            }
        }
        assert!(is_determined_for("strcmp", Part::Sign) && !is_determined_for("strcmp", Part::Whole));
        assert!(is_determined_for("strlen", Part::Whole) && !is_determined_for("isdigit", Part::Sign));
        assert!(FIXED_SIGN.split_whitespace().chain(FIXED_ZERO.split_whitespace()).all(is_determined));
        assert_eq!(["__isoc99_scanf", "__isoc23_fscanf", "getc"].map(name_in_sources), ["scanf", "fscanf", "getc"]);
        assert!(is_determined("strlen") && !is_determined("rand") && !is_determined("malloc") && allocates("malloc"));
    }
}
