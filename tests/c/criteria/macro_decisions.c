// Decisions of which a part comes from a macro and that clang's MC/DC does not count: a negated macro, an argument that is
// a decision, macros in macros, and several in one line.
// function: many
// options: -c mcdc
// expect: mcdc covered 19 infeasible 0 unknown 0
#define DIGIT(c) ((c) >= '0' && (c) <= '9')
#define NOT(c) (!(c))
#define BOTH(a, b) \
    ((a) && \
     (b))
#define NAME(c) (DIGIT(c) || (c) == '_')

int many(char c, int x, int y, int z)
{
    int n = 0;
    if (!DIGIT(c) && x)
        n++;
    if (NOT(x > 7 && y) && z)
        n++;
    if (!BOTH(x > 3, y > 4) || !BOTH(x < 30, z))
        n++;
    n += NOT(x == 5 || y == 5) && !(z > 1 || z < -1);
    if (z && !NAME(c) /* not a name */ && y)
        n++;
    return n;
}
