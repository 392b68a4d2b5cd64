// Enumerators, and values that are none.
// function: step_of
// expect: covered 8 infeasible 0 unknown 0
enum gear { REVERSE = -1, NEUTRAL, FIRST, SECOND = 20 };

int step_of(enum gear now, const enum gear *wanted);
int step_of(enum gear now, const enum gear *wanted)
{
    switch (now) {
    case REVERSE:
        return -1;
    case FIRST:
        return 1;
    case SECOND:
        return wanted && *wanted == REVERSE ? 3 : 2;
    default:
        return 0;
    }
}
