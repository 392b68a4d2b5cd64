// A helper checks once more what the condition of the loop has checked already.
// function: scan
// expect: covered 8 infeasible 2 unknown 0
// expect: infeasible 10:9 true
// expect: infeasible 10:19 true
int next(void);

static int use(int at, int size)
{
    if (at < 0 || at >= size)
        return -1;
    return next() & 1;
}

int scan(int at, int size);
int scan(int at, int size)
{
    int odd = 0;
    while (at >= 0 && at < size) {
        if (use(at, size) == 1)
            odd++;
        at++;
    }
    return odd;
}
