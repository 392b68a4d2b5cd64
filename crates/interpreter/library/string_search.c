/* string.h: searching and splitting. */
#include <string.h>
#include <strings.h>

#include "internal.h"

char *strchr(const char *text, int c) {
    for (;; text++) {
        if (*text == (char)c) return (char *)text;
        if (*text == '\0') return NULL;
    }
}

char *strchrnul(const char *text, int c) {
    while (*text != '\0' && *text != (char)c) text++;
    return (char *)text;
}

char *strrchr(const char *text, int c) {
    const char *last = NULL;
    for (;; text++) {
        if (*text == (char)c) last = text;
        if (*text == '\0') return (char *)last;
    }
}

#undef index
char *index(const char *text, int c) { return strchr(text, c); }

#undef rindex
char *rindex(const char *text, int c) { return strrchr(text, c); }

static bool contains(const char *set, char c) {
    for (; *set != '\0'; set++) {
        if (*set == c) return true;
    }
    return false;
}

size_t strspn(const char *text, const char *set) {
    size_t length = 0;
    while (text[length] != '\0' && contains(set, text[length])) length++;
    return length;
}

size_t strcspn(const char *text, const char *set) {
    size_t length = 0;
    while (text[length] != '\0' && !contains(set, text[length])) length++;
    return length;
}

char *strpbrk(const char *text, const char *set) {
    for (; *text != '\0'; text++) {
        if (contains(set, *text)) return (char *)text;
    }
    return NULL;
}

char *strstr(const char *text, const char *wanted) {
    for (;; text++) {
        size_t i = 0;
        while (wanted[i] != '\0' && text[i] == wanted[i]) i++;
        if (wanted[i] == '\0') return (char *)text;
        if (*text == '\0') return NULL;
    }
}

char *strcasestr(const char *text, const char *wanted) {
    for (;; text++) {
        size_t i = 0;
        while (wanted[i] != '\0' && to_lower((unsigned char)text[i]) == to_lower((unsigned char)wanted[i])) i++;
        if (wanted[i] == '\0') return (char *)text;
        if (*text == '\0') return NULL;
    }
}

static char *next_token(char *text, const char *separators, char **rest) {
    if (text == NULL) text = *rest;
    if (text == NULL) return NULL;
    text += strspn(text, separators);
    if (*text == '\0') {
        *rest = text;
        return NULL;
    }
    char *end = text + strcspn(text, separators);
    if (*end != '\0') {
        *end = '\0';
        end++;
    }
    *rest = end;
    return text;
}

char *strtok_r(char *restrict text, const char *restrict separators, char **restrict rest) {
    return next_token(text, separators, rest);
}

char *__strtok_r(char *restrict text, const char *restrict separators, char **restrict rest) {
    return next_token(text, separators, rest);
}

char *strtok(char *restrict text, const char *restrict separators) {
    static char *rest;
    return next_token(text, separators, &rest);
}

char *strsep(char **restrict rest, const char *restrict separators) {
    char *token = *rest;
    if (token == NULL) return NULL;
    char *end = token + strcspn(token, separators);
    if (*end == '\0') {
        *rest = NULL;
    } else {
        *end = '\0';
        *rest = end + 1;
    }
    return token;
}

/* The part after the last slash, as string.h (not libgen.h) has it. */
char *basename(const char *path) {
    char *slash = strrchr(path, '/');
    return slash == NULL ? (char *)path : slash + 1;
}
