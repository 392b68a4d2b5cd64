// A function that returns a char is called as one that returns an int, and one that takes fewer arguments with more.
// function: call
// reachable: 16:9 true
// reachable: 16:9 false
// reachable: 18:9 true
// reachable: 18:9 false
static char low(int x) { return (char)(x & 0x7f); }
static int first(int x) { return x; }

int call(int which, int x);
int call(int which, int x)
{
    void *const all[2] = {(void *)low, (void *)first};
    int (*one)(int, int) = (int (*)(int, int))all[which & 1];
    int got = one(x, 1);
    if ((got & 0x7f) == 5)
        return 1;
    if (got == 300)
        return 2;
    return 0;
}
