// Both parts of a complex number are inputs, as a parameter, in a struct and behind a pointer.
// function: quadrant
// expect: covered 12 infeasible 0 unknown 0
struct signal {
    int channel;
    _Complex float last;
};

int quadrant(_Complex double z, const struct signal *signal);
int quadrant(_Complex double z, const struct signal *signal)
{
    double re = __real__ z, im = __imag__ z;
    if (!signal)
        return -1;
    if (__real__ signal->last == 1.5f && __imag__ signal->last < 0)
        return signal->channel;
    if (re > 0)
        return im > 0 ? 1 : 4;
    if (im > 2.5)
        return 2;
    return 3;
}
