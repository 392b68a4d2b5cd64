// A table by addresses: where a call goes depends on numbers that nobody chooses, so that no suite can count on it.
// function: enter
// expect: covered 4 infeasible 0 unknown 4
#include <stdint.h>
#include <stdlib.h>

struct item {
    void *key;
    struct item *next;
};

static struct item *table[16];

int enter(int size)
{
    void *key = malloc(8);
    struct item *item = malloc(sizeof *item);
    if (key == NULL || item == NULL)
        return -1;
    unsigned at = (unsigned)((uintptr_t)key >> 4) & 31;
    item->key = key;
    item->next = at < 16 ? table[at] : NULL;
    if (at < 16)
        table[at] = item;
    return size;
}
