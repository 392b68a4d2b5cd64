// Static locals keep their values, one per function and scope; also in recursion.
#include <stdio.h>

static int counter(void)
{
    static int n = 10;
    return n++;
}

static int *cell(void)
{
    static int here;
    return &here;
}

static int depth(int n)
{
    static int calls, deepest;
    calls++;
    if (n > deepest)
        deepest = n;
    if (n < 4) {
        depth(n + 1);
        depth(n + 2);
    }
    return calls * 100 + deepest;
}

static const char *name(int i)
{
    static char buf[4][8];
    static unsigned at;
    char *b = buf[at++ % 4];
    snprintf(b, 8, "n%d", i);
    return b;
}

static int scoped(int k)
{
    if (k) {
        static int v = 1;
        return v *= 2;
    } else {
        static int v = 100;
        return v -= 1;
    }
}

int main(void)
{
    counter();
    counter();
    printf("%d\n", counter());
    *cell() = 5;
    ++*cell();
    printf("%d\n", *cell());
    printf("%d\n", depth(0));
    printf("%s %s %s\n", name(1), name(2), name(3));
    scoped(1);
    scoped(0);
    int a = scoped(1), b = scoped(0);
    printf("%d %d\n", a, b);
    return counter();
}
