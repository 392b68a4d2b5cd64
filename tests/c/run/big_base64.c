// Base64 both ways over all remainders, with rejection of bad input.
#include <stdio.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void encode(const unsigned char *in, size_t n, char *out)
{
    while (n > 0) {
        unsigned v = (unsigned)in[0] << 16 | (n > 1 ? in[1] << 8 : 0) | (n > 2 ? in[2] : 0);
        *out++ = digits[v >> 18];
        *out++ = digits[v >> 12 & 63];
        *out++ = n > 1 ? digits[v >> 6 & 63] : '=';
        *out++ = n > 2 ? digits[v & 63] : '=';
        in += n > 3 ? 3 : n;
        n -= n > 3 ? 3 : n;
    }
    *out = 0;
}

static int decode(const char *in, unsigned char *out)
{
    int n = 0, have = 0;
    unsigned v = 0;
    for (; *in && *in != '='; in++) {
        const char *p = strchr(digits, *in);
        if (!p)
            return -1;
        v = v << 6 | (unsigned)(p - digits);
        have += 6;
        if (have >= 8) {
            have -= 8;
            out[n++] = (unsigned char)(v >> have);
        }
    }
    return n;
}

int main(void)
{
    const char *texts[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar", "The five boxing wizards jump quickly."};
    char enc[200];
    unsigned char dec[200];
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        encode((const unsigned char *)texts[i], strlen(texts[i]), enc);
        int n = decode(enc, dec);
        printf("[%s] %d\n", enc, n == (int)strlen(texts[i]) && memcmp(dec, texts[i], (size_t)n) == 0);
    }
    unsigned char all[100];
    for (int i = 0; i < 100; i++)
        all[i] = (unsigned char)(i * 37 + 200);
    encode(all, 100, enc);
    puts(enc);
    int n = decode(enc, dec);
    printf("%d %d\n", n, memcmp(all, dec, 100));
    printf("%d\n", decode("ab*d", dec));
    return 0;
}
