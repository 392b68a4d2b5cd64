// What to tell a pilot about another aircraft nearby: whether it is a threat, whether to climb or to descend, and how
// fast. All inputs are globals that other parts of the system keep up to date. Checks that can never fail stand at
// the places where the parts meet.
// function: advisory
// options: --assume own_altitude>=-1000 --assume own_altitude<=60000
// options: --assume other_altitude>=-1000 --assume other_altitude<=60000
// options: --assume own_rate>=-200 --assume own_rate<=200 --assume other_rate>=-200 --assume other_rate<=200
// options: --assume seconds>=0 --assume seconds<=300 --assume ground>=-1000 --assume ground<=30000
// expect: covered 113 infeasible 8 unknown 0
#include <stdbool.h>

enum equipment { NOTHING, ALTITUDE_ONLY, COORDINATING };
enum intent { NONE, WILL_CLIMB, WILL_DESCEND };
enum sense { LEVEL, UP, DOWN };
enum advice { CLEAR, TRAFFIC, HOLD, CLIMB, DESCEND, CLIMB_FAST, DESCEND_FAST, CONFLICT = -1 };

// Feet, feet a second, and the seconds until the two are closest.
int own_altitude;
int other_altitude;
int own_rate;
int other_rate;
int seconds;
int ground;
enum equipment other_equipment;
enum intent other_intent;
unsigned char track_age;
bool track_good;
bool climb_limited;
enum sense last_sense;

// From low and slow to high and fast.
static int layer(void)
{
    if (own_altitude - ground < 1000)
        return 0;
    if (own_altitude < 5000)
        return 1;
    if (own_altitude < 20000)
        return 2;
    return 3;
}

static int warning_seconds(int at)
{
    switch (at) {
    case 0:
        return 15;
    case 1:
        return 20;
    case 2:
        return 25;
    case 3:
        return 35;
    default:
        return -1;
    }
}

static int wanted_distance(int at)
{
    if (at < 0 || at > 3)
        return -1;
    if (at >= 2)
        return at == 3 ? 700 : 600;
    return at == 1 ? 400 : 300;
}

static bool track_usable(void)
{
    if (!track_good || track_age > 6)
        return false;
    return other_equipment == ALTITUDE_ONLY || other_equipment == COORDINATING;
}

static int distance(int a, int b)
{
    return a > b ? a - b : b - a;
}

static int altitude_then(int altitude, int rate)
{
    return altitude + rate * seconds;
}

static bool is_threat(int at)
{
    if (seconds > warning_seconds(at))
        return false;
    int now = distance(own_altitude, other_altitude);
    int then = distance(altitude_then(own_altitude, own_rate), altitude_then(other_altitude, other_rate));
    if (now < 0 || then < 0)
        return false;
    return now < wanted_distance(at) || then < wanted_distance(at);
}

// The distance when we change to that rate.
static int room(int rate)
{
    int own = altitude_then(own_altitude, rate);
    int other = altitude_then(other_altitude, other_rate);
    if (rate > 0)
        return own > other ? own - other : 0;
    return own < other ? other - own : 0;
}

static bool may_climb(void)
{
    return !climb_limited && own_altitude < 48000;
}

static bool may_descend(void)
{
    return own_altitude - ground >= 1200 && own_rate <= 70;
}

static enum sense choose(int at)
{
    int above = room(25);
    int below = room(-25);
    bool up = may_climb();
    bool down = may_descend();
    if (other_equipment == COORDINATING && other_intent != NONE) {
        if (other_intent == WILL_CLIMB)
            return down ? DOWN : LEVEL;
        if (other_intent == WILL_DESCEND)
            return up ? UP : LEVEL;
        return LEVEL;
    }
    if (up && down) {
        if (last_sense == UP && above >= wanted_distance(at))
            return UP;
        if (last_sense == DOWN && below >= wanted_distance(at))
            return DOWN;
        return above >= below ? UP : DOWN;
    }
    if (up)
        return UP;
    return down ? DOWN : LEVEL;
}

static enum advice strengthen(enum sense sense, int at)
{
    if (sense == UP) {
        if (!may_climb())
            return CONFLICT;
        if (own_rate >= 25)
            return HOLD;
        return room(25) < wanted_distance(at) ? CLIMB_FAST : CLIMB;
    }
    if (sense == DOWN) {
        if (own_rate <= -25)
            return HOLD;
        if (room(-25) < wanted_distance(at) && own_altitude - ground > 3000)
            return DESCEND_FAST;
        return DESCEND;
    }
    return TRAFFIC;
}

int advisory(void);
int advisory(void)
{
    if (!track_usable())
        return CLEAR;
    int at = layer();
    if (seconds > 60)
        return CLEAR;
    if (!is_threat(at))
        return seconds <= 2 * warning_seconds(at) ? TRAFFIC : CLEAR;
    enum sense sense = choose(at);
    enum advice advice = strengthen(sense, at);
    if ((advice == CLIMB || advice == CLIMB_FAST) && sense != UP)
        return CONFLICT;
    if ((advice == DESCEND || advice == DESCEND_FAST) && sense != DOWN)
        return CONFLICT;
    last_sense = sense;
    return advice;
}
