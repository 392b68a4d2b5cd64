// A pointer is before another one.
// function: inside
// reachable: 10:9 true
// reachable: 10:9 false
// reachable: 12:9 true
// reachable: 12:9 false
int inside(const char *low, const char *high, const char *at);
int inside(const char *low, const char *high, const char *at)
{
    if (at < low)
        return 0;
    if (at >= high)
        return 1;
    return 2;
}
