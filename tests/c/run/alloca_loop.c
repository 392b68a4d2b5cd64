// alloca lives until the function returns, also when called in a loop.
#include <alloca.h>
#include <stdio.h>
#include <string.h>

struct cell {
    struct cell *next;
    int v;
};

static int build(int n)
{
    struct cell *head = NULL;
    for (int i = 0; i < n; i++) {
        struct cell *c = alloca(sizeof *c);
        c->next = head;
        c->v = i;
        head = c;
    }
    int sum = 0, sign = 1;
    for (struct cell *c = head; c; c = c->next) {
        sum += sign * c->v;
        sign = -sign;
    }
    return sum;
}

static size_t joined(const char *a, const char *b)
{
    char *t = __builtin_alloca(strlen(a) + strlen(b) + 1);
    strcpy(t, a);
    strcat(t, b);
    puts(t);
    return strlen(t);
}

int main(void)
{
    for (int i = 0; i < 50; i += 7)
        printf("%d ", build(i));
    putchar('\n');
    return (int)joined("stack ", "memory");
}
