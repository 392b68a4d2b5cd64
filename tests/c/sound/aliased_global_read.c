// The same the other way round.
// function: reads_global
// reachable: 11:9 true
// reachable: 11:9 false
// reachable: 15:9 true
// reachable: 15:9 false
int state;
int reads_global(int *p);
int reads_global(int *p)
{
    if (!p)
        return -1;
    *p = 4;
    state = 7;
    if (*p == 7)
        return 1;
    return 0;
}
