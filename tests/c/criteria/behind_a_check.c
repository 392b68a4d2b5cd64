// Boundary values that a check in another function excludes, behind a loop that has no constant bound.
// function: fee
// options: -c boundary
// expect: boundary covered 12 infeasible 4 unknown 0
// expect: infeasible 20:14 kind == 3 + 1
static int is_known(int kind)
{
    if (kind != 1 && kind != 2 && kind != 3)
        return 0;
    return 1;
}

int fee(int kind, unsigned n)
{
    int sum = 0;
    if (!is_known(kind))
        return -1;
    for (unsigned i = 0; i < n; i++)
        sum ^= 5;
    if (kind == 3)
        sum ^= 7;
    return sum;
}
