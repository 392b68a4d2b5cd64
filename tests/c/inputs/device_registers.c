// A driver that waits for its device: each read of a register gives something else, and what is written is told.
// function: serial_send
// options: --device 0x40011000:0x20
// expect: covered 14 infeasible 0 unknown 0
struct serial {
    volatile unsigned status, data, rate, control;
};
#define SERIAL ((struct serial *)0x40011000u)
#define READY 0x80u
#define BROKEN 0x02u

static int wait_for(const volatile unsigned *status, unsigned bits)
{
    for (int turns = 0; turns < 4; turns++)
        if ((*status & bits) == bits)
            return 1;
    return 0;
}

int serial_send(const char *text, unsigned length);
int serial_send(const char *text, unsigned length)
{
    if (!text || length > 3)
        return -1;
    SERIAL->control |= 1u;
    for (unsigned i = 0; i < length; i++) {
        if (!wait_for(&SERIAL->status, READY))
            return -2;
        SERIAL->data = (unsigned char)text[i];
    }
    if (SERIAL->status & BROKEN)
        return (int)SERIAL->data;
    return 0;
}
