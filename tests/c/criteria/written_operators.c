// Operators are those of the syntax tree: a shift is no relation, and a comment says nothing. Lengths of arrays count too.
// function: steps
// options: -c boundary
// expect: boundary covered 8 infeasible 0 unknown 0
// expect: covered 12:23 y == x
// expect: covered 14:29 y == 0
int steps(int x, int y)
{
    int n = 0;
    if ((unsigned)x << 3)
        n++;
    if (y /* a < b */ >= x)
        --n;
    int length[(x & 3) + (y < 0) + 1];
    return n + (int)sizeof length;
}
