/* A part of runner.c: what the code under test does outside of its memory. Calls of functions that it does not define, errno, and
 * what it prints. */

/* --- Calls --- */

enum argument_kind { ARGUMENT_NUMBER, ARGUMENT_POINTER, ARGUMENT_SOME };

/* What a call gets, by its number (from 1) and the place of the argument. */
struct expected_argument {
    const char *function;
    unsigned long call;
    unsigned index, size;
    enum argument_kind kind;
    unsigned long long bits;
    const void *target;
};

struct heard_function {
    const char *name;
    unsigned long calls;
};

static struct expected_argument *expected_arguments;
static size_t expected_count;
static struct heard_function *heard;
static size_t heard_count;

static struct expected_argument *one_more_argument(const char *function, unsigned long call, unsigned index)
{
    struct expected_argument *added;
    expected_arguments = realloc(expected_arguments, (expected_count + 1) * sizeof *expected_arguments);
    if (expected_arguments == NULL)
        _exit(125);
    added = &expected_arguments[expected_count++];
    fill_zero(added, sizeof *added);
    added->function = function;
    added->call = call;
    added->index = index;
    return added;
}

void covenant_gets(const char *function, unsigned long call, unsigned index, unsigned size, unsigned long long bits)
{
    struct expected_argument *added = one_more_argument(function, call, index);
    added->kind = ARGUMENT_NUMBER;
    added->size = size;
    added->bits = bits;
}

void covenant_gets_pointer(const char *function, unsigned long call, unsigned index, const void *target)
{
    struct expected_argument *added = one_more_argument(function, call, index);
    added->kind = ARGUMENT_POINTER;
    added->target = target;
}

void covenant_gets_some(const char *function, unsigned long call, unsigned index)
{
    one_more_argument(function, call, index)->kind = ARGUMENT_SOME;
}

static unsigned long *calls_of(const char *function)
{
    size_t i;
    for (i = 0; i < heard_count; i++)
        if (same_text(heard[i].name, function))
            return &heard[i].calls;
    heard = realloc(heard, (heard_count + 1) * sizeof *heard);
    if (heard == NULL)
        _exit(125);
    heard[heard_count].name = function;
    heard[heard_count].calls = 0;
    return &heard[heard_count++].calls;
}

void covenant_heard(const char *function)
{
    ++*calls_of(function);
}

static void compare_argument(const struct expected_argument *expected, const char *name, const volatile void *value,
                             unsigned long size)
{
    unsigned long long found = 0, mask = size < 8 ? (1ULL << 8 * size) - 1 : ~0ULL;
    const void *address = NULL;
    copy(&found, (const void *)value, size < 8 ? size : 8);
    copy(&address, (const void *)value, size < sizeof address ? size : sizeof address);
    if (expected->kind == ARGUMENT_NUMBER && size == expected->size && found != (expected->bits & mask))
        fail("#   %s, call %lu, %s: expected 0x%llx, found 0x%llx\n", expected->function, expected->call, name,
             expected->bits & mask, found);
    if (expected->kind == ARGUMENT_POINTER && address != expected->target)
        fail("#   %s, call %lu, %s: expected the address %p, found %p\n", expected->function, expected->call, name,
             expected->target, address);
    if (expected->kind == ARGUMENT_SOME && address == NULL)
        fail("#   %s, call %lu, %s: expected an object, found NULL\n", expected->function, expected->call, name);
}

/* `class` is what the compiler calls the type: only numbers and pointers are compared. */
void covenant_heard_argument(const char *function, unsigned index, const char *name, int class,
                             const volatile void *value, unsigned long size)
{
    unsigned long call = *calls_of(function);
    size_t i;
    if (class < 1 || class > 8 || class == 6 || class == 7)
        return;
    for (i = 0; i < expected_count; i++) {
        const struct expected_argument *expected = &expected_arguments[i];
        if (expected->call == call && expected->index == index && same_text(expected->function, function))
            compare_argument(expected, name, value, size);
    }
}

void covenant_expect_calls(const char *function, unsigned long calls)
{
    unsigned long found = *calls_of(function);
    if (found != calls)
        fail("#   %s: expected %lu calls, found %lu\n", function, calls, found);
}

/* --- errno and output --- */

WEAK void __sanitizer_set_report_fd(void *fd);

/* Streams 1 and 2: where they are read, where they went before, and what was read. */
struct captured {
    int from, back;
    size_t length;
    char text[8192];
};

static struct captured captured[2] = { { -1, -1, 0, "" }, { -1, -1, 0, "" } };
static int errno_after;

