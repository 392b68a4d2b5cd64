// A mutant of a loop over memory that is the same loop, by what the compiler makes of it. What tests can set (`limit`) is no constant,
// though nobody else sets it.
// function: largest
// options: -c branch,mutation --pointers valid --array-len 3
// expect: branch covered 8 infeasible 0 unknown 0
// expect: mutation covered 26 infeasible 0 unknown 0
static int limit = 3;

static int above(int value, int border)
{
    return value > border;
}

int largest(const int *values, unsigned count);
int largest(const int *values, unsigned count)
{
    int best = values[0];
    if (count > 3)
        return -1;
    for (unsigned i = 1; i < count; i++)
        best = values[i] > best ? values[i] : best;
    return above(best, limit) ? best : 0;
}
