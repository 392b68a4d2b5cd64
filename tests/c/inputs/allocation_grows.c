// Of several calls of one function a later one fails, and what was there before is kept.
// function: repeat
// expect: covered 10 infeasible 0 unknown 0
#include <errno.h>
#include <stdlib.h>

char *repeat(char what, unsigned times, int *error);
char *repeat(char what, unsigned times, int *error)
{
    char *text = NULL;
    unsigned length = 0, room = 0;
    if (times > 6 || !error)
        return NULL;
    *error = 0;
    while (length < times) {
        if (length == room) {
            char *grown = realloc(text, room + 2);
            if (!grown) {
                // What there is must do.
                *error = errno;
                break;
            }
            text = grown;
            room += 2;
        }
        text[length++] = what;
    }
    return text;
}
