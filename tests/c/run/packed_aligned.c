// packed and aligned attributes, _Alignas, _Alignof and offsetof.
// clang's code for MIPS loads the double as if it were aligned; gcc's does what ours does.
// machines: x86_64 i386 arm aarch64 riscv64
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct plain { char a; int b; short c; double d; };
struct __attribute__((packed)) tight { char a; int b; short c; double d; };
struct __attribute__((aligned(32))) wide { char a; };
struct part { char a; int b __attribute__((packed)); char c; };
struct mem { char a; alignas(16) char b; alignas(8) char c; };

static alignas(64) char buffer[10];

int main(void)
{
    printf("%zu %zu %zu %zu\n", offsetof(struct plain, b), offsetof(struct plain, c), offsetof(struct plain, d),
           sizeof(struct plain));
    printf("%zu %zu %zu %zu\n", offsetof(struct tight, b), offsetof(struct tight, c), offsetof(struct tight, d),
           sizeof(struct tight));
    printf("%zu %zu %zu %zu\n", sizeof(struct wide), alignof(struct wide), sizeof(struct part), sizeof(struct mem));
    printf("%zu %zu\n", offsetof(struct mem, b), offsetof(struct mem, c));
    struct tight t[3] = {{'a', 1, 2, 3.5}, {'b', -1, -2, -3.5}, {'c', 100000, 300, 1e10}};
    double s = 0;
    for (int i = 0; i < 3; i++)
        s += t[i].a + t[i].b + t[i].c + t[i].d;
    printf("%.1f\n", s);
    struct wide w[2];
    w[0].a = w[1].a = 'w';
    printf("%d %d %td\n", (int)((uintptr_t)&w[0] % 32), (int)((uintptr_t)buffer % 64), (char *)&w[1] - (char *)&w[0]);
    alignas(128) int local = 5;
    printf("%d %d\n", (int)((uintptr_t)&local % 128), local);
    printf("%zu %zu %zu %zu\n", alignof(long double), alignof(max_align_t), alignof(char), alignof(int[3]));
    buffer[0] = 1;
    return buffer[0];
}
