// A result that C leaves open on one path is not taken for that of the other, and not expected.
// function: pick
// expect: covered 6 infeasible 0 unknown 0
int pick(int way);
int pick(int way)
{
    int chosen;
    if (way == 1)
        return 1 << 40;
    if (way == 2)
        chosen = 5;
    if (way > 100)
        return 9;
    return chosen;
}
