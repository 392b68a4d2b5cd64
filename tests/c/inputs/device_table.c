// Registers that are told apart by an index, some of them narrow, far up in the address space and on one page with others.
// function: read_channel
// options: --device 0xe000e100:16 --device 0xe000e200:8
// expect: covered 10 infeasible 0 unknown 0
// on i386 arm: expect: covered 9 infeasible 1 unknown 0
// on i386 arm: expect: infeasible 23:9 true
#define CHANNELS ((volatile unsigned short *)0xe000e100u)
#define STATE (*(volatile unsigned char *)0xe000e200u)
#define BIG (*(volatile unsigned long *)0xe000e200u)

int read_channel(int channel);
int read_channel(int channel)
{
    unsigned short first, second;
    if (channel < 0 || channel >= 8)
        return -1;
    first = CHANNELS[channel];
    second = CHANNELS[channel];
    // Nobody but a device gives both.
    if (first != second)
        return -2;
    STATE = (unsigned char)channel;
    if (BIG == 0x123456789abcdefUL)
        return first;
    return STATE == 7 ? 1 : 0;
}
