// A state machine: a door that needs a code of two symbols.
// function: run
// options: --array-len 4 --pointers valid
// expect: covered 16 infeasible 2 unknown 0
// expect: infeasible 18:17 default
// expect: infeasible 34:9 case BROKEN

enum state { CLOSED, FIRST, OPEN, ALARM, BROKEN };

int run(const unsigned char *events, unsigned count);
int run(const unsigned char *events, unsigned count)
{
    enum state now = CLOSED;
    if (count > 3)
        return -1;
    for (unsigned i = 0; i < count; i++) {
        unsigned char e = events[i];
        switch (now) {
        case CLOSED:
            now = e == 'a' ? FIRST : CLOSED;
            break;
        case FIRST:
            if (e == 'b')
                now = OPEN;
            else if (e != 'a')
                now = ALARM;
            break;
        case OPEN:
            if (e == 'x')
                now = CLOSED;
            break;
        case ALARM:
            return 9;
        case BROKEN:
            return 10;
        }
    }
    return now == OPEN;
}
