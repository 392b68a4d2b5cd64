// Mutants that change what a condition is and not what the function gives: where both numbers are one, either will do.
// function: middle
// options: -c mutation
// expect: mutation covered 10 infeasible 0 unknown 0
static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

int middle(int a, int b, int c)
{
    return larger(smaller(a, b), smaller(larger(a, b), c));
}
