// Decisions that clang's MC/DC does not count: a condition that holds another decision, and a negated one. Decisions in
// an assignment, an argument and a conditional expression, and one with a constant in it.
// function: many
// options: -c mcdc
// expect: mcdc covered 16 infeasible 0 unknown 0
static int same(int v) { return v; }

int many(int a, int b, int c, int d)
{
    int n = 0;
    if (same(a && b) && c)
        n++;
    if (a && !(b || d))
        n++;
    n += a > 3 || b > 3 || c > 3;
    n += (c > 5 && d > 5) ? 2 : 3;
    n += same(b == 7 && d == 7);
    if (a > 9 && 1 && d > 9)
        n++;
    return n;
}
