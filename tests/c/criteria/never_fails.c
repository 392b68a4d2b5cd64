// An assertion that holds on all paths, in a function with another that fails: the call for the failure never comes back.
// function: checked
// options: -c assertion
// expect: assertion covered 1 infeasible 1 unknown 0
// expect: infeasible 14:9 assertion
// expect: defect assertion 12:9
#include <assert.h>

int checked(int x)
{
    if (x > 3)
        assert(x != 1000);
    if (x < 2)
        assert(x != 5);
    return x;
}
