// Aliases of functions and variables.
#include <stdio.h>

int real_add(int a, int b) { return a + b; }
int other_name(int, int) __attribute__((alias("real_add")));
__attribute__((weak, alias("real_add"))) int weak_alias(int, int);
int value = 5;
extern int same __attribute__((alias("value")));
static int hidden(void) { return 77; }
int shown(void) __attribute__((alias("hidden")));

int main(void)
{
    printf("%d %d\n", other_name(2, 3), weak_alias(4, 5));
    value = 9;
    printf("%d %d\n", same, &same == &value);
    same++;
    printf("%d %d\n", value, shown() + hidden());
    return value;
}
