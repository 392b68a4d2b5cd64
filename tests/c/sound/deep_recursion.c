// A stack may be larger than ours.
// function: depth
// reachable: 10:9 true
// reachable: 10:9 false
int depth(unsigned n);
int depth(unsigned n)
{
    volatile char room[64];
    room[0] = 1;
    if (n == 0)
        return room[0];
    return depth(n - 1);
}
