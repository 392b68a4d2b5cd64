// The week of the year in the eight ways that data bases number it: Monday or Sunday first, from 0 or from 1, and
// whether week 1 must have four days in the year.
// function: calendar_week
// expect: covered 42 infeasible 1 unknown 0
// expect: infeasible 57:5 default
#include <stdbool.h>

enum { MONDAY_FIRST = 1, FROM_ONE = 2, FOUR_DAYS = 4 };

static bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

// Sunday is 0. The days before year Y since a Sunday, modulo seven.
static int weekday_of_new_year(int year)
{
    int y = year - 1;
    return (1 + y + y / 4 - y / 100 + y / 400) % 7;
}

// Returns -1 for what is no date or no mode.
int calendar_week(int year, int day_of_year, unsigned mode);
int calendar_week(int year, int day_of_year, unsigned mode)
{
    if (year < 1 || year > 9999 || mode > 7)
        return -1;
    int days = is_leap(year) ? 366 : 365;
    if (day_of_year < 1 || day_of_year > days)
        return -1;
    int first = weekday_of_new_year(year);
    if (mode & MONDAY_FIRST)
        first = (first + 6) % 7;
    // Days of January before week 1.
    int before = (7 - first) % 7;
    if ((mode & FOUR_DAYS) && before >= 4)
        before -= 7;
    int day = day_of_year - 1 - before;
    if (day >= 0) {
        int week = day / 7 + 1;
        if ((mode & FROM_ONE) && (mode & FOUR_DAYS) && week == 53) {
            int next = (first + days) % 7;
            if (next <= 3)
                return 1;
        }
        return week;
    }
    if (!(mode & FROM_ONE))
        return 0;
    switch (mode) {
    case 2:
    case 3:
        return 52 + (first == 0);
    case 6:
    case 7:
        return first == 4 ? 53 : 52;
    default:
        return -1;
    }
}
