// setjmp and longjmp: from callees, in a loop, zero becoming one.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf env;

static void deep(int n, int code)
{
    if (n == 0)
        longjmp(env, code);
    deep(n - 1, code);
    puts("never");
}

int main(void)
{
    int code = setjmp(env);
    printf("code %d\n", code);
    if (code == 0)
        deep(3, 42);
    if (code == 42)
        deep(0, 0);
    static int tries;
    switch (setjmp(env)) {
    case 0:
        puts("direct");
        break;
    default:
        printf("jumped %d\n", tries);
    }
    if (++tries < 4)
        longjmp(env, tries);
    return tries;
}
