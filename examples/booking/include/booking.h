/* Bookings of a room: durations as people write them, and slots that must not overlap. */
#ifndef BOOKING_H
#define BOOKING_H

enum { BOOKING_MAX = 4 };

enum booking_error {
    BOOKING_OK = 0,
    BOOKING_BAD = -1,
    BOOKING_TAKEN = -2,
    BOOKING_FULL = -3
};

/* From minute `from` up to, but not with, minute `to` of a day. */
struct slot {
    int from;
    int to;
};

/* Slots in the order of the day. */
struct room {
    struct slot slots[BOOKING_MAX];
    int count;
};

/* Minutes of a duration such as "90m", "2h" or "1h30m"; BOOKING_BAD if it is none or longer than a day. */
int duration_minutes(const char *text);

/* Whether the slots have a minute in common. */
int slots_overlap(struct slot a, struct slot b);

/* Books a slot. The room's slots must be in order. */
int room_book(struct room *room, struct slot slot);

/* The minutes of the day that are booked. */
int room_minutes(const struct room *room);

#endif
