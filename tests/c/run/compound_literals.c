// Compound literals: scalars, arrays, structs, at file scope, as arguments, modified.
#include <stdio.h>

struct pt {
    int x, y;
};

static struct pt *global = &(struct pt){3, 4};
static const int *primes = (const int[]){2, 3, 5, 7, 0};

static int dot(struct pt a, const struct pt *b)
{
    return a.x * b->x + a.y * b->y;
}

static int total(const int *v)
{
    int s = 0;
    while (*v)
        s += *v++;
    return s;
}

int main(void)
{
    printf("%d\n", dot((struct pt){1, 2}, &(struct pt){.y = 10, .x = 20}));
    printf("%d %d\n", global->x, total(primes));
    global->x = 30;
    printf("%d\n", global->x);
    printf("%d\n", total((int[]){5, 6, 7, 0}));
    int *p = (int[4]){[2] = 9};
    p[1]++;
    printf("%d %d %d\n", p[0], p[1], p[2]);
    for (int i = 0; i < 3; i++) {
        struct pt *q = &(struct pt){i, i};
        q->x *= 10;
        printf("%d,%d ", q->x, q->y);
    }
    putchar('\n');
    int n = (int){7} + *&(int){1};
    puts((char[]){'h', 'i', 0});
    return n;
}
