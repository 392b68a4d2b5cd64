// A ring buffer: a type without a tag, a counter of its own, and what lies behind it.
// function: put
// options: --pointers valid
// expect: covered 8 infeasible 0 unknown 0

typedef struct {
    unsigned head;
    unsigned count;
    unsigned char full : 1, wrapped : 3;
    int items[4];
} ring;

static unsigned long puts_so_far;
int last_item;

int put(ring *ring, int item)
{
    if (ring->head >= 4 || ring->count > 4) {
        return -1;
    }
    puts_so_far++;
    last_item = item;
    if (ring->count == 4) {
        ring->full = 1;
        return 0;
    }
    ring->items[(ring->head + ring->count) % 4] = item;
    if (ring->head + ring->count >= 4) {
        ring->wrapped++;
    }
    ring->count++;
    return 1;
}
