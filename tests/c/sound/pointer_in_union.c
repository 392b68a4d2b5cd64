// The bits of a function pointer travel as a number in a union.
// function: through_union
// reachable: 14:9 true
// reachable: 14:9 false
union bits {
    int (*function)(int);
    unsigned long number;
};

static unsigned long store;

static int is_nine(int x)
{
    if (x == 9)
        return 1;
    return 0;
}

int through_union(int x);
int through_union(int x)
{
    union bits in = {.function = is_nine}, out;
    store = in.number ^ 0xffff;
    out.number = store ^ 0xffff;
    return out.function(x);
}
