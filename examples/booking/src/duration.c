#include "booking.h"

static const int MINUTES_PER_DAY = 24 * 60;

/* The number at *text, which moves behind it; -1 if there is none or it is large. */
static int number(const char **text)
{
    int value = 0;
    const char *start = *text;
    while (**text >= '0' && **text <= '9') {
        value = value * 10 + (**text - '0');
        if (value > MINUTES_PER_DAY) {
            return -1;
        }
        ++*text;
    }
    return *text == start ? -1 : value;
}

int duration_minutes(const char *text)
{
    int hours = 0;
    int minutes = 0;
    int value;
    if (!text) {
        return BOOKING_BAD;
    }
    value = number(&text);
    if (value < 0) {
        return BOOKING_BAD;
    }
    if (*text == 'h') {
        hours = value;
        ++text;
        if (*text == '\0') {
            value = 0;
        } else {
            value = number(&text);
            if (value < 0 || *text != 'm') {
                return BOOKING_BAD;
            }
            minutes = value;
            ++text;
        }
    } else if (*text == 'm') {
        minutes = value;
        ++text;
    } else {
        return BOOKING_BAD;
    }
    if (*text != '\0') {
        return BOOKING_BAD;
    }
    if (hours * 60 + minutes > MINUTES_PER_DAY) {
        return BOOKING_BAD;
    }
    return hours * 60 + minutes;
}
