// From zero in steps of three up to a limit: the number is a multiple of three, and passes the limit by two at most.
// function: stride
// options: --assume limit<=1000000
// expect: covered 4 infeasible 2 unknown 0
// expect: infeasible 13:9 true
// expect: infeasible 15:9 true
int stride(unsigned limit);
int stride(unsigned limit)
{
    unsigned x = 0;
    while (x < limit)
        x += 3;
    if (x > limit + 2)
        return -1;
    if (x % 3 != 0)
        return -2;
    return x == limit;
}
