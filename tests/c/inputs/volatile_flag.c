// A volatile object has any value at first; that somebody else changes it while the code runs is open.
// function: wait_for_flag
// expect: covered 3 infeasible 0 unknown 1
volatile int flag;
int limit;

int wait_for_flag(void);
int wait_for_flag(void)
{
    if (flag == 3)
        return 0;
    // Only if it changes in between.
    if (flag == 3)
        return 1;
    return 2;
}
