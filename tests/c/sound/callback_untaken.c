// A function of the callback's type whose address nobody takes: callers can pass it, and others of theirs.
// function: apply
// reachable: 17:9 true
// reachable: 17:9 false
// reachable: 17:14 true
// reachable: 17:14 false
int one_for_three(int x);
int apply(int (*g)(int), int x);

int one_for_three(int x)
{
    return x == 3;
}

int apply(int (*g)(int), int x)
{
    if (g && g(x) == 1)
        return 1;
    return 0;
}
