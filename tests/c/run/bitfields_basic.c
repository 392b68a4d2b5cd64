// Unsigned bit-fields: packing, wrap on store, compound assignment, zero-width.
#include <stdio.h>

struct date {
    unsigned day : 5;
    unsigned month : 4;
    unsigned year : 12;
};

struct mix {
    unsigned a : 3;
    unsigned : 5;
    unsigned b : 8;
    unsigned : 0;
    unsigned c : 1;
    unsigned char d : 7;
};

static struct date next(struct date d)
{
    if (++d.day > 30) {
        d.day = 1;
        if (++d.month > 12) {
            d.month = 1;
            d.year++;
        }
    }
    return d;
}

int main(void)
{
    struct date d = {29, 12, 2023};
    for (int i = 0; i < 3; i++) {
        printf("%u-%u-%u\n", d.year, d.month, d.day);
        d = next(d);
    }
    struct mix m = {0};
    m.a = 7;
    m.a += 2;
    m.b = 300 & 0xff;
    m.c = ~0u;
    m.d = 100;
    m.d *= 3;
    printf("%u %u %u %u %zu\n", m.a, m.b, m.c, m.d, sizeof m);
    m.a = 5;
    unsigned v = m.a--;
    printf("%u %u %u\n", v, m.a, m.b++);
    printf("%u %u\n", m.b, m.c ? 10 : 20);
    m.b |= 0x0f;
    m.b ^= 0xff;
    m.b >>= 2;
    printf("%u\n", m.b);
    unsigned x = m.a = 15 & 7;
    printf("%u %zu\n", x, sizeof(struct date));
    return (int)d.year & 0xff;
}
