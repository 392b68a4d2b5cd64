// Pointers through uintptr_t and back; alignment arithmetic; memory seen as bytes.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *align_up(void *p, uintptr_t to)
{
    return (void *)(((uintptr_t)p + to - 1) & ~(to - 1));
}

int main(void)
{
    int x = 42;
    uintptr_t u = (uintptr_t)&x;
    int *p = (int *)u;
    *p += 1;
    printf("%d %d\n", x, u == (uintptr_t)p);
    char *block = malloc(256);
    char *al = align_up(block + 1, 64);
    printf("%d %d\n", (int)((uintptr_t)al % 64), al > block && al < block + 128);
    strcpy(al, "aligned");
    puts(al);
    int arr[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    uintptr_t base = (uintptr_t)arr;
    int sum = 0;
    for (uintptr_t a = base; a < base + sizeof arr; a += 2 * sizeof(int))
        sum += *(int *)a;
    printf("%d\n", sum);
    long diff = (long)(uintptr_t)&arr[5] - (long)(uintptr_t)&arr[2];
    printf("%ld\n", diff);
    printf("%d\n", (int)((uintptr_t)&arr[1] % sizeof(int)));
    void *saved[2] = {&arr[3], block};
    unsigned char copy[sizeof saved];
    memcpy(copy, saved, sizeof saved);
    void *back[2];
    for (size_t i = 0; i < sizeof saved; i++)
        ((unsigned char *)back)[i] = copy[i];
    printf("%d %d\n", *(int *)back[0], back[1] == block);
    free(back[1]);
    return 0;
}
