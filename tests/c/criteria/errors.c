// Possible run-time errors: found or proved impossible.
// function: risky
// options: -c runtime-error,assertion
// expect: runtime-error covered 4 infeasible 3 unknown 0
// expect: assertion covered 1 infeasible 1 unknown 0
// expect: infeasible 20:23 division-by-zero
// expect: infeasible 20:23 division-overflow
// expect: covered 21:15 signed-overflow
// expect: covered 22:21 shift
// expect: infeasible 24:18 bad-access
// expect: defect signed-overflow 21:15
// expect: defect shift 22:21
// expect: defect out-of-bounds 25:16
// expect: defect signed-overflow 28:17
// expect: defect assertion 27:5
#include <assert.h>
static int table[8];
int risky(int a, int b, unsigned n)
{
    int q = b > 0 ? a / b : 0;
    int s = a - b;
    unsigned m = 1u << n;
    if (n < 8)
        table[n] = s;
    int last = table[n % 9];
    assert(n % 9 < 9);
    assert(q != 77);
    return last + (int)m;
}
