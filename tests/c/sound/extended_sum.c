// Sums in 80 bits: not every solver knows them.
// function: weigh
// reachable: 9:9 true
// reachable: 9:9 false
// reachable: 11:9 true
// reachable: 11:9 false
int weigh(double x, int n)
{
    if (n > 3)
        x += n;
    if ((long double)x * 0.5L + 0.25L > 7.125L)
        return 1;
    return 0;
}
