// A byte of an address is compared with a number, by way of a union that was copied.
// function: check
// reachable: 19:9 true
// reachable: 19:9 false
// reachable: 21:9 true
// reachable: 21:9 false
struct part {
    unsigned char kind;
    union { unsigned char ch; unsigned char *text; } u;
};

static int same(struct part p, unsigned char c)
{
    return p.u.ch == c;
}

int check(const struct part *p, unsigned char c)
{
    if (p == 0 || p->u.text == 0 || c == 0)
        return -1;
    if (same(*p, c))
        return 1;
    return 0;
}
