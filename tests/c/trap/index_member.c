// expect: trap array-index 14
// check: array-bounds
// native: undefined
// An index runs from one member of a struct into the next.
struct packet {
    int head[4];
    int tail[4];
};

int main(void)
{
    struct packet p = {{0}, {0}};
    for (int i = 0; i < 8; i++)
        p.head[i] = i;
    return p.tail[0];
}
