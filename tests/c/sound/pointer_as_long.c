// The pointer arrives as an integer; what it means is the caller's matter.
// function: apply
// reachable: 13:9 true
// reachable: 13:9 false
// reachable: 15:9 true
// reachable: 15:9 false
typedef int callback(int);
int apply(long address, int x);

int apply(long address, int x)
{
    callback *g = (callback *)address;
    if (g == 0)
        return -1;
    if (g(x) == 1)
        return 1;
    return 0;
}
