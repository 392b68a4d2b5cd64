// A loop that steps by one leaves with the index at its bound, never beyond it.
// function: climb
// expect: covered 5 infeasible 1 unknown 0
// expect: infeasible 11:19 true
int climb(int n);
int climb(int n)
{
    int i = 0;
    while (i < n)
        i++;
    if (n >= 0 && i != n)
        return -1;
    return i;
}
