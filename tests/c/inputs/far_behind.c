// An index that the code compares with a length: however far behind the array it leads, at another object or at none, it is the array
// that is expected to be as long.
// function: take
// options: -c branch,runtime-error --pointers valid
// expect: covered 4 infeasible 0 unknown 0
// expect: contract 16:29 the object behind tokens has at least count elements
// on i386 arm: expect: contract 16:29 bytes of an object are before what tokens points to
struct token {
    int kind, size;
};

int take(struct token *tokens, unsigned next, unsigned count);
int take(struct token *tokens, unsigned next, unsigned count)
{
    if (next < count && next > 100000000u)
        return tokens[next].size & 1;
    return -1;
}
