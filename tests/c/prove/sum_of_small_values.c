// Values from 0 to 1000: their sum is between 0 and 1000 times their number.
// function: total
// expect: covered 8 infeasible 2 unknown 0
// expect: infeasible 13:13 true
// expect: infeasible 13:24 true
int next(void);

int total(int n);
int total(int n)
{
    long long sum = 0;
    for (int i = 0; i < n; i++) {
        if (sum < 0 || sum > 1000LL * i)
            return -1;
        int v = next();
        if (v >= 0 && v <= 1000)
            sum += v;
    }
    return sum == 1234;
}
