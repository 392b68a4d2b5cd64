// Packed bit-fields that cross byte and word borders.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) wire {
    uint8_t version : 3;
    uint32_t length : 19;
    uint16_t port : 13;
    int32_t delta : 29;
    uint64_t stamp : 48;
    uint8_t last;
};

struct __attribute__((packed)) odd {
    char c;
    uint64_t a : 33;
    uint64_t b : 31;
    int64_t d : 63;
    uint32_t e : 9;
};

static void dump(const void *p, size_t n)
{
    const unsigned char *b = p;
    for (size_t i = 0; i < n; i++)
        printf("%02x", b[i]);
    putchar('\n');
}

int main(void)
{
    struct wire w;
    memset(&w, 0, sizeof w);
    w.version = 5;
    w.length = 0x5a5a5;
    w.port = 8080;
    w.delta = -123456;
    w.stamp = 0xabcdef012345;
    w.last = 0xee;
    dump(&w, sizeof w);
    printf("%u %x %u %d %llx %x\n", w.version, w.length, w.port, w.delta, (unsigned long long)w.stamp, w.last);
    w.port += 200;
    w.delta /= 7;
    w.stamp -= 1;
    printf("%u %d %llx\n", w.port, w.delta, (unsigned long long)w.stamp);
    struct odd o;
    memset(&o, 0xff, sizeof o);
    o.a = 0x123456789;
    o.b = 0x2aaaaaaa;
    o.d = -77;
    o.e = 0x155;
    dump(&o, sizeof o - 1);
    printf("%llx %llx %lld %x %zu %zu\n", (unsigned long long)o.a, (unsigned long long)o.b, (long long)o.d, o.e, sizeof o,
           sizeof w);
    return 0;
}
