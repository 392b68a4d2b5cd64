// Two files with static functions, variables and types of the same name.
#include <stdio.h>

int other(int);
static int value = 1;
struct item { int a; };
static int helper(int n) { struct item i = {n}; return i.a + value; }

int main(void)
{
    value += 5;
    printf("%d %d %d\n", helper(10), other(10), helper(1));
    static int local = 3;
    printf("%d\n", local++ + other(0));
    return local;
}
