// A VLA whose scope is a loop body is released each time round; goto leaves its scope.
#include <stdio.h>

int main(void)
{
    long total = 0;
    for (int i = 1; i <= 2000; i++) {
        int n = i % 50 + 1;
        int v[n * 100];
        v[0] = i;
        v[n * 100 - 1] = n;
        total += v[0] + v[n * 100 - 1];
        if (i % 3 == 0)
            continue;
        char w[i];
        w[i - 1] = 1;
        total += w[i - 1];
    }
    printf("%ld\n", total);
    int round = 0;
again: {
    int size = 10 * (round + 1);
    int data[size];
    for (int i = 0; i < size; i++)
        data[i] = i * round;
    total = data[size - 1];
    printf("%zu %ld\n", sizeof data, total);
    if (++round < 4)
        goto again;
}
    return round;
}
