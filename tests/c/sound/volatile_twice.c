// Somebody else may write between two reads.
// function: changes
// reachable: 11:9 true
// reachable: 11:9 false
volatile int port;
int changes(void);
int changes(void)
{
    int first = port;
    int second = port;
    if (first != second)
        return 1;
    return 0;
}
