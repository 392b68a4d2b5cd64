// What a function expects of its callers is a contract of that function; a caller of the project that breaks it has a defect.
// function: average_of
// expect: covered 6 infeasible 0 unknown 0
// expect: defect null-pointer 11:15
// expect: defect out-of-bounds 17:12
static const int weights[4] = { 1, 2, 4, 8 };

static int sum(const int *samples)
{
    // Nobody asks whether there are some.
    int all = samples[0];
    return all + samples[1];
}

static int weight(unsigned place)
{
    return weights[place];
}

int average_of(const int *samples, int kind);
int average_of(const int *samples, int kind)
{
    if (kind == 3)
        return sum(0);
    if (kind == 4)
        return weight(4);
    if (kind > 4)
        return weight(1);
    return sum(samples) / 2;
}
