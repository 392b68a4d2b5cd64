// What code tells its callers of itself is meant for them: its tests call it with what they like, and no compiler warns.
// function: room_for
// expect: covered 4 infeasible 0 unknown 0
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

__attribute__((alloc_size(1, 2), deprecated)) void *room_for(size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        return NULL;
    return calloc(count, size);
}
