// Structs too large for registers travel as copies in memory.
#include <stdio.h>
#include <string.h>

struct big {
    int id;
    double w[4];
    char name[20];
};

struct huge {
    long v[100];
};

static double weigh(struct big b)
{
    double s = 0;
    for (int i = 0; i < 4; i++) {
        s += b.w[i];
        b.w[i] = -1;
    }
    b.id = 0;
    strcpy(b.name, "changed");
    return s;
}

static struct big rename_it(struct big b, const char *n)
{
    strncpy(b.name, n, sizeof b.name - 1);
    b.name[sizeof b.name - 1] = 0;
    b.id++;
    return b;
}

static long sum(int before, struct huge h, int after)
{
    long s = 0;
    for (int i = 0; i < 100; i++)
        s += h.v[i];
    return s * before - after;
}

static struct huge reverse(struct huge h)
{
    for (int i = 0; i < 50; i++) {
        long t = h.v[i];
        h.v[i] = h.v[99 - i];
        h.v[99 - i] = t;
    }
    return h;
}

int main(void)
{
    struct big b = {7, {1, 2, 3, 4.5}, "original"};
    printf("%g %d %s\n", weigh(b), b.id, b.name);
    struct big c = rename_it(b, "a name that is longer than twenty");
    printf("%d %s %s %g\n", c.id, c.name, b.name, c.w[3]);
    struct huge h;
    for (int i = 0; i < 100; i++)
        h.v[i] = i * i;
    printf("%ld\n", sum(2, h, 1));
    struct huge r = reverse(h);
    printf("%ld %ld %ld\n", r.v[0], r.v[99], h.v[99]);
    printf("%ld\n", reverse(reverse(h)).v[10]);
    return c.id;
}
