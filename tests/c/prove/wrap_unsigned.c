// A number that only grows can still end below its start, because it wraps around. The distance stays a multiple of
// 16.
// function: grow
// expect: covered 5 infeasible 1 unknown 0
// expect: infeasible 16:9 true
int grow(unsigned start, unsigned n);
int grow(unsigned start, unsigned n)
{
    unsigned at = start;
    while (n > 0) {
        at += 16;
        n--;
    }
    if (at < start)
        return 1;
    if ((at - start) % 16 != 0)
        return -1;
    return 0;
}
