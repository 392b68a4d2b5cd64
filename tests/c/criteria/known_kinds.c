// Boundary values that an earlier check excludes: all paths are known, and no input has the value on any of them.
// function: fee
// options: -c boundary
// expect: boundary covered 13 infeasible 3 unknown 0
// expect: infeasible 18:14 kind == 3 + 1
static int is_known(int kind)
{
    return kind == 1 || kind == 2 || kind == 3;
}

int fee(int kind, int days)
{
    int sum = 0;
    if (!is_known(kind))
        return -1;
    if (days > 3)
        sum = 4;
    if (kind == 3)
        sum += 7;
    return sum;
}
