// A header of several numbers before the block that a function is given.
// function: block_state
// expect: covered 8 infeasible 0 unknown 0
struct header {
    unsigned size;
    int owner;
};

int block_state(void *block);
int block_state(void *block)
{
    const struct header *head = (const struct header *)block;
    if (!block)
        return -1;
    if (head[-1].size > 4000)
        return 1;
    if (head[-1].owner == -7)
        return 2;
    return ((const struct header *)block - 2)->owner == 12345 ? 3 : 0;
}
