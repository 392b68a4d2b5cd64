// A helper that is called from three places, so that what comes after it depends on who called.
// function: calls
// expect: covered 12 infeasible 0 unknown 0

static int sign(int x)
{
    if (x > 0)
        return 1;
    if (x < 0)
        return -1;
    return 0;
}

static int same_sign(int x, int y)
{
    return sign(x) == sign(y);
}

int calls(int x, int y, int z);
int calls(int x, int y, int z)
{
    if (!same_sign(x, y))
        return 0;
    if (sign(z) == 0)
        return 1;
    if (same_sign(y, z) && x + y == 2 * z)
        return 2;
    return 3;
}
