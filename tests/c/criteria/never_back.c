// A label in front of a call that never comes back: what leads to the label counts, though nothing leads on behind the call.
// function: last_words
// options: -c runtime-error
// expect: runtime-error covered 2 infeasible 0 unknown 0
// expect: defect signed-overflow 16:19
// expect: defect division-by-zero 17:23
#include <stdlib.h>
static void leave(void)
{
    exit(3);
}

int last_words(int x, int y)
{
    if (x > 5) {
        int z = y + 1;
        int rest = 10 / y;
        leave();
        if (z == rest)
            return 1;
    }
    return 0;
}
