// Crates on three stacks, linked by pointers: what lies on what in the end depends on all orders, and each pointer is one
// of a few. So few questions are enough only if links are followed through all ways at once.
// function: stack
// options: --pointers valid --globals initial --max-iterations 60
// expect: covered 22 infeasible 0 unknown 0
#define ORDERS 5
#define CRATES 4

struct crate {
    int weight;
    struct crate *below;
};

static struct crate crates[CRATES];
static struct crate *stacks[3];
static int used;

static int put(struct crate **top)
{
    if (used == CRATES)
        return 0;
    struct crate *crate = &crates[used++];
    crate->weight = used;
    crate->below = *top;
    *top = crate;
    return 1;
}

static int move(struct crate **top, struct crate **other)
{
    struct crate *crate = *top;
    if (!crate)
        return 0;
    *top = crate->below;
    crate->below = *other;
    *other = crate;
    return 1;
}

int stack(const char what[ORDERS], const unsigned char place[ORDERS]);
int stack(const char what[ORDERS], const unsigned char place[ORDERS])
{
    for (int i = 0; i < ORDERS; i++) {
        if (place[i] > 2)
            return -1;
        if (what[i] == 'p' && !put(&stacks[place[i]]))
            return -2;
        if (what[i] == 'm' && !move(&stacks[place[i]], &stacks[(place[i] + 1) % 3]))
            return -3;
    }
    struct crate *crate = stacks[2];
    if (crate && crate->below && crate->weight == 1)
        return crate->below->weight == 3;
    return 2;
}
