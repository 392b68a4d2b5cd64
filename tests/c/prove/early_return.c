// What a search returns from inside its loop is a place below n; otherwise it is -1.
// function: lookup
// expect: covered 8 infeasible 2 unknown 0
// expect: infeasible 21:9 true
// expect: infeasible 23:20 true
int next(void);

static int find(int n, int key)
{
    for (int i = 0; i < n; i++) {
        if (next() == key)
            return i;
    }
    return -1;
}

int lookup(int n, int key);
int lookup(int n, int key)
{
    int at = find(n, key);
    if (at < -1)
        return -3;
    if (at >= 0 && at >= n)
        return -2;
    return at;
}
