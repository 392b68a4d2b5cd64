// inline, static inline, extern inline, always_inline, noinline, pure functions.
#include <stdio.h>

static inline int sq(int x) { return x * x; }
inline int cube(int x) { return x * sq(x); }
extern inline int cube(int x);
__attribute__((always_inline)) static inline int mix(int a, int b) { return (a ^ b) * 31 + (a & b); }
__attribute__((noinline)) static int far(int a) { return a - 1; }
__attribute__((pure)) static int count(const char *s, char c)
{
    int n = 0;
    for (; *s; s++)
        n += *s == c;
    return n;
}
__attribute__((const)) static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }
static inline _Noreturn void fatal(int rc);

#include <stdlib.h>
static inline _Noreturn void fatal(int rc)
{
    fflush(stdout);
    exit(rc);
}

int main(void)
{
    printf("%d %d %d %d\n", sq(7), cube(-3), mix(100, 77), far(1));
    printf("%d %d\n", count("mississippi", 's'), gcd(1071, 462));
    int (*f)(int) = cube;
    printf("%d\n", f(f(2)));
    fatal(sq(5));
}
