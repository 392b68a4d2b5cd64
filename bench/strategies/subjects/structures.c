// Decisions on members of structures: by value, by pointer, and in an array of them.
// function: structures
// options: --pointers valid
// expect: covered 23 infeasible 0 unknown 0

struct point {
    int x, y;
};

struct shape {
    unsigned char kind;
    struct point corner[2];
    const struct point *centre;
};

static int inside(struct point p, const struct point corner[2])
{
    return p.x >= corner[0].x && p.x <= corner[1].x && p.y >= corner[0].y && p.y <= corner[1].y;
}

int structures(struct shape s, int distance);
int structures(struct shape s, int distance)
{
    switch (s.kind) {
    case 1:
        if (s.corner[0].x > s.corner[1].x || s.corner[0].y > s.corner[1].y)
            return -1;
        return inside(*s.centre, s.corner) ? 1 : 0;
    case 2:
        if (s.centre->x == s.centre->y && distance == 12)
            return 2;
        return 3;
    default:
        return s.kind == 200 ? 4 : 5;
    }
}
