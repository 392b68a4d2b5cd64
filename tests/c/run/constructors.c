// Constructors run before main in the order of their priority, destructors after it in reverse.
#include <stdio.h>
#include <stdlib.h>

static int ready;

__attribute__((constructor(201))) static void second(void) { ready = ready * 10 + 2; puts("second"); }
__attribute__((constructor(101 + 50))) static void first(void) { ready = ready * 10 + 1; puts("first"); }
__attribute__((constructor)) static void third(void) { ready = ready * 10 + 3; puts("third"); }
__attribute__((destructor(201))) static void d_middle(void) { puts("d_middle"); }
__attribute__((destructor)) static void d_first(void) { puts("d_first"); }
__attribute__((destructor(150))) static void d_last(void) { puts("d_last"); }

static void handler(void) { puts("atexit"); }

int main(void)
{
    printf("main %d\n", ready);
    atexit(handler);
    return ready % 100;
}
