// More accesses than a test tells: from there on nobody else changes what is volatile.
// function: burn
// expect: covered 6 infeasible 0 unknown 0
static volatile unsigned sink;

unsigned burn(unsigned turns);
unsigned burn(unsigned turns)
{
    if (turns != 0) {
        for (unsigned i = 0; i < 1500; i++)
            sink = i;
        return 0;
    }
    if (sink == 77)
        return 1;
    return 2;
}
