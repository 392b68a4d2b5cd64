// A function whose address is taken travels as a `long`, and is called with an argument of another width.
// function: choose
// reachable: 10:9 true
// reachable: 10:9 false
// reachable: 20:9 true
// reachable: 20:9 false
static long kept;
static int small(int x)
{
    if (x == 5)
        return 1;
    return 0;
}

static void keep(long function) { kept = function; }

int choose(int on, long x);
int choose(int on, long x)
{
    if (on)
        keep((long)small);
    else
        return 0;
    return ((int (*)(long))kept)(x);
}
