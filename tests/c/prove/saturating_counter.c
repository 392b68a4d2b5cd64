// A counter that stops at both ends leaves neither.
// function: meter
// expect: covered 10 infeasible 2 unknown 0
// expect: infeasible 21:13 true
// expect: infeasible 21:26 true
int next(void);

int meter(void);
int meter(void)
{
    int level = 5;
    int v;
    while ((v = next()) != 0) {
        if (v > 0) {
            if (level < 9)
                level++;
        } else {
            if (level > 0)
                level--;
        }
        if (level < 0 || level > 9)
            return -1;
    }
    return level == 7;
}
