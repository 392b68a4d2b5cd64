/* string.h: length, copying, joining, comparing. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "internal.h"

size_t strlen(const char *text) {
    size_t length = 0;
    while (text[length] != '\0') length++;
    return length;
}

size_t strnlen(const char *text, size_t limit) {
    size_t length = 0;
    while (length < limit && text[length] != '\0') length++;
    return length;
}

char *strcpy(char *restrict to, const char *restrict from) {
    size_t i = 0;
    while ((to[i] = from[i]) != '\0') i++;
    return to;
}

char *stpcpy(char *restrict to, const char *restrict from) {
    while ((*to = *from) != '\0') {
        to++;
        from++;
    }
    return to;
}

char *__stpcpy(char *restrict to, const char *restrict from) {
    while ((*to = *from) != '\0') {
        to++;
        from++;
    }
    return to;
}

char *strncpy(char *restrict to, const char *restrict from, size_t count) {
    size_t i = 0;
    for (; i < count && from[i] != '\0'; i++) to[i] = from[i];
    for (; i < count; i++) to[i] = '\0';
    return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t count) {
    size_t i = 0;
    for (; i < count && from[i] != '\0'; i++) to[i] = from[i];
    char *end = to + i;
    for (; i < count; i++) to[i] = '\0';
    return end;
}

char *__stpncpy(char *restrict to, const char *restrict from, size_t count) {
    strncpy(to, from, count);
    size_t i = 0;
    while (i < count && to[i] != '\0') i++;
    return to + i;
}

char *strcat(char *restrict to, const char *restrict from) {
    strcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t count) {
    char *end = to + strlen(to);
    size_t i = 0;
    for (; i < count && from[i] != '\0'; i++) end[i] = from[i];
    end[i] = '\0';
    return to;
}

int strcmp(const char *left, const char *right) {
    /* Once they are equal, either can be asked; the right one is mostly a literal, so that a run decides nothing by it. */
    size_t i = 0;
    while (left[i] == right[i] && right[i] != '\0') i++;
    return (unsigned char)left[i] - (unsigned char)right[i];
}

int strncmp(const char *left, const char *right, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (left[i] != right[i]) return (unsigned char)left[i] - (unsigned char)right[i];
        if (right[i] == '\0') return 0;
    }
    return 0;
}

int strcasecmp(const char *left, const char *right) {
    for (size_t i = 0;; i++) {
        int a = to_lower((unsigned char)left[i]);
        int b = to_lower((unsigned char)right[i]);
        if (a != b || a == '\0') return a - b;
    }
}

int strncasecmp(const char *left, const char *right, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int a = to_lower((unsigned char)left[i]);
        int b = to_lower((unsigned char)right[i]);
        if (a != b || a == '\0') return a - b;
    }
    return 0;
}

int strcoll(const char *left, const char *right) { return strcmp(left, right); }

size_t strxfrm(char *restrict to, const char *restrict from, size_t count) {
    size_t length = strlen(from);
    for (size_t i = 0; i < count && i <= length; i++) to[i] = from[i];
    return length;
}

char *strdup(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy != NULL) memcpy(copy, text, size);
    return copy;
}

char *__strdup(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy != NULL) memcpy(copy, text, size);
    return copy;
}

char *strndup(const char *text, size_t limit) {
    size_t length = 0;
    while (length < limit && text[length] != '\0') length++;
    char *copy = malloc(length + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

/* Runs of digits compare as numbers; a run that starts with zeros is a fraction. */
int strverscmp(const char *left, const char *right) {
    size_t i = 0;
    while (left[i] != '\0' && left[i] == right[i]) i++;
    int difference = (unsigned char)left[i] - (unsigned char)right[i];
    if (difference == 0) return 0;
    size_t start = i;
    while (start > 0 && is_digit(left[start - 1])) start--;
    if (start == i && !(is_digit(left[i]) && is_digit(right[i]))) return difference;
    size_t zeros = start;
    while (left[zeros] == '0' && zeros < i) zeros++;
    bool fraction = start < i ? left[start] == '0' : (left[i] == '0' || right[i] == '0');
    if (fraction) {
        /* Only zeros in common: the run that goes on with more digits after them is the smaller fraction. */
        if (zeros == i && start < i) {
            bool a = is_digit(left[i]);
            bool b = is_digit(right[i]);
            if (a != b) return a ? -1 : 1;
        }
        return difference;
    }
    size_t a = i;
    size_t b = i;
    while (is_digit(left[a])) a++;
    while (is_digit(right[b])) b++;
    if (a != b) return a > b ? 1 : -1;
    return difference;
}
