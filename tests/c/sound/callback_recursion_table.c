// What is called through a table at a deep level of a recursion calls a further function.
// function: run
// reachable: 9:9 true
// reachable: 9:9 false
static int seen;

static int leaf(int value)
{
    if (value > 40)
        return 1;
    return 0;
}

static int plain(int value) { return leaf(value); }
static int twice(int value) { return leaf(value + value); }

static int (*const table[2])(int) = {plain, twice};

static int go(unsigned which, int value)
{
    if (value > 100)
        return 0;
    seen += table[which & 1](value);
    return go(which >> 1, value + 10);
}

int run(unsigned which);
int run(unsigned which)
{
    return go(which, 0);
}
