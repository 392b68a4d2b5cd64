/* wchar.h: wide strings, and their conversion in the C locale, where only ASCII converts. */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "internal.h"

size_t wcslen(const wchar_t *text) {
    size_t length = 0;
    while (text[length] != 0) length++;
    return length;
}

size_t wcsnlen(const wchar_t *text, size_t limit) {
    size_t length = 0;
    while (length < limit && text[length] != 0) length++;
    return length;
}

wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from) {
    size_t i = 0;
    while ((to[i] = from[i]) != 0) i++;
    return to;
}

wchar_t *wcpcpy(wchar_t *restrict to, const wchar_t *restrict from) {
    size_t i = 0;
    while ((to[i] = from[i]) != 0) i++;
    return to + i;
}

wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count) {
    size_t i = 0;
    for (; i < count && from[i] != 0; i++) to[i] = from[i];
    for (; i < count; i++) to[i] = 0;
    return to;
}

wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from) {
    wcscpy(to + wcslen(to), from);
    return to;
}

wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t count) {
    wchar_t *end = to + wcslen(to);
    size_t i = 0;
    for (; i < count && from[i] != 0; i++) end[i] = from[i];
    end[i] = 0;
    return to;
}

/* wchar_t is signed, so a difference might not fit. */
static int order(wint_t a, wint_t b) { return a == b ? 0 : ((wchar_t)a < (wchar_t)b ? -1 : 1); }

int wcscmp(const wchar_t *left, const wchar_t *right) {
    size_t i = 0;
    while (left[i] != 0 && left[i] == right[i]) i++;
    return order((wint_t)left[i], (wint_t)right[i]);
}

int wcsncmp(const wchar_t *left, const wchar_t *right, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (left[i] != right[i] || left[i] == 0) return order((wint_t)left[i], (wint_t)right[i]);
    }
    return 0;
}

int wcscasecmp(const wchar_t *left, const wchar_t *right) {
    for (size_t i = 0;; i++) {
        int a = to_lower(left[i]);
        int b = to_lower(right[i]);
        if (a != b || a == 0) return order((wint_t)a, (wint_t)b);
    }
}

int wcsncasecmp(const wchar_t *left, const wchar_t *right, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int a = to_lower(left[i]);
        int b = to_lower(right[i]);
        if (a != b || a == 0) return order((wint_t)a, (wint_t)b);
    }
    return 0;
}

int wcscoll(const wchar_t *left, const wchar_t *right) { return wcscmp(left, right); }

wchar_t *wcschr(const wchar_t *text, wchar_t c) {
    for (;; text++) {
        if (*text == c) return (wchar_t *)text;
        if (*text == 0) return NULL;
    }
}

wchar_t *wcsrchr(const wchar_t *text, wchar_t c) {
    const wchar_t *last = NULL;
    for (;; text++) {
        if (*text == c) last = text;
        if (*text == 0) return (wchar_t *)last;
    }
}

wchar_t *wcsstr(const wchar_t *text, const wchar_t *wanted) {
    for (;; text++) {
        size_t i = 0;
        while (wanted[i] != 0 && text[i] == wanted[i]) i++;
        if (wanted[i] == 0) return (wchar_t *)text;
        if (*text == 0) return NULL;
    }
}

static bool contains(const wchar_t *set, wchar_t c) {
    for (; *set != 0; set++) {
        if (*set == c) return true;
    }
    return false;
}

size_t wcsspn(const wchar_t *text, const wchar_t *set) {
    size_t length = 0;
    while (text[length] != 0 && contains(set, text[length])) length++;
    return length;
}

size_t wcscspn(const wchar_t *text, const wchar_t *set) {
    size_t length = 0;
    while (text[length] != 0 && !contains(set, text[length])) length++;
    return length;
}

wchar_t *wcspbrk(const wchar_t *text, const wchar_t *set) {
    text += wcscspn(text, set);
    return *text == 0 ? NULL : (wchar_t *)text;
}

wchar_t *wcstok(wchar_t *restrict text, const wchar_t *restrict separators, wchar_t **restrict rest) {
    if (text == NULL) text = *rest;
    if (text == NULL) return NULL;
    text += wcsspn(text, separators);
    if (*text == 0) {
        *rest = NULL;
        return NULL;
    }
    wchar_t *end = text + wcscspn(text, separators);
    *rest = *end == 0 ? NULL : end + 1;
    *end = 0;
    return text;
}

wchar_t *wcsdup(const wchar_t *text) {
    size_t size = (wcslen(text) + 1) * sizeof *text;
    wchar_t *copy = malloc(size);
    if (copy != NULL) memcpy(copy, text, size);
    return copy;
}

wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count) {
    return memcpy(to, from, count * sizeof *to);
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count) { return memmove(to, from, count * sizeof *to); }

wchar_t *wmempcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count) {
    memcpy(to, from, count * sizeof *to);
    return to + count;
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t count) {
    for (size_t i = 0; i < count; i++) to[i] = c;
    return to;
}

int wmemcmp(const wchar_t *left, const wchar_t *right, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (left[i] != right[i]) return order((wint_t)left[i], (wint_t)right[i]);
    }
    return 0;
}

wchar_t *wmemchr(const wchar_t *block, wchar_t c, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (block[i] == c) return (wchar_t *)block + i;
    }
    return NULL;
}

