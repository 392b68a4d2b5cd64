// A static variable whose address another function hands out. Where p is that address, state is 1, so the last if is never true.
// function: hands_out
// reachable: 14:9 true
// reachable: 14:9 false
// reachable: 18:9 true
// reachable: 18:9 false
// reachable: 20:9 false
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
