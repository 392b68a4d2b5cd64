// Weak definitions, an undefined weak function and an undefined weak variable.
#include <stdio.h>

__attribute__((weak)) int maybe(int);
extern __attribute__((weak)) int missing_data;
__attribute__((weak)) int provided(int n) { return n + 1; }
__attribute__((weak)) int weak_value = 7;

int main(void)
{
    if (maybe)
        printf("%d\n", maybe(1));
    else
        puts("maybe is absent");
    printf("%d\n", &missing_data == NULL);
    int (*f)(int) = provided;
    printf("%d %d\n", f ? f(4) : -1, weak_value);
    return weak_value;
}
