// Vector extensions: arithmetic, element access, broadcast, memory, loops over 16 and 32 byte vectors.
// flags: -Wno-psabi
#include <stdio.h>
#include <string.h>

typedef int v4i __attribute__((vector_size(16)));
typedef float v4f __attribute__((vector_size(16)));
typedef double v4d __attribute__((vector_size(32)));
typedef unsigned char v16u __attribute__((vector_size(16)));
typedef short v8s __attribute__((vector_size(16)));
typedef long v2l __attribute__((vector_size(16)));

static void show(v4i v) { printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]); }
static v4f scale(v4f v, float k) { return v * k + 1; }

int main(void)
{
    v4i a = {1, 2, 3, 4}, b = {10, -20, 30, -40};
    show(a + b);
    show(a - b);
    show(a * b);
    show(b / a);
    show(b % (a + 2));
    show(-a);
    show(~a & 6);
    show(a << 2);
    show(b >> a);
    show(a ^ b);
    a[2] = 99;
    for (int i = 0; i < 4; i++)
        a[i] += i;
    show(a);
    v4f f = scale((v4f){0.5f, 1.5f, 2.5f, 3.5f}, 2);
    printf("%g %g %g %g\n", f[0], f[1], f[2], f[3]);
    v4d d = {1, 2, 3, 4};
    d = d * d / 2;
    printf("%g %g %g %g\n", d[0], d[1], d[2], d[3]);
    v16u u = {250, 251, 252, 253, 254, 255};
    u += 10;
    printf("%d %d %d\n", u[0], u[5], u[15]);
    v8s s = {1, 2, 3, 4, 5, 6, 7, 8};
    s = s * s - 10;
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += s[i];
    printf("%d\n", sum);
    v2l l = {1L << 40, -1};
    l *= 3;
    printf("%ld %ld\n", l[0], l[1]);
    int mem[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    v4i lo, hi;
    memcpy(&lo, mem, 16);
    memcpy(&hi, mem + 4, 16);
    lo *= hi;
    memcpy(mem, &lo, 16);
    printf("%d %d %d\n", mem[0], mem[3], mem[4]);
    return a[2] & 0xff;
}
