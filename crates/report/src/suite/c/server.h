/* `./suite --serve`: runs tests for Covenant's replay. A part of runner.c.
 *
 * Requests come on standard input, answers go to standard output; both are numbers as the machine has them, and bytes
 * after their length. Every answer begins with the token of the first request, so that nothing else that is written
 * there is taken for one. A test's process has neither of the two descriptors. The process that serves runs nothing of
 * the subject but its constructors.
 *
 * Counters of coverage are in memory that is shared with the test's process, if the code was compiled for that
 * (-runtime-counter-relocation), and so survive whatever ends it; otherwise a test that ends by itself copies them. */

#include <dirent.h>

#include "filters.h"

enum { REQUEST_HELLO = 1, REQUEST_RUN = 2, REQUEST_PROFILE = 3 };
enum { COUNTERS_NONE, COUNTERS_SHARED, COUNTERS_COPIED };
enum { TOKEN = 16, KEPT_ERRORS = 1 << 20, DEEPEST = 32 };

struct run_request {
    uint32_t time, memory;
    uint64_t output, file_size;
    uint32_t mutant, name_length;
};

struct run_answer {
    uint32_t kind;
    int32_t number;
    uint32_t passed, left;
    /* More was written to standard error than is kept. */
    uint32_t cut, unused;
};

static int requests = -1, answers = -1;
static char token[TOKEN];
static unsigned long test_number;

/* --- What LLVM's runtime gives, if it is there --- */

#define HIDDEN __attribute__((weak, visibility("hidden")))

HIDDEN extern intptr_t __llvm_profile_counter_bias;
HIDDEN char *__llvm_profile_begin_counters(void);
HIDDEN char *__llvm_profile_end_counters(void);
HIDDEN char *__llvm_profile_begin_bitmap(void);
HIDDEN char *__llvm_profile_end_bitmap(void);
HIDDEN uint64_t __llvm_profile_get_size_for_buffer(void);

/* How the runtime hands out a profile, piece by piece. Its own way into memory is memcpy, which the subject may define. */
struct piece {
    const void *data;
    size_t size, count;
    int zeros;
};

struct writer {
    uint32_t (*write)(struct writer *writer, struct piece *pieces, uint32_t count);
    void *to;
};

HIDDEN int lprofWriteData(struct writer *writer, void *values, int skip_names);
HIDDEN void lprofSetProfileDumped(unsigned dumped);
WEAK extern int covenant_mutant;

/* Counters and bits of a test, of all tests since the last profile, and those that constructors left. */
struct counts {
    uint64_t *counters;
    unsigned char *bits;
};

static int counting;
static size_t counter_count, bit_bytes;
static struct counts own, shared, sum, initial;

