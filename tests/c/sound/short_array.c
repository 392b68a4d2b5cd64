// A caller's array may be shorter than one of ours.
// function: reads_it
// options: -c runtime-error
// reachable: 8:12 bad-access
int reads_it(const int *a);
int reads_it(const int *a)
{
    return a[5];
}
