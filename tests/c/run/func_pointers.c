// Function pointers: tables, parameters, results, struct members, casts and comparison.
#include <stdio.h>

typedef int (*binop)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static binop choose(char c)
{
    return c == '+' ? add : c == '-' ? sub : c == '*' ? &mul : NULL;
}

static int fold(binop f, const int *v, int n, int start)
{
    for (int i = 0; i < n; i++)
        start = (*f)(start, v[i]);
    return start;
}

struct shape {
    double a, b;
    double (*area)(const struct shape *);
    void (*name)(void);
};

static double rect(const struct shape *s) { return s->a * s->b; }
static double tri(const struct shape *s) { return s->a * s->b / 2; }
static void say_rect(void) { printf("rect "); }
static void say_tri(void) { printf("tri "); }

static int (*(*chain(int n))(char))(int, int)
{
    (void)n;
    return 0;
}

int main(void)
{
    int v[] = {1, 2, 3, 4};
    const char *ops = "+-*";
    for (const char *p = ops; *p; p++)
        printf("%d ", fold(choose(*p), v, 4, 10));
    putchar('\n');
    binop table[] = {add, sub, mul};
    int s = 0;
    for (int i = 0; i < 9; i++)
        s = table[i % 3](s, i);
    printf("%d\n", s);
    struct shape shapes[] = {{2, 3, rect, say_rect}, {4, 5, tri, say_tri}};
    for (int i = 0; i < 2; i++) {
        shapes[i].name();
        printf("%g\n", shapes[i].area(&shapes[i]));
    }
    binop (*pick)(char) = choose;
    printf("%d %d\n", pick('*')(6, 7), (***pick('-'))(6, 7));
    printf("%d %d %d\n", choose('+') == add, choose('?') == NULL, chain(1) == NULL);
    void *raw = (void *)mul;
    binop back = (binop)raw;
    printf("%d\n", back(5, 5));
    int (*out)(const char *, ...) = printf;
    out("%s %d\n", "through a pointer", 3);
    return table[0](1, 2);
}
