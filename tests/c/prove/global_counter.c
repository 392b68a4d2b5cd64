// A global count of open items, changed by two functions, stays within its limits.
// function: drive
// options: --globals initial --stub next=any
// expect: covered 12 infeasible 2 unknown 0
// expect: infeasible 34:13 true
// expect: infeasible 37:9 true
int next(void);

static int pending;

static void push(void)
{
    if (pending < 12)
        pending++;
}

static int pop(void)
{
    if (pending == 0)
        return 0;
    pending--;
    return 1;
}

int drive(void);
int drive(void)
{
    int v;
    while ((v = next()) != 0) {
        if (v > 0)
            push();
        else if (!pop())
            return 1;
        if (pending < 0)
            return -1;
    }
    if (pending > 12)
        return -2;
    return pending;
}
