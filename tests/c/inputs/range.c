// The begin and the end of a range, which are pointers into one array.
// function: sum
// expect: covered 10 infeasible 0 unknown 0
int sum(const int *begin, const int *end);
int sum(const int *begin, const int *end)
{
    int odd = 0;
    if (!begin || !end)
        return -2;
    for (const int *at = begin; at != end; at++)
        odd += *at & 1;
    if (end - begin == 5)
        return -1;
    if (odd == 3)
        return 1;
    return 0;
}
