// A long double is a number like others.
// function: scale
// reachable: 10:9 true
// reachable: 10:9 false
// reachable: 12:9 true
// reachable: 12:9 false
int scale(long double x);
int scale(long double x)
{
    if (x > 2.0L)
        return 1;
    if (x < 0.0L)
        return 2;
    return 0;
}
