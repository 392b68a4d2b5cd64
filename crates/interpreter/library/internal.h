/* What the files of the library share and programs do not see. Two rules hold in this folder:
 * - a function of ISO C calls only functions of ISO C and names that begin with two underscores, so that a program
 *   may define `read`, `index` or `getline` for itself without changing what `fgets` does;
 * - bytes are handled one at a time, in plain loops, inside the bounds of their object. */
#ifndef INTERNAL_H
#define INTERNAL_H

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "covenant.h"

/* A va_list that can be passed by pointer whatever its type is. */
struct arguments {
    va_list list;
};

/* ASCII classes as comparisons: easier on a solver than the tables of ctype.h. Each is one comparison or a value without any, since
 * each decision about an input is another path. */
static inline bool is_between(int c, int first, int last) { return (unsigned)c - (unsigned)first <= (unsigned)(last - first); }
static inline bool is_digit(int c) { return is_between(c, '0', '9'); }
static inline bool is_space(int c) { return (int)(c == ' ') | (int)is_between(c, '\t', '\r'); }
static inline int to_lower(int c) { return c + ((int)is_between(c, 'A', 'Z') << 5); }
static inline int to_upper(int c) { return c - ((int)is_between(c, 'a', 'z') << 5); }
/* The value of a digit of some base up to 36, or 99. */
static inline int digit_value(int c) {
    int lower = to_lower(c);
    int digit = -(int)is_digit(c), letter = -(int)is_between(lower, 'a', 'z');
    return (digit & (c - '0')) | (letter & (lower - 'a' + 10)) | (~(digit | letter) & 99);
}
/* The value of a digit of this base, or something negative. */
static inline int digit_in(int c, int base) {
    if (base <= 10) return is_between(c, '0', '0' + base - 1) ? c - '0' : -1;
    int value = digit_value(c);
    return value < base ? value : -1;
}

/* Whether what the program has called, which is about a file, fails: nobody lets it do that. */
static inline bool __lib_fails(void) {
    if (!__covenant_fails()) return false;
    errno = EACCES;
    return true;
}

/* given.c: standard input and arguments, where they are inputs of the run. */
int __lib_given_arguments(int argc, char ***argv);
char **__lib_given_environment(char **envp);
/* As __covenant_open, __covenant_read and __covenant_seek, for what may be among the inputs. */
long __lib_open(const char *path, int flags);
long __lib_read(int fd, void *to, size_t length);
long __lib_seek(int fd, long offset, int whence);
/* A descriptor that the program has from somewhere, as one that the machine knows, or -1: decided once for each of those, and not for
 * each number there is. */
int __lib_descriptor(int fd);
/* Whether what is read there is an input: then it is asked for one byte at a time. */
bool __lib_is_given(int fd);
/* The bytes of a file among the inputs, by its number. */
long __lib_size_of_given(long number);
/* To be called before a path means something: it may be that of a file or a directory among the inputs. Gives the path that the machine
 * knows it by. */
const char *__lib_come_to(const char *path);
/* Whether a path means a directory in which something is that is an input; all of it has a place in the machine then. */
bool __lib_has_entries(const char *path);

/* What is in a directory. */
struct child {
    const char *name;
    /* As in struct dirent. */
    int type;
    long inode;
};
/* All of what is in the directory at a path, which the program has come to. */
struct child *__lib_children(const char *path, long *count);
/* A number that stands for a file natively, by that of the machine and that among the inputs. */
static inline long __lib_inode(long node, long given) { return given >= FIRST_ENTRY ? 1000000 + given : node; }

/* A number that nobody may count on: it is another one elsewhere. */
static inline long __lib_unsure(int what, long number, long value, long elsewhere) {
    return (long)__covenant_unsure(what, number, __covenant_elsewhere() ? elsewhere : value);
}

/* The number of a file as the system would have it: `stat` and `readdir` tell the same one. */
static inline long __lib_unsure_inode(long number) {
    return __lib_unsure(UNSURE_INODE, number, 12 + number, 90000000 - 3 * number);
}

/* Whether programs see the structures of the system as the headers have them that this is compiled with. */
#if defined(__i386__) || (defined(__x86_64__) && !defined(__aarch64__) && !defined(__riscv))
enum { LAYOUT_IS_KNOWN = 1 };
#else
enum { LAYOUT_IS_KNOWN = 0 };
#endif

/* stdlib_memory.c: malloc's answer to a size that no object can have is NULL and ENOMEM. */
void *__lib_alloc(size_t size);

/* strto.c: the end of the longest prefix of text that is a floating-point number, as strtod has it, after spaces and
 * sign were skipped; text itself when there is none. */
struct float_text {
    const char *start;
    const char *end;
    bool negative;
    enum { FLOAT_NONE, FLOAT_NUMBER, FLOAT_INFINITY, FLOAT_NAN } kind;
};
struct float_text __lib_scan_float(const char *text);

