// May a room be booked? Opening hours, notice, other bookings of the day, what the guest may do, and what it costs.
// function: book
#include <stdbool.h>

enum day { MONDAY = 0, FRIDAY = 4, SATURDAY = 5, SUNDAY = 6 };
enum guest { VISITOR = 1, MEMBER = 2, STAFF = 3, BLOCKED = 9 };
enum answer { BAD_REQUEST = -1, CLOSED = -2, TOO_LATE = -3, TOO_LONG = -4, TAKEN = -5, REFUSED = -6, FULL = -7 };
enum { TAKEN_MOST = 3, HOUR = 4, NOON = 12 * HOUR, DAY = 24 * HOUR };

struct slot {
    short from;
    short to;
};

struct request {
    int day;
    int from;
    int to;
    int people;
    int notice;
    enum guest guest;
    bool projector;
    bool food;
};

struct others {
    unsigned char count;
    struct slot taken[TAKEN_MOST];
};

/* Times are quarters of an hour. */
static bool is_time(int quarter)
{
    return quarter >= 0 && quarter <= DAY;
}

static bool is_sound(const struct request *r, const struct others *o)
{
    if (r->day < MONDAY || r->day > SUNDAY || o->count > TAKEN_MOST)
        return false;
    if (!is_time(r->from) || !is_time(r->to) || r->from >= r->to)
        return false;
    return r->people > 0 && r->notice >= 0;
}

static bool is_open(int day, int from, int to)
{
    switch (day) {
    case SUNDAY:
        return false;
    case SATURDAY:
        return from >= 9 * HOUR && to <= NOON;
    case FRIDAY:
        return from >= 7 * HOUR && to <= 18 * HOUR;
    default:
        return from >= 7 * HOUR && to <= 21 * HOUR;
    }
}

static bool is_free(const struct request *r, const struct others *o)
{
    for (int i = 0; i < o->count; i++) {
        const struct slot *s = &o->taken[i];
        if (s->from < s->to && r->from < s->to && s->from < r->to)
            return false;
    }
    return true;
}

static int longest(enum guest guest)
{
    return guest == STAFF ? 8 * HOUR : guest == MEMBER ? 4 * HOUR : 2 * HOUR;
}

static int seats(bool projector, bool food)
{
    int seats = 40;
    if (projector)
        seats -= 6;
    if (food)
        seats -= projector ? 8 : 10;
    return seats;
}

static bool may(const struct request *r)
{
    if (r->guest != VISITOR && r->guest != MEMBER && r->guest != STAFF)
        return false;
    if (r->food && !(r->guest == STAFF || (r->guest == MEMBER && r->people <= 12)))
        return false;
    return !(r->guest == VISITOR && (r->day == SATURDAY || r->from >= 18 * HOUR));
}

static int cost(const struct request *r)
{
    int each = r->guest == STAFF ? 0 : r->guest == MEMBER ? 2 : 5;
    int sum = (r->to - r->from) * each;
    if (r->projector && r->guest != STAFF)
        sum += 10;
    if (r->food)
        sum += r->people * 3 + (r->people < 4 ? 5 : 0);
    if (r->day == SATURDAY)
        sum += sum / 2;
    if (sum > 60 && r->guest == MEMBER)
        sum = 60;
    return sum;
}

int book(struct request r, struct others o)
{
    if (!is_sound(&r, &o))
        return BAD_REQUEST;
    if (!is_open(r.day, r.from, r.to))
        return CLOSED;
    if (r.notice < (r.food ? 48 : r.guest == STAFF ? 0 : 2))
        return TOO_LATE;
    if (r.to - r.from > longest(r.guest))
        return TOO_LONG;
    if (!may(&r))
        return REFUSED;
    if (r.people > seats(r.projector, r.food))
        return FULL;
    if (!is_free(&r, &o))
        return TAKEN;
    return cost(&r);
}
