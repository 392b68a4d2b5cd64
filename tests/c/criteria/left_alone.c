// What a function must leave alone: one that writes a byte too many returns the same.
// function: stamp
// options: -c mutation --pointers valid
// expect: mutation covered 15 infeasible 0 unknown 0
int stamp(unsigned char *to, int room, unsigned char mark)
{
    if (room > 0)
        to[0] = mark;
    if (room > 1)
        to[1] = mark;
    return 2;
}
