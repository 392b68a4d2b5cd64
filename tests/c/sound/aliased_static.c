// A static variable whose address another function hands out.
// function: hands_out
// reachable: 15:9 true
// reachable: 15:9 false
// reachable: 19:9 true
// reachable: 19:9 false
// reachable: 21:9 true
// reachable: 21:9 false
static int state;
int *get(void);
int *get(void) { return &state; }
int hands_out(int *p);
int hands_out(int *p)
{
    if (!p)
        return -1;
    state = 0;
    *p = 1;
    if (state == 1)
        return 1;
    if (p == &state)
        return 2;
    return 0;
}
