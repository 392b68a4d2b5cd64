// The smallest value so far is never above the largest.
// function: spread
// expect: covered 7 infeasible 1 unknown 0
// expect: infeasible 18:13 true
int next(void);

int spread(int n);
int spread(int n)
{
    int low = next();
    int high = low;
    for (int i = 0; i < n; i++) {
        int v = next();
        if (v < low)
            low = v;
        else if (v > high)
            high = v;
        if (low > high)
            return -1;
    }
    return low == high;
}
