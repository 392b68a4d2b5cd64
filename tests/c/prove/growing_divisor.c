// A divisor that starts at one and grows to eight is never zero.
// function: slow_down
// expect: covered 7 infeasible 1 unknown 0
// expect: infeasible 14:13 true
int next(void);

int slow_down(int load);
int slow_down(int load)
{
    int divisor = 1;
    while (next() != 0) {
        if (divisor < 8)
            divisor++;
        if (divisor == 0)
            return -1;
        if (load / divisor == 3)
            return 1;
    }
    return 0;
}
