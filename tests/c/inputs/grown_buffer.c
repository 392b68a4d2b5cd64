// A buffer of the caller that the code enlarges: realloc gives memory with the old content, or fails and leaves it alone.
// function: append
// expect: covered 10 infeasible 0 unknown 0
#include <stdlib.h>

struct bytes {
    char *data;
    unsigned len;
    unsigned cap;
};

int append(struct bytes *b, char c);
int append(struct bytes *b, char c)
{
    if (b->len >= b->cap) {
        char *more = realloc(b->data, 32);
        if (!more)
            return -1;
        b->data = more;
        b->cap = 32;
    }
    if (b->len >= 15)
        return -2;
    if (b->data[0] == 'z' && c == 'y')
        return 1;
    b->data[b->len++] = c;
    return 0;
}
