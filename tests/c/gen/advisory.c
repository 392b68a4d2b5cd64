// Climb or descend? Advice in the manner of a collision avoidance system.
// function: advise
// expect: covered 47 infeasible 1 unknown 0
// expect: infeasible 50:18 true
#include <stdbool.h>

enum advice { UNRESOLVED, CLIMB, DESCEND };

struct situation {
    int own_altitude;
    int other_altitude;
    int room_above;
    int room_below;
    int own_rate;
    unsigned char layer;
    bool confident;
    bool other_answers;
    bool other_climbs;
};

static int threshold(unsigned char layer)
{
    static const int feet[4] = {400, 500, 640, 740};
    return layer < 4 ? feet[layer] : 740;
}

static bool must_climb(const struct situation *s)
{
    int up = s->other_climbs ? s->room_above + 100 : s->room_above;
    if (up > s->room_below)
        return s->own_altitude >= s->other_altitude || s->room_below < threshold(s->layer);
    return s->own_altitude > s->other_altitude && s->room_above >= threshold(s->layer);
}

static bool must_descend(const struct situation *s)
{
    return s->own_altitude < s->other_altitude && s->room_below >= threshold(s->layer);
}

enum advice advise(struct situation s);
enum advice advise(struct situation s)
{
    if (s.room_above < 0 || s.room_above > 100000 || s.room_below < 0 || s.room_below > 100000)
        return UNRESOLVED;
    bool enabled = s.confident && s.own_rate <= 600 && s.own_rate >= -600;
    if (!enabled || (s.other_answers && s.other_climbs && s.own_rate > 0))
        return UNRESOLVED;
    bool climb = must_climb(&s);
    bool descend = must_descend(&s);
    if (climb && descend)
        return UNRESOLVED;
    if (climb)
        return CLIMB;
    if (descend)
        return DESCEND;
    return UNRESOLVED;
}
