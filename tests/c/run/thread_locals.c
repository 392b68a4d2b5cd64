// Thread-local variables in a program with one thread.
#include <stdio.h>
#include <threads.h>

static _Thread_local int counter = 5;
thread_local char name[8] = "main";
static __thread long zeroed;

static int *next(void)
{
    static _Thread_local int calls;
    calls++;
    return &calls;
}

int main(void)
{
    counter += 2;
    name[0] = 'M';
    zeroed -= 3;
    next();
    ++*next();
    printf("%d %s %ld %d\n", counter, name, zeroed, *next());
    int *p = &counter;
    *p *= 2;
    return counter;
}
