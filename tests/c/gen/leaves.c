// Objects that a function makes: one that it hands out, one that it frees, and one that it forgets where the name is too long.
// function: take
// options: --pointers valid
// expect: covered 8 infeasible 0 unknown 0
#include <stdlib.h>
#include <string.h>

struct entry {
    char *name;
    int size;
};

struct entry *take(const char *name, int size);
struct entry *take(const char *name, int size)
{
    struct entry *entry = malloc(sizeof *entry);
    if (entry == NULL)
        return NULL;
    char *copy = strdup(name);
    if (copy == NULL) {
        free(entry);
        return NULL;
    }
    if (size > 100)
        return NULL; /* Both are lost. */
    if (size < 0) {
        free(copy);
        copy = NULL;
    }
    entry->name = copy;
    entry->size = size;
    return entry;
}
