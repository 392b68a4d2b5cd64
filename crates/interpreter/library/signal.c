/* signal.h: handlers are remembered and run when the program raises a signal itself; nobody else does. A signal whose
 * default ends a process ends the run; SIGABRT aborts. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "internal.h"

static struct sigaction actions[_NSIG];
static sigset_t blocked;

static bool bad(int signal) {
    if (signal > 0 && signal < _NSIG) return false;
    errno = EINVAL;
    return true;
}

static bool bad_to_catch(int signal) {
    if (bad(signal)) return true;
    if (signal != SIGKILL && signal != SIGSTOP) return false;
    errno = EINVAL;
    return true;
}

static bool ignored_by_default(int signal) {
    return signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT;
}

static bool stops_by_default(int signal) {
    return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

bool __lib_signal_deliver(int signal) {
    struct sigaction action = actions[signal];
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) return false;
    if (action.sa_flags & (int)SA_RESETHAND) actions[signal].sa_handler = SIG_DFL;
    if (action.sa_flags & SA_SIGINFO) {
        siginfo_t info;
        memset(&info, 0, sizeof info);
        info.si_signo = signal;
        info.si_code = SI_TKILL;
        action.sa_sigaction(signal, &info, NULL);
    } else {
        action.sa_handler(signal);
    }
    return true;
}

static int send_to_self(int signal) {
    if (bad(signal)) return -1;
    if (sigismember(&blocked, signal)) return (int)__covenant_unsupported("a signal that is blocked", 0);
    if (__lib_signal_deliver(signal)) return 0;
    bool ignored = actions[signal].sa_handler == SIG_IGN || ignored_by_default(signal);
    if (ignored) return 0;
    if (stops_by_default(signal)) return (int)__covenant_unsupported("a signal that stops the process", 0);
    if (signal == SIGABRT) __covenant_abort();
    __covenant_killed(signal);
}

int raise(int signal) { return send_to_self(signal); }

static __sighandler_t set_handler(int signal, __sighandler_t handler, int flags) {
    if (bad_to_catch(signal)) return SIG_ERR;
    __sighandler_t old = actions[signal].sa_handler;
    memset(&actions[signal], 0, sizeof actions[signal]);
    actions[signal].sa_handler = handler;
    actions[signal].sa_flags = flags;
    return old;
}

#undef signal
__sighandler_t signal(int number, __sighandler_t handler) { return set_handler(number, handler, SA_RESTART); }
__sighandler_t __sysv_signal(int number, __sighandler_t handler) {
    return set_handler(number, handler, (int)SA_RESETHAND | SA_NODEFER);
}

int sigaction(int signal, const struct sigaction *restrict action, struct sigaction *restrict old) {
    if (action != NULL ? bad_to_catch(signal) : bad(signal)) return -1;
    if (old != NULL) *old = actions[signal];
    if (action != NULL) actions[signal] = *action;
    return 0;
}

int kill(pid_t process, int signal) {
    if (process != getpid()) {
        errno = ESRCH;
        return (int)__covenant_unsupported("`kill` of another process", -1);
    }
    return signal == 0 ? 0 : send_to_self(signal);
}

unsigned alarm(unsigned seconds) {
    (void)seconds;
    return 0;
}

/* Sets of signals. */

enum { SET_BITS = 8 * sizeof(unsigned long) };

int sigemptyset(sigset_t *set) {
    memset(set, 0, sizeof *set);
    return 0;
}

int sigfillset(sigset_t *set) {
    memset(set, 0xff, sizeof *set);
    return 0;
}

int sigaddset(sigset_t *set, int signal) {
    if (bad(signal)) return -1;
    unsigned place = (unsigned)signal - 1;
    set->__val[place / SET_BITS] |= 1UL << place % SET_BITS;
    return 0;
}

int sigdelset(sigset_t *set, int signal) {
    if (bad(signal)) return -1;
    unsigned place = (unsigned)signal - 1;
    set->__val[place / SET_BITS] &= ~(1UL << place % SET_BITS);
    return 0;
}

int sigismember(const sigset_t *set, int signal) {
    if (bad(signal)) return -1;
    unsigned place = (unsigned)signal - 1;
    return (set->__val[place / SET_BITS] >> place % SET_BITS & 1) != 0;
}

/* The mask is remembered; it holds nothing back. */
int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
    if (old != NULL) *old = blocked;
    if (set == NULL) return 0;
    for (size_t i = 0; i < sizeof set->__val / sizeof *set->__val; i++) {
        if (how == SIG_BLOCK) blocked.__val[i] |= set->__val[i];
        if (how == SIG_UNBLOCK) blocked.__val[i] &= ~set->__val[i];
        if (how == SIG_SETMASK) blocked.__val[i] = set->__val[i];
    }
    return 0;
}

int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
    return sigprocmask(how, set, old);
}

int sigpending(sigset_t *set) {
    memset(set, 0, sizeof *set);
    return 0;
}

int siginterrupt(int signal, int interrupt) {
    (void)interrupt;
    return bad(signal) ? -1 : 0;
}

int sigaltstack(const stack_t *restrict stack, stack_t *restrict old) {
    (void)stack;
    if (old != NULL) {
        memset(old, 0, sizeof *old);
        old->ss_flags = SS_DISABLE;
    }
    return 0;
}

int __libc_current_sigrtmin(void) { return 34; }
int __libc_current_sigrtmax(void) { return 64; }