/* stdio_printf.c: where formatted output goes. Either a stream, or memory of which `capacity` bytes may be used. */
struct sink {
    FILE *stream;
    char *memory;
    size_t capacity;
    /* Memory that grows on demand (asprintf). */
    bool grows;
    bool failed;
    /* Characters produced so far, kept or not. */
    size_t total;
};
void __lib_sink_put(struct sink *sink, const char *text, size_t length);
void __lib_sink_pad(struct sink *sink, char c, long count);
int __lib_format(struct sink *sink, const char *format, va_list list);

/* stdio_printf_number.c: one conversion each. */
struct spec {
    bool left, plus, space, alternate, zero;
    int width;     /* never negative */
    int precision; /* -1: none given */
    enum { LENGTH_NONE, LENGTH_HH, LENGTH_H, LENGTH_L, LENGTH_J, LENGTH_LL } length;
    char conversion;
};
void __lib_format_integer(struct sink *sink, const struct spec *spec, bool negative, uint64_t magnitude);
void __lib_format_float(struct sink *sink, const struct spec *spec, double value);
void __lib_format_long_double(struct sink *sink, const struct spec *spec, long double value);
void __lib_format_text(struct sink *sink, const struct spec *spec, const char *text, size_t length);

/* stdio_scanf.c: where scanned input comes from: a stream, or a string that ends with its terminator. */
struct source {
    FILE *stream;
    const char *text;
    /* Characters taken so far, for %n. */
    long taken;
};
int __lib_source_get(struct source *source);
void __lib_source_unget(struct source *source, int c);
int __lib_scan(struct source *source, const char *format, va_list list);

/* stdio_scanf_number.c: collect the characters of a number; false when they match none. The input is not at its end,
 * and white space was skipped. width < 0 means no limit. base is 0, 8, 10 or 16. */
struct scan_text {
    char *bytes;
    size_t length;
    size_t capacity;
};
void __lib_scan_append(struct scan_text *text, char c);
void __lib_scan_release(struct scan_text *text);
bool __lib_scan_integer(struct source *source, struct scan_text *text, int width, int *base, bool pointer);
bool __lib_scan_real(struct source *source, struct scan_text *text, int width);

/* stdio_stream.c: the buffers of streams. */
int __lib_stream_flush(FILE *stream);
int __lib_stream_flush_all(void);
int __lib_stream_sync(FILE *stream);
int __lib_stream_fill(FILE *stream);
bool __lib_stream_begin_write(FILE *stream);
bool __lib_stream_is_written(FILE *stream);
size_t __lib_stream_write(FILE *stream, const char *from, size_t length);
size_t __lib_stream_read(FILE *stream, char *to, size_t length);
long __lib_stream_seek(FILE *stream, long offset, int whence);
long __lib_stream_tell(FILE *stream);
int __lib_stream_close(FILE *stream);
void __lib_stream_link(FILE *stream);
void __lib_stream_unlink(FILE *stream);

/* What stands below a stream that has no descriptor (fmemopen, open_memstream, fopencookie). */
struct backend {
    cookie_io_functions_t io;
    void *cookie;
};

/* stdio_file.c */
FILE *__lib_stream_new(int fd, int flags);
/* Flags of a stream and, in *open_flags, of __covenant_open for a mode of fopen; -1 and EINVAL for a bad mode. */
int __lib_stream_mode(const char *mode, int *open_flags);

/* Bits of FILE._flags. Those of the end and of an error have the values that macros of glibc's headers use. */
enum {
    STREAM_USER_BUFFER = 0x1, /* the buffer belongs to the program */
    STREAM_UNBUFFERED = 0x2,
    STREAM_NO_READ = 0x4,
    STREAM_NO_WRITE = 0x8,
    STREAM_EOF = 0x10,
    STREAM_ERROR = 0x20,
    STREAM_BACKUP = 0x100, /* characters pushed back are read first; the get area proper is in the save fields */
    STREAM_LINE = 0x200,
    STREAM_WRITING = 0x800, /* the put area is in use */
    STREAM_APPEND = 0x1000,
    STREAM_STATIC = 0x2000, /* the FILE itself is one of the three standard ones */
};
enum { STREAM_BUFFER = 4096 };

/* Flags of __covenant_open. */
enum { OPEN_READ = 1, OPEN_WRITE = 2, OPEN_CREATE = 4, OPEN_TRUNCATE = 8, OPEN_APPEND = 16, OPEN_EXCLUSIVE = 32 };

/* signal.c: whether a handler of the program ran. */
bool __lib_signal_deliver(int signal);

/* errno.c: the program may not ask why the last call failed, because that differs from system to system. What the library
 * itself says of errno is known again. */
void __lib_errno_is_unsure(void);
int *__lib_errno(void);
#undef errno
#define errno (*__lib_errno())

/* Turns a result of the machine, where a negative one is -errno, into that of a system call. */
static inline long __lib_result(long result) {
    if (result >= 0) return result;
    if (result == -4096) {
        __lib_errno_is_unsure();
        return -1;
    }
    errno = (int)-result;
    return -1;
}

#endif
