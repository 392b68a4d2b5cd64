// Sparse and negative case labels, large gaps, unsigned labels, _Bool and char conditions.
#include <limits.h>
#include <stdio.h>

static int classify(int n)
{
    switch (n) {
    case INT_MIN: return 1;
    case -1000000: return 2;
    case -1: return 3;
    case 0: return 4;
    case 1: return 5;
    case 77777: return 6;
    case INT_MAX: return 7;
    }
    return 0;
}

static int uns(unsigned n)
{
    switch (n) {
    case 0: return 10;
    case 0x80000000u: return 11;
    case UINT_MAX: return 12;
    default: return 13;
    }
}

static int ch(signed char c)
{
    switch (c) {
    case -128: return 1;
    case -1: return 2;
    case 127: return 3;
    }
    return 0;
}

int main(void)
{
    int v[] = {INT_MIN, -1000000, -999999, -1, 0, 1, 2, 77777, INT_MAX, INT_MIN + 1};
    for (int i = 0; i < 10; i++)
        printf("%d ", classify(v[i]));
    putchar('\n');
    printf("%d %d %d %d\n", uns(0), uns(0x80000000u), uns(~0u), uns(0x7fffffff));
    printf("%d %d %d %d\n", ch(-128), ch((signed char)255), ch(127), ch(0));
    int hits = 0;
    for (int i = 0; i < 70000; i++)
        switch (i * 7919 % 65536) {
        case 1: case 10: case 100: case 1000: case 10000: case 60000:
            hits++;
        }
    printf("%d\n", hits);
    return classify(-1);
}
