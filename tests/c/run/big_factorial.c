// Big numbers in base 10^9: factorials, Fibonacci numbers, powers, division by small numbers.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LIMBS = 64 };
#define BASE 1000000000u

struct big {
    int n;
    uint32_t d[LIMBS];
};

static struct big from(uint32_t v) { return (struct big){1, {v}}; }

static void mul_small(struct big *a, uint32_t k)
{
    uint64_t carry = 0;
    for (int i = 0; i < a->n; i++) {
        uint64_t t = (uint64_t)a->d[i] * k + carry;
        a->d[i] = (uint32_t)(t % BASE);
        carry = t / BASE;
    }
    while (carry) {
        a->d[a->n++] = (uint32_t)(carry % BASE);
        carry /= BASE;
    }
}

static uint32_t div_small(struct big *a, uint32_t k)
{
    uint64_t rem = 0;
    for (int i = a->n - 1; i >= 0; i--) {
        uint64_t t = rem * BASE + a->d[i];
        a->d[i] = (uint32_t)(t / k);
        rem = t % k;
    }
    while (a->n > 1 && a->d[a->n - 1] == 0)
        a->n--;
    return (uint32_t)rem;
}

static struct big add(const struct big *a, const struct big *b)
{
    struct big r = {0, {0}};
    uint32_t carry = 0;
    for (int i = 0; i < a->n || i < b->n || carry; i++) {
        uint32_t t = carry + (i < a->n ? a->d[i] : 0) + (i < b->n ? b->d[i] : 0);
        carry = t >= BASE;
        r.d[r.n++] = carry ? t - BASE : t;
    }
    return r;
}

static struct big mul(struct big a, struct big b)
{
    uint64_t t[LIMBS] = {0};
    for (int i = 0; i < a.n; i++)
        for (int j = 0; j < b.n; j++) {
            t[i + j] += (uint64_t)a.d[i] * b.d[j];
            for (int k = i + j; t[k] >= BASE; k++) {
                t[k + 1] += t[k] / BASE;
                t[k] %= BASE;
            }
        }
    struct big r = {0, {0}};
    int top = LIMBS - 1;
    while (top > 0 && !t[top])
        top--;
    for (; r.n <= top; r.n++)
        r.d[r.n] = (uint32_t)t[r.n];
    return r;
}

static void print(const char *name, const struct big *a)
{
    printf("%s = %u", name, a->d[a->n - 1]);
    for (int i = a->n - 2; i >= 0; i--)
        printf("%09u", a->d[i]);
    putchar('\n');
}

int main(void)
{
    struct big f = from(1);
    for (uint32_t i = 2; i <= 100; i++)
        mul_small(&f, i);
    print("100!", &f);
    struct big a = from(0), b = from(1);
    for (int i = 0; i < 300; i++) {
        struct big c = add(&a, &b);
        a = b;
        b = c;
    }
    print("fib(300)", &a);
    struct big p = from(3), r = from(1);
    for (int e = 200; e; e >>= 1) {
        if (e & 1)
            r = mul(r, p);
        p = mul(p, p);
    }
    print("3^200", &r);
    uint32_t rem = div_small(&f, 97);
    rem += div_small(&f, 1000003);
    print("100!/97/1000003", &f);
    printf("%u\n", rem);
    return 0;
}
