// expect: trap division-by-zero 11
// native: undefined
// An int divided by zero.
#include <stdio.h>

static int average(const int *v, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += v[i];
    return s / n;
}

int main(void)
{
    int v[] = {1, 2, 3};
    printf("%d\n", average(v, 3));
    return average(v, 0);
}
