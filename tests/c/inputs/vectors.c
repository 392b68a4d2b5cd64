// The elements of a vector are inputs, as a parameter and behind a pointer.
// function: brightest
// expect: covered 10 infeasible 0 unknown 0
typedef short pixel __attribute__((vector_size(8)));

int brightest(pixel one, const pixel *others, unsigned count);
int brightest(pixel one, const pixel *others, unsigned count)
{
    int best = one[0] + one[3];
    if (!others || count > 2)
        return -1;
    for (unsigned i = 0; i < count; i++)
        if (others[i][1] > best)
            best = others[i][1];
    return best == 12345 ? 1 : 0;
}
