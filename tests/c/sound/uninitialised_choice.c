// What a local is that only some paths write is not said on the others, though it never lies in memory.
// function: chooses
// reachable: 15:9 true
// reachable: 15:9 false
// reachable: 17:9 true
// reachable: 17:9 false
int chooses(int c, int d);
int chooses(int c, int d)
{
    int x, y;
    if (c > 3)
        x = 5;
    if (d == 2)
        return 3;
    if (x == 7)
        return 1;
    if (y == 0x12345678)
        return 2;
    return 0;
}