static void capture(struct captured *one, int stream)
{
    int ends[2];
    /* Who writes too much is not kept waiting. */
    if (syscall(SYS_pipe2, ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    one->back = fcntl(stream, F_DUPFD_CLOEXEC, 100);
    if (one->back >= 0 && dup2(ends[1], stream) == stream)
        one->from = ends[0];
    syscall(SYS_close, ends[1]);
}

void covenant_begin(int captures)
{
    if (captures) {
        fflush(NULL);
        capture(&captured[0], 1);
        capture(&captured[1], 2);
        if (__sanitizer_set_report_fd && captured[1].back >= 0)
            __sanitizer_set_report_fd((void *)(intptr_t)captured[1].back);
    }
    errno = 0;
}

static void end_capture(void)
{
    int stream;
    errno_after = errno;
    if (captured[0].from < 0 && captured[1].from < 0)
        return;
    fflush(NULL);
    for (stream = 1; stream <= 2; stream++) {
        struct captured *one = &captured[stream - 1];
        long done;
        if (one->from < 0)
            continue;
        dup2(one->back, stream);
        while ((done = syscall(SYS_read, one->from, one->text + one->length, sizeof one->text - one->length)) > 0)
            one->length += (size_t)done;
    }
    if (__sanitizer_set_report_fd)
        __sanitizer_set_report_fd((void *)(intptr_t)2);
}

/* A text on one line. */
static const char *on_a_line(char *to, size_t room, const char *text, size_t length)
{
    size_t at = 0, i;
    for (i = 0; i < length && at + 3 < room; i++) {
        if (text[i] == '\n') {
            to[at++] = '\\';
            to[at++] = 'n';
        } else
            to[at++] = text[i] < ' ' ? '?' : text[i];
    }
    to[at] = 0;
    return to;
}

void covenant_expect_output(int stream, unsigned long size, const char *bytes)
{
    const struct captured *one = &captured[stream - 1];
    char expected[200], found[200];
    if (one->from < 0 || (one->length == size && same(one->text, bytes, size)))
        return;
    fail("#   standard %s: expected \"%s\", found \"%s\"\n", stream == 1 ? "output" : "error",
         on_a_line(expected, sizeof expected, bytes, size), on_a_line(found, sizeof found, one->text, one->length));
}

void covenant_expect_errno(int value)
{
    if (errno_after != value)
        fail("#   errno: expected %d, found %d\n", value, errno_after);
}

/* In failures.c, which counts. */
WEAK long covenant_allocated(void);

void covenant_expect_allocated(long objects)
{
    long found = covenant_allocated ? covenant_allocated() : -1;
    if (found >= 0 && found != objects)
        fail("#   objects still allocated: expected %ld, found %ld\n", objects, found);
}

/* --- What a whole program prints until its end --- */

static struct {
    int known;
    unsigned long sizes[2];
    const char *texts[2];
} printed;

static void check_printed(void)
{
    int i;
    if (!is_the_test())
        return;
    end_capture();
    for (i = 0; i < 2; i++)
        covenant_expect_output(i + 1, printed.sizes[i], printed.texts[i]);
}

/* Handlers run in the opposite order, so that those of the program come before this one. */
void covenant_expect_printed(unsigned long size, const char *output, unsigned long error_size, const char *error)
{
    printed.sizes[0] = size;
    printed.texts[0] = output;
    printed.sizes[1] = error_size;
    printed.texts[1] = error;
    printed.known = atexit(check_printed) == 0;
    if (printed.known)
        covenant_begin(1);
}

/* --- Files that it leaves behind --- */

enum { MOST_FILES = 16 };

static struct {
    const char *names[MOST_FILES];
    unsigned long sizes[MOST_FILES];
    const char *bytes[MOST_FILES];
    int count;
} left_files;

static void check_file(const char *name, unsigned long size, const char *bytes)
{
    static char found[65536];
    char text[200], other[200];
    size_t length = 0;
    long fd = syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC), done;
    if (fd < 0 && bytes != NULL)
        fail("#   file %s: expected \"%s\", found none\n", name, on_a_line(text, sizeof text, bytes, size));
    if (fd < 0)
        return;
    while (length < sizeof found && (done = syscall(SYS_read, fd, found + length, sizeof found - length)) > 0)
        length += (size_t)done;
    syscall(SYS_close, fd);
    on_a_line(other, sizeof other, found, length);
    if (bytes == NULL)
        fail("#   file %s: expected none, found \"%s\"\n", name, other);
    else if (length != size || !same(found, bytes, size))
        fail("#   file %s: expected \"%s\", found \"%s\"\n", name, on_a_line(text, sizeof text, bytes, size), other);
}

static void check_files(void)
{
    int i;
    if (!is_the_test())
        return;
    fflush(NULL);
    for (i = 0; i < left_files.count; i++)
        check_file(left_files.names[i], left_files.sizes[i], left_files.bytes[i]);
}

void covenant_expect_file(const char *name, unsigned long size, const char *bytes)
{
    int at = left_files.count;
    if (at == MOST_FILES || (at == 0 && atexit(check_files) != 0))
        return;
    left_files.names[at] = name;
    left_files.sizes[at] = size;
    left_files.bytes[at] = bytes;
    left_files.count++;
}
