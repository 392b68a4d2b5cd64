/* string.h: blocks of bytes. memcpy, memmove and memset are the machine's own. */
#include <string.h>
#include <strings.h>

#include "internal.h"

int memcmp(const void *left, const void *right, size_t count) {
    const unsigned char *a = left;
    const unsigned char *b = right;
    /* C wants all of both to be there, wherever they differ. */
    if (__covenant_to_the_letter() && count > 0) {
        (void)*(const volatile unsigned char *)&a[count - 1];
        (void)*(const volatile unsigned char *)&b[count - 1];
    }
    for (size_t i = 0; i < count; i++) {
        if (a[i] != b[i]) return a[i] - b[i];
    }
    return 0;
}

void *memchr(const void *block, int c, size_t count) {
    const unsigned char *bytes = block;
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == (unsigned char)c) return (void *)(bytes + i);
    }
    return NULL;
}

void *memrchr(const void *block, int c, size_t count) {
    const unsigned char *bytes = block;
    for (size_t i = count; i > 0; i--) {
        if (bytes[i - 1] == (unsigned char)c) return (void *)(bytes + i - 1);
    }
    return NULL;
}

void *rawmemchr(const void *block, int c) {
    const unsigned char *bytes = block;
    while (*bytes != (unsigned char)c) bytes++;
    return (void *)bytes;
}

void *memmem(const void *block, size_t block_size, const void *wanted, size_t wanted_size) {
    if (wanted_size == 0) return (void *)block;
    const unsigned char *bytes = block;
    for (; block_size >= wanted_size; bytes++, block_size--) {
        if (memcmp(bytes, wanted, wanted_size) == 0) return (void *)bytes;
    }
    return NULL;
}

void *memccpy(void *restrict to, const void *restrict from, int c, size_t count) {
    unsigned char *out = to;
    const unsigned char *in = from;
    for (size_t i = 0; i < count; i++) {
        out[i] = in[i];
        if (in[i] == (unsigned char)c) return out + i + 1;
    }
    return NULL;
}

void *mempcpy(void *restrict to, const void *restrict from, size_t count) {
    memcpy(to, from, count);
    return (char *)to + count;
}

void *__mempcpy(void *restrict to, const void *restrict from, size_t count) {
    memcpy(to, from, count);
    return (char *)to + count;
}

void explicit_bzero(void *block, size_t count) { memset(block, 0, count); }

void swab(const void *restrict from, void *restrict to, ssize_t count) {
    const char *in = from;
    char *out = to;
    for (; count > 1; count -= 2, in += 2, out += 2) {
        char first = in[0];
        out[0] = in[1];
        out[1] = first;
    }
}

#undef bcmp
int bcmp(const void *left, const void *right, size_t count) { return memcmp(left, right, count); }

#undef bcopy
void bcopy(const void *from, void *to, size_t count) { memmove(to, from, count); }

#undef bzero
void bzero(void *block, size_t count) { memset(block, 0, count); }

int ffsll(long long value) {
    unsigned long long bits = (unsigned long long)value;
    if (bits == 0) return 0;
    int place = 1;
    while ((bits & 1) == 0) {
        bits >>= 1;
        place++;
    }
    return place;
}

int ffsl(long value) {
    unsigned long bits = (unsigned long)value;
    if (bits == 0) return 0;
    int place = 1;
    while ((bits & 1) == 0) {
        bits >>= 1;
        place++;
    }
    return place;
}

int ffs(int value) {
    unsigned bits = (unsigned)value;
    if (bits == 0) return 0;
    int place = 1;
    while ((bits & 1) == 0) {
        bits >>= 1;
        place++;
    }
    return place;
}
