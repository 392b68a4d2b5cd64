// A variadic function that nobody defines here writes through its arguments.
// function: scans
// reachable: 11:9 true
// reachable: 11:9 false
int scan(const char *format, ...);
int scans(void);
int scans(void)
{
    int x = 0;
    scan("%d", &x);
    if (x == 42)
        return 1;
    return 0;
}
