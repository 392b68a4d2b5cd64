// Parentheses between operators of one kind change nothing but what a changed operator does: the first one here is no
// equivalent mutant, though it would be without them.
// function: pick
// options: -c mutation
// expect: mutation covered 30 infeasible 1 unknown 0
// expect: infeasible 16:18 || becomes &&
static int small(unsigned v)
{
    return v < 3;
}

int pick(unsigned a, unsigned b)
{
    if (small(a) || (small(a) || b > 7))
        return 1;
    if (small(b) || small(b) || a == 9)
        return 2;
    return 0;
}
