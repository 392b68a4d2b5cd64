// A statement that no path comes to, in a block that control leaves in one way.
// function: rest
// options: -c statement
// expect: statement covered 7 infeasible 1 unknown 0
static int positive(int x, int y)
{
    return (x > 0 ? x : 1) + (y > 0 ? y % 7 : 2);
}

int rest(int x, int y)
{
    int sum = x > 1000 ? 1000 : positive(x, y);
    if (x > 3 && y > 3)
        sum += 1;
    if (sum < 0)
        return -3;
    return sum;
}
