/* stdlib.h: arithmetic, searching, the environment, multibyte characters of the C locale. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

int abs(int value) { return value < 0 ? -value : value; }
long labs(long value) { return value < 0 ? -value : value; }
long long llabs(long long value) { return value < 0 ? -value : value; }
intmax_t imaxabs(intmax_t value) { return value < 0 ? -value : value; }

div_t div(int value, int by) { return (div_t){.quot = value / by, .rem = value % by}; }
ldiv_t ldiv(long value, long by) { return (ldiv_t){.quot = value / by, .rem = value % by}; }
lldiv_t lldiv(long long value, long long by) { return (lldiv_t){.quot = value / by, .rem = value % by}; }
imaxdiv_t imaxdiv(intmax_t value, intmax_t by) { return (imaxdiv_t){.quot = value / by, .rem = value % by}; }

/* Which elements it looks at, and which of equal ones it finds, C leaves open. */
static void *search_from_end(const void *key, const void *base, size_t count, size_t size,
                             int (*compare)(const void *, const void *)) {
    void *found = NULL;
    for (size_t i = count; i > 0; i--) {
        const char *element = (const char *)base + (i - 1) * size;
        if (compare(key, element) == 0 && found == NULL) found = (void *)element;
    }
    return found;
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
    if (__covenant_elsewhere()) return search_from_end(key, base, count, size, compare);
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0) return (void *)element;
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

/* The environment. */

char **environ;

/* The strings that setenv made; a later setenv of the same name must not free what putenv brought, so they live on. */
static bool environment_is_ours;

static bool names(const char *entry, const char *name, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (entry[i] != name[i]) return false;
    }
    return entry[length] == '=';
}

static char **find_entry(const char *name, size_t length) {
    if (environ == NULL) return NULL;
    for (char **entry = environ; *entry != NULL; entry++) {
        if (names(*entry, name, length)) return entry;
    }
    return NULL;
}

char *getenv(const char *name) {
    size_t length = strlen(name);
    if (length == 0) return NULL;
    char **entry = find_entry(name, length);
    return entry == NULL ? NULL : *entry + length + 1;
}

char *secure_getenv(const char *name) { return getenv(name); }

static int add_entry(char *text) {
    size_t count = 0;
    while (environ != NULL && environ[count] != NULL) count++;
    char **grown = malloc((count + 2) * sizeof *grown);
    if (grown == NULL) return -1;
    for (size_t i = 0; i < count; i++) grown[i] = environ[i];
    grown[count] = text;
    grown[count + 1] = NULL;
    if (environment_is_ours) free(environ);
    environ = grown;
    environment_is_ours = true;
    return 0;
}

static int put_entry(char *text, size_t name_length) {
    char **entry = find_entry(text, name_length);
    if (entry == NULL) return add_entry(text);
    *entry = text;
    return 0;
}

static void remove_entry(const char *name, size_t length) {
    char **kept = environ;
    for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
        if (!names(*entry, name, length)) *kept++ = *entry;
    }
    if (kept != NULL) *kept = NULL;
}

static bool bad_name(const char *name) {
    if (name != NULL && *name != '\0' && strchr(name, '=') == NULL) return false;
    errno = EINVAL;
    return true;
}

int setenv(const char *name, const char *value, int replace) {
    if (bad_name(name)) return -1;
    size_t name_length = strlen(name);
    if (!replace && find_entry(name, name_length) != NULL) return 0;
    size_t value_length = strlen(value);
    char *text = malloc(name_length + value_length + 2);
    if (text == NULL) return -1;
    memcpy(text, name, name_length);
    text[name_length] = '=';
    memcpy(text + name_length + 1, value, value_length + 1);
    return put_entry(text, name_length);
}

int unsetenv(const char *name) {
    if (bad_name(name)) return -1;
    remove_entry(name, strlen(name));
    return 0;
}

/* Text without `=` takes the name away, as in glibc. */
int putenv(char *text) {
    char *equals = strchr(text, '=');
    if (equals == NULL) {
        remove_entry(text, strlen(text));
        return 0;
    }
    return put_entry(text, (size_t)(equals - text));
}

int clearenv(void) {
    environ = NULL;
    environment_is_ours = false;
    return 0;
}

/* Multibyte characters: in the C locale each is one ASCII byte. */

size_t __ctype_get_mb_cur_max(void) { return 1; }

int mbtowc(wchar_t *restrict to, const char *restrict from, size_t count) {
    if (from == NULL) return 0;
    if (count == 0) return -1;
    unsigned char c = (unsigned char)*from;
    if (c >= 0x80) {
        errno = EILSEQ;
        return -1;
    }
    if (to != NULL) *to = c;
    return c != 0;
}

int mblen(const char *from, size_t count) { return mbtowc(NULL, from, count); }

int wctomb(char *to, wchar_t c) {
    if (to == NULL) return 0;
    if (c < 0 || c >= 0x80) {
        errno = EILSEQ;
        return -1;
    }
    *to = (char)c;
    return 1;
}

size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t count) {
    for (size_t i = 0; to == NULL || i < count; i++) {
        unsigned char c = (unsigned char)from[i];
        if (c >= 0x80) {
            errno = EILSEQ;
            return (size_t)-1;
        }
        if (to != NULL) to[i] = c;
        if (c == 0) return i;
    }
    return count;
}

size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t count) {
    for (size_t i = 0; to == NULL || i < count; i++) {
        if (from[i] < 0 || from[i] >= 0x80) {
            errno = EILSEQ;
            return (size_t)-1;
        }
        if (to != NULL) to[i] = (char)from[i];
        if (from[i] == 0) return i;
    }
    return count;
}
