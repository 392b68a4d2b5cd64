// An array is as long as it likes.
// function: last
// reachable: 14:9 true
// reachable: 14:9 false
// reachable: 17:21 true
// reachable: 17:21 false
// reachable: 18:13 true
// reachable: 18:13 false
// reachable: 20:9 true
// reachable: 20:9 false
int last(const int *a, int n);
int last(const int *a, int n)
{
    if (!a)
        return -1;
    int found = 0;
    for (int i = 0; i < n; i++)
        if (a[i] == 7)
            found++;
    if (found == 20)
        return 1;
    return 0;
}
