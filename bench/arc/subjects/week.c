// The week of the year of a date, in eight ways: weeks start on Sunday or Monday, days before the first week are in week
// 0 or in the last week of the year before, and the first week is the one with four days of the year or the first
// whole one. A caller who always passes the same mode makes part of it infeasible.
// function: week0
// expect: covered 42 infeasible 18 unknown 0
// function: week1
// expect: covered 44 infeasible 16 unknown 0
// function: week2
// expect: covered 48 infeasible 12 unknown 0
// function: week3
// expect: covered 50 infeasible 10 unknown 0
// function: week4
// expect: covered 42 infeasible 18 unknown 0
// function: week5
// expect: covered 44 infeasible 16 unknown 0
// function: week6
// expect: covered 47 infeasible 13 unknown 0
// function: week7
// expect: covered 49 infeasible 11 unknown 0
// function: week_any
// expect: covered 56 infeasible 4 unknown 0
#include <stdbool.h>

enum { MONDAY_FIRST = 1, NO_WEEK_0 = 2, WHOLE_WEEKS = 4 };

static bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_of_year(int year)
{
    return is_leap(year) ? 366 : 365;
}

static int days_of_month(int year, int month)
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

static bool is_date(int year, int month, int day)
{
    if (year < 1 || year > 9999)
        return false;
    if (month < 1 || month > 12)
        return false;
    return day >= 1 && day <= days_of_month(year, month);
}

// The first day of January is day 0.
static int day_in_year(int year, int month, int day)
{
    int days = day - 1;
    for (int m = 1; m < month; m++)
        days += days_of_month(year, m);
    return days;
}

// The days from the start of a week to the first of January.
static int new_year(int year, unsigned mode)
{
    int before = year - 1;
    int weekday = (before * 365 + before / 4 - before / 100 + before / 400 + 1) % 7;
    if (mode & MONDAY_FIRST)
        return weekday == 0 ? 6 : weekday - 1;
    return weekday;
}

// The day in the year on which week 1 starts; it may lie in December before.
static int first_week(int weekday, unsigned mode)
{
    if (weekday < 0 || weekday > 6)
        return 0;
    if (mode & WHOLE_WEEKS)
        return weekday == 0 ? 0 : 7 - weekday;
    return weekday <= 3 ? -weekday : 7 - weekday;
}

static int calendar_week(int year, int month, int day, unsigned mode)
{
    if (!is_date(year, month, day))
        return -1;
    int since = day_in_year(year, month, day);
    int weekday = new_year(year, mode);
    int start = first_week(weekday, mode);
    if (since < start) {
        if (!(mode & NO_WEEK_0))
            return 0;
        int days = days_of_year(year - 1);
        start = first_week((weekday + 371 - days) % 7, mode);
        since += days;
    } else if ((mode & NO_WEEK_0) && since >= 357) {
        int days = days_of_year(year);
        if (since - days >= first_week((weekday + days) % 7, mode))
            return 1;
    }
    int week = (since - start) / 7 + 1;
    if (week < 1 || week > 53)
        return -2;
    return week;
}

int week0(int year, int month, int day);
int week0(int year, int month, int day)
{
    return calendar_week(year, month, day, 0);
}

int week1(int year, int month, int day);
int week1(int year, int month, int day)
{
    return calendar_week(year, month, day, MONDAY_FIRST);
}

int week2(int year, int month, int day);
int week2(int year, int month, int day)
{
    return calendar_week(year, month, day, NO_WEEK_0);
}

int week3(int year, int month, int day);
int week3(int year, int month, int day)
{
    return calendar_week(year, month, day, NO_WEEK_0 | MONDAY_FIRST);
}

int week4(int year, int month, int day);
int week4(int year, int month, int day)
{
    return calendar_week(year, month, day, WHOLE_WEEKS);
}

int week5(int year, int month, int day);
int week5(int year, int month, int day)
{
    return calendar_week(year, month, day, WHOLE_WEEKS | MONDAY_FIRST);
}

int week6(int year, int month, int day);
int week6(int year, int month, int day)
{
    return calendar_week(year, month, day, WHOLE_WEEKS | NO_WEEK_0);
}

int week7(int year, int month, int day);
int week7(int year, int month, int day)
{
    return calendar_week(year, month, day, WHOLE_WEEKS | NO_WEEK_0 | MONDAY_FIRST);
}

int week_any(int year, int month, int day, unsigned mode);
int week_any(int year, int month, int day, unsigned mode)
{
    return calendar_week(year, month, day, mode);
}
