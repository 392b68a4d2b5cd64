// Structs of 1 to 16 bytes passed and returned by value in integer registers.
#include <stdio.h>

struct s1 { char a; };
struct s2 { char a, b; };
struct s3 { char a, b, c; };
struct s5 { int n; char c; };
struct s7 { char c[7]; };
struct s8 { int a, b; };
struct s12 { int a, b, c; };
struct s16 { long a, b; };

static struct s1 f1(struct s1 s) { s.a++; return s; }
static struct s2 f2(struct s2 s) { s.b += s.a; return s; }
static struct s3 f3(struct s3 s) { char t = s.a; s.a = s.c; s.c = t; return s; }
static struct s5 f5(struct s5 s) { s.n *= s.c; return s; }
static struct s7 f7(struct s7 s) { s.c[6] = s.c[0]; return s; }
static struct s8 f8(struct s8 s, struct s8 t) { s.a -= t.b; s.b -= t.a; return s; }
static struct s12 f12(struct s12 s) { s.c = s.a * s.b; return s; }
static struct s16 f16(struct s16 s, int k) { s.a *= k; s.b >>= k; return s; }

int main(void)
{
    struct s1 a = f1((struct s1){'a'});
    struct s2 b = f2((struct s2){3, 4});
    struct s3 c = f3((struct s3){'x', 'y', 'z'});
    struct s5 d = f5((struct s5){-7, 6});
    struct s7 e = f7((struct s7){{1, 2, 3, 4, 5, 6, 7}});
    struct s8 f = f8((struct s8){1, 2}, (struct s8){30, 40});
    struct s12 g = f12((struct s12){11, 12, 0});
    struct s16 h = f16((struct s16){-1, -1024}, 4);
    printf("%c %d %c%c%c %d %d\n", a.a, b.b, c.a, c.b, c.c, d.n, d.c);
    printf("%d %d %d %d %d %ld %ld\n", e.c[6], e.c[5], f.a, f.b, g.c, h.a, h.b);
    return f8(f8(f, f), f).a & 0xff;
}
