// An object with volatile parts that the code also clears and copies as a whole: from there on it is the code's own.
// function: restart
// options: --pointers valid
// expect: covered 5 infeasible 0 unknown 1
#include <string.h>

struct state {
    volatile int mode, reply;
    int count;
};

static struct state saved;

void restart(struct state *state);
void restart(struct state *state)
{
    if (state->mode == 5)
        state->reply = 9;
    if (state->mode == 6)
        return;
    memcpy(&saved, state, sizeof saved);
    memset((void *)state, 0, sizeof *state);
    // Only by somebody else.
    if (state->mode == 7)
        state->reply = 8;
}
