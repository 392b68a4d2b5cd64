// A static variable keeps what calls before made of it.
// function: calls_before
// reachable: 10:9 true
// reachable: 10:9 false
int calls_before(void);
int calls_before(void)
{
    static int calls;
    calls++;
    if (calls > 3)
        return 1;
    return 0;
}
