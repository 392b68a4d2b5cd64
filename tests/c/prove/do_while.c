// The body of a do-while loop runs at least once.
// function: attempts
// expect: covered 6 infeasible 2 unknown 0
// expect: infeasible 13:9 true
// expect: infeasible 15:18 true
int attempts(int n);
int attempts(int n)
{
    int tries = 0;
    do {
        tries++;
    } while (tries < n);
    if (tries <= 0)
        return -1;
    if (n > 0 && tries != n)
        return -2;
    return tries;
}
