// The day after a date of the years 1583 to 9999, as a number of the form yyyymmdd, or 0 for what is no date.
// function: next_date
static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_of(int month, int year)
{
    switch (month) {
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    case 2:
        return is_leap(year) ? 29 : 28;
    default:
        return 31;
    }
}

long next_date(int day, int month, int year)
{
    if (year < 1583 || year > 9999)
        return 0;
    if (month < 1 || month > 12)
        return 0;
    if (day < 1 || day > days_of(month, year))
        return 0;
    day++;
    if (day > days_of(month, year)) {
        day = 1;
        month++;
        if (month > 12) {
            month = 1;
            year++;
        }
    }
    return year * 10000L + month * 100L + day;
}
