/* Running one test in a process of its own, and telling how it ended. A part of runner.c.
 *
 * System calls are made by number: a subject may define functions with the names of the C library's. */

enum kind {
    END_RETURNED,
    END_EXITED,
    END_SIGNAL,
    END_SANITIZER,
    END_TIME,
    END_MEMORY,
    END_OUTPUT,
    END_FILE_SIZE,
    END_SANDBOX,
    END_NO_PROCESS
};

static const char *const KIND_NAMES[] = { "returned",     "exited",       "signal",          "sanitizer", "timeout",
                                          "memory-limit", "output-limit", "file-size-limit", "sandbox",   "no-process" };

/* A stream of the test: where it writes, and where we read it, or -1. The start is kept. */
struct output {
    int to, from;
    char *kept;
    size_t length, room;
    unsigned long long total;
};

struct run {
    const struct covenant_test *test;
    /* Milliseconds; megabytes; bytes of output and of a file, 0: any number. */
    long time, memory;
    unsigned long long most_output, file_size;
    int input;
    struct output outputs[2];
    /* If not -1: the test has nobody to report to when this is closed. */
    int requests;
    /* Called in the test's process, before the test. */
    void (*inside)(const struct run *run);
    const char *directory;
    int mutant;
};

struct ending {
    enum kind kind;
    /* Exit status, signal, or errno. */
    int number;
    int passed;
    /* How many processes the test left behind; they have been ended. */
    unsigned left;
};

/* --- System calls by name, and which of their arguments is a path --- */

struct call_entry {
    long number;
    const char *name;
    int path;
};

#define CALL(name, path) { SYS_##name, #name, path },

static const struct call_entry CALL_NAMES[] = {
#ifdef SYS_open
    CALL(open, 0) CALL(creat, 0) CALL(stat, 0) CALL(lstat, 0) CALL(access, 0) CALL(rename, 0) CALL(mkdir, 0)
    CALL(rmdir, 0) CALL(link, 0) CALL(unlink, 0) CALL(symlink, 1) CALL(readlink, 0) CALL(chmod, 0) CALL(chown, 0)
    CALL(lchown, 0) CALL(mknod, 0) CALL(utimes, 0) CALL(futimesat, 1) CALL(fork, -1) CALL(vfork, -1)
#endif
#ifdef SYS_utime
    CALL(utime, 0) CALL(alarm, -1)
#endif
#ifdef SYS_iopl
    CALL(iopl, -1) CALL(ioperm, -1)
#endif
    CALL(openat, 1) CALL(mkdirat, 1) CALL(mknodat, 1) CALL(unlinkat, 1) CALL(renameat2, 1) CALL(linkat, 1)
    CALL(symlinkat, 2) CALL(readlinkat, 1) CALL(fchmodat, 1) CALL(fchownat, 1) CALL(faccessat, 1) CALL(utimensat, 1)
    CALL(statx, 1) CALL(execve, 0) CALL(execveat, 1) CALL(chdir, 0) CALL(chroot, 0) CALL(truncate, 0) CALL(statfs, 0)
    CALL(mount, 1) CALL(umount2, 0) CALL(pivot_root, 0) CALL(swapon, 0) CALL(swapoff, 0) CALL(acct, 0)
    CALL(setxattr, 0) CALL(lsetxattr, 0) CALL(removexattr, 0) CALL(name_to_handle_at, 1) CALL(inotify_add_watch, 1)
#ifdef SYS_renameat
    CALL(renameat, 1)
#endif
#ifdef SYS_openat2
    CALL(openat2, 1)
#endif
#ifdef SYS_faccessat2
    CALL(faccessat2, 1)
#endif
    CALL(fchmod, -1) CALL(fchown, -1) CALL(ftruncate, -1) CALL(fallocate, -1) CALL(fchdir, -1) CALL(clone, -1)
#ifdef SYS_clone3
    CALL(clone3, -1)
#endif
    CALL(kill, -1) CALL(tkill, -1) CALL(tgkill, -1) CALL(rt_sigqueueinfo, -1) CALL(rt_tgsigqueueinfo, -1)
    CALL(ptrace, -1) CALL(process_vm_readv, -1) CALL(process_vm_writev, -1) CALL(setsid, -1) CALL(setpgid, -1)
    CALL(prctl, -1) CALL(personality, -1) CALL(unshare, -1) CALL(setns, -1) CALL(setuid, -1) CALL(setgid, -1)
    CALL(setreuid, -1) CALL(setregid, -1) CALL(setresuid, -1) CALL(setresgid, -1) CALL(setgroups, -1) CALL(capset, -1)
    CALL(socket, -1) CALL(socketpair, -1) CALL(connect, -1) CALL(bind, -1) CALL(listen, -1)
    CALL(accept4, -1) CALL(sendto, -1) CALL(recvfrom, -1) CALL(sendmsg, -1) CALL(recvmsg, -1) CALL(shmget, -1)
#ifdef SYS_accept
    CALL(accept, -1) CALL(semop, -1)
#endif
    CALL(shmat, -1) CALL(shmctl, -1) CALL(semget, -1) CALL(msgget, -1) CALL(msgsnd, -1)
    CALL(msgrcv, -1) CALL(mq_open, 0) CALL(mq_unlink, 0) CALL(memfd_create, -1) CALL(perf_event_open, -1)
    CALL(bpf, -1) CALL(userfaultfd, -1) CALL(io_uring_setup, -1) CALL(add_key, -1) CALL(request_key, -1)
    CALL(keyctl, -1) CALL(reboot, -1) CALL(sethostname, -1) CALL(setdomainname, -1) CALL(settimeofday, -1)
    CALL(clock_settime, -1) CALL(adjtimex, -1) CALL(init_module, -1) CALL(finit_module, -1) CALL(delete_module, -1)
    CALL(kexec_load, -1) CALL(syslog, -1) CALL(quotactl, -1) CALL(sched_setscheduler, -1) CALL(sched_setaffinity, -1)
    CALL(setpriority, -1) CALL(setrlimit, -1) CALL(prlimit64, -1) CALL(ioctl, -1) CALL(seccomp, -1)
    CALL(fanotify_init, -1) CALL(inotify_init1, -1) CALL(open_by_handle_at, -1)
};

