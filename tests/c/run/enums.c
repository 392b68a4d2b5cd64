// Enumerations: explicit and negative values, arithmetic, as indices, wide ones.
#include <stdio.h>

enum level { LOW = -5, MID, HIGH = 10, TOP };
enum mask { A = 1 << 0, B = 1 << 1, C = 1 << 2, ALL = A | B | C };
enum wide { HUGE_ONE = 0x100000000, NEGATIVE = -1 };
typedef enum { N, E, S, W, DIRS } dir;

static dir turn(dir d, int by) { return (dir)((d + by + DIRS) % DIRS); }

static const char *name(dir d)
{
    static const char *const names[DIRS] = {[N] = "north", [E] = "east", [S] = "south", [W] = "west"};
    return names[d];
}

int main(void)
{
    printf("%d %d %d %d\n", LOW, MID, HIGH, TOP);
    enum level l = LOW;
    l++;
    printf("%d %d\n", l == MID, l < HIGH);
    int m = ALL & ~B;
    printf("%d %d\n", m, (m & C) != 0);
    printf("%lld %zu\n", (long long)HUGE_ONE, sizeof(enum wide));
    dir d = N;
    for (int i = 0; i < 6; i++) {
        printf("%s ", name(d));
        d = turn(d, i % 2 ? 1 : -1 - i / 2);
    }
    putchar('\n');
    int count[DIRS] = {0};
    for (dir k = N; k < DIRS; k++)
        count[k] = k * k;
    printf("%d\n", count[W]);
    switch (l) {
    case LOW:
    case HIGH:
    case TOP:
        return 1;
    case MID:
        return 9;
    }
    return 2;
}
