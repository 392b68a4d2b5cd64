// A range that is longer than any object that is tried, and one whose end is before its begin.
// function: length
// reachable: 12:9 true
// reachable: 12:9 false
// reachable: 14:9 true
// reachable: 14:9 false
// reachable: 16:9 true
// reachable: 16:9 false
int length(const short *begin, const short *end);
int length(const short *begin, const short *end)
{
    if (!begin || !end)
        return -2;
    if (end - begin == 100000)
        return -1;
    if (end < begin)
        return 1;
    return 0;
}
