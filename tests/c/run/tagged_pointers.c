// Tags kept in the low bits of aligned pointers.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG_INT = 1, TAG_PAIR = 2, TAG_MASK = 7 };

typedef uintptr_t value;

struct pair {
    value head, tail;
};

static value fix(long n)
{
    return ((uintptr_t)n << 3) | TAG_INT;
}

static value cons(value h, value t)
{
    struct pair *p = malloc(sizeof *p);
    p->head = h;
    p->tail = t;
    return (uintptr_t)p | TAG_PAIR;
}

static struct pair *as_pair(value v)
{
    return (struct pair *)(v & ~(uintptr_t)TAG_MASK);
}

static void print(value v)
{
    switch (v & TAG_MASK) {
    case TAG_INT:
        printf("%ld", (long)((intptr_t)v >> 3));
        break;
    case TAG_PAIR:
        putchar('(');
        print(as_pair(v)->head);
        printf(" . ");
        print(as_pair(v)->tail);
        putchar(')');
        break;
    default:
        printf("nil");
    }
}

static void release(value v)
{
    if ((v & TAG_MASK) != TAG_PAIR)
        return;
    release(as_pair(v)->head);
    release(as_pair(v)->tail);
    free(as_pair(v));
}

int main(void)
{
    value list = 0;
    for (long i = 3; i >= -3; i--)
        list = cons(i % 2 ? fix(i * 100) : cons(fix(i), 0), list);
    print(list);
    putchar('\n');
    release(list);
    return 0;
}
