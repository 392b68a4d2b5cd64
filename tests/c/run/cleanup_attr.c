// __attribute__((cleanup)) runs at the end of the scope: return, break, goto, reverse order.
#include <stdio.h>
#include <stdlib.h>

static void bye(int *n) { printf("-%d ", *n); }
static void release(char **p) { free(*p); printf("freed "); }

#define GUARD(name, v) __attribute__((cleanup(bye))) int name = (v); printf("+%d ", name)

static int early(int n)
{
    GUARD(a, 1);
    if (n == 0)
        return a;
    GUARD(b, 2);
    for (int i = 0; i < n; i++) {
        GUARD(c, 10 + i);
        if (i == 1)
            continue;
        if (i == 2)
            break;
    }
    return a + b;
}

int main(void)
{
    printf("=%d\n", early(0));
    printf("=%d\n", early(1));
    printf("=%d\n", early(5));
    {
        __attribute__((cleanup(release))) char *p = malloc(20);
        snprintf(p, 20, "held");
        printf("%s ", p);
    }
    putchar('\n');
    int k = 0;
again: {
    GUARD(g, k);
    if (++k < 3)
        goto again;
}
    putchar('\n');
    return k;
}
