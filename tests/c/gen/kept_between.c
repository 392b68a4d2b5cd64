// A function that keeps a count and a text of its own: what it gives depends on the calls before, and no test can set it.
// function: label
// expect: covered 6 infeasible 0 unknown 0
#include <stddef.h>

struct label {
    int calls;
    char text[4];
};

const struct label *label(const char *name)
{
    static struct label last;
    size_t i;

    if (name == NULL) {
        return NULL;
    }
    last.calls++;
    for (i = 0; i < 3 && name[i] != '\0'; i++) {
        last.text[i] = name[i];
    }
    return &last;
}
