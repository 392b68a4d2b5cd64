// Cases without a break.
// function: classes
// reachable: 21:9 true
// reachable: 21:9 false
// reachable: 23:9 true
// reachable: 23:9 false
int classes(int c, int n);
int classes(int c, int n)
{
    int r = 0;
    switch (c) {
    case 1:
        r += n;
        /* fall through */
    case 2:
        r += 2;
        break;
    default:
        r = -n;
    }
    if (r == 7)
        return 1;
    if (r < 0)
        return 2;
    return 0;
}
