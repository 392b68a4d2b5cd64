// From each of 100,001 places to the end, one by one: a bounded tool can only unroll this.
// function: remaining
// expect: covered 5 infeasible 1 unknown 0
// expect: infeasible 14:28 true
int remaining(unsigned start);
int remaining(unsigned start)
{
    unsigned i = start;
    unsigned turns = 0;
    while (i < 100000) {
        i++;
        turns++;
    }
    if (start <= 100000 && turns != 100000 - start)
        return -1;
    return turns > 0;
}
