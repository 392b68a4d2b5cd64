/* Runs the tests of this suite, each in a process of its own.
 *
 *     ./suite            all tests
 *     ./suite NAME...    these tests, with what they print
 *     ./suite --list     their names
 *
 * COVENANT_TIMEOUT is the time that a test may take, in milliseconds; COVENANT_MEMORY the memory, in megabytes.
 *
 * The suite is linked with --wrap=main: the process starts in __wrap_main, and a main of the subject stays what it is. */
#define _GNU_SOURCE
#include "covenant.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

extern char **environ;

/* Shared with the test's process: it survives whatever the subject does to its own memory and files. */
struct state {
    int returned;
    /* A sanitizer ended the process. */
    int reported;
    int failures;
    size_t length;
    char messages[8192];
};

static struct state *state;

static void fail(const char *format, ...)
{
    va_list arguments;
    size_t room = sizeof state->messages - state->length;
    int length;
    state->failures++;
    va_start(arguments, format);
    length = vsnprintf(state->messages + state->length, room, format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < room)
        state->length += (size_t)length;
}

static void *allocate(size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL && size > 0) {
        fprintf(stderr, "covenant: no memory for an object of %zu bytes\n", size);
        _exit(125);
    }
    return memory;
}

/* --- Inputs --- */

void *covenant_object(unsigned long size)
{
    void *object = allocate(size);
    if (size > 0)
        memset(object, 0, size);
    return object;
}

void covenant_zero(void *object, unsigned long size)
{
    memset(object, 0, size);
}

void covenant_set(void *object, unsigned long offset, unsigned size, unsigned long long bits)
{
    /* All machines that are supported are little-endian. */
    memcpy((char *)object + offset, &bits, size);
}

void covenant_set_bytes(void *object, unsigned long offset, unsigned long size, const char *bytes)
{
    memcpy((char *)object + offset, bytes, size);
}

void covenant_set_pointer(void *object, unsigned long offset, const void *target)
{
    memcpy((char *)object + offset, &target, sizeof target);
}

void covenant_set_function(void *object, unsigned long offset, void (*target)(void))
{
    memcpy((char *)object + offset, &target, sizeof target);
}

/* --- Calls that are inputs --- */

struct call {
    const char *function;
    unsigned long size;
    void *bytes;
    int used;
};

static struct call *calls;
static size_t call_count;

void covenant_next_bytes(const char *function, unsigned long size, const char *bytes)
{
    struct call *call;
    calls = realloc(calls, (call_count + 1) * sizeof *calls);
    if (calls == NULL)
        _exit(125);
    call = &calls[call_count++];
    call->function = function;
    call->size = size;
    call->bytes = allocate(size + 1);
    memcpy(call->bytes, bytes, size);
    call->used = 0;
}

void covenant_next(const char *function, unsigned size, unsigned long long bits)
{
    covenant_next_bytes(function, size, (const char *)&bits);
}

void covenant_next_pointer(const char *function, const void *target)
{
    covenant_next_bytes(function, sizeof target, (const char *)&target);
}

void covenant_next_function(const char *function, void (*target)(void))
{
    covenant_next_bytes(function, sizeof target, (const char *)&target);
}

/* Each function has a sequence of its own, because the order in which the arguments of one call are evaluated is the
 * compiler's choice. Behind the end of the recording everything is zero. */
void covenant_answer(const char *function, void *result, unsigned long size)
{
    size_t i;
    memset(result, 0, size);
    for (i = 0; i < call_count; i++) {
        struct call *call = &calls[i];
        if (!call->used && strcmp(call->function, function) == 0) {
            call->used = 1;
            memcpy(result, call->bytes, call->size < size ? call->size : size);
            return;
        }
    }
}

void covenant_undefined(const char *function)
{
    fprintf(stderr, "covenant: %s is called and not defined\n", function);
    abort();
}

void covenant_assume(int holds, const char *function)
{
    if (!holds) {
        fail("#   %s: the assumption does not hold\n", function);
        _exit(124);
    }
}

/* --- A program's arguments and standard input --- */

static char **arguments;
static int argument_count;

void covenant_argument(const char *text)
{
    arguments = realloc(arguments, ((size_t)argument_count + 2) * sizeof *arguments);
    if (arguments == NULL)
        _exit(125);
    /* A copy: a program may write to its arguments, and no byte beyond. */
    arguments[argument_count++] = strdup(text);
    arguments[argument_count] = NULL;
}

