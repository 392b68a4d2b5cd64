// while, do, for, with break and continue, several variables, no body, nested exits.
#include <stdio.h>

int main(void)
{
    int n = 27, steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    printf("%d\n", steps);
    int i = 10, runs = 0;
    do
        runs++;
    while (i++ < 5);
    printf("%d %d\n", i, runs);
    for (int a = 0, b = 20; a < b; a += 3, b--)
        printf("%d/%d ", a, b);
    putchar('\n');
    int k;
    for (k = 0; k * k < 1000; k++)
        ;
    printf("%d\n", k);
    int found = 0;
    for (int x = 1; x < 30 && !found; x++)
        for (int y = x; y < 30; y++) {
            if ((x + y) % 2)
                continue;
            if (x * y == 135) {
                printf("%d*%d\n", x, y);
                found = 1;
                break;
            }
        }
    unsigned u = 5;
    do {
        printf("%u", u);
        if (u == 2)
            continue;
        putchar('.');
    } while (u-- > 0);
    putchar('\n');
    for (;;) {
        if (++k > 40)
            break;
    }
    int depth = 0;
    while (1)
        while (1) {
            depth++;
            if (depth == 10)
                goto out;
            break;
        }
out:
    printf("%d %d\n", k, depth);
    float f = 0;
    for (f = 0.5f; f < 100; f *= 2)
        ;
    printf("%g\n", f);
    return steps;
}
