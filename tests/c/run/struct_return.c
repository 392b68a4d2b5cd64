// Struct results: through memory, through two registers, chained, discarded, via pointer.
#include <stdio.h>

struct two { long a, b; };
struct three { long a, b, c; };
struct text { char s[40]; };

static struct two divmod(long n, long d) { return (struct two){n / d, n % d}; }
static struct three spread(struct two t) { return (struct three){t.a, t.b, t.a * t.b}; }

static struct text number(long n)
{
    struct text t;
    snprintf(t.s, sizeof t.s, "<%ld>", n);
    return t;
}

static struct three fib(int n)
{
    if (n == 0)
        return (struct three){0, 1, 1};
    struct three t = fib(n - 1);
    return (struct three){t.b, t.a + t.b, t.c + 1};
}

int main(void)
{
    struct two (*f)(long, long) = divmod;
    struct three t = spread(f(1234567, 1000));
    printf("%ld %ld %ld\n", t.a, t.b, t.c);
    printf("%s %s\n", number(5).s, number(t.c).s);
    divmod(1, 1);
    number(0);
    printf("%ld %ld\n", fib(50).a, fib(30).c);
    struct two arr[3];
    for (int i = 0; i < 3; i++)
        arr[i] = divmod(100 * i + 17, 7);
    t = (struct three){arr[2].a, arr[1].b, arr[0].a};
    t = spread((struct two){t.c, t.b});
    printf("%ld %ld %ld\n", t.a, t.b, t.c);
    return (int)divmod(100, 7).b;
}
