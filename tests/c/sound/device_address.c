// A device is where its maker put it.
// function: ready
// reachable: 12:9 true
// reachable: 12:9 false
// reachable: 15:9 true
// reachable: 15:9 false
#define STATUS (*(volatile unsigned *)0x40001000u)
#define SMALL (*(volatile unsigned char *)0x25u)
int ready(int x);
int ready(int x)
{
    if (STATUS & 1)
        return 1;
    SMALL = 3;
    if (x == 7)
        return 2;
    return 0;
}
