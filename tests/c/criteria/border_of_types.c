// Borders at the ends of types, of floats, of pointers and of the labels of a switch.
// function: borders
// options: -c boundary --pointers valid
// expect: boundary covered 18 infeasible 3 unknown 0
// expect: infeasible 16:11 i == 2147483647 + 1
// expect: infeasible 17:11 u == 0 - 1
// expect: infeasible 17:11 u < 0 - 1
// expect: covered 18:11 d == 1.5 + next
// expect: covered 19:11 s == -7
// expect: covered 20:5 kind == 5
// expect: covered 20:5 kind == 8
#include <limits.h>
int borders(int i, unsigned u, double d, signed char s, int kind)
{
    int found = 0;
    if (i == INT_MAX) found++;
    if (u >= 0) found++;
    if (d <= 1.5) found++;
    if (s != -7) found++;
    switch (kind) {
    case 3:
    case 4: return found;
    case 7: return -found;
    case 6:
    default: return 0;
    }
}
