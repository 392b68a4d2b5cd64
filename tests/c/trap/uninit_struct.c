// expect: trap uninitialised 19
// check: uninitialised
// native: memory
// One member of a struct was never set.
struct opts {
    int level, verbose;
};

static void init(struct opts *o)
{
    o->level = 3;
}

int main(void)
{
    struct opts o;
    init(&o);
    if (o.level == 3)
        while (o.verbose)
            o.verbose = 0;
    return 0;
}
