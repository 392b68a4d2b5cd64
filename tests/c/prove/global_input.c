// A global that is an input may have any value on entry; once brought within its limits it stays there.
// function: warm
// options: --stub next=any
// expect: covered 10 infeasible 2 unknown 0
// expect: infeasible 23:13 true
// expect: infeasible 23:25 true
int next(void);

int heat;

int warm(void);
int warm(void)
{
    if (heat < 0)
        heat = 0;
    else if (heat > 90)
        heat = 90;
    while (next() != 0) {
        if (heat >= 90)
            heat -= 40;
        else
            heat += 1;
        if (heat < 0 || heat > 90)
            return -1;
    }
    return heat;
}