static const struct call_entry *call_entry(long number)
{
    size_t i;
    for (i = 0; i < sizeof CALL_NAMES / sizeof *CALL_NAMES; i++)
        if (CALL_NAMES[i].number == number)
            return &CALL_NAMES[i];
    return NULL;
}

static const char *call_name(long number)
{
    static char text[40];
    const struct call_entry *entry = call_entry(number);
    if (entry != NULL)
        return entry->name;
    snprintf(text, sizeof text, "system call %ld", number);
    return text;
}

/* The sandbox stops a system call with a signal. What is known is written down first: if reading the path faults, the
 * rest of it is missing, and nothing else. */
static void on_denied(int number, siginfo_t *info, void *context)
{
    const struct call_entry *entry = call_entry(info->si_syscall);
    const char *path = NULL;
    size_t i;
    (void)number;
    if (is_the_test() && !state->denied) {
        state->call = info->si_syscall;
        state->denied = 1;
        if (entry != NULL && entry->path >= 0) {
#if defined(__x86_64__)
            static const int REGISTERS[] = { REG_RDI, REG_RSI, REG_RDX };
            path = (const char *)((ucontext_t *)context)->uc_mcontext.gregs[REGISTERS[entry->path]];
#elif defined(__i386__)
            static const int REGISTERS[] = { REG_EBX, REG_ECX, REG_EDX };
            path = (const char *)((ucontext_t *)context)->uc_mcontext.gregs[REGISTERS[entry->path]];
#elif defined(__aarch64__)
            path = (const char *)((ucontext_t *)context)->uc_mcontext.regs[entry->path];
#endif
        }
        for (i = 0; path != NULL && i + 1 < sizeof state->path && path[i] != 0; i++)
            state->path[i] = path[i];
    }
    signal(SIGSYS, SIG_DFL);
    syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), SIGSYS);
    /* The signal is delivered when this handler ends, or now; if it cannot be sent, this ends the process. */
    (void)context;
}

/* --- The test's process --- */

static void limit(int resource, rlim_t value)
{
    struct rlimit limits;
    limits.rlim_cur = limits.rlim_max = value;
    setrlimit(resource, &limits);
}

static void on_child(int number)
{
    (void)number;
}

static sigset_t mask_before;
/* We had no children when we began, so whoever is our child was left by a test. */
static int only_ours;

