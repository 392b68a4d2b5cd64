// Which pairs qsort compares, how often, and where equal elements end up, C leaves open; a sanitizer compares some twice.
// function: counts
// reachable: 28:9 true
// reachable: 28:9 false
// reachable: 30:9 true
// reachable: 30:9 false
// reachable: 32:9 true
// reachable: 32:9 false
// reachable: 35:9 true
// reachable: 35:9 false
#include <stdlib.h>
struct entry { signed char key, mark; };
static int compared, same;
static int by_key(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    compared++;
    if (x == y)
        same = 1;
    return (x->key > y->key) - (x->key < y->key);
}
int counts(signed char first);
int counts(signed char first)
{
    struct entry all[3] = {{first, 0}, {5, 1}, {9, 2}};
    compared = same = 0;
    qsort(all, 3, sizeof all[0], by_key);
    if (compared > 3)
        return 1;
    if (same)
        return 2;
    if (all[0].key == all[1].key && all[0].mark > all[1].mark)
        return 3;
    compared = 0;
    if (bsearch(&all[2], all, 3, sizeof all[0], by_key) == &all[2] && compared == 1)
        return 4;
    return 0;
}
