// The same condition twice, which may change together (restricted active clause coverage).
// function: either
// options: -c mcdc --mcdc racc
// expect: mcdc covered 4 infeasible 0 unknown 0
int either(int a, int b, int c)
{
    if ((a > 1 && b) || (a > 1 && c))
        return 2;
    return 0;
}
