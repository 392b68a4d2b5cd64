// One step of the controller of a lift: where it goes, whether the door opens, and when it must stop.
// function: step
#include <stdbool.h>

enum motion { STANDS = 0, UP = 1, DOWN = 2, BLOCKED = 3 };

struct lift {
    int floor;
    int goal;
    int load;
    int door;
    int waits;
    enum motion motion;
    bool fire;
    bool hold;
};

enum { LOWEST = -2, HIGHEST = 9, MOST = 630, OPEN = 100 };

static bool in_range(int floor)
{
    return floor >= LOWEST && floor <= HIGHEST;
}

static bool is_sound(const struct lift *l)
{
    if (!in_range(l->floor) || !in_range(l->goal))
        return false;
    if (l->load < 0 || l->load > 2 * MOST)
        return false;
    return l->door >= 0 && l->door <= OPEN && l->waits >= 0 && l->waits < 1000;
}

static int door_step(const struct lift *l)
{
    if (l->motion != STANDS && l->door > 0)
        return -1;
    if (l->hold || (l->fire && l->floor == 0))
        return l->door < OPEN ? l->door + 10 : OPEN;
    if (l->waits > 5 && l->load <= MOST)
        return l->door > 10 ? l->door - 10 : 0;
    return l->door;
}

static enum motion next_motion(const struct lift *l, int door)
{
    if (door > 0 || l->load > MOST)
        return STANDS;
    int goal = l->fire ? 0 : l->goal;
    switch (l->motion) {
    case STANDS:
        if (goal > l->floor && l->waits >= 3)
            return UP;
        if (goal < l->floor && l->waits >= 3)
            return DOWN;
        return STANDS;
    case UP:
        return l->floor < goal && l->floor != HIGHEST ? UP : STANDS;
    case DOWN:
        return l->floor > goal && l->floor != LOWEST ? DOWN : STANDS;
    default:
        return BLOCKED;
    }
}

int step(struct lift l)
{
    if (!is_sound(&l))
        return -1;
    int door = door_step(&l);
    if (door < 0)
        return -2;
    enum motion motion = next_motion(&l, door);
    int floor = l.floor;
    if (motion == UP)
        floor++;
    else if (motion == DOWN)
        floor--;
    if (!in_range(floor))
        return -3;
    return (floor + 2) * 1000 + door * 4 + (int)motion;
}
