// expect: trap undefined-function 11
// The address of an undefined function may be taken; calling it is the trap.
#include <stdio.h>

extern int elsewhere(int);

int main(void)
{
    int (*f)(int) = elsewhere;
    printf("%d\n", f != 0);
    return f(3);
}
