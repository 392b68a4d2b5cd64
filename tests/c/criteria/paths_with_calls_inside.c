// A function that calls itself: any of its calls may take a path. A negative size and the end of the recursion are reached by
// the first call too; that a call inside gets a size below 0 is not possible.
// function: depth
// options: -c local-path
// expect: local-path covered 4 infeasible 0 unknown 0
int depth(int size)
{
    if (size < 0)
        return -1;
    if (size < 2)
        return 0;
    switch (size % 2) {
    case 0:
        return 1 + depth(size / 2);
    default:
        return 1 + depth(size / 4);
    }
}
