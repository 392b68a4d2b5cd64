// Designated initialisers: out of order, ranges, overriding, nested paths.
#include <stdio.h>

struct inner {
    int a, b[3];
};

struct outer {
    char tag;
    struct inner in[2];
    union {
        int i;
        float f;
    } u;
    const char *name;
};

static struct outer g = {
    .name = "global",
    .in[1].b[2] = 7,
    .in[0] = {1, {2, 3, 4}},
    .u.f = 1.5f,
    .tag = 'g',
};

int main(void)
{
    int v[10] = {[3] = 1, 2, 3, [0] = 9, [7 ... 9] = 5};
    for (int i = 0; i < 10; i++)
        printf("%d ", v[i]);
    putchar('\n');
    printf("%c %s %d %d %d %d %g\n", g.tag, g.name, g.in[0].a, g.in[0].b[2], g.in[1].a, g.in[1].b[2], g.u.f);
    int runtime = 42;
    struct outer l = {.in = {[1] = {.a = runtime, .b = {[1] = runtime * 2}}}, .u.i = -1};
    printf("%d %d %d %d %d\n", l.in[1].a, l.in[1].b[0], l.in[1].b[1], l.u.i, l.name == NULL);
    static const unsigned char map[256] = {['a' ... 'z'] = 1, ['0' ... '9'] = 2, ['_'] = 3};
    const char *s = "x9_ Q";
    for (; *s; s++)
        printf("%d", map[(unsigned char)*s]);
    putchar('\n');
    enum { RED, GREEN, BLUE };
    const char *names[] = {[BLUE] = "blue", [RED] = "red", [GREEN] = "green"};
    for (int i = RED; i <= BLUE; i++)
        printf("%s ", names[i]);
    putchar('\n');
    return v[9];
}
