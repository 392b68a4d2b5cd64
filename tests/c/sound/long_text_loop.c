// The same by hand.
// function: counts
// reachable: 13:9 true
// reachable: 13:9 false
// reachable: 15:12 true
// reachable: 15:12 false
// reachable: 17:9 true
// reachable: 17:9 false
int counts(const char *s);
int counts(const char *s)
{
    int n = 0;
    if (!s)
        return -1;
    while (s[n])
        n++;
    if (n == 40)
        return 1;
    return 0;
}
