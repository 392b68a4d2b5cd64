/* The machine that the library asks for (library/covenant.h), on top of the system. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../library/covenant.h"
#include "check.h"

void *__covenant_alloc(size_t size, size_t align, int zeroed) {
    if (size > PTRDIFF_MAX) return NULL;
    void *object = NULL;
    if (posix_memalign(&object, align, size) != 0) return NULL;
    memset(object, zeroed ? 0 : 0xa5, size);
    return object;
}

/* Nothing fails here that does not fail by itself. */
_Bool __covenant_fails(void) { return 0; }
long long __covenant_bound(int what) { return (void)what, 0; }
unsigned char __covenant_given(int what, long long number, long long place) { return (void)what, (void)number, (void)place, 0; }
int __covenant_named(long long number, long long place) { return (void)number, (void)place, -1; }
long long __covenant_file(int what, long long number, const char *path) { return (void)what, (void)number, (void)path, -1; }

void __covenant_free(void *object) { free(object); }

extern size_t malloc_usable_size(void *);
size_t __covenant_size(void *object) { return malloc_usable_size(object); }

_Noreturn void __covenant_exit(int status) { _exit(status); }
_Noreturn void __covenant_abort(void) { abort(); }
_Noreturn void __covenant_assert_fail(const char *expression) {
    (void)expression;
    abort();
}
void __covenant_run_destructors(void) {
    if (write(1, "<destructors>", 13) < 0) _exit(3);
}

static long result(long value) { return value < 0 ? -errno : value; }

long long __covenant_read(int fd, void *to, size_t bytes) { return result(read(fd, to, bytes)); }
long long __covenant_write(int fd, const void *from, size_t bytes) { return result(write(fd, from, bytes)); }
int __covenant_close(int fd) { return (int)result(close(fd)); }
long long __covenant_seek(int fd, long long offset, int whence) { return result(lseek(fd, offset, whence)); }
int __covenant_unlink(const char *path) { return (int)result(unlink(path)); }
int __covenant_rename(const char *from, const char *to) { return (int)result(rename(from, to)); }

int __covenant_mkdir(const char *path) { return (int)result(mkdir(path, 0777)); }
int __covenant_rmdir(const char *path) { return (int)result(rmdir(path)); }
int __covenant_child(const char *directory, long long number, char *name) {
    return (void)directory, (void)number, (void)name, 0;
}
int __covenant_kind(const char *path) {
    struct stat found;
    if (stat(path, &found) < 0) return -errno;
    return S_ISDIR(found.st_mode) ? 2 : 1;
}

_Noreturn void __covenant_killed(int signal) { _exit(128 + signal); }
int __covenant_elsewhere(void) { return 0; }
int __covenant_to_the_letter(void) { return 0; }
long long __covenant_unsure(int what, long long number, long long value) { return (void)what, (void)number, value; }

long long __covenant_unsupported(const char *what, long long otherwise, ...) {
    (void)what;
    return otherwise;
}

int __covenant_open(const char *path, int flags) {
    int wanted = flags & 2 ? (flags & 1 ? O_RDWR : O_WRONLY) : O_RDONLY;
    if (flags & 4) wanted |= O_CREAT;
    if (flags & 8) wanted |= O_TRUNC;
    if (flags & 16) wanted |= O_APPEND;
    if (flags & 32) wanted |= O_EXCL;
    return (int)result(open(path, wanted, 0666));
}

static void make_format(char *to, const char *length, int conversion, int precision, int alternate) {
    char *at = to;
    *at++ = '%';
    if (alternate) *at++ = '#';
    if (precision >= 0) {
        *at++ = '.';
        *at++ = '*';
    }
    at = stpcpy(at, length);
    *at++ = (char)conversion;
    *at = '\0';
}

static size_t deliver(char *to, size_t capacity, char *text, int length) {
    memcpy(to, text, (size_t)length < capacity ? (size_t)length : capacity);
    free(text);
    return (size_t)length;
}

size_t __covenant_format_double(char *to, size_t capacity, double value, int conversion, int precision, int alternate) {
    char format[16];
    char *text;
    make_format(format, "", conversion, precision, alternate);
    int length = precision >= 0 ? asprintf(&text, format, precision, value) : asprintf(&text, format, value);
    return deliver(to, capacity, text, length);
}

size_t __covenant_format_long_double(char *to, size_t capacity, const long double *value, int conversion,
                                     int precision, int alternate) {
    char format[16];
    char *text;
    make_format(format, "L", conversion, precision, alternate);
    int length = precision >= 0 ? asprintf(&text, format, precision, *value) : asprintf(&text, format, *value);
    return deliver(to, capacity, text, length);
}

/* A number that is not well-formed to its last character would be the library's fault. */
#define PARSE(function)                                                        \
    char *copy = strndup(text, length);                                        \
    char *end;                                                                 \
    int kept = errno;                                                          \
    __auto_type value = function(copy, &end);                                  \
    errno = kept;                                                              \
    CHECK(*end == '\0' && length > 0 && text[0] != '-' && text[0] != '+' && text[0] != ' ', \
          "the machine was given \"%s\" as a number", show(copy));             \
    free(copy)

float __covenant_parse_float(const char *text, size_t length) {
    PARSE(strtof);
    return value;
}

double __covenant_parse_double(const char *text, size_t length) {
    PARSE(strtod);
    return value;
}

void __covenant_parse_long_double(const char *text, size_t length, long double *to) {
    PARSE(strtold);
    *to = value;
}
