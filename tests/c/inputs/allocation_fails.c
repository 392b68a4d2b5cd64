// Memory may be used up at any call: which one, a test says.
// function: make_pair
// expect: covered 10 infeasible 0 unknown 0
#include <stdlib.h>
#include <string.h>

struct pair {
    char *label;
    int *values;
    int count;
};

struct pair *make_pair(const char *name, int count);
struct pair *make_pair(const char *name, int count)
{
    if (count < 1 || count > 100)
        return NULL;
    struct pair *pair = malloc(sizeof *pair);
    if (!pair)
        return NULL;
    pair->label = strdup(name);
    if (pair->label == NULL) {
        free(pair);
        return NULL;
    }
    pair->values = calloc((size_t)count, sizeof *pair->values);
    if (pair->values == NULL) {
        free(pair->label);
        free(pair);
        return NULL;
    }
    pair->count = count;
    return pair;
}
