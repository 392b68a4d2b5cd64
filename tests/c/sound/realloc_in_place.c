// realloc may leave what it enlarges where it is, and malloc may give back what was freed.
// function: moves
// reachable: 14:13 true
// reachable: 14:13 false
// reachable: 18:13 true
// reachable: 18:13 false
#include <stdlib.h>
int moves(char *text, char *other);
int moves(char *text, char *other)
{
    int moved = 0;
    char *more = realloc(text, 20), *again;
    if (more) {
        if (more != text)
            moved = 1;
        free(other);
        again = malloc(16);
        if (again == other)
            moved += 2;
        free(again);
        free(more);
    }
    return moved;
}
