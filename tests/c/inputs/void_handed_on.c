// A `void *` that is only handed on: the function that gets it says what it is.
// function: visit
// expect: covered 6 infeasible 0 unknown 0
struct limits {
    short low, high;
};

static int inside(const void *what, int value)
{
    const struct limits *limits = (const struct limits *)what;
    if (!limits)
        return 0;
    return value >= limits->low && value <= limits->high;
}

int visit(const void *what, int value);
int visit(const void *what, int value)
{
    return inside(what, value);
}
