// A length that is far beyond all memory.
// function: put
// expect: covered 6 infeasible 0 unknown 0
#include <string.h>

struct buffer {
    unsigned short used;
    unsigned char bytes[16];
};

int put(struct buffer *buffer, const unsigned char *from, unsigned long size);
int put(struct buffer *buffer, const unsigned char *from, unsigned long size)
{
    if (!buffer || !from)
        return -1;
    if (size > 4)
        size = -1UL;
    memcpy(&buffer->bytes[2], from, size);
    return 0;
}
