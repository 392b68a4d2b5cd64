// Code that undoes macros with the C library's names, as allocators do: no test can put a function of its own in their place, so no
// call fails in runs.
// function: room_for
// options: --max-iterations 40 --no-fuzz
// expect: covered 3 infeasible 0 unknown 1
#include <stdlib.h>

#undef malloc

int room_for(unsigned length)
{
    char *copy;
    if (length > 8)
        return -1;
    copy = malloc(length + 1u);
    if (copy == NULL)
        return 0;
    free(copy);
    return 1;
}
