// What is passed to a function is computed before the call, even if there is no such function.
// function: applies
// reachable: 8:9 true
// reachable: 8:9 false
// reachable: 17:9 true
static int checked(int x)
{
    if (x > 3)
        return 1;
    return 0;
}

int applies(int (*function)(int), int x);
int applies(int (*function)(int), int x)
{
    int result = function(checked(x));
    if (result == 7)
        return 1;
    return 0;
}
