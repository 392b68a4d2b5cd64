/* How a program ends: handlers, flushing, status, messages. */
#include <assert.h>
#include <err.h>
#include <error.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

TWIN(exit);
TWIN(_exit);
TWIN(quick_exit);
TWIN(at_quick_exit);
TWIN(atexit);
TWIN(on_exit);
TWIN(abort);
TWIN(printf);
TWIN(__assert_fail);
TWIN(__assert_perror_fail);
TWIN(raise);
TWIN(signal);
TWIN(program_invocation_name);
TWIN(program_invocation_short_name);
extern char *cov___progname;
TWIN(warn);
TWIN(errx);
TWIN(error);
TWIN(stdout);
TWIN(fflush);

struct api {
    __typeof__(printf) *printf;
    __typeof__(exit) *exit;
    __typeof__(_exit) *_exit;
    __typeof__(quick_exit) *quick_exit;
    int (*at_quick_exit)(void (*)(void));
    int (*atexit)(void (*)(void));
    __typeof__(on_exit) *on_exit;
    __typeof__(abort) *abort;
    __typeof__(__assert_fail) *assert_fail;
    __typeof__(__assert_perror_fail) *assert_perror_fail;
    __typeof__(raise) *raise;
    __typeof__(signal) *signal;
    __typeof__(warn) *warn;
    __typeof__(errx) *errx;
    __typeof__(error) *error;
};

static const struct api native = {printf, exit, _exit, quick_exit, at_quick_exit, atexit, on_exit, abort, __assert_fail,
                                  __assert_perror_fail, raise, signal, warn, errx, error};
static const struct api ours = {cov_printf, cov_exit, cov__exit, cov_quick_exit, cov_at_quick_exit, cov_atexit,
                                cov_on_exit, cov_abort, cov___assert_fail, cov___assert_perror_fail, cov_raise,
                                cov_signal, cov_warn,
                                cov_errx, cov_error};
static const struct api *api;

static void second(void) { api->printf("second\n"); }
static void first(void) {
    api->printf("first\n");
    api->atexit(second);
}
static void with_status(int status, void *argument) { api->printf("%d %s\n", status, (char *)argument); }
static void caught(int signal) { api->printf("caught %d\n", signal); }

static void scenario(int which) {
    api->printf("begin\n");
    switch (which) {
        case 0: api->exit(3);
        case 1:
            api->atexit(second);
            api->atexit(first);
            api->on_exit(with_status, "arg");
            api->exit(260);
        case 2: api->_exit(4);
        case 3: api->at_quick_exit(second); api->atexit(first); api->quick_exit(5);
        case 4: api->abort();
        case 5: api->assert_fail("x > 0", "file.c", 12, "function");
        case 6: api->assert_perror_fail(ENOENT, "file.c", 13, "function");
        case 7: api->signal(SIGUSR1, caught); api->raise(SIGUSR1); api->raise(SIGCHLD); api->exit(0);
        case 8: api->signal(SIGABRT, caught); api->abort();
        case 9: api->signal(SIGTERM, SIG_IGN); api->raise(SIGTERM); api->exit(1);
        case 10: errno = cov_errno = ENOENT; api->warn("cannot open %s", "x"); api->errx(9, "stop %d", 1);
        case 11: api->error(0, EACCES, "one %d", 1); api->error(7, 0, "two");
        case 12: api->assert_fail("a && b", "dir/f.c", 1, NULL);
        default: api->exit(0);
    }
}

static int run(const struct api *with, int which, char *said, size_t size) {
    capture_start(1);
    int kept = dup(2);
    dup2(1, 2);
    pid_t child = fork();
    if (child == 0) {
        api = with;
        scenario(which);
        _exit(99);
    }
    int status = 0;
    waitpid(child, &status, 0);
    dup2(kept, 2);
    close(kept);
    capture_end(1, said, size);
    return status;
}

static void drop(char *text, const char *part) {
    char *at = strstr(text, part);
    if (at != NULL) memmove(at, at + strlen(part), strlen(at + strlen(part)) + 1);
}

void check_exit(void) {
    cov_program_invocation_name = program_invocation_name;
    cov_program_invocation_short_name = cov___progname = program_invocation_short_name;
    fflush(stdout);
    for (int which = 0; which < 14; which++) {
        char wanted[2048];
        char got[2048];
        int first_status = run(&native, which, wanted, sizeof wanted);
        int second_status = run(&ours, which, got, sizeof got);
        bool exits = which < 2 || which == 7 || which == 9 || which == 10 || which == 11 || which == 13;
        CHECK((strstr(got, "<destructors>") != NULL) == exits, "scenario %d: destructors", which);
        drop(got, "<destructors>");
        CHECK(first_status == second_status && strcmp(wanted, got) == 0,
              "scenario %d: wanted status %x \"%s\", got %x \"%s\"", which, first_status, show(wanted), second_status,
              show(got));
    }
    char said[256];
    capture_start(2);
    pid_t child = fork();
    if (child == 0) {
        cov_raise(SIGTERM);
        _exit(99);
    }
    int status = 0;
    waitpid(child, &status, 0);
    capture_end(2, said, sizeof said);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGTERM, "a fatal signal ends with 128 + its number");
}
