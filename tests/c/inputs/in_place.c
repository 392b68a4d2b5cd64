// Copies forwards or backwards, as the places overlap.
// function: move
// expect: covered 14 infeasible 0 unknown 0
int move(unsigned char *to, const unsigned char *from, unsigned n);
int move(unsigned char *to, const unsigned char *from, unsigned n)
{
    if (!to || !from || n > 8)
        return -1;
    if (to == from)
        return 0;
    if (to < from) {
        for (unsigned i = 0; i < n; i++)
            to[i] = from[i];
        return 1;
    }
    while (n-- > 0)
        to[n] = from[n];
    return 2;
}
