// Within the bound no path through count makes it larger than 3; a longer one does, which guided generation alone does not
// look for. These are two different statements.
// function: small
// options: -c local-path --loop-bound 2 -s guided
// expect: local-path covered 1 infeasible 0 unknown 1
static int count(unsigned n)
{
    int turns = 0;
    while (n != 0) {
        n /= 2;
        turns++;
    }
    return turns;
}

int small(unsigned n)
{
    if (count(n) > 3)
        return 0;
    return 1;
}
