// A sum in one byte wraps around, so that it can be smaller than the first number added. But it stays even.
// function: sum
// expect: covered 9 infeasible 1 unknown 0
// expect: infeasible 13:28 true
int sum(int n, unsigned char step);
int sum(int n, unsigned char step)
{
    unsigned char total = 0;
    for (int i = 0; i < n; i++)
        total += step;
    if (n > 0 && total < step)
        return 1;
    if ((step & 1) == 0 && total & 1)
        return -1;
    return 0;
}
