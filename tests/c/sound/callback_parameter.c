// A caller has functions of its own.
// function: ask
// reachable: 10:9 true
// reachable: 10:9 false
// reachable: 10:14 true
// reachable: 10:14 false
int ask(int (*g)(int), int x);
int ask(int (*g)(int), int x)
{
    if (g && g(x) == 1)
        return 1;
    return 0;
}