/* Conversion. */

wint_t btowc(int c) { return c >= 0 && c < 0x80 ? (wint_t)c : WEOF; }
int wctob(wint_t c) { return c < 0x80 ? (int)c : EOF; }
int mbsinit(const mbstate_t *state) { return state == NULL || state->__count == 0; }

size_t mbrtowc(wchar_t *restrict to, const char *restrict from, size_t count, mbstate_t *restrict state) {
    (void)state;
    if (from == NULL) return 0;
    if (count == 0) return (size_t)-2;
    unsigned char c = (unsigned char)*from;
    if (c >= 0x80) {
        errno = EILSEQ;
        return (size_t)-1;
    }
    if (to != NULL) *to = c;
    return c != 0;
}

size_t mbrlen(const char *restrict from, size_t count, mbstate_t *restrict state) {
    return mbrtowc(NULL, from, count, state);
}

size_t wcrtomb(char *restrict to, wchar_t c, mbstate_t *restrict state) {
    (void)state;
    if (to == NULL) return 1;
    if (c < 0 || c >= 0x80) {
        errno = EILSEQ;
        return (size_t)-1;
    }
    *to = (char)c;
    return 1;
}

size_t mbsrtowcs(wchar_t *restrict to, const char **restrict from, size_t count, mbstate_t *restrict state) {
    (void)state;
    size_t done = mbstowcs(to, *from, count);
    if (to == NULL) return done;
    if (done == (size_t)-1) {
        while ((unsigned char)**from < 0x80) ++*from;
    } else {
        *from = done < count ? NULL : *from + done;
    }
    return done;
}

size_t wcsrtombs(char *restrict to, const wchar_t **restrict from, size_t count, mbstate_t *restrict state) {
    (void)state;
    size_t done = wcstombs(to, *from, count);
    if (to == NULL) return done;
    if (done == (size_t)-1) {
        while (**from >= 0 && **from < 0x80) ++*from;
    } else {
        *from = done < count ? NULL : *from + done;
    }
    return done;
}

/* Every prefix that a number can have is ASCII: the narrow functions decide. */
static char *narrow(const wchar_t *text) {
    size_t length = 0;
    while (text[length] > 0 && text[length] < 0x80) length++;
    char *copy = __lib_alloc(length + 1);
    if (copy == NULL) return NULL;
    for (size_t i = 0; i < length; i++) copy[i] = (char)text[i];
    copy[length] = '\0';
    return copy;
}

#define WIDE(type, name, call)                                          \
    type name {                                                         \
        char *copy = narrow(text);                                      \
        if (copy == NULL) return 0;                                     \
        char *copy_end = copy;                                          \
        type result = call;                                             \
        if (end != NULL) *end = (wchar_t *)text + (copy_end - copy);    \
        __covenant_free(copy);                                          \
        return result;                                                  \
    }
WIDE(long, wcstol(const wchar_t *restrict text, wchar_t **restrict end, int base), strtol(copy, &copy_end, base))
WIDE(long long, wcstoll(const wchar_t *restrict text, wchar_t **restrict end, int base),
     strtoll(copy, &copy_end, base))
WIDE(unsigned long, wcstoul(const wchar_t *restrict text, wchar_t **restrict end, int base),
     strtoul(copy, &copy_end, base))
WIDE(unsigned long long, wcstoull(const wchar_t *restrict text, wchar_t **restrict end, int base),
     strtoull(copy, &copy_end, base))
WIDE(float, wcstof(const wchar_t *restrict text, wchar_t **restrict end), strtof(copy, &copy_end))
WIDE(double, wcstod(const wchar_t *restrict text, wchar_t **restrict end), strtod(copy, &copy_end))
WIDE(long double, wcstold(const wchar_t *restrict text, wchar_t **restrict end), strtold(copy, &copy_end))

/* Streams: a wide character that has no byte is an error. */

static wint_t put(wchar_t c, FILE *stream) {
    if (c < 0 || c >= 0x80) {
        errno = EILSEQ;
        return WEOF;
    }
    return fputc((int)c, stream) == EOF ? WEOF : (wint_t)c;
}

static wint_t get(FILE *stream) {
    int c = fgetc(stream);
    if (c == EOF) return WEOF;
    if (c < 0x80) return (wint_t)c;
    errno = EILSEQ;
    return WEOF;
}

wint_t fputwc(wchar_t c, FILE *stream) { return put(c, stream); }
wint_t putwc(wchar_t c, FILE *stream) { return put(c, stream); }
wint_t putwchar(wchar_t c) { return put(c, stdout); }
wint_t fgetwc(FILE *stream) { return get(stream); }
wint_t getwc(FILE *stream) { return get(stream); }
wint_t getwchar(void) { return get(stdin); }
wint_t ungetwc(wint_t c, FILE *stream) { return c == WEOF || ungetc((int)c, stream) == EOF ? WEOF : c; }

int fputws(const wchar_t *restrict text, FILE *restrict stream) {
    for (; *text != 0; text++) {
        if (put(*text, stream) == WEOF) return -1;
    }
    return 1;
}

int fwide(FILE *stream, int mode) {
    if (stream->_mode == 0) stream->_mode = mode < 0 ? -1 : (mode > 0 ? 1 : 0);
    return stream->_mode;
}
