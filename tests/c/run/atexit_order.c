// atexit handlers run in reverse order; a handler may register another; exit from a nested call.
#include <stdio.h>
#include <stdlib.h>

static void a(void) { puts("a"); }
static void late(void) { puts("late"); }
static void b(void) { puts("b"); atexit(late); }
static void c(void) { puts("c"); }

static void leave(int n)
{
    if (n == 0)
        exit(33);
    leave(n - 1);
}

int main(void)
{
    atexit(a);
    atexit(b);
    atexit(c);
    atexit(c);
    printf("leaving ");
    leave(4);
    puts("never");
}
