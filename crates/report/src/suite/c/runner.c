/* Runs the tests of this suite, each in a process of its own.
 *
 *     ./suite            all tests
 *     ./suite NAME...    these tests, with what they print
 *     ./suite --list     their names
 *     ./suite --serve    for Covenant's replay: see server.h
 *
 * COVENANT_TIMEOUT is the time that a test may take, in milliseconds; COVENANT_MEMORY the memory, in megabytes.
 *
 * The suite is linked with --wrap=main: the process starts in __wrap_main, and a main of the subject stays what it is. */
#define _GNU_SOURCE
#include "covenant.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

extern char **environ;

/* Shared with the test's process: it survives whatever the subject does to its own memory and files. */
struct state {
    /* The test's process. What its children do after a fork is not what the test did. */
    pid_t process;
    int returned;
    /* A sanitizer ended the process. */
    int reported;
    /* The sandbox did: it allows no such system call. The path is what the call had for one. */
    int denied;
    long call;
    char path[512];
    /* Where the test runs, if that is a directory of its own that has to go. */
    char directory[64];
    int failures;
    size_t length;
    char messages[8192];
};

static struct state *state;

static int is_the_test(void)
{
    return state != NULL && syscall(SYS_getpid) == state->process;
}

static void fail(const char *format, ...)
{
    va_list arguments;
    size_t room = sizeof state->messages - state->length;
    int length;
    if (!is_the_test())
        return;
    state->failures++;
    va_start(arguments, format);
    length = vsnprintf(state->messages + state->length, room, format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < room)
        state->length += (size_t)length;
}

/* A subject may define memcpy, strcmp and the like itself. What this file does must not count as its use, so it has its
 * own; volatile, because compilers turn such loops into calls. */

static void copy(void *to, const void *from, size_t size)
{
    volatile char *target = to;
    const char *source = from;
    while (size-- > 0)
        *target++ = *source++;
}

static void fill_zero(void *to, size_t size)
{
    volatile char *target = to;
    while (size-- > 0)
        *target++ = 0;
}

static int same(const void *left, const void *right, size_t size)
{
    const volatile char *a = left, *b = right;
    for (; size > 0; size--)
        if (*a++ != *b++)
            return 0;
    return 1;
}

static size_t text_length(const char *text)
{
    const volatile char *end = text;
    while (*end != 0)
        end++;
    return (size_t)(end - text);
}

static int same_text(const char *left, const char *right)
{
    size_t length = text_length(left);
    return length == text_length(right) && same(left, right, length);
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
    fill_zero(object, size);
    return object;
}

void covenant_zero(void *object, unsigned long size)
{
    fill_zero(object, size);
}

void covenant_set(void *object, unsigned long offset, unsigned size, unsigned long long bits)
{
    /* All machines that are supported are little-endian. */
    copy((char *)object + offset, &bits, size);
}

void covenant_set_bytes(void *object, unsigned long offset, unsigned long size, const char *bytes)
{
    copy((char *)object + offset, bytes, size);
}

void covenant_set_pointer(void *object, unsigned long offset, const void *target)
{
    copy((char *)object + offset, &target, sizeof target);
}

