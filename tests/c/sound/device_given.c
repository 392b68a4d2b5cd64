// A device that the user names gives what it likes, whatever was written to it; memory beside it keeps what it has.
// function: given
// options: --device 0x40001000:16
// reachable: 17:9 true
// reachable: 17:9 false
// reachable: 20:9 true
// reachable: 20:9 false
// reachable: 23:9 true
#define REGISTER(n) ((volatile unsigned *)0x40001000u)[n]
#define PLAIN (*(unsigned *)0x40001008u)
unsigned seen;
int given(unsigned which);
int given(unsigned which)
{
    REGISTER(0) = 5;
    seen = REGISTER(0);
    if (seen != 5)
        return 1;
    // Whichever of the four it is.
    if (REGISTER(which & 3) == 9)
        return 2;
    PLAIN = 3;
    if (PLAIN == 3)
        return 3;
    return 0;
}
