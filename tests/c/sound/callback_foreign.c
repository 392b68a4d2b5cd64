// The program has no function that returns 7 here, but a caller may have one.
// function: apply
// reachable: 16:9 true
// reachable: 16:9 false
// reachable: 18:9 true
// reachable: 18:9 false
int state;
int zero(int x);
int apply(int (*g)(int), int x);

int zero(int x) { return x * 0; }

int apply(int (*g)(int), int x)
{
    state = 0;
    if (g(x) == 7)
        return 1;
    if (state)
        return 2;
    return 0;
}
