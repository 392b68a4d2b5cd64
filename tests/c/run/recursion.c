// Plain, deep, double, mutual and pointer-threaded recursion.
#include <stdio.h>

static int ack(int m, int n)
{
    return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1));
}
static unsigned long fact(unsigned n) { return n < 2 ? 1 : n * fact(n - 1); }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }

static int moves;
static void hanoi(int n, char from, char to, char via)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, via, to);
    moves++;
    if (n == 5)
        printf("%c->%c\n", from, to);
    hanoi(n - 1, via, to, from);
}

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static void permute(char *s, int k, int n, int *count)
{
    if (k == n) {
        if (++*count % 7 == 0)
            printf("%s ", s);
        return;
    }
    for (int i = k; i < n; i++) {
        char t = s[k];
        s[k] = s[i];
        s[i] = t;
        permute(s, k + 1, n, count);
        t = s[k];
        s[k] = s[i];
        s[i] = t;
    }
}

static void digits(unsigned n, unsigned base)
{
    if (n >= base)
        digits(n / base, base);
    putchar("0123456789abcdef"[n % base]);
}

int main(void)
{
    printf("%d %lu %d %d\n", ack(2, 5), fact(20), fib(18), depth(5000));
    hanoi(6, 'a', 'c', 'b');
    printf("%d %d %d\n", moves, is_even(100), is_odd(100));
    char s[] = "abcd";
    int count = 0;
    permute(s, 0, 4, &count);
    printf("%d\n", count);
    digits(3735928559u, 16);
    putchar('\n');
    digits(255, 2);
    putchar('\n');
    return fib(10);
}
