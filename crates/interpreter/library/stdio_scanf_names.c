/* stdio.h: the functions of the scanf family, under the names of ISO C and under those that the headers produce. */
#include "internal.h"

static int from_stream(FILE *stream, const char *format, va_list list) {
    struct source source = {.stream = stream};
    return __lib_scan(&source, format, list);
}

static int from_text(const char *text, const char *format, va_list list) {
    struct source source = {.text = text};
    return __lib_scan(&source, format, list);
}

#define FORWARD(call)       \
    va_list list;           \
    va_start(list, format); \
    int result = call;      \
    va_end(list);           \
    return result

/* The headers rename scanf to the second name, so the symbols are set by hand. */
#define FAMILY(id, prefix)                                                                                       \
    int vfscanf_##id(FILE *stream, const char *format, va_list list) __asm__(prefix "vfscanf");                  \
    int vfscanf_##id(FILE *stream, const char *format, va_list list) { return from_stream(stream, format, list); } \
    int vscanf_##id(const char *format, va_list list) __asm__(prefix "vscanf");                                  \
    int vscanf_##id(const char *format, va_list list) { return from_stream(stdin, format, list); }               \
    int vsscanf_##id(const char *text, const char *format, va_list list) __asm__(prefix "vsscanf");              \
    int vsscanf_##id(const char *text, const char *format, va_list list) { return from_text(text, format, list); } \
    int fscanf_##id(FILE *stream, const char *format, ...) __asm__(prefix "fscanf");                             \
    int fscanf_##id(FILE *stream, const char *format, ...) { FORWARD(from_stream(stream, format, list)); }       \
    int scanf_##id(const char *format, ...) __asm__(prefix "scanf");                                             \
    int scanf_##id(const char *format, ...) { FORWARD(from_stream(stdin, format, list)); }                       \
    int sscanf_##id(const char *text, const char *format, ...) __asm__(prefix "sscanf");                         \
    int sscanf_##id(const char *text, const char *format, ...) { FORWARD(from_text(text, format, list)); }

FAMILY(plain, "")
FAMILY(c99, "__isoc99_")
FAMILY(c23, "__isoc23_")
