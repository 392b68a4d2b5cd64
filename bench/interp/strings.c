// Scanning of text byte by byte: words, numbers, a search for a pattern, a checksum of lower-cased letters.
#include <stdint.h>
#include <stdio.h>

enum { SIZE = 1 << 16, ROUNDS = 48 };

static char text[SIZE + 1];

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static unsigned count_words(const char *s)
{
    unsigned words = 0;
    int inside = 0;
    for (; *s; s++) {
        int letter = is_letter(*s);
        words += letter && !inside;
        inside = letter;
    }
    return words;
}

static uint32_t sum_numbers(const char *s)
{
    uint32_t sum = 0;
    while (*s) {
        uint32_t n = 0;
        while (*s >= '0' && *s <= '9')
            n = n * 10 + (uint32_t)(*s++ - '0');
        sum += n;
        if (*s)
            s++;
    }
    return sum;
}

static unsigned find(const char *s, const char *pattern)
{
    unsigned hits = 0;
    for (; *s; s++) {
        const char *a = s, *b = pattern;
        while (*b && *a == *b) {
            a++;
            b++;
        }
        hits += *b == 0;
    }
    return hits;
}

static uint32_t checksum(const char *s)
{
    uint32_t h = 2166136261u;
    for (; *s; s++) {
        char c = *s;
        if (c >= 'A' && c <= 'Z')
            c = (char)(c + 32);
        h = (h ^ (unsigned char)c) * 16777619u;
    }
    return h;
}

int main(void)
{
    static const char letters[] = "the Quick brown Fox 42 and 1765 lazy dogs; ";
    uint32_t x = 7;
    for (int i = 0; i < SIZE; i++) {
        x = x * 1664525u + 1013904223u;
        text[i] = letters[(x >> 24) % (sizeof letters - 1)];
    }
    uint32_t total = 0;
    for (int round = 0; round < ROUNDS; round++) {
        text[round * 100] = (char)('a' + round % 26);
        total += count_words(text) + sum_numbers(text) + find(text, "th") + checksum(text);
    }
    printf("%08x\n", total);
    return 0;
}