int covenant_argc(void)
{
    return argument_count;
}

char **covenant_argv(void)
{
    return arguments;
}

char **covenant_environment(void)
{
    return environ;
}

void covenant_input(unsigned long size, const char *bytes)
{
    int fd = memfd_create("stdin", 0);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0 || dup2(fd, 0) < 0) {
        fprintf(stderr, "covenant: standard input cannot be prepared: %s\n", strerror(errno));
        _exit(125);
    }
    close(fd);
}

/* --- What the run left behind --- */

void covenant_returned(void)
{
    state->returned = 1;
}

void covenant_exit(int status)
{
    state->returned = 1;
    exit(status);
}

static void fail_bytes(const char *what, const void *expected, const void *found, unsigned long size)
{
    unsigned long i;
    fail("#   %s: expected 0x", what);
    for (i = size; i > 0; i--)
        fail("%02x", ((const unsigned char *)expected)[i - 1]);
    fail(", found 0x");
    for (i = size; i > 0; i--)
        fail("%02x", ((const unsigned char *)found)[i - 1]);
    fail("\n");
}

void covenant_expect_bytes(const char *what, const void *object, unsigned long offset, unsigned long size,
                           const char *bytes)
{
    const char *found = (const char *)object + offset;
    if (memcmp(found, bytes, size) != 0)
        fail_bytes(what, bytes, found, size);
}

void covenant_expect(const char *what, const void *object, unsigned long offset, unsigned size,
                     unsigned long long bits)
{
    unsigned long long found = 0;
    unsigned unused = 64 - 8 * size;
    memcpy(&found, (const char *)object + offset, size);
    bits = bits << unused >> unused;
    if (found != bits)
        fail("#   %s: expected %lld (0x%llx), found %lld (0x%llx)\n", what, (long long)(bits << unused) >> unused,
             bits, (long long)(found << unused) >> unused, found);
}

/* One NaN is as good as another. */
void covenant_expect_float(const char *what, const void *object, unsigned long offset, unsigned size,
                           unsigned long long bits)
{
    double expected = 0, found = 0;
    const char *place = (const char *)object + offset;
    if (size == 4) {
        float value;
        memcpy(&value, &bits, 4);
        expected = value;
        memcpy(&value, place, 4);
        found = value;
    } else {
        memcpy(&expected, &bits, 8);
        memcpy(&found, place, 8);
    }
    if (memcmp(place, &bits, size) != 0 && !(expected != expected && found != found))
        fail("#   %s: expected %.17g, found %.17g\n", what, expected, found);
}

void covenant_expect_pointer(const char *what, const void *object, unsigned long offset, const void *target)
{
    const void *found;
    memcpy(&found, (const char *)object + offset, sizeof found);
    if (found != target)
        fail("#   %s: expected the address %p, found %p\n", what, target, found);
}

void covenant_expect_function(const char *what, const void *object, unsigned long offset, void (*target)(void))
{
    if (memcmp((const char *)object + offset, &target, sizeof target) != 0)
        fail("#   %s: points to another function\n", what);
}

/* --- Sanitizers: present or not, statically linked or not --- */

WEAK void __sanitizer_set_death_callback(void (*callback)(void));
WEAK void __asan_init(void);
WEAK void __msan_init(void);
WEAK void __tsan_init(void);

const char *__asan_default_options(void);
__attribute__((used, visibility("default"))) const char *__asan_default_options(void)
{
    /* Objects of tests are never freed; and memory cannot be limited from outside. */
    return "detect_leaks=0:allocator_may_return_null=1:hard_rss_limit_mb=2048";
}

static void on_death(void)
{
    if (state != NULL)
        state->reported = 1;
}

/* --- Running --- */

static long setting(const char *name, long otherwise)
{
    const char *text = getenv(name);
    long value = text != NULL ? strtol(text, NULL, 10) : 0;
    return value > 0 ? value : otherwise;
}

static void limit(int resource, rlim_t value)
{
    struct rlimit limits;
    limits.rlim_cur = limits.rlim_max = value;
    setrlimit(resource, &limits);
}

