// The end of a range points into the array that it ends.
// function: sum
// reachable: 13:33 true
// reachable: 13:33 false
// reachable: 15:9 true
// reachable: 15:9 false
// reachable: 17:9 true
// reachable: 17:9 false
int sum(const int *begin, const int *end);
int sum(const int *begin, const int *end)
{
    int total = 0;
    for (const int *at = begin; at != end; at++)
        total += *at & 1;
    if (end - begin == 5)
        return -1;
    if (total == 3)
        return 1;
    return 0;
}
