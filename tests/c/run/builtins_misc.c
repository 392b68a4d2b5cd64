// expect, unreachable (not reached), constant_p, object_size, assume, choose_expr, types_compatible_p.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

static int kind(int n)
{
    switch (n & 3) {
    case 0: return 10;
    case 1: return 20;
    case 2: return 30;
    case 3: return 40;
    }
    __builtin_unreachable();
}

static int divide(int a, int b)
{
    __builtin_assume(b != 0);
    return a / b;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (likely(argc == 1))
        puts("likely");
    if (unlikely(argc > 1))
        puts("unlikely");
    printf("%d %d %d\n", kind(0), kind(7), divide(10, 3));
    printf("%d %d\n", __builtin_constant_p(5), __builtin_constant_p("s"[0]));
    char buf[40];
    printf("%zu %zu\n", __builtin_object_size(buf, 0), __builtin_object_size(buf + 10, 0));
    printf("%d %d\n", __builtin_types_compatible_p(int, signed), __builtin_types_compatible_p(int, long));
    printf("%s\n", __builtin_choose_expr(1, "first", 2));
    printf("%g %d\n", __builtin_inf(), __builtin_isnan(__builtin_nan("")) != 0);
    __builtin_prefetch(buf);
    int *p = __builtin_assume_aligned(malloc(64), 16);
    p[0] = 3;
    printf("%d\n", p[0]);
    free(p);
    printf("%d\n", __builtin_memcmp("ab", "ac", 2) < 0);
    printf("%g %g\n", __builtin_fabs(-2.5), __builtin_sqrt(16.0));
    printf("%g %g %g\n", __builtin_floor(-1.5), __builtin_copysign(1.0, -2.0), __builtin_fmax(1.0, 2.0));
    printf("%d\n", __builtin_expect_with_probability(argc == 1, 1, 0.9) ? 1 : 2);
    char *end = __builtin_stpcpy(buf, "stp");
    printf("%td\n", end - buf);
    printf("%d\n", (int)__builtin_offsetof(struct { char a; int b; }, b));
    return 0;
}
