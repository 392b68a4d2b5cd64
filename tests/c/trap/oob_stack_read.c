// expect: trap out-of-bounds 11
// native: address
// An array on the stack is read one element past its end.
#include <stdio.h>

int main(void)
{
    int a[4] = {1, 2, 3, 4};
    int sum = 0;
    for (int i = 0; i <= 4; i++)
        sum += a[i];
    printf("%d\n", sum);
    return 0;
}
