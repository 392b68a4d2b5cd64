// Memory that is cleared so that no compiler leaves it out: nobody reads it back, and nothing is open.
// function: wipe
// options: --pointers valid --array-len 4
// expect: covered 5 infeasible 1 unknown 0
// expect: infeasible 14:9 true
int wipe(unsigned char *secret, unsigned size);
int wipe(unsigned char *secret, unsigned size)
{
    volatile unsigned char *at = secret;
    if (size > 4)
        return -1;
    for (unsigned i = 0; i < 4; i++)
        at[i] = 0;
    if (secret[0] != 0)
        return 1;
    return 0;
}
