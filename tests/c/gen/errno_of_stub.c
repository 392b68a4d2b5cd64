// What an undefined function leaves in errno is what was there before: nothing, whatever a test does first.
// function: open_door
// expect: covered 9 infeasible 0 unknown 1
#include <errno.h>
#include <stddef.h>

int turn(int key);

int open_door(int key, int *turns)
{
    int error = 0;
    int count = 0;
    while (count < 3 && turn(key) < 0) {
        error = errno;
        count++;
    }
    if (error != 0)
        return error;
    if (turns != NULL)
        *turns = count;
    return count == 3 ? -1 : 0;
}
