// Structs with one eightbyte of integers and one of floats, and arguments around them.
#include <stdio.h>

struct id { int n; double d; };
struct di { double d; long n; };
struct iff { int n; float f; float g; };
struct cf { char c; float f; };
struct pd { const char *p; double d; };
struct arr { short s[2]; float f[2]; };
struct nest { struct cf a; struct cf b; };

static struct id m1(int k, struct id a, double x) { return (struct id){a.n * k, a.d * x}; }
static struct di m2(struct di a, struct id b) { return (struct di){a.d + b.d, a.n + b.n}; }
static struct iff m3(struct iff a) { return (struct iff){a.n + 1, a.g, a.f}; }
static struct cf m4(struct cf a) { return (struct cf){(char)(a.c + 1), a.f * 2}; }
static struct pd m5(struct pd a) { return (struct pd){a.p + 1, -a.d}; }
static struct arr m6(struct arr a) { return (struct arr){{a.s[1], a.s[0]}, {a.f[1], a.f[0]}}; }
static struct nest m7(struct nest a) { return (struct nest){m4(a.b), m4(a.a)}; }

static double many(struct id a, struct id b, struct id c, struct id d, struct id e, struct id f, struct id g, struct id h)
{
    return a.n + b.d * 2 + c.n * 3 + d.d * 4 + e.n * 5 + f.d * 6 + g.n * 7 + h.d * 8;
}

int main(void)
{
    struct id a = m1(3, (struct id){5, 1.5}, 2);
    struct di b = m2((struct di){0.5, 1000000000000}, a);
    struct iff c = m3((struct iff){1, 2.5f, 3.5f});
    struct cf d = m4((struct cf){'a', 1.25f});
    struct pd e = m5((struct pd){"xyz", 4});
    struct arr f = m6((struct arr){{1, 2}, {3, 4}});
    struct nest g = m7((struct nest){{'p', 1}, {'q', 2}});
    printf("%d %g %g %ld %d %g %g\n", a.n, a.d, b.d, b.n, c.n, c.f, c.g);
    printf("%c %g %s %g %d %d %g %g\n", d.c, d.f, e.p, e.d, f.s[0], f.s[1], f.f[0], f.f[1]);
    printf("%c %g %c %g\n", g.a.c, g.a.f, g.b.c, g.b.f);
    struct id v[8];
    for (int i = 0; i < 8; i++)
        v[i] = (struct id){i, i * 0.5};
    printf("%g\n", many(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]));
    return a.n;
}
