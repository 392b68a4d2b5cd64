// The same behind a pointer.
// function: polls
// reachable: 10:9 true
// reachable: 10:9 false
// reachable: 13:9 true
// reachable: 13:9 false
int polls(volatile unsigned *status);
int polls(volatile unsigned *status)
{
    if (!status)
        return -1;
    *status = 0;
    if (*status & 1)
        return 1;
    return 0;
}
