/* What the authors thought of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "booking.h"

static void an_hour_and_a_half(void **state)
{
    (void)state;
    assert_int_equal(duration_minutes("1h30m"), 90);
}

static void a_slot_that_is_taken(void **state)
{
    struct room room = { .count = 0 };
    (void)state;
    assert_int_equal(room_book(&room, (struct slot) { 540, 600 }), BOOKING_OK);
    assert_int_equal(room_book(&room, (struct slot) { 570, 630 }), BOOKING_TAKEN);
    assert_int_equal(room_minutes(&room), 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_hour_and_a_half),
        cmocka_unit_test(a_slot_that_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
