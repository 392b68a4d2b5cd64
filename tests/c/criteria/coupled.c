// The same condition twice: the second can never change without the first, so llvm-cov's rule has no pair for it. With
// the rule that lets both change together there is one.
// function: either
// options: -c mcdc
// expect: mcdc covered 3 infeasible 1 unknown 0
// expect: infeasible 10:26 independent
// expect: covered 10:10 independent
int either(int a, int b, int c)
{
    if ((a > 1 && b) || (a > 1 && c))
        return 2;
    return 0;
}
