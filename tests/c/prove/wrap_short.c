// A sum of positive numbers that is kept in 16 bits gets negative. It stays the lower half of the sum in 64 bits.
// function: sum
// options: --assume step>0
// expect: covered 5 infeasible 1 unknown 0
// expect: infeasible 14:13 true
int sum(int n, short step);
int sum(int n, short step)
{
    short small = 0;
    long long large = 0;
    for (int i = 0; i < n; i++) {
        small = (short)(small + step);
        large += step;
        if ((short)large != small)
            return -2;
    }
    if (small < 0)
        return -1;
    return 0;
}
