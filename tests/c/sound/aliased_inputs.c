// Two pointers may point into one array.
// function: sets
// reachable: 12:9 true
// reachable: 12:9 false
// reachable: 12:15 true
// reachable: 12:15 false
// reachable: 16:9 true
// reachable: 16:9 false
int sets(int *a, int *b);
int sets(int *a, int *b)
{
    if (!a || !b)
        return -1;
    b[1] = 0;
    a[0] = 5;
    if (b[1] == 5)
        return 1;
    return 0;
}
