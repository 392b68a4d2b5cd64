/* wchar.h: the wide printf family in the C locale. All text there is ASCII, so the narrow formats do the work; a wide
 * character beyond ASCII is an error (EILSEQ), also in swprintf, where glibc would keep it. */
#include <stdlib.h>
#include <wchar.h>

#include "internal.h"

static char *narrow_format(const wchar_t *format) {
    size_t length = wcslen(format);
    char *copy = malloc(length + 1);
    for (size_t i = 0; copy != NULL && i <= length; i++) {
        if (format[i] < 0 || format[i] >= 0x80) {
            free(copy);
            errno = EILSEQ;
            return NULL;
        }
        copy[i] = (char)format[i];
    }
    return copy;
}

static int to_stream(FILE *stream, const wchar_t *format, va_list list) {
    char *narrow = narrow_format(format);
    if (narrow == NULL) return -1;
    int result = vfprintf(stream, narrow, list);
    free(narrow);
    return result;
}

/* Text that does not fit is an error here, and what fits stays. */
static int to_memory(wchar_t *to, size_t size, const wchar_t *format, va_list list) {
    char *narrow = narrow_format(format);
    char *text = malloc(size + 1);
    int result = -1;
    if (narrow != NULL && text != NULL && size > 0) {
        result = vsnprintf(text, size, narrow, list);
        size_t i = 0;
        for (; result >= 0 && i < size - 1 && i < (size_t)result; i++) to[i] = (unsigned char)text[i];
        to[i] = 0;
        if (result >= 0 && (size_t)result >= size) result = -1;
    }
    free(narrow);
    free(text);
    return result;
}

#define FORWARD(call)       \
    va_list list;           \
    va_start(list, format); \
    int result = call;      \
    va_end(list);           \
    return result

int vfwprintf(FILE *restrict stream, const wchar_t *restrict format, va_list list) {
    return to_stream(stream, format, list);
}
int vwprintf(const wchar_t *restrict format, va_list list) { return to_stream(stdout, format, list); }
int vswprintf(wchar_t *restrict to, size_t size, const wchar_t *restrict format, va_list list) {
    return to_memory(to, size, format, list);
}
int fwprintf(FILE *restrict stream, const wchar_t *restrict format, ...) { FORWARD(to_stream(stream, format, list)); }
int wprintf(const wchar_t *restrict format, ...) { FORWARD(to_stream(stdout, format, list)); }
int swprintf(wchar_t *restrict to, size_t size, const wchar_t *restrict format, ...) {
    FORWARD(to_memory(to, size, format, list));
}
