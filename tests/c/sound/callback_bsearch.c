// The comparison of a search in a table is called by the library only.
// function: find
// reachable: 15:9 true
// reachable: 15:9 false
// reachable: 26:9 true
// reachable: 26:9 false
#include <stdlib.h>

static const int table[4] = {2, 3, 5, 1007};

static int order(const void *a, const void *b)
{
    int x = *(const int *)a;
    int y = *(const int *)b;
    if (x > 1000)
        return (x > y) - (x < y);
    return x - y;
}

int find(unsigned short key);
int find(unsigned short key)
{
    int wanted = key;
    const int *found = bsearch(&wanted, table, 4, sizeof table[0], order);
    int there = found != 0;
    if (there)
        return *found;
    return 0;
}
