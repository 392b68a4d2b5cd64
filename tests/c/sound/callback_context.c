// What a callback gets as its context it may change.
// function: visits
// reachable: 11:9 true
// reachable: 11:9 false
// reachable: 15:9 true
// reachable: 15:9 false
int visits(void (*visit)(void *), int n);
int visits(void (*visit)(void *), int n)
{
    int count = 0;
    if (visit) {
        for (int i = 0; i < 2; i++)
            visit(&count);
    }
    if (count == 2)
        return n;
    return 0;
}
