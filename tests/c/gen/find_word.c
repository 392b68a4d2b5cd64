// Where something is, or that it is nowhere; and a note of it that is new.
// function: find_word
// expect: covered 10 infeasible 0 unknown 0
#include <stdlib.h>
#include <string.h>

struct note {
    char text[8];
    const char *where;
    struct note *before;
    int length;
};

const char *nothing = "nothing";

/* The word's first letter; *note says more. */
const char *find_word(const char *text, char first, struct note **note)
{
    const char *at = text;
    struct note *made;
    if (!text || !note) {
        return 0;
    }
    while (*at && *at != first) {
        at++;
    }
    if (!*at) {
        return nothing;
    }
    made = malloc(sizeof *made);
    made->text[0] = first;
    made->text[1] = '\0';
    made->where = at;
    made->before = *note;
    made->length = (int)(at - text);
    *note = made;
    return at;
}
