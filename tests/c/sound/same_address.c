// Whether two pointers are the same is up to the caller.
// function: same
// reachable: 15:9 true
// reachable: 15:9 false
// reachable: 15:15 true
// reachable: 15:15 false
// reachable: 17:9 true
// reachable: 17:9 false
// reachable: 19:9 true
// reachable: 19:9 false
int state;
int same(int *p, char *q);
int same(int *p, char *q)
{
    if (!p || !q)
        return -1;
    if (p == &state)
        return 1;
    if ((char *)p == q)
        return 2;
    return 0;
}
