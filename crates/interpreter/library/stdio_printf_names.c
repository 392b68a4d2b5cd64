/* stdio.h: the functions of the printf family. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static int to_stream(FILE *stream, const char *format, va_list list) {
    if (!__lib_stream_is_written(stream)) return -1;
    struct sink sink = {.stream = stream};
    return __lib_format(&sink, format, list);
}

static int to_memory(char *to, size_t size, const char *format, va_list list) {
    /* Without room not even the terminator is written. */
    char nothing;
    struct sink sink = {.memory = size > 0 ? to : &nothing, .capacity = size > 0 ? size - 1 : 0};
    int result = __lib_format(&sink, format, list);
    if (size > 0) to[sink.total < sink.capacity ? sink.total : sink.capacity] = '\0';
    return result;
}

/* sprintf's room is unknown: the object's end is what the machine checks. */
static int to_unbounded(char *to, const char *format, va_list list) {
    struct sink sink = {.memory = to, .capacity = PTRDIFF_MAX};
    int result = __lib_format(&sink, format, list);
    to[sink.total] = '\0';
    return result;
}

static int to_new(char **to, const char *format, va_list list) {
    struct sink sink = {.grows = true};
    int result = __lib_format(&sink, format, list);
    __lib_sink_put(&sink, "", 1);
    if (result < 0 || sink.failed) {
        free(sink.memory);
        return -1;
    }
    *to = sink.memory;
    return result;
}

static int to_descriptor(int fd, const char *format, va_list list) {
    char *text = NULL;
    int length = to_new(&text, format, list);
    fd = __lib_descriptor(fd);
    for (int done = 0; done < length;) {
        long written = __lib_result(__covenant_write(fd, text + done, (size_t)(length - done)));
        if (written < 0) {
            length = -1;
            break;
        }
        done += (int)written;
    }
    free(text);
    return length;
}

#define FORWARD(call)       \
    va_list list;           \
    va_start(list, format); \
    int result = call;      \
    va_end(list);           \
    return result

int vfprintf(FILE *restrict stream, const char *restrict format, va_list list) {
    return to_stream(stream, format, list);
}
int vprintf(const char *restrict format, va_list list) { return to_stream(stdout, format, list); }
int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list list) {
    return to_memory(to, size, format, list);
}
int vsprintf(char *restrict to, const char *restrict format, va_list list) { return to_unbounded(to, format, list); }
int vasprintf(char **restrict to, const char *restrict format, va_list list) { return to_new(to, format, list); }
int vdprintf(int fd, const char *restrict format, va_list list) { return to_descriptor(fd, format, list); }

int fprintf(FILE *restrict stream, const char *restrict format, ...) { FORWARD(to_stream(stream, format, list)); }
int printf(const char *restrict format, ...) { FORWARD(to_stream(stdout, format, list)); }
int snprintf(char *restrict to, size_t size, const char *restrict format, ...) {
    FORWARD(to_memory(to, size, format, list));
}
int sprintf(char *restrict to, const char *restrict format, ...) { FORWARD(to_unbounded(to, format, list)); }
int asprintf(char **restrict to, const char *restrict format, ...) { FORWARD(to_new(to, format, list)); }
int __asprintf(char **restrict to, const char *restrict format, ...) { FORWARD(to_new(to, format, list)); }
int dprintf(int fd, const char *restrict format, ...) { FORWARD(to_descriptor(fd, format, list)); }

/* With _FORTIFY_SOURCE: `flag` asks for checks of %n that a checked memory does not need; room is what the compiler
 * knows of the object. */

_Noreturn void __chk_fail(void);

int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list list) {
    (void)flag;
    return to_stream(stream, format, list);
}
int __vprintf_chk(int flag, const char *format, va_list list) {
    (void)flag;
    return to_stream(stdout, format, list);
}
int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list list) {
    (void)flag;
    if (size > room) __chk_fail();
    return to_memory(to, size, format, list);
}
int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list list) {
    (void)flag;
    if (room == 0) __chk_fail();
    int result = to_memory(to, room, format, list);
    if (result >= 0 && (size_t)result >= room) __chk_fail();
    return result;
}
int __vasprintf_chk(char **to, int flag, const char *format, va_list list) {
    (void)flag;
    return to_new(to, format, list);
}
int __vdprintf_chk(int fd, int flag, const char *format, va_list list) {
    (void)flag;
    return to_descriptor(fd, format, list);
}
int __fprintf_chk(FILE *stream, int flag, const char *format, ...) {
    FORWARD(__vfprintf_chk(stream, flag, format, list));
}
int __printf_chk(int flag, const char *format, ...) { FORWARD(__vprintf_chk(flag, format, list)); }
int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...) {
    FORWARD(__vsnprintf_chk(to, size, flag, room, format, list));
}
int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...) {
    FORWARD(__vsprintf_chk(to, flag, room, format, list));
}
int __asprintf_chk(char **to, int flag, const char *format, ...) { FORWARD(__vasprintf_chk(to, flag, format, list)); }
int __dprintf_chk(int fd, int flag, const char *format, ...) { FORWARD(__vdprintf_chk(fd, flag, format, list)); }
