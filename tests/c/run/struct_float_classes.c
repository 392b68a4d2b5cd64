// Structs of floats and doubles travel in vector registers, two floats to one.
#include <stdio.h>

struct f1 { float x; };
struct f2 { float x, y; };
struct f3 { float x, y, z; };
struct f4 { float x, y, z, w; };
struct d1 { double x; };
struct d2 { double x, y; };
struct d3 { double x, y, z; };
struct fd { float f; double d; };

static struct f1 neg1(struct f1 a) { return (struct f1){-a.x}; }
static struct f2 add2(struct f2 a, struct f2 b) { return (struct f2){a.x + b.x, a.y + b.y}; }
static struct f3 cross(struct f3 a, struct f3 b)
{
    return (struct f3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static struct f4 scale(struct f4 a, float k) { return (struct f4){a.x * k, a.y * k, a.z * k, a.w * k}; }
static struct d1 half(struct d1 a) { a.x /= 2; return a; }
static struct d2 conj2(struct d2 a) { a.y = -a.y; return a; }
static struct d3 shift3(struct d3 a) { return (struct d3){a.z, a.x, a.y}; }
static struct fd swap(struct fd a) { return (struct fd){(float)a.d, a.f}; }

int main(void)
{
    struct f1 a = neg1((struct f1){1.5f});
    struct f2 b = add2((struct f2){1, 2}, (struct f2){0.25f, 0.5f});
    struct f3 c = cross((struct f3){1, 2, 3}, (struct f3){4, 5, 6});
    struct f4 d = scale((struct f4){1, 2, 3, 4}, 0.1f);
    struct d1 e = half((struct d1){9});
    struct d2 f = conj2((struct d2){1, -7.5});
    struct d3 g = shift3((struct d3){1, 2, 3});
    struct fd h = swap((struct fd){2.5f, 3.25});
    printf("%g %g %g %g %g %g\n", a.x, b.x, b.y, c.x, c.y, c.z);
    printf("%g %g %g %g %g\n", d.x, d.y, d.z, d.w, e.x);
    printf("%g %g %g %g %g %g %g\n", f.x, f.y, g.x, g.y, g.z, h.f, h.d);
    return 0;
}
