// What is before the first element that a function is given.
// function: before
// reachable: 10:9 true
// reachable: 10:9 false
// reachable: 12:9 true
// reachable: 12:9 false
int before(const int *a);
int before(const int *a)
{
    if (!a)
        return -1;
    if (a[-1] == 4)
        return 1;
    return 0;
}
