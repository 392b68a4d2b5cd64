// Registers behind a pointer: what is volatile there is an input at each read, and what is written is held against the test.
// function: send
// expect: covered 8 infeasible 0 unknown 0
struct uart {
    volatile unsigned status, data;
    unsigned sent;
};

int send(struct uart *port, unsigned char byte);
int send(struct uart *port, unsigned char byte)
{
    int turns = 0;
    if (!port)
        return -1;
    while ((port->status & 0x80) == 0)
        if (++turns == 3)
            return -2;
    port->data = byte;
    port->sent++;
    if (port->status & 1)
        return 1;
    return 0;
}
