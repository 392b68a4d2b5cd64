// The day after a date of the Gregorian calendar.
// function: next_date
// options: --pointers valid
// expect: covered 30 infeasible 0 unknown 0
#include <stdbool.h>

struct date {
    int day;
    int month;
    int year;
};

static bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int length_of_month(int month, int year)
{
    switch (month) {
    case 2:
        return is_leap(year) ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    default:
        return 31;
    }
}

bool next_date(struct date *d);
bool next_date(struct date *d)
{
    if (d->year < 1583 || d->year > 9999)
        return false;
    if (d->month < 1 || d->month > 12)
        return false;
    int last = length_of_month(d->month, d->year);
    if (d->day < 1 || d->day > last)
        return false;
    if (d->day < last) {
        d->day++;
        return true;
    }
    d->day = 1;
    if (d->month < 12) {
        d->month++;
        return true;
    }
    d->month = 1;
    d->year++;
    return true;
}