static void *pages(size_t size, int sharing)
{
    void *memory = mmap(NULL, size + 1, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        _exit(4);
    return memory;
}

static void prepare_counters(int how)
{
    size_t size;
    if (how == COUNTERS_NONE || !__llvm_profile_begin_counters || !__llvm_profile_end_counters)
        return;
    if (how == COUNTERS_SHARED && !&__llvm_profile_counter_bias)
        return;
    counting = how;
    own.counters = (uint64_t *)(void *)__llvm_profile_begin_counters();
    counter_count = (size_t)(__llvm_profile_end_counters() - __llvm_profile_begin_counters()) / 8;
    if (how == COUNTERS_COPIED && __llvm_profile_begin_bitmap && __llvm_profile_end_bitmap) {
        own.bits = (unsigned char *)__llvm_profile_begin_bitmap();
        bit_bytes = (size_t)(__llvm_profile_end_bitmap() - __llvm_profile_begin_bitmap());
    }
    size = counter_count * 8 + bit_bytes;
    shared.counters = pages(size, MAP_SHARED);
    sum.counters = pages(size, MAP_PRIVATE);
    initial.counters = pages(size, MAP_PRIVATE);
    shared.bits = (unsigned char *)(shared.counters + counter_count);
    sum.bits = (unsigned char *)(sum.counters + counter_count);
    initial.bits = (unsigned char *)(initial.counters + counter_count);
}

static void copy_counts(struct counts *to, const struct counts *from)
{
    volatile uint64_t *target = to->counters;
    size_t i;
    for (i = 0; i < counter_count; i++)
        target[i] = from->counters[i];
    copy(to->bits, from->bits, bit_bytes);
}

static void copy_at_exit(void)
{
    if (is_the_test())
        copy_counts(&shared, &own);
}

/* --- Talking --- */

static void send_bytes(const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        long done = syscall(SYS_write, answers, at, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            _exit(0);
        at += done;
        size -= (size_t)done;
    }
}

static void receive(void *bytes, size_t size)
{
    char *at = bytes;
    while (size > 0) {
        long done = syscall(SYS_read, requests, at, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            _exit(0);
        at += done;
        size -= (size_t)done;
    }
}

static void send_head(uint64_t size)
{
    send_bytes(token, sizeof token);
    send_bytes(&size, sizeof size);
}

static void send_text(const char *text, size_t length)
{
    uint64_t size = length;
    send_bytes(&size, sizeof size);
    send_bytes(text, length);
}

/* --- The directory of a test --- */

/* Removes all that is in a directory. What is too deep is moved up first, so that no depth is too much. */
static void clear(int directory, int top, int depth)
{
    static unsigned long moved;
    char name[40];
    long again;
    DIR *list;
    struct dirent *entry;
    do {
        long copy_of = syscall(SYS_openat, directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        again = 0;
        list = copy_of >= 0 ? fdopendir((int)copy_of) : NULL;
        while (list != NULL && (entry = readdir(list)) != NULL) {
            long inner;
            if (same_text(entry->d_name, ".") || same_text(entry->d_name, "..")
                || syscall(SYS_unlinkat, directory, entry->d_name, 0) == 0)
                continue;
            if (depth >= DEEPEST) {
                snprintf(name, sizeof name, "covenant.%lu", moved++);
                syscall(SYS_fchmodat, directory, entry->d_name, 0700);
                syscall(SYS_renameat2, directory, entry->d_name, top, name, 0);
                continue;
            }
            /* It is a directory, so this follows no link. */
            inner = syscall(SYS_openat, directory, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            if (inner < 0 && errno == EACCES) {
                syscall(SYS_fchmodat, directory, entry->d_name, 0700);
                inner = syscall(SYS_openat, directory, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            }
            if (inner >= 0) {
                syscall(SYS_fchmod, inner, 0700);
                clear((int)inner, top, depth + 1);
                syscall(SYS_close, inner);
            }
            again |= syscall(SYS_unlinkat, directory, entry->d_name, AT_REMOVEDIR) == 0 && depth == 0;
        }
        if (list != NULL)
            closedir(list);
    } while (again);
}

static void remove_directory(const char *name)
{
    long directory;
    if (syscall(SYS_unlinkat, AT_FDCWD, name, AT_REMOVEDIR) == 0)
        return;
    syscall(SYS_fchmodat, AT_FDCWD, name, 0700);
    directory = syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (directory >= 0) {
        clear((int)directory, (int)directory, 0);
        syscall(SYS_close, directory);
    }
    syscall(SYS_unlinkat, AT_FDCWD, name, AT_REMOVEDIR);
}

/* --- Running a test --- */

static void inside_served(const struct run *run)
{
    static char *no_environment[] = { NULL };
    int fd;
    signal(SIGPIPE, SIG_DFL);
    prctl(PR_SET_DUMPABLE, 1);
    /* A new library or kernel has close_range; the loop is for the others. */
#ifdef SYS_close_range
    if (syscall(SYS_close_range, 3, ~0U, 0) != 0)
#endif
        for (fd = 3; fd < 1024; fd++)
            syscall(SYS_close, fd);
    if (syscall(SYS_chdir, run->directory) != 0)
        _exit(125);
    has_directory = 1;
    environ = no_environment;
    if (&covenant_mutant)
        covenant_mutant = run->mutant;
    if (lprofSetProfileDumped)
        lprofSetProfileDumped(1);
    if (counting == COUNTERS_SHARED)
        __llvm_profile_counter_bias = (char *)shared.counters - (char *)own.counters;
    else if (counting == COUNTERS_COPIED) {
        atexit(copy_at_exit);
        before_stop = copy_at_exit;
    }
    put_on_filters();
}

static int open_pipe(struct output *output)
{
    int ends[2];
    if (syscall(SYS_pipe2, ends, O_CLOEXEC) != 0)
        return 0;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    output->from = ends[0];
    output->to = ends[1];
    return 1;
}

/* Nothing to read: /dev/null, or a pipe that nobody writes to where there is none. */
static int open_input(int way)
{
    int ends[2];
    long fd = syscall(SYS_openat, AT_FDCWD, "/dev/null", way | O_CLOEXEC);
    if (fd >= 0 || syscall(SYS_pipe2, ends, O_CLOEXEC) != 0)
        return (int)fd;
    syscall(SYS_close, ends[1]);
    return ends[0];
}

/* How often each counter that is not zero was counted. */
static void send_counters(uint64_t count)
{
    static uint64_t entries[2 * 1024];
    size_t filled = 0, i;
    send_bytes(&count, sizeof count);
    for (i = 0; i < counter_count && count > 0; i++) {
        if (shared.counters[i] == 0)
            continue;
        count--;
        entries[filled++] = i;
        entries[filled++] = shared.counters[i];
        sum.counters[i] += shared.counters[i];
        if (filled == sizeof entries / sizeof *entries || count == 0) {
            send_bytes(entries, filled * sizeof *entries);
            filled = 0;
        }
    }
    for (i = 0; i < bit_bytes; i++)
        sum.bits[i] |= shared.bits[i];
}

static uint64_t counted(void)
{
    uint64_t count = 0;
    size_t i;
    for (i = 0; i < counter_count; i++)
        count += shared.counters[i] != 0;
    return count;
}

static void serve_run(void)
{
    static char errors[KEPT_ERRORS], name[4096], directory[40];
    struct run_request request;
    struct run_answer answer;
    struct ending end;
    struct run run;
    const char *call = "";
    size_t path_length;
    uint64_t counters;
    receive(&request, sizeof request);
    if (request.name_length >= sizeof name)
        _exit(4);
    receive(name, request.name_length);
    name[request.name_length] = 0;
    fill_zero(&answer, sizeof answer);
    fill_zero(&run, sizeof run);
    fill_zero(state, sizeof *state);
    copy_counts(&shared, &initial);
    run.test = find(name);
    run.time = request.time;
    run.memory = request.memory;
    run.most_output = request.output;
    run.file_size = request.file_size;
    run.requests = requests;
    run.inside = inside_served;
    run.directory = directory;
    run.mutant = (int)request.mutant;
    run.outputs[0].from = run.outputs[1].from = -1;
    run.outputs[1].kept = errors;
    run.outputs[1].room = sizeof errors;
    end.kind = END_NO_PROCESS;
    end.number = end.passed = 0;
    end.left = 0;
    snprintf(directory, sizeof directory, "t%lu", ++test_number);
    if (run.test != NULL) {
        run.input = open_input(O_RDONLY);
        if (run.input < 0 || !open_pipe(&run.outputs[0]) || !open_pipe(&run.outputs[1])
            || syscall(SYS_mkdirat, AT_FDCWD, directory, 0700) != 0)
            end.number = errno;
        else
            run_one(&run, &end);
        remove_directory(directory);
        syscall(SYS_close, run.input);
        syscall(SYS_close, run.outputs[0].from);
        syscall(SYS_close, run.outputs[0].to);
        syscall(SYS_close, run.outputs[1].from);
        syscall(SYS_close, run.outputs[1].to);
    }
    answer.kind = (uint32_t)end.kind;
    answer.number = end.number;
    answer.passed = (uint32_t)end.passed;
    answer.left = end.left;
    answer.cut = run.outputs[1].total > run.outputs[1].length;
    if (end.kind == END_SANDBOX && state->denied)
        call = call_name(state->call);
    /* All of the state could be written by the test; none of it is trusted to be text. */
    state->path[sizeof state->path - 1] = state->messages[sizeof state->messages - 1] = 0;
    path_length = text_length(state->path);
    counters = counted();
    send_head(sizeof answer + 5 * 8 + text_length(call) + path_length + text_length(state->messages)
              + run.outputs[1].length + 16 * counters);
    send_bytes(&answer, sizeof answer);
    send_text(call, text_length(call));
    send_text(state->path, path_length);
    send_text(state->messages, text_length(state->messages));
    send_text(errors, run.outputs[1].length);
    send_counters(counters);
}

static uint32_t write_pieces(struct writer *writer, struct piece *pieces, uint32_t count)
{
    char *to = writer->to;
    uint32_t i;
    for (i = 0; i < count; i++) {
        size_t size = pieces[i].size * pieces[i].count;
        if (pieces[i].data != NULL)
            copy(to, pieces[i].data, size);
        to += size;
    }
    writer->to = to;
    return 0;
}

/* The profile of all tests since the last one, as LLVM's runtime writes it. */
static void serve_profile(void)
{
    uint64_t size = 0;
    char *buffer = NULL;
    if (counting && __llvm_profile_get_size_for_buffer && lprofWriteData) {
        struct writer writer = { write_pieces, NULL };
        copy_counts(&own, &sum);
        size = __llvm_profile_get_size_for_buffer();
        writer.to = buffer = pages(size, MAP_PRIVATE);
        if (lprofWriteData(&writer, NULL, 0) != 0)
            size = 0;
        fill_zero(sum.counters, counter_count * 8 + bit_bytes);
    }
    send_head(size);
    send_bytes(buffer, size);
    if (buffer != NULL)
        munmap(buffer, size + 1);
}

static void serve_hello(void)
{
    uint32_t how;
    uint64_t counters;
    receive(token, sizeof token);
    receive(&how, sizeof how);
    prepare_counters((int)how);
    if (counting)
        copy_counts(&initial, &own);
    counters = counter_count;
    send_head(sizeof counters);
    send_bytes(&counters, sizeof counters);
}

static void serve(void)
{
    int nothing = open_input(O_RDWR);
    read_filters(getenv("COVENANT_FILTERS"));
    /* Out of the way of what a test may use, and of what constructors may have left in buffers. */
    requests = fcntl(0, F_DUPFD_CLOEXEC, 500);
    answers = fcntl(1, F_DUPFD_CLOEXEC, 501);
    if (requests < 0 || answers < 0 || nothing < 0)
        _exit(4);
    dup2(nothing, 0);
    dup2(nothing, 1);
    if (nothing > 2)
        syscall(SYS_close, nothing);
    signal(SIGPIPE, SIG_IGN);
    fflush(NULL);
    /* LLVM's runtime makes an empty profile when it starts. The directory is ours alone. */
    syscall(SYS_unlinkat, AT_FDCWD, "default.profraw", 0);
    /* Nobody with the same rights can open our descriptors through /proc. */
    prctl(PR_SET_DUMPABLE, 0);
    for (;;) {
        uint32_t request;
        receive(&request, sizeof request);
        if (request == REQUEST_HELLO)
            serve_hello();
        else if (request == REQUEST_RUN)
            serve_run();
        else if (request == REQUEST_PROFILE)
            serve_profile();
        else
            _exit(4);
    }
}
