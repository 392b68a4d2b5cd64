// What other functions ask about their parameters, and what a function asks about what it has just made, says nothing about what this
// one is given: it expects pointers. What others ask about a member that they were given does.
// function: put
// options: -c branch,runtime-error
// expect: covered 4 infeasible 0 unknown 0
// expect: contract 48:17 buffer is not NULL
// expect: contract 50:35 (*buffer).bytes is not NULL
// expect: defect null-pointer 51:12
#include <stdlib.h>

struct buffer {
    unsigned char *bytes;
    size_t used;
    int *count;
};

struct buffer *make(size_t size);
size_t used(const struct buffer *buffer);
int bump(struct buffer *buffer);
int put(struct buffer *buffer, unsigned char byte);

struct buffer *make(size_t size)
{
    struct buffer *made = malloc(sizeof *made);
    if (made == NULL)
        return NULL;
    made->bytes = malloc(size);
    if (made->bytes == NULL) {
        free(made);
        return NULL;
    }
    made->used = 0;
    return made;
}

size_t used(const struct buffer *buffer)
{
    return buffer == NULL ? 0 : buffer->used;
}

int bump(struct buffer *buffer)
{
    return buffer->count ? ++*buffer->count : 0;
}

int put(struct buffer *buffer, unsigned char byte)
{
    if (buffer->used > 3)
        return -1;
    buffer->bytes[buffer->used++] = byte;
    return *buffer->count > 0 ? 1 : 0;
}
