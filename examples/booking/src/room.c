#include "booking.h"

static const int MINUTES_PER_DAY = 24 * 60;

static int is_slot(struct slot slot)
{
    return slot.from >= 0 && slot.from < slot.to && slot.to <= MINUTES_PER_DAY;
}

int slots_overlap(struct slot a, struct slot b)
{
    return a.from < b.to && b.from < a.to;
}

int room_book(struct room *room, struct slot slot)
{
    int at;
    int i;
    if (!is_slot(slot)) {
        return BOOKING_BAD;
    }
    if (room->count >= BOOKING_MAX) {
        return BOOKING_FULL;
    }
    for (at = 0; at < room->count && room->slots[at].from < slot.from; at++) {
        if (slots_overlap(room->slots[at], slot)) {
            return BOOKING_TAKEN;
        }
    }
    if (at < room->count && slots_overlap(room->slots[at], slot)) {
        return BOOKING_TAKEN;
    }
    for (i = room->count; i > at; i--) {
        room->slots[i] = room->slots[i - 1];
    }
    if (i != at) { /* the loop has stopped there */
        return BOOKING_BAD;
    }
    room->slots[at] = slot;
    room->count++;
    return BOOKING_OK;
}

int room_minutes(const struct room *room)
{
    int sum = 0;
    int i;
    for (i = 0; i < room->count; i++) {
        sum += room->slots[i].to - room->slots[i].from;
    }
    return sum;
}
