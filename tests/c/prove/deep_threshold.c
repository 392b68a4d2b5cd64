// An alarm after more than sixteen bad readings, where a good one takes two off.
// function: monitor
// expect: covered 9 infeasible 1 unknown 0
// expect: infeasible 20:13 true
int reading(void);

int monitor(int n);
int monitor(int n)
{
    int bad = 0;
    for (int i = 0; i < n; i++) {
        if (reading() > 500)
            bad++;
        else if (bad >= 2)
            bad -= 2;
        else
            bad = 0;
        if (bad > 16)
            return 1;
        if (bad < 0)
            return -1;
    }
    return 0;
}
