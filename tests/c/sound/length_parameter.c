// How long it is says the user, and no more.
// function: tail
// options: --length=a=n
// reachable: 12:9 false
// reachable: 14:9 true
// reachable: 14:9 false
// reachable: 16:9 true
// reachable: 16:9 false
int tail(const int *a, int n);
int tail(const int *a, int n)
{
    if (n < 1)
        return -1;
    if (a[n - 1] == 3)
        return 1;
    if (n > 17)
        return 2;
    return 0;
}
