// Parts of an object that are volatile, beside others that are not and that only the code changes.
// function: take
// expect: covered 7 infeasible 1 unknown 0
// expect: infeasible 23:9 true
static volatile unsigned char received[16];

static struct {
    volatile unsigned char head;
    unsigned char tail;
    int taken;
} ring;

int take(void);
int take(void)
{
    if (ring.head == ring.tail)
        return -1;
    unsigned char first = received[ring.tail & 15];
    ring.tail++;
    int before = ring.taken;
    ring.taken++;
    // Nobody else changes that.
    if (ring.taken - 1 != before)
        return -2;
    if (first == 0x7d && received[ring.tail & 15] == 0x5e)
        return 1;
    return first;
}
