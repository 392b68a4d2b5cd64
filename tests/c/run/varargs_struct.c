// Structs by value through va_arg: in one and two registers, mixed, floats, and in memory.
#include <stdarg.h>
#include <stdio.h>

struct one { int a; };
struct two { long a, b; };
struct fl { float x, y; };
struct mix { double d; int n; };
struct big { int v[10]; };
struct ld { long double v; };

static void show(const char *f, ...)
{
    va_list ap;
    va_start(ap, f);
    for (; *f; f++)
        switch (*f) {
        case '1': printf("%d ", va_arg(ap, struct one).a); break;
        case '2': { struct two t = va_arg(ap, struct two); printf("%ld,%ld ", t.a, t.b); break; }
        case 'f': { struct fl t = va_arg(ap, struct fl); printf("%g,%g ", t.x, t.y); break; }
        case 'm': { struct mix t = va_arg(ap, struct mix); printf("%g,%d ", t.d, t.n); break; }
        case 'b': { struct big t = va_arg(ap, struct big); printf("%d..%d ", t.v[0], t.v[9]); break; }
        case 'l': printf("%.2Lf ", va_arg(ap, struct ld).v); break;
        case 'i': printf("%d ", va_arg(ap, int)); break;
        }
    va_end(ap);
    putchar('\n');
}

int main(void)
{
    struct one o = {11};
    struct two t = {-1, 1L << 50};
    struct fl f = {0.5f, -0.25f};
    struct mix m = {3.75, 9};
    struct big b = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
    struct ld l = {12.25L};
    show("12fmbl", o, t, f, m, b, l);
    show("2222i", t, t, t, t, 5);
    show("mmmmmmmmi", m, m, m, m, m, m, m, m, 6);
    show("ffffffffff", f, f, f, f, f, f, f, f, f, f);
    show("ibibi", 1, b, 2, b, 3);
    show("illi", 1, l, l, 2);
    show("iiiii2i", 1, 2, 3, 4, 5, t, 6);
    return 0;
}
