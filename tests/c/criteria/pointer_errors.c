// Accesses behind a pointer parameter: inside its object for any number of turns, and one that is not.
// function: mix
// options: -c runtime-error --pointers valid --array-len 8
// expect: runtime-error covered 1 infeasible 1 unknown 0
// expect: infeasible 12:16 bad-access
// expect: covered 13:18 bad-access
// expect: defect out-of-bounds 13:18
int mix(const int *values, unsigned n)
{
    int all = 0;
    for (unsigned i = 0; i < n && i < 8; i++)
        all ^= values[i];
    return all ^ values[n % 9];
}
