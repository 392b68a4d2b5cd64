// Advice to climb or to descend, from the state of two aircraft: the logic of a collision avoidance system.
// function: advice
// expect: covered 69 infeasible 3 unknown 0
#include <stdbool.h>

enum { ROOM = 300, FAST = 600, CLOSE = 900 };
enum { NOTHING, UP, DOWN };
enum { KNOWN = 1, OTHER = 2 };
enum { NO_INTENT, WILL_NOT_CLIMB, WILL_NOT_DESCEND };

struct state {
    int separation;
    bool confident;
    bool reports_valid;
    int own_altitude;
    int own_rate;
    int other_altitude;
    unsigned char layer;
    int room_up;
    int room_down;
    int intent;
    int equipment;
    bool climb_inhibited;
};

static int least_room(const struct state *s)
{
    switch (s->layer) {
    case 0:
        return 400;
    case 1:
        return 500;
    case 2:
        return 640;
    default:
        return 740;
    }
}

static int room_with_bias(const struct state *s)
{
    return s->climb_inhibited ? s->room_up + 100 : s->room_up;
}

static bool own_below(const struct state *s)
{
    return s->own_altitude < s->other_altitude;
}

static bool own_above(const struct state *s)
{
    return s->other_altitude < s->own_altitude;
}

static bool climb_is_right(const struct state *s)
{
    if (room_with_bias(s) > s->room_down)
        return !own_below(s) || !(s->room_down >= least_room(s));
    return own_above(s) && s->separation >= ROOM && s->room_up >= least_room(s);
}

static bool descent_is_right(const struct state *s)
{
    if (room_with_bias(s) > s->room_down)
        return own_below(s) && s->separation >= ROOM && s->room_down >= least_room(s);
    return !own_above(s) || s->room_up >= least_room(s);
}

int advice(struct state s);
int advice(struct state s)
{
    if (s.room_up < 0 || s.room_up > 10000 || s.room_down < 0 || s.room_down > 10000)
        return NOTHING;
    bool enabled = s.confident && s.own_rate <= FAST && s.separation > CLOSE;
    bool equipped = s.equipment == KNOWN;
    bool intent_unknown = s.reports_valid && s.intent == NO_INTENT;
    if (!enabled || !((equipped && intent_unknown) || !equipped))
        return NOTHING;
    bool up = climb_is_right(&s) && own_below(&s);
    bool down = descent_is_right(&s) && own_above(&s);
    if (up && down)
        return NOTHING;
    if (up)
        return UP;
    if (down)
        return DOWN;
    return NOTHING;
}
