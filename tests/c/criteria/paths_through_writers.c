// A write through another pointer, one by a function that is called, and one of a part may change what is known of memory.
// Three paths have no inputs: nobody writes, and yet the value is another; somebody writes, and yet it is 0.
// function: through_writers
// options: -c local-path -s guided
// expect: local-path covered 7 infeasible 3 unknown 0
#include <stddef.h>

static void count(unsigned *a)
{
    (*a)++;
}

int through_writers(unsigned *a, unsigned *b, int way)
{
    if (a == NULL || b == NULL)
        return -1;
    *a = 0;
    if (way > 0)
        *b = 1;
    else if (way < -9)
        count(a);
    else if (way == -9)
        ((unsigned char *)a)[1] = 1;
    if (*a == 0)
        return 0;
    return 1;
}
