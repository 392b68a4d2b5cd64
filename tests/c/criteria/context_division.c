// One caller, whose own branches are not asked for, and a division by zero that it never causes.
// function: share
// options: --context callers -c branch,runtime-error
// expect: branch covered 1 infeasible 1 unknown 0
// expect: runtime-error covered 0 infeasible 2 unknown 0
// expect: infeasible 9:9 true
static int share(int whole, int parts)
{
    if (parts > 100)
        return 0;
    return whole / parts;
}

int shares(unsigned char whole, unsigned char parts);
int shares(unsigned char whole, unsigned char parts)
{
    if (parts == 0 || parts >= 50)
        return -1;
    return share(whole, parts);
}
