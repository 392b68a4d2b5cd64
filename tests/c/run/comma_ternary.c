// The comma operator and ?: in all positions, with mixed types, nested and as GNU ?:.
#include <stdio.h>

static int calls;
static int next(void) { return ++calls; }

int main(void)
{
    int a = (calls = 7, calls = 0, 3);
    int b = (next(), next(), next() * 10);
    printf("%d %d %d\n", a, b, calls);
    for (int i = 0; i < 5; i++)
        printf("%s ", i < 2 ? i == 0 ? "none" : "one" : i == 2 ? "two" : "many");
    putchar('\n');
    double d = a > 2 ? 1 : 2.5;
    printf("%g %g\n", d, a < 2 ? 1 : 2.5);
    unsigned u = 1;
    long mixed = a ? -1 : u;
    printf("%ld\n", mixed);
    int x = next() ?: 99;
    int y = (x - x) ?: 99;
    printf("%d %d\n", x, y);
    int arr[2] = {10, 20};
    *(a > 5 ? &arr[0] : &arr[1]) += 5;
    printf("%d %d\n", arr[0], arr[1]);
    void *vp = a ? (void *)arr : 0;
    printf("%d\n", *(int *)vp);
    a > 0 ? (void)puts("positive") : (void)puts("not");
    int i, j;
    for (i = 0, j = 10; i < j; i++, j -= 2)
        ;
    printf("%d %d\n", i, j);
    return (a++, a++, a);
}
