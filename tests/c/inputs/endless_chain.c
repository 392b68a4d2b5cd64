// Indices that lead to each other for ever with most inputs: such a run is followed no further than it shows something.
// function: hops
// expect: covered 8 infeasible 0 unknown 0
struct chain {
    unsigned char next[16];
    unsigned char value[16];
};

int hops(const struct chain *chain, unsigned char from, unsigned char wanted);
int hops(const struct chain *chain, unsigned char from, unsigned char wanted)
{
    unsigned at = from & 15u;
    unsigned count = 0;
    while (chain->value[at] != wanted) {
        if (chain->next[at] > 15)
            return -1;
        at = chain->next[at];
        count++;
    }
    if (count > 2)
        return at == 7 ? 7 : 3;
    return (int)count;
}