static void prepare_running(void)
{
    struct sigaction action;
    sigset_t mask;
    fill_zero(&action, sizeof action);
    action.sa_handler = on_child;
    sigaction(SIGCHLD, &action, NULL);
    sigemptyset(&mask);
    sigaddset(&mask, SIGCHLD);
    sigprocmask(SIG_BLOCK, &mask, &mask_before);
    only_ours = syscall(SYS_wait4, -1, NULL, WNOHANG, NULL) < 0 && errno == ECHILD;
    if (only_ours)
        prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static void run_inside(const struct run *run)
{
    struct sigaction action;
    state->process = (pid_t)syscall(SYS_getpid);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    syscall(SYS_setpgid, 0, 0);
    signal(SIGCHLD, SIG_DFL);
    fill_zero(&action, sizeof action);
    action.sa_sigaction = on_denied;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    sigaction(SIGSYS, &action, NULL);
    sigprocmask(SIG_SETMASK, &mask_before, NULL);
    dup2(run->input, 0);
    dup2(run->outputs[0].to, 1);
    dup2(run->outputs[1].to, 2);
    if (run->input > 2)
        syscall(SYS_close, run->input);
    limit(RLIMIT_CORE, 0);
    if (run->file_size > 0)
        limit(RLIMIT_FSIZE, run->file_size);
    if (!__asan_init && !__msan_init && !__tsan_init)
        limit(RLIMIT_AS, (rlim_t)run->memory << 20);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(on_death);
    is_endless = run->test->expected == COVENANT_STEP_LIMIT;
    if (run->inside != NULL)
        run->inside(run);
    errno = 0;
    run->test->run();
    exit(0);
}

/* --- Watching it --- */

static long now_ms(void)
{
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* What /proc says, as text; nothing if there is no /proc. */
static size_t read_proc(const char *path, char *text, size_t room)
{
    long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC), length = 0;
    if (fd >= 0) {
        length = syscall(SYS_read, fd, text, room - 1);
        syscall(SYS_close, fd);
    }
    length = length > 0 ? length : 0;
    text[length] = 0;
    return (size_t)length;
}

/* Megabytes of memory that the process has. Sanitizers need address space without end, so it cannot be limited. */
static long memory_of(pid_t process)
{
    char path[40], text[128];
    const char *second;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
    if (read_proc(path, text, sizeof text) == 0)
        return 0;
    for (second = text; *second != ' ' && *second != 0;)
        second++;
    return strtol(second, NULL, 10) * (sysconf(_SC_PAGESIZE) >> 10) >> 10;
}

/* Reads what is there. Without waiting: the pipe may be held open by processes that live on. */
static void drain(struct output *output)
{
    static char rest[65536];
    while (output->from >= 0) {
        size_t room = output->room - output->length;
        char *to = room > 0 ? output->kept + output->length : rest;
        long length = syscall(SYS_read, output->from, to, room > 0 ? room : sizeof rest);
        if (length <= 0)
            return;
        output->total += (unsigned long long)length;
        output->length += room > 0 ? (size_t)length : 0;
        if (length < 4096)
            return;
    }
}

enum { SLICE_MS = 20 };

/* Waits until the process ends or a limit is passed. Nonzero: a limit, and the process has been killed. */
static enum kind watch(struct run *run, pid_t process, int *status, long time)
{
    long end = now_ms() + time, memory_check = now_ms() + SLICE_MS;
    enum kind stop = END_RETURNED;
    struct rusage usage;
    while (syscall(SYS_wait4, process, status, WNOHANG, &usage) == 0) {
        long now = now_ms(), wait = end - now < SLICE_MS ? end - now : SLICE_MS;
        struct pollfd fds[3] = { { run->outputs[0].from, POLLIN, 0 },
                                 { run->outputs[1].from, POLLIN, 0 },
                                 { run->requests, 0, 0 } };
        struct timespec timeout = { 0, wait * 1000000 };
        if (now >= end)
            stop = END_TIME;
        if (now >= memory_check) {
            memory_check = now + SLICE_MS;
            if (memory_of(process) > run->memory)
                stop = END_MEMORY;
        }
        if (run->most_output > 0 && run->outputs[0].total + run->outputs[1].total > run->most_output)
            stop = END_OUTPUT;
        if (stop != END_RETURNED) {
            syscall(SYS_kill, -process, SIGKILL);
            syscall(SYS_kill, process, SIGKILL);
            syscall(SYS_wait4, process, status, 0, &usage);
            return stop;
        }
        /* Closed pipes are ready at once and for ever. */
        if (ppoll(fds, 3, &timeout, &mask_before) > 0) {
            int i;
            if (fds[2].revents & (POLLHUP | POLLERR))
                _exit(0);
            for (i = 0; i < 2; i++) {
                drain(&run->outputs[i]);
                if ((fds[i].revents & (POLLHUP | POLLIN)) == POLLHUP) {
                    syscall(SYS_close, run->outputs[i].from);
                    run->outputs[i].from = -1;
                }
            }
        }
    }
    /* Who takes too much is killed by the system, too. */
    if (WIFSIGNALED(*status) && WTERMSIG(*status) == SIGKILL && usage.ru_maxrss >> 10 > run->memory)
        return END_MEMORY;
    return END_RETURNED;
}

/* --- What it left behind --- */

/* Sends SIGKILL to our children. Their children become ours then, so this is done until there are none. */
static void kill_children(void)
{
    static char text[16384];
    char path[64], *at = text, *end;
    if (syscall(SYS_getpid) == 1) {
        syscall(SYS_kill, -1, SIGKILL);
        return;
    }
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", syscall(SYS_gettid));
    read_proc(path, text, sizeof text);
    for (;;) {
        long process = strtol(at, &end, 10);
        if (end == at || process <= 1)
            return;
        syscall(SYS_kill, process, SIGKILL);
        at = end;
    }
}

/* Ends all processes that the test has started and that are still there, and returns their number. */
static unsigned end_the_rest(pid_t process)
{
    unsigned count = 0;
    long status = 0, end = now_ms() + 10000;
    int how = 0;
    syscall(SYS_kill, -process, SIGKILL);
    while (only_ours) {
        status = syscall(SYS_wait4, -1, &how, WNOHANG, NULL);
        if (status < 0)
            break;
        if (status > 0) {
            count += WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL;
            continue;
        }
        kill_children();
        if (now_ms() > end) {
            static const char SAYS[] = "covenant: a test started processes faster than they can be ended\n";
            syscall(SYS_write, 2, SAYS, sizeof SAYS - 1);
            _exit(3);
        }
        if (syscall(SYS_wait4, -1, &how, WNOHANG, NULL) > 0)
            count += WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL;
        else
            syscall(SYS_sched_yield);
    }
    return count;
}

/* --- How it ended --- */

static int as_expected(const struct covenant_test *test, const struct ending *end)
{
    if (state->failures > 0)
        return 0;
    switch (test->expected) {
    case COVENANT_RETURNED:
        return end->kind == END_RETURNED;
    case COVENANT_EXITED:
        return (end->kind == END_EXITED || end->kind == END_RETURNED)
            && (test->status < 0 || end->number == (test->status & 255));
    case COVENANT_ABORTED:
        return end->kind == END_SIGNAL && end->number == SIGABRT;
    case COVENANT_TRAPPED:
    case COVENANT_STEP_LIMIT:
        /* What C does not define may end in any way, and what is slow to interpret may be fast here. */
        return end->kind != END_NO_PROCESS;
    }
    return 0;
}

static void run_one(struct run *run, struct ending *end)
{
    long time = run->time;
    int status = 0;
    pid_t process;
    if (run->test->expected == COVENANT_STEP_LIMIT && time > 1000)
        time = 1000;
    fill_zero(state, sizeof *state);
    fill_zero(end, sizeof *end);
    process = fork();
    if (process == 0)
        run_inside(run);
    if (process < 0) {
        end->kind = END_NO_PROCESS;
        end->number = errno;
        return;
    }
    end->kind = watch(run, process, &status, time);
    end->left = end_the_rest(process);
    drain(&run->outputs[0]);
    drain(&run->outputs[1]);
    if (end->kind == END_RETURNED) {
        end->number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
        if (state->denied || (WIFSIGNALED(status) && end->number == SIGSYS))
            end->kind = END_SANDBOX;
        else if (state->reported)
            end->kind = END_SANITIZER;
        else if (WIFSIGNALED(status))
            end->kind = end->number == SIGXFSZ ? END_FILE_SIZE : END_SIGNAL;
        else
            end->kind = state->returned ? END_RETURNED : END_EXITED;
    }
    end->passed = as_expected(run->test, end);
}

static const struct covenant_test *find(const char *name)
{
    const struct covenant_test *test;
    for (test = covenant_tests; test->name != NULL; test++)
        if (same_text(test->name, name))
            return test;
    return NULL;
}
