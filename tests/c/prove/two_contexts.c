// A helper called from two places. In the first its upper check never holds, in the second it does; that its
// result is too large holds in neither.
// function: levels
// expect: covered 9 infeasible 1 unknown 0
// expect: infeasible 12:9 true
int next(void);

static int within(int v, int most)
{
    if (v > most)
        v = most;
    if (v > 10)
        return -1;
    return v;
}

int levels(int n);
int levels(int n)
{
    int up = 0;
    while (up < 10 && next() != 0)
        up++;
    int first = within(up, 10);
    int second = 0;
    for (int i = 0; i < n; i++)
        second = within(i, 5);
    return first + second;
}
