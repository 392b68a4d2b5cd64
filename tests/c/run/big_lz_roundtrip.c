// A small dictionary compressor with back references, and the way back.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 255, MIN = 4, MAX = 130 };

static size_t compress(const unsigned char *in, size_t n, unsigned char *out)
{
    size_t o = 0, i = 0, lit = 0;
    while (i < n) {
        size_t best = 0, from = 0;
        for (size_t j = i > WINDOW ? i - WINDOW : 0; j < i; j++) {
            size_t k = 0;
            while (k < MAX && i + k < n && in[j + k] == in[i + k])
                k++;
            if (k > best) {
                best = k;
                from = i - j;
            }
        }
        if (best >= MIN) {
            out[o++] = (unsigned char)(0x80 | (best - MIN));
            out[o++] = (unsigned char)from;
            i += best;
            lit = 0;
        } else {
            if (lit == 0 || out[lit - 1] == 0x7f) {
                out[o++] = 0;
                lit = o;
            } else {
                out[lit - 1]++;
            }
            out[o++] = in[i++];
        }
    }
    return o;
}

static size_t expand(const unsigned char *in, size_t n, unsigned char *out)
{
    size_t o = 0;
    for (size_t i = 0; i < n;) {
        unsigned c = in[i++];
        if (c & 0x80) {
            size_t len = (c & 0x7f) + MIN, back = in[i++];
            while (len--) {
                out[o] = out[o - back];
                o++;
            }
        } else {
            memcpy(out + o, in + i, c + 1);
            o += c + 1;
            i += c + 1;
        }
    }
    return o;
}

static void trip(const char *name, const unsigned char *data, size_t n)
{
    unsigned char *packed = malloc(n * 2 + 16), *back = malloc(n + MAX + 16);
    size_t p = compress(data, n, packed);
    size_t b = expand(packed, p, back);
    unsigned sum = 0;
    for (size_t i = 0; i < p; i++)
        sum = sum * 31 + packed[i];
    printf("%s: %zu -> %zu %s %08x\n", name, n, p, b == n && memcmp(back, data, n) == 0 ? "same" : "DIFFERENT", sum);
    free(packed);
    free(back);
}

int main(void)
{
    const char *text = "how much wood would a woodchuck chuck if a woodchuck could chuck wood? "
                       "as much wood as a woodchuck could chuck if a woodchuck could chuck wood.";
    trip("text", (const unsigned char *)text, strlen(text));
    trip("empty", (const unsigned char *)"", 0);
    unsigned char buf[1500];
    memset(buf, 'z', sizeof buf);
    trip("runs", buf, sizeof buf);
    unsigned x = 7;
    for (size_t i = 0; i < sizeof buf; i++) {
        x = x * 1103515245u + 12345u;
        buf[i] = (unsigned char)(x >> 16);
    }
    trip("noise", buf, sizeof buf);
    for (size_t i = 0; i < sizeof buf; i++)
        buf[i] = (unsigned char)("abcabcabd"[i % 9] + (i % 100 == 0));
    trip("pattern", buf, sizeof buf);
    return 0;
}
