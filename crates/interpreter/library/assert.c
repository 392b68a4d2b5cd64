/* assert.h, and the checks that _FORTIFY_SOURCE compiles in. */
#include <assert.h>
#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

extern char *__progname;

/* format is for one text. */
static void say(const char *file, unsigned line, const char *function, const char *format, const char *text) {
    const char *program = __progname;
    fprintf(stderr, "%s%s%s:%u: %s%s", program, *program != '\0' ? ": " : "", file, line,
            function != NULL ? function : "", function != NULL ? ": " : "");
    fprintf(stderr, format, text);
}

void __assert_fail(const char *expression, const char *file, unsigned line, const char *function) {
    say(file, line, function, "Assertion `%s' failed.\n", expression);
    __covenant_assert_fail(expression);
}

void __assert(const char *expression, const char *file, int line) {
    __assert_fail(expression, file, (unsigned)line, NULL);
}

void __assert_perror_fail(int error, const char *file, unsigned line, const char *function) {
    say(file, line, function, "Unexpected error: %s.\n", strerror(error));
    __covenant_assert_fail(strerror(error));
}

_Noreturn void __chk_fail(void) {
    fputs("*** buffer overflow detected ***: terminated\n", stderr);
    __covenant_abort();
}

static void need(size_t wanted, size_t room) {
    if (wanted > room) __chk_fail();
}

void *__memcpy_chk(void *to, const void *from, size_t count, size_t room) {
    need(count, room);
    return memcpy(to, from, count);
}

void *__memmove_chk(void *to, const void *from, size_t count, size_t room) {
    need(count, room);
    return memmove(to, from, count);
}

void *__mempcpy_chk(void *to, const void *from, size_t count, size_t room) {
    need(count, room);
    memcpy(to, from, count);
    return (char *)to + count;
}

void *__memset_chk(void *to, int c, size_t count, size_t room) {
    need(count, room);
    return memset(to, c, count);
}

void __explicit_bzero_chk(void *to, size_t count, size_t room) {
    need(count, room);
    memset(to, 0, count);
}

char *__strcpy_chk(char *to, const char *from, size_t room) {
    need(strlen(from) + 1, room);
    return strcpy(to, from);
}

char *__stpcpy_chk(char *to, const char *from, size_t room) {
    size_t length = strlen(from);
    need(length + 1, room);
    memcpy(to, from, length + 1);
    return to + length;
}

char *__strncpy_chk(char *to, const char *from, size_t count, size_t room) {
    need(count, room);
    return strncpy(to, from, count);
}

char *__stpncpy_chk(char *to, const char *from, size_t count, size_t room) {
    need(count, room);
    strncpy(to, from, count);
    size_t i = 0;
    while (i < count && to[i] != '\0') i++;
    return to + i;
}

char *__strcat_chk(char *to, const char *from, size_t room) {
    need(strlen(to) + strlen(from) + 1, room);
    return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t count, size_t room) {
    size_t length = 0;
    while (length < count && from[length] != '\0') length++;
    need(strlen(to) + length + 1, room);
    return strncat(to, from, count);
}

char *__fgets_chk(char *to, size_t room, int size, FILE *stream) {
    need(size < 0 ? 0 : (size_t)size, room);
    return fgets(to, size, stream);
}

char *__fgets_unlocked_chk(char *to, size_t room, int size, FILE *stream) {
    return __fgets_chk(to, room, size, stream);
}

char *__gets_chk(char *to, size_t room) {
    for (size_t length = 0;; length++) {
        int c = getchar();
        if (c == EOF && (length == 0 || ferror(stdin))) return NULL;
        need(length + 1, room);
        to[length] = c == EOF || c == '\n' ? '\0' : (char)c;
        if (c == EOF || c == '\n') return to;
    }
}

size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *stream) {
    if (size != 0 && count > room / size) __chk_fail();
    return fread(to, size, count, stream);
}

ssize_t __read_chk(int fd, void *to, size_t count, size_t room) {
    need(count, room);
    return __lib_result(__lib_read(__lib_descriptor(fd), to, count));
}

_Noreturn void ____longjmp_chk(struct __jmp_buf_tag environment[1], int value) { longjmp(environment, value); }
