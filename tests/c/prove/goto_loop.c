// A loop made of goto: it tries again while there are tries left, and never has more than its limit.
// function: dial
// options: --assume limit>0
// expect: covered 5 infeasible 1 unknown 0
// expect: infeasible 18:9 true
int answer(void);

int dial(unsigned limit);
int dial(unsigned limit)
{
    unsigned tries = 0;
again:
    if (answer() == 42)
        return 0;
    tries++;
    if (tries < limit)
        goto again;
    if (tries > limit)
        return -1;
    return 1;
}