static void run_inside(const struct covenant_test *test, int loud)
{
    int nothing = open("/dev/null", O_RDWR);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    dup2(nothing, 0);
    dup2(loud ? 2 : nothing, 1);
    if (!loud)
        dup2(nothing, 2);
    if (nothing > 2)
        close(nothing);
    limit(RLIMIT_CORE, 0);
    if (!__asan_init && !__msan_init && !__tsan_init)
        limit(RLIMIT_AS, (rlim_t)setting("COVENANT_MEMORY", 2048) << 20);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(on_death);
    test->run();
    exit(0);
}

/* Waits for a process, at most `timeout` milliseconds. Says whether it ended by itself. */
static int await(pid_t process, int *status, long timeout)
{
    struct timespec start, now, pause = { 0, 200000 };
    clock_gettime(CLOCK_MONOTONIC, &start);
    while (waitpid(process, status, WNOHANG) == 0) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        if ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 >= timeout) {
            kill(-process, SIGKILL);
            kill(process, SIGKILL);
            waitpid(process, status, 0);
            return 0;
        }
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 10000000)
            pause.tv_nsec *= 2;
    }
    return 1;
}

static const char *const END_NAMES[] = { "returned", "exited", "aborted", "trapped", "step-limit" };

static int as_expected(const struct covenant_test *test, int ended, int status)
{
    int calm = ended && !state->reported && WIFEXITED(status);
    if (state->failures > 0)
        return 0;
    switch (test->expected) {
    case COVENANT_RETURNED:
        return calm && state->returned;
    case COVENANT_EXITED:
        return calm && (test->status < 0 || WEXITSTATUS(status) == (test->status & 255));
    case COVENANT_ABORTED:
        return ended && !state->reported && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
    case COVENANT_TRAPPED:
    case COVENANT_STEP_LIMIT:
        /* What C does not define may end in any way, and what is slow to interpret may be fast here. */
        return 1;
    }
    return 0;
}

static int run_test(const struct covenant_test *test, unsigned long number, int loud)
{
    int status = 0, ended, good;
    long timeout = setting("COVENANT_TIMEOUT", 10000);
    pid_t process;
    if (test->expected == COVENANT_STEP_LIMIT && timeout > 1000)
        timeout = 1000;
    memset(state, 0, sizeof *state);
    fflush(NULL);
    process = fork();
    if (process < 0) {
        perror("fork");
        exit(2);
    }
    if (process == 0)
        run_inside(test, loud);
    ended = await(process, &status, timeout);
    good = as_expected(test, ended, status);
    printf("%sok %lu - %s\n", good ? "" : "not ", number, test->name);
    if (!good || loud || test->defect != NULL) {
        printf("# end: ");
        if (!ended)
            printf("timeout\n");
        else if (state->reported)
            printf("sanitizer\n");
        else if (WIFSIGNALED(status))
            printf("signal %d\n", WTERMSIG(status));
        else
            printf("%s %d\n", state->returned ? "returned" : "exited", WEXITSTATUS(status));
        printf("# expected: %s", END_NAMES[test->expected]);
        if (test->expected == COVENANT_EXITED && test->status >= 0)
            printf(" %d", test->status & 255);
        printf("\n");
        if (test->defect != NULL)
            printf("# defect: %s\n", test->defect);
    }
    fputs(state->messages, stdout);
    return good;
}

static const struct covenant_test *find(const char *name)
{
    const struct covenant_test *test;
    for (test = covenant_tests; test->name != NULL; test++)
        if (strcmp(test->name, name) == 0)
            return test;
    fprintf(stderr, "no test has the name %s\n", name);
    exit(2);
}

int __wrap_main(int argc, char **argv);
int __wrap_main(int argc, char **argv)
{
    const struct covenant_test *test;
    unsigned long number = 0, failed = 0;
    int i;
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (test = covenant_tests; test->name != NULL; test++)
            puts(test->name);
        return 0;
    }
    state = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (state == MAP_FAILED) {
        perror("mmap");
        return 2;
    }
    if (argc > 1) {
        for (i = 1; i < argc; i++)
            find(argv[i]);
        printf("1..%d\n", argc - 1);
        for (i = 1; i < argc; i++)
            failed += !run_test(find(argv[i]), ++number, 1);
    } else {
        for (test = covenant_tests; test->name != NULL; test++)
            number++;
        printf("1..%lu\n", number);
        number = 0;
        for (test = covenant_tests; test->name != NULL; test++)
            failed += !run_test(test, ++number, 0);
    }
    printf("# %lu tests, %lu as expected, %lu not\n", number, number - failed, failed);
    return failed > 0;
}
