// What a local is before it is written is not said.
// function: looks_local
// reachable: 9:9 true
// reachable: 9:9 false
// reachable: 18:9 true
// reachable: 18:9 false
static void maybe(int *p, int c)
{
    if (c)
        *p = 1;
}
int looks_local(int c);
int looks_local(int c)
{
    int x;
    maybe(&x, c);
    unsigned char *bytes = (unsigned char *)&x;
    if (bytes[0] == 77)
        return 1;
    return 0;
}
