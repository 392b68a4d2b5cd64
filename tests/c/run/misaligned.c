// Misaligned loads and stores work on x86-64.
// machines: x86_64 i386 aarch64
// sanitize: -fno-sanitize=alignment
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    unsigned char buf[32];
    for (int i = 0; i < 32; i++)
        buf[i] = (unsigned char)(i * 7);
    for (int off = 0; off < 8; off++)
        printf("%08x %016llx\n", *(volatile uint32_t *)(buf + off), (unsigned long long)*(volatile uint64_t *)(buf + off));
    *(volatile uint16_t *)(buf + 3) = 0xbeef;
    *(volatile double *)(buf + 9) = 1.5;
    printf("%02x %02x\n", buf[3], buf[4]);
    double d;
    memcpy(&d, buf + 9, 8);
    printf("%g\n", d);
    return buf[4];
}
