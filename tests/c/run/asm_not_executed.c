// Inline assembly on a path that is never taken does no harm.
// machines: x86_64 i386
#include <stdio.h>

static unsigned long ticks(int really)
{
    unsigned lo = 0;
    if (really)
        __asm__ volatile("rdtsc" : "=a"(lo) : : "edx");
    return lo;
}

int main(void)
{
    printf("%lu\n", ticks(0));
    return 0;
}
