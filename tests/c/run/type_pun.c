// Objects read as bytes, through unions and through memcpy.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union word {
    uint32_t u;
    uint16_t h[2];
    uint8_t b[4];
    float f;
};

int main(void)
{
    union word w = {.u = 0x3f800001};
    printf("%04x %04x %02x %02x %.9g\n", w.h[0], w.h[1], w.b[0], w.b[3], w.f);
    w.b[2] = 0;
    printf("%08x\n", w.u);
    w.f = -2.0f;
    printf("%08x\n", w.u);
    struct {
        int a;
        double d;
        short s[3];
    } x, y;
    memset(&x, 0, sizeof x);
    x.a = -1;
    x.d = 0.5;
    x.s[2] = 0x1234;
    const unsigned char *p = (const unsigned char *)&x;
    int sum = 0;
    for (size_t i = 0; i < sizeof x; i++)
        sum += p[i];
    memcpy(&y, &x, sizeof y);
    printf("%d %d %g %x\n", sum, y.a, y.d, y.s[2]);
    uint64_t q = 0x1122334455667788ULL;
    uint8_t le[8];
    memcpy(le, &q, 8);
    printf("%02x %02x\n", le[0], le[7]);
    return 0;
}
