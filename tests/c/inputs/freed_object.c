// A destructor: the object and what it points to come from malloc, and are gone afterwards.
// function: buffer_close
// expect: covered 8 infeasible 0 unknown 0
#include <stdlib.h>

struct buffer {
    unsigned char *bytes;
    int count;
    int owned;
};

int buffer_close(struct buffer *buffer, int keep);
int buffer_close(struct buffer *buffer, int keep)
{
    int last = -1;
    if (!buffer)
        return last;
    if (buffer->bytes && buffer->owned) {
        last = buffer->bytes[3];
        free(buffer->bytes);
    }
    if (keep) {
        buffer->bytes = NULL;
        buffer->count = 0;
    } else {
        free(buffer);
    }
    return last;
}
