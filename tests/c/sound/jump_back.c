// A jump out of a function.
// function: jumps
// reachable: 13:9 true
// reachable: 13:9 false
// reachable: 20:9 true
// reachable: 20:9 false
// reachable: 24:9 true
// reachable: 24:9 false
#include <setjmp.h>
static jmp_buf back;
static void check(int x)
{
    if (x > 3)
        longjmp(back, x);
}
int jumps(int x);
int jumps(int x)
{
    int code = setjmp(back);
    if (code == 0) {
        check(x);
        return 0;
    }
    if (code == 9)
        return 1;
    return 2;
}
