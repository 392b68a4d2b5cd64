// A pool behind a pointer: what is used and what is free make up its size.
// function: serve
// expect: covered 10 infeasible 2 unknown 0
// expect: infeasible 43:13 true
// expect: infeasible 46:9 true
int request(void);

struct pool {
    unsigned used;
    unsigned spare;
};

static int take(struct pool *p)
{
    if (p->spare == 0)
        return 0;
    p->spare--;
    p->used++;
    return 1;
}

static void give(struct pool *p)
{
    if (p->used > 0) {
        p->used--;
        p->spare++;
    }
}

int serve(unsigned size);
int serve(unsigned size)
{
    struct pool p = {0, size};
    int refused = 0;
    for (;;) {
        int r = request();
        if (r == 0)
            break;
        if (r > 0)
            refused = !take(&p);
        else
            give(&p);
        if (p.used + p.spare != size)
            return -1;
    }
    if (p.used > size)
        return -2;
    return refused;
}
