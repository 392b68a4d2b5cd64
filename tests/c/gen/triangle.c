// Classify a triangle by its sides.
// function: triangle
// expect: covered 24 infeasible 0 unknown 0
#include <stdbool.h>

enum kind { NONE, SCALENE, ISOSCELES, EQUILATERAL };

static bool possible(long a, long b, long c)
{
    return a + b > c && b + c > a && a + c > b;
}

enum kind triangle(int a, int b, int c);
enum kind triangle(int a, int b, int c)
{
    if (a <= 0 || b <= 0 || c <= 0)
        return NONE;
    if (!possible(a, b, c))
        return NONE;
    if (a == b && b == c)
        return EQUILATERAL;
    if (a == b || b == c || a == c)
        return ISOSCELES;
    return SCALENE;
}