void covenant_set_function(void *object, unsigned long offset, void (*target)(void))
{
    copy((char *)object + offset, &target, sizeof target);
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
    copy(call->bytes, bytes, size);
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
/* Whether the test does not end by itself, and what is done before it is ended here. */
static int is_endless;
static void (*before_stop)(void);

/* A run that was cut asks for more than the test has: it is where it was cut. What the subject would do at its exit it never comes to. */
static void stop_endless(void)
{
    if (!is_endless || !is_the_test())
        return;
    if (before_stop != NULL)
        before_stop();
    syscall(SYS_exit_group, 0);
}

void covenant_answer(const char *function, void *result, unsigned long size)
{
    size_t i;
    fill_zero(result, size);
    for (i = 0; i < call_count; i++) {
        struct call *call = &calls[i];
        if (!call->used && same_text(call->function, function)) {
            call->used = 1;
            copy(result, call->bytes, call->size < size ? call->size : size);
            return;
        }
    }
    stop_endless();
}

/* --- What calls write --- */

struct write {
    const char *function;
    unsigned call, argument;
    unsigned long offset, size;
    void *bytes;
};

struct called_function {
    const char *function;
    unsigned calls;
};

static struct write *writes;
static size_t write_count;
static struct called_function *called_functions;
static size_t called_count;

char covenant_arguments[128];

void covenant_next_write(const char *function, unsigned call, unsigned argument, unsigned long offset,
                         unsigned long size, const char *bytes)
{
    struct write *write;
    writes = realloc(writes, (write_count + 1) * sizeof *writes);
    if (writes == NULL)
        _exit(125);
    write = &writes[write_count++];
    write->function = function;
    write->call = call;
    write->argument = argument;
    write->offset = offset;
    write->size = size;
    write->bytes = allocate(size + 1);
    copy(write->bytes, bytes, size);
}

void covenant_next_write_pointer(const char *function, unsigned call, unsigned argument, unsigned long offset,
                                 const void *target)
{
    covenant_next_write(function, call, argument, offset, sizeof target, (const char *)&target);
}

void covenant_next_write_function(const char *function, unsigned call, unsigned argument, unsigned long offset,
                                  void (*target)(void))
{
    covenant_next_write(function, call, argument, offset, sizeof target, (const char *)&target);
}

unsigned covenant_called(const char *function)
{
    size_t i;
    for (i = 0; i < called_count; i++)
        if (same_text(called_functions[i].function, function))
            return ++called_functions[i].calls;
    called_functions = realloc(called_functions, (called_count + 1) * sizeof *called_functions);
    if (called_functions == NULL)
        _exit(125);
    called_functions[called_count].function = function;
    called_functions[called_count].calls = 1;
    return called_functions[called_count++].calls;
}

void covenant_write(const char *function, unsigned call, unsigned argument, void *to)
{
    size_t i;
    for (i = 0; i < write_count; i++) {
        const struct write *write = &writes[i];
        if (write->call == call && write->argument == argument && same_text(write->function, function))
            copy((char *)to + write->offset, write->bytes, write->size);
    }
}

static const char *expected_end;
/* Or the test comes back: the code has another name of that function, too, behind which it is the C library's. */
static int may_return;

void covenant_expect_end(const char *function)
{
    expected_end = function;
}

void covenant_may_end(const char *function)
{
    expected_end = function;
    may_return = 1;
}

void covenant_undefined(const char *function)
{
    if (expected_end != NULL && !same_text(expected_end, function)) {
        fail("#   expected to end with a call of %s, found one of %s\n", expected_end, function);
        _exit(124);
    }
    if (expected_end == NULL)
        fail("#   %s is called, which nothing defines\n", function);
    abort();
}

void covenant_assume(int holds, const char *function)
{
    if (!holds) {
        fail("#   %s: the assumption does not hold\n", function);
        _exit(124);
    }
}

/* --- What a program is given --- */

#include "given.h"

/* --- What the run left behind --- */

#include "effects.h"

void covenant_returned(void)
{
    if (expected_end != NULL && !may_return) {
        fail("#   expected to end with a call of %s, but it returned\n", expected_end);
        _exit(124);
    }
    if (!printed.known)
        end_capture();
    if (is_the_test())
        state->returned = 1;
}

void covenant_exit(int status)
{
    covenant_returned();
    exit(status);
}

#include "expectations.h"

/* --- Sanitizers: present or not, statically linked or not --- */

WEAK void __sanitizer_set_death_callback(void (*callback)(void));
WEAK void __asan_init(void);
WEAK void __msan_init(void);
WEAK void __tsan_init(void);

const char *__asan_default_options(void);
__attribute__((used, visibility("default"))) const char *__asan_default_options(void)
{
    /* Objects of tests are never freed; and memory cannot be limited from outside. */
    return "detect_leaks=0:allocator_may_return_null=1:strict_memcmp=0:hard_rss_limit_mb=2048";
}

static void on_death(void)
{
    if (is_the_test())
        state->reported = 1;
}

#include "process.h"
#include "server.h"

/* --- Running --- */

static long setting(const char *name, long otherwise)
{
    const char *text = getenv(name);
    long value = text != NULL ? strtol(text, NULL, 10) : 0;
    return value > 0 ? value : otherwise;
}

static const char *const END_NAMES[] = { "returned", "exited", "aborted", "trapped", "step-limit" };

static void print_end(const struct covenant_test *test, const struct ending *end)
{
    printf("# end: %s", KIND_NAMES[end->kind]);
    if (end->kind == END_RETURNED || end->kind == END_EXITED || end->kind == END_SIGNAL)
        printf(" %d", end->number);
    if (end->kind == END_SANDBOX)
        printf(" %s %s", call_name(state->call), state->path);
    printf("\n# expected: %s", END_NAMES[test->expected]);
    if (test->expected == COVENANT_EXITED && test->status >= 0)
        printf(" %d", test->status & 255);
    printf("\n");
    if (test->defect != NULL)
        printf("# defect: %s\n", test->defect);
}

static int run_test(const struct covenant_test *test, unsigned long number, int loud)
{
    struct ending end;
    struct run run;
    int nowhere;
    fill_zero(&run, sizeof run);
    run.test = test;
    run.time = setting("COVENANT_TIMEOUT", 10000);
    run.memory = setting("COVENANT_MEMORY", 2048);
    run.outputs[0].from = run.outputs[1].from = run.requests = -1;
    run.input = open("/dev/null", O_RDONLY);
    nowhere = open("/dev/null", O_WRONLY);
    run.outputs[0].to = run.outputs[1].to = loud ? 2 : nowhere;
    fflush(NULL);
    run_one(&run, &end);
    close(run.input);
    close(nowhere);
    if (state->directory[0] != 0)
        remove_directory(state->directory);
    if (end.kind == END_NO_PROCESS) {
        fprintf(stderr, "fork: %s\n", strerror(end.number));
        exit(2);
    }
    printf("%sok %lu - %s\n", end.passed ? "" : "not ", number, test->name);
    if (!end.passed || loud || test->defect != NULL)
        print_end(test, &end);
    fputs(state->messages, stdout);
    return end.passed;
}

static const struct covenant_test *known(const char *name)
{
    const struct covenant_test *test = find(name);
    if (test == NULL) {
        fprintf(stderr, "no test has the name %s\n", name);
        exit(2);
    }
    return test;
}

int __wrap_main(int argc, char **argv);
int __wrap_main(int argc, char **argv)
{
    const struct covenant_test *test;
    unsigned long number = 0, failed = 0;
    int i;
    if (argc == 2 && same_text(argv[1], "--list")) {
        for (test = covenant_tests; test->name != NULL; test++)
            puts(test->name);
        return 0;
    }
    state = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (state == MAP_FAILED) {
        perror("mmap");
        return 2;
    }
    prepare_running();
    if (argc == 2 && same_text(argv[1], "--serve"))
        serve();
    if (argc > 1) {
        for (i = 1; i < argc; i++)
            known(argv[i]);
        printf("1..%d\n", argc - 1);
        for (i = 1; i < argc; i++)
            failed += !run_test(known(argv[i]), ++number, 1);
    } else {
        for (test = covenant_tests; test->name != NULL; test++)
            number++;
        printf("1..%lu\n", number);
        number = 0;
        for (test = covenant_tests; test->name != NULL; test++)
            failed += !run_test(test, ++number, 0);
    }
    printf("# %lu tests, %lu as expected, %lu not\n", number, number - failed, failed);
    /* Without what exit does: handlers and destructors are the subject's, and it did not run here. */
    fflush(stdout);
    _exit(failed > 0);
}
