// A loop that goto makes.
// function: retries
// reachable: 15:9 true
// reachable: 15:9 false
// reachable: 15:20 true
// reachable: 15:20 false
// reachable: 17:9 true
// reachable: 17:9 false
int retries(int n);
int retries(int n)
{
    int tries = 0;
again:
    tries++;
    if (n-- > 0 && tries < 5)
        goto again;
    if (tries == 5)
        return 1;
    return 0;
}
