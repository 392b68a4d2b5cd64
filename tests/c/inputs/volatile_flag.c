// A volatile object has any value at each read: somebody else may change it while the code runs.
// function: wait_for_flag
// expect: covered 8 infeasible 0 unknown 0
volatile int flag;
static volatile unsigned long long ticks;
int limit;

int wait_for_flag(unsigned long long from);
int wait_for_flag(unsigned long long from)
{
    if (flag == 3)
        return 0;
    // Only if it changes in between.
    if (flag == 3)
        return 1;
    flag = 4;
    limit++;
    // What the code wrote is no longer there.
    if (flag != 4)
        return 2;
    return ticks - from > 1000 ? 3 : 4;
}
