// Constructors of several files with priorities; function pointers across files.
#include <stdio.h>

typedef int (*op)(int);
extern op registered[4];
extern int count;

int main(void)
{
    for (int i = 0; i < count; i++)
        printf("%d ", registered[i](10));
    putchar('\n');
    return count;
}
