// All runs go one way by a number that each library has its own of. What an unknown function calls on the other way was never tried.
// function: scan
// reachable: 12:9 true
// reachable: 12:9 false
#include <string.h>

int each(int (*visit)(int), int count);

static int total;
static int on_item(int x)
{
    if (x > 10)
        total++;
    return x;
}

int scan(int left);
int scan(int left)
{
    char text[4] = {'c', 0, 0, 0};
    int order = strcmp("a", text);
    if (order != -7)
        return 1;
    return each(on_item, left);
}
