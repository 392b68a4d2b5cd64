// expect: trap unsupported 7
// Inline assembly stands on a path that is taken the second time only.
static int ticks(int fast)
{
    unsigned lo = 1;
    if (fast)
        __asm__ volatile("rdtsc" : "=a"(lo) : : "edx");
    return lo != 0;
}

int main(void)
{
    return ticks(0) + ticks(1);
}
