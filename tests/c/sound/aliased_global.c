// A pointer may point to a global.
// function: writes
// reachable: 11:9 true
// reachable: 11:9 false
// reachable: 15:9 true
// reachable: 15:9 false
int state;
int writes(int *p);
int writes(int *p)
{
    if (!p)
        return -1;
    state = 0;
    *p = 1;
    if (state == 1)
        return 1;
    return 0;
}
