// Advice to climb or to descend, in the manner of a collision avoidance system.
// function: advise
#include <stdbool.h>

struct view {
    int own_height;
    int other_height;
    int room_up;
    int room_down;
    int rate;
    unsigned char band;
    bool sure;
    bool other_fitted;
    bool other_climbs;
    bool inhibited;
};

static const int least_room[4] = { 400, 500, 640, 740 };

static int least(const struct view *v)
{
    return least_room[v->band & 3];
}

static bool own_below(const struct view *v)
{
    return v->own_height < v->other_height;
}

static bool own_above(const struct view *v)
{
    return v->other_height < v->own_height;
}

static int biased(const struct view *v)
{
    return v->inhibited ? v->room_up + 100 : v->room_up;
}

static bool may_climb(const struct view *v)
{
    if (biased(v) > v->room_down)
        return !own_below(v) || !(v->room_down >= least(v));
    return own_above(v) && v->room_up >= least(v);
}

static bool may_descend(const struct view *v)
{
    if (biased(v) > v->room_down)
        return own_below(v) && v->room_down >= least(v);
    return !own_above(v) || (own_above(v) && v->room_up >= least(v));
}

int advise(struct view v)
{
    if (v.room_up < 0 || v.room_up > 9999 || v.room_down < 0 || v.room_down > 9999)
        return -1;
    bool enabled = v.sure && v.rate <= 600;
    bool silent = !v.other_fitted;
    bool alone = v.other_fitted && !v.other_climbs;
    if (!enabled || !(alone || silent))
        return 0;
    bool up = may_climb(&v) && own_below(&v);
    bool down = may_descend(&v) && own_above(&v);
    if (up && down)
        return 0;
    if (up)
        return 1;
    return down ? 2 : 0;
}
