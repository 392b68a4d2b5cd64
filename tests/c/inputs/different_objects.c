// How far apart two objects are is nothing that a test can fix, and no test may claim it.
// function: apart
// expect: covered 4 infeasible 0 unknown 2
int apart(const int *a, const char *b);
int apart(const int *a, const char *b)
{
    if (!a || !b)
        return -1;
    if ((const char *)a - b > 0)
        return 1;
    return 0;
}
