// abs, div, rand (repeatable and in range), calloc, realloc, aligned allocation.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    printf("%d %ld %lld\n", abs(-5), labs(-6000000000), llabs(7));
    srand(42);
    int a = rand(), b = rand(), in_range = 1;
    for (int i = 0; i < 1000; i++) {
        int r = rand();
        in_range &= r >= 0 && r <= RAND_MAX;
    }
    srand(42);
    int again = rand() == a;
    again &= rand() == b;
    printf("%d %d\n", in_range, again);
    int *z = calloc(100, sizeof *z);
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum += z[i];
    for (int i = 0; i < 100; i++)
        z[i] = i;
    z = realloc(z, 1000 * sizeof *z);
    for (int i = 0; i < 100; i++)
        sum += z[i];
    z = realloc(z, 10 * sizeof *z);
    printf("%d %d\n", sum, z[9]);
    free(z);
    free(NULL);
    char *n = realloc(NULL, 8);
    strcpy(n, "seven77");
    puts(n);
    free(n);
    void *p = NULL;
    int rc = posix_memalign(&p, 256, 100);
    printf("%d %d\n", rc, (int)((uintptr_t)p % 256));
    free(p);
    p = aligned_alloc(64, 128);
    printf("%d\n", (int)((uintptr_t)p % 64));
    free(p);
    void *q = malloc(100);
    printf("%d\n", (int)((uintptr_t)q % 16));
    free(q);
    printf("%d %d\n", EXIT_SUCCESS, EXIT_FAILURE);
    return 0;
}
